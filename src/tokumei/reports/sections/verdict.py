"""The verdict: one paragraph that says what matters most."""

from __future__ import annotations

from tokumei.privacy.guarantee import headline
from tokumei.reports.advice import Advice
from tokumei.reports.findings import Findings
from tokumei.reports.html import Html, section, tag
from tokumei.reports.numbers import percent, whole
from tokumei.words import Words
from tokumei.words.catalogue import Brief


def verdict(found: Findings, advice: tuple[Advice, ...], words: Words) -> Html:
    """Say in one paragraph what was released, what is promised, what was measured, and what to mind."""
    release, brief = found.release, Brief(words.language)
    sentences = [
        words(
            "verdict_what",
            rows=whole(release.rows),
            columns=whole(len(release.types)),
            method=words(f"method_{release.method['method']}"),
        ),
        words("verdict_void") if release.seeded else headline(release.guarantees[0], brief),
        "" if found.wildcards is None else headline(found.wildcards, brief),
        *_risk(found, words),
        *_use(found, words),
    ]
    if found.private is not None:
        sentences.append(words("verdict_advice", count=whole(len(advice))) if advice else words("verdict_no_advice"))
    return section("verdict", words("title_verdict"), tag("p", words.join(sentences), class_="verdict"))


def _risk(found: Findings, words: Words) -> list[str]:
    private = found.private
    said = []
    if private is not None:
        before = private.before
        said.append(words("verdict_before", rows=whole(before.unique), share=percent(before.unique_share)))
    if found.classes is not None and found.kind == "alike":
        said.append(words("verdict_classes", k=whole(found.classes.k), rows=whole(found.classes.unique)))
    if private is not None and private.attack is not None:
        played = private.attack
        belief = percent(min(played.largest_belief, 1.0))
        if played.linked is None or played.interval is None:
            said.append(words("verdict_belief", belief=belief))
        else:
            linked, people = whole(played.linked), whole(played.people)
            low, high = (percent(each) for each in played.interval)
            said.append(words("verdict_attack", linked=linked, people=people, low=low, high=high, belief=belief))
    return said


def _use(found: Findings, words: Words) -> list[str]:
    private = found.private
    if private is None:
        return [words(f"verdict_receiver_{found.kind}")]
    if private.utility is None or private.utility.released is None:
        return [words("verdict_not_measured")]
    sides = private.utility.sides()
    said = [words("verdict_released", column=percent(sides["released"].marginal_distance))]
    if found.kind == "perturbed" and "reconstructed" in sides:
        said.append(words("verdict_reconstructed", column=percent(sides["reconstructed"].marginal_distance)))
    return said
