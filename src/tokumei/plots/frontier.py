"""What each method costs for the same risk."""

from __future__ import annotations

import math
from typing import Any, Literal, get_args

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import SHAPES, altair, chart_of, finished, ink, palette
from tokumei.table.frames import to_arrow
from tokumei.table.loss import every_loss
from tokumei.text import nearest
from tokumei.words import Words

MEASURES = {
    "pairs": "mean distance of two columns together (total variation)",
    "marginals": "mean distance of one column (total variation)",
    "associations": "mean error of an association",
    "told_apart": "rows told apart from original ones (share of the worst pMSE)",
    "score": "score on original rows of a model trained on it",
}


def measures() -> dict[str, str]:
    """Return what can be drawn, by name, and its title; every registered loss among it."""
    words = Words("en")
    return {**MEASURES, **{name: words(f"utility_{name}") for name in every_loss()}}


ATTACKERS = (
    "Generalized rows: against an attacker who knows the quasi-identifiers and nothing else.",
    "Perturbed rows: against an attacker who may know the whole original table.",
)


Side = Literal["both", "released", "reconstructed"]
WAYS = {"reconstructed": "after reconstruction", "released": "as released"}


def frontier(found: Any, measure: str = "pairs", *, side: Side = "both", dark: bool = False) -> Any:
    """Draw the risk of releases against what they still say, one line per method and side, one point per k.

    A release that was made for a larger k keeps every smaller one too. Each point therefore shows the best release for its k or
    a larger one, so that no line is worse at a higher risk only because of what was drawn.

    Parameters
    ----------
    found
        What `tokumei.compare` gave, or a frame with the columns ``method``, ``k``, ``side``, ``risk`` and the measure.
    measure
        Which of its measures to draw: ``"pairs"``, ``"marginals"``, ``"associations"``, ``"told_apart"``, ``"score"``,
        ``"loss"``, ``"ncp"`` or another registered loss.
    side
        ``"released"``: releases taken as they are. ``"reconstructed"``: after reconstruction. ``"both"``: two kinds of line.
    """
    table, _ = to_arrow(found)
    if side not in get_args(Side):
        raise InvalidParameter("side must be 'both', 'released' or 'reconstructed'. Got {side!r}.", side=side)
    for name in ("method", "k", "side", "risk", measure):
        if name not in table.column_names:
            raise InvalidParameter(
                "there is no column {name!r} to draw.{hint}", name=name, hint=nearest(name, table.column_names)
            )
    rows = [
        {
            "method": row["method"],
            "side": WAYS.get(row["side"], row["side"]),
            "k": row["k"],
            "risk": row["risk"],
            "value": row[measure],
        }
        for row in table.select(["method", "k", "side", "risk", measure]).to_pylist()
        if not _absent(row["risk"]) and not _absent(row[measure]) and side in {"both", row["side"]}
    ]
    if not rows:
        raise InvalidParameter(
            "no release has both a risk and {measure!r}, so there is nothing to draw; choose another measure, such as 'marginals'.",
            measure=measure,
        )
    rows = _best(rows, most=measure == "score")
    alt, colours = altair(), palette(dark)
    series = list(dict.fromkeys(row["method"] for row in rows))
    sides = [each for each in WAYS.values() if any(row["side"] == each for row in rows)]
    scale = alt.Scale(domain=series, range=[colours[place % len(colours)] for place in range(len(series))])
    shapes = alt.Scale(domain=series, range=[SHAPES[place % len(SHAPES)] for place in range(len(series))])
    ticks = sorted({row["risk"] for row in rows})
    x = alt.X(
        "risk:Q",
        title="risk: the guaranteed limit on the probability of a link (1/k)",
        scale=alt.Scale(type="log", nice=False, padding=14),
        axis=alt.Axis(values=ticks, labelExpr="'1/' + format(1 / datum.value, '.3~g')", labelOverlap="greedy"),
    )
    y = alt.Y("value:Q", title=measures().get(measure, measure), scale=alt.Scale(zero=measure != "score"))
    color = alt.Color("method:N", scale=scale, title=None)
    dash = alt.StrokeDash(
        "side:N",
        scale=alt.Scale(domain=list(WAYS.values()), range=[[1, 0], [4, 4]]),
        title=None,
        legend=alt.Legend(values=sides, symbolStrokeColor=ink(dark), symbolType="stroke", symbolSize=400),
    )
    tooltip = [
        alt.Tooltip("method:N"),
        alt.Tooltip("side:N"),
        alt.Tooltip("k:Q"),
        alt.Tooltip("of:Q", title="best at k"),
        alt.Tooltip("risk:Q", format=".4f"),
        alt.Tooltip("value:Q", format=".4f"),
    ]
    base = chart_of(rows)
    lines = base.mark_line(strokeWidth=2).encode(x=x, y=y, color=color, strokeDash=dash, order=alt.Order("risk:Q"))
    points = base.mark_point(filled=True, size=80, opacity=1).encode(
        x=x, y=y, color=color, shape=alt.Shape("method:N", scale=shapes, title=None), tooltip=tooltip
    )
    made = alt.layer(lines, points, width=440, height=300)
    better = "Higher is better." if measure == "score" else "Lower is better."
    said = f"{better} Left is safer. Each point is the best of the releases for its k or a larger one."
    return finished(made, dark, "Risk and utility", [said, *ATTACKERS])


def _best(rows: list[dict[str, Any]], most: bool) -> list[dict[str, Any]]:
    """Give each point the best value of its line at its own risk or a smaller one, and the k where that is."""
    made = []
    for row in rows:
        safer = [
            each
            for each in rows
            if each["method"] == row["method"] and each["side"] == row["side"] and each["risk"] <= row["risk"]
        ]
        best = (max if most else min)([row, *safer], key=lambda each: each["value"])
        made.append({**row, "value": best["value"], "of": best["k"]})
    return made


def _absent(number: Any) -> bool:
    return number is None or (isinstance(number, float) and math.isnan(number))
