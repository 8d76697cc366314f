"""What an attacker can do: before and after for the data holder, on the released rows for everyone."""

from __future__ import annotations

import numpy as np

from tokumei import plots
from tokumei.privacy.notions import down
from tokumei.reports.charts import picture
from tokumei.reports.findings import Findings, Private
from tokumei.reports.html import Html, joined, number, paragraphs, section, table
from tokumei.reports.numbers import percent, whole
from tokumei.risk.assessment import Assessment
from tokumei.risk.linking import Linking
from tokumei.table.sizes import ClassSizes
from tokumei.words import Words


def risk(found: Findings, words: Words) -> Html:
    """Say what an attacker can do."""
    private = found.private
    parts: list[str] = []
    if private is not None:
        parts += [_before_after(found, private, words), _attack(found, private, words), _blame(private, words)]
    else:
        parts.append(_public(found, words))
    return section("risk", words("title_risk"), *(part for part in parts if part))


def _linking(found: Findings, private: Private) -> Linking | None:
    """Return what the attacker of the released rows can do, by classes or by the attack."""
    if found.kind == "alike":
        return found.several if found.classes is None else found.classes.prosecutor
    played = private.attack
    if played is None:
        return None
    average = min(played.expected / played.people, 1.0)
    highest = min(played.largest_belief, 1.0)
    return Linking("all-knowing", played.people, highest, average, played.above, played.threshold, played.ways)


def _before_after(found: Findings, private: Private, words: Words) -> Html:
    before, after = private.before.prosecutor, _linking(found, private)
    rows = [
        _row("highest", before.highest, None if after is None else after.highest, words),
        _row("average", before.average, None if after is None else after.average, words),
        _row(
            "above",
            before.above_share,
            None if after is None else after.above_share,
            words,
            threshold=f"{before.threshold:g}",
        ),
    ]
    counted = found.classes if found.kind == "alike" else None
    rows.insert(0, _counts("unique", private.before.unique, None if counted is None else counted.unique, words))
    people = private.before.people
    if people is None:
        rows.insert(0, _counts("k", private.before.k, None if counted is None else counted.k, words))
    else:
        k = None if found.several is None else found.k
        there = words("absent") if k is None else number(down(k), "after.k", k)
        rows.insert(0, [words("risk_k_people"), number(down(people.k), "before.k", people.k), there])
    head = (words("risk_measure"), words("risk_before"), words("risk_after"))
    known = words.some_names(private.before.columns)
    parts: list[str] = [paragraphs(words(f"risk_who_{found.kind}", columns=known)), table(head, rows)]
    if found.several is not None and not found.several.exact:
        parts.append(paragraphs(words("risk_several")))
    parts.append(_wildcards(found, words))
    if after is not None:
        chart = plots.before_after(
            {words("chart_highest"): before.highest, words("chart_average"): before.average},
            {words("chart_highest"): after.highest, words("chart_average"): after.average},
        )
        parts.append(picture(chart, words("caption_before_after"), words))
    k = None if found.kind == "sampled" else found.whole_k  # which is not about classes there
    parts.append(_sizes(private.before, k, words("caption_sizes_before"), words))
    if counted is not None:
        parts.append(_sizes(counted, k, words("caption_sizes_after"), words))
    return joined(parts)


def _row(key: str, before: float, after: float | None, words: Words, **values: str) -> list[str]:
    there = words("absent") if after is None else number(percent(after), f"after.{key}", after)
    return [words(f"risk_{key}", **values), number(percent(before), f"before.{key}", before), there]


def _counts(key: str, before: int, after: int | None, words: Words) -> list[str]:
    there = words("absent") if after is None else number(whole(after), f"after.{key}", after)
    return [words(f"risk_{key}"), number(whole(before), f"before.{key}", before), there]


def _sizes(counted: Assessment, k: float | None, caption: str, words: Words) -> Html:
    """Draw how large classes are."""
    return picture(plots.class_sizes(_each(counted.sizes), k=k), caption, words)


def _each(sizes: ClassSizes) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the size of each class."""
    found = np.array(sizes.sizes, dtype=np.int64)
    return np.repeat(found, np.array(sizes.rows_of, dtype=np.int64) // found)


def _wildcards(found: Findings, words: Words) -> Html:
    """Say how suppressed cells were counted, and what is left if they agree with anything."""
    return Html("") if found.wildcards is None else paragraphs(words("risk_wildcards", k=down(found.wildcards.value)))


def _attack(found: Findings, private: Private, words: Words) -> Html:
    played = private.attack
    if played is None:
        return Html("")
    said = []
    if private.attacked is not None:
        said.append(words("attack_some", rows=whole(private.attacked), all=whole(private.before.rows)))
    if played.linked is None or played.interval is None:
        said.append(words("attack_no_truth"))
    else:
        low, high = played.interval
        said.append(
            words(
                "attack_linked",
                linked=whole(played.linked),
                people=whole(played.people),
                low=percent(low),
                high=percent(high),
            )
        )
    said.append(
        words("attack_belief", belief=percent(min(played.largest_belief, 1.0)), expected=f"{played.expected:,.1f}")
    )
    if played.promised < 1:
        said.append(words("attack_promised", promised=percent(played.promised)))
    if found.kept and found.kind == "perturbed" and found.release.method.get("kept") == "unknown":
        said.append(words("attack_unknown", columns=words.names(found.kept)))
    said.append(words("attack_how", how=words("list_comma").join(map(words.say, played.how))))
    return paragraphs(words.join(said))


def _blame(private: Private, words: Words) -> Html:
    found = private.before.singling_out
    told = [each for each in found.attributes if each.share > 0]
    if not told:
        return Html("")
    chart = plots.blame([each.name for each in told], [each.share for each in told])
    minimal = [each for each in found.minimal if each.rows][:3]
    most = words("list_semicolon").join(
        words("blame_set", columns=words.names(each.columns), rows=whole(each.rows)) for each in minimal
    )
    said = words("blame_sets", sets=most) if minimal else ""
    return joined([picture(chart, words("caption_blame"), words), paragraphs(said)])


def _public(found: Findings, words: Words) -> Html:
    counted = found.classes
    if counted is None and found.several is not None:
        at_most = found.several
        said = [
            [words("risk_k_people"), number(down(found.k), "after.k", found.k)],
            _released("highest", percent(at_most.highest), at_most.highest, words),
            _released("average", percent(at_most.average), at_most.average, words),
        ]
        head = (words("risk_measure"), words("risk_after"))
        return joined([paragraphs(words("public_people"), words("risk_several")), table(head, said)])
    if counted is None:
        changed = found.kind in {"perturbed", "swapped"}
        why = found.kind if changed else "no_columns"
        return paragraphs(words(f"public_{why}"))
    rows = [
        _released("k", whole(counted.k), counted.k, words),
        _released("unique", whole(counted.unique), counted.unique, words),
        _released("highest", percent(counted.prosecutor.highest), counted.prosecutor.highest, words),
        _released("average", percent(counted.prosecutor.average), counted.prosecutor.average, words),
    ]
    return joined(
        [
            paragraphs(words("public_counted", columns=words.names(counted.columns))),
            table((words("risk_measure"), words("risk_after")), rows),
            _wildcards(found, words),
            _sizes(counted, None if found.kind == "sampled" else found.whole_k, words("caption_sizes_after"), words),
        ]
    )


def _released(key: str, text: str, value: float, words: Words) -> list[str]:
    return [words(f"risk_{key}"), number(text, f"after.{key}", value)]
