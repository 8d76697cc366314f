"""Utility: measured for the data holder, and how to use the release for recipients."""

from __future__ import annotations

from tokumei import plots
from tokumei.reconstruction.quality import expected_quality, quality_lines
from tokumei.reports.charts import picture
from tokumei.reports.findings import Findings, Private
from tokumei.reports.html import Html, bullets, joined, number, paragraphs, section, table, tag
from tokumei.reports.numbers import decimal, percent
from tokumei.utility.results import Side, Utility
from tokumei.words import Words

PANELS = 8  # columns of a matrix that can still be read


def receiving(found: Findings, words: Words) -> Html:
    """Say what a recipient can do with the release."""
    said = [words(f"receive_{found.kind}")]
    if found.release.mechanism.averaging is not None:
        said = [words("receive_averaged")]
    if found.release.mechanism.left_out or found.release.suppressed.any():
        said.append(words("receive_not_at_random"))
    said += quality_lines(expected_quality(found.release), words)
    example = ",".join(found.release.mechanism.example)
    code = tag("pre", tag("code", f"tokumei reconstruct RELEASE --columns {example}")) if example else ""
    return section("use", words("title_use"), paragraphs(*said), code, paragraphs(words("receive_inspect")))


def utility(private: Private, words: Words) -> Html:
    """Say what the release still says of its original, as released and reconstructed."""
    found = private.utility
    notes = [words.say(note) for note in private.notes]
    missing = joined([tag("h3", words("title_not_measured")), bullets(notes)]) if notes else ""
    if found is None or not found.sides():
        return section("utility", words("title_utility"), paragraphs(words("utility_none")), missing)
    parts: list[str] = [paragraphs(words("utility_how")), _overall(found, words), _columns(found, words)]
    if 1 < len(found.columns) <= PANELS:
        for name, side in found.sides().items():
            chart = plots.correlations(found.columns, found.associations, side.associations, title=name)
            caption = words("caption_correlations" if name == "released" else "caption_correlations_reconstructed")
            parts.append(picture(chart, caption, words, follows=False, class_="panels"))
    for each in private.shares:
        chart = plots.marginals(
            each.labels,
            each.original.tolist(),
            each.released.tolist(),
            None if each.reconstructed is None else each.reconstructed.tolist(),
        )
        parts.append(picture(chart, words("caption_marginals", column=words.names([each.name])), words))
    return section("utility", words("title_utility"), *parts, _margins(private, words), missing)


def _margins(private: Private, words: Words) -> Html:
    """Say what became of weighted totals that must not change."""
    if not private.margins:
        return Html("")
    rows = []
    for each in private.margins:
        name = " × ".join(each.columns)
        measured = {"moved": each.released, "largest": each.largest, "undone": each.reconstructed}
        shown = {
            key: words("absent") if value is None else number(percent(value), f"margin.{name}.{key}", value)
            for key, value in measured.items()
        }
        rows.append([name, f"{each.total:,.6g}", *shown.values(), *([words("margin_exact")] if each.raked else [])])
    raked = private.margins[0].raked
    keys = ("column", "total", "moved", "largest", "undone", *(["raked"] if raked else []))
    head = [words("margins_columns" if key == "column" else f"margin_{key}") for key in keys]
    how = [words("margins_how"), *([words("margins_how_raked")] if raked else [])]
    return joined([tag("h3", words("title_margins")), paragraphs(" ".join(how)), table(head, rows)])


def _overall(found: Utility, words: Words) -> Html:
    sides = {"released": found.released, "reconstructed": found.reconstructed}
    rows = [
        [
            words(f"utility_{key}"),
            *(_cell(key, name, _measure(found, side, key), words) for name, side in sides.items()),
        ]
        for key in ("marginals", "pairs", "associations", "told_apart", "score", *found.losses)
        if any(_measure(found, side, key) is not None for side in sides.values())
    ]
    return table((words("utility_measure"), *(words(f"side_{name}") for name in sides)), rows)


def _measure(found: Utility, side: Side | None, key: str) -> float | None:
    if side is None:
        return None
    released = side is found.released
    values = {
        "marginals": side.marginal_distance,
        "pairs": side.pair_distance,
        "associations": found.association_distance(side),
        "told_apart": None if side.propensity is None else side.propensity.pmse / side.propensity.worst,
        "score": None if side.prediction is None else side.prediction.score,
    }
    return values[key] if key in values else found.losses[key] if released else None


def _cell(key: str, name: str, value: float | None, words: Words) -> str:
    if value is None:
        return words("absent")
    return number(decimal(value) if key in {"associations", "score"} else percent(value), f"{name}.{key}", value)


def _columns(found: Utility, words: Words) -> Html:
    sides = found.sides()
    rows = [
        [
            column,
            *(
                number(
                    percent(side.marginals[column].total_variation),
                    f"{name}.{column}",
                    side.marginals[column].total_variation,
                )
                for name, side in sides.items()
            ),
        ]
        for column in found.columns
    ]
    head = (words("utility_column"), *(words(f"side_{name}") for name in sides))
    return joined([tag("h3", words("title_columns")), table(head, rows)])
