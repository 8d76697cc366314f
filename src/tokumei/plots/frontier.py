"""What each method costs for the same risk."""

from __future__ import annotations

import math
from typing import Any, Literal, get_args

from tokumei.errors import InvalidParameter
from tokumei.plots.rung_axis import NOTHING, RungAxis, axis_of, encoded
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


Side = Literal["both", "released", "reconstructed"]
Row = dict[str, Any]
WAYS = {"reconstructed": "after reconstruction", "released": "as released"}


def frontier(
    found: Any, measure: str = "pairs", *, side: Side = "both", rung: str | None = None, dark: bool = False
) -> Any:
    """Draw the risk of releases against what they still say, one line per method and side, one point per k.

    A release that was made for a larger k keeps every smaller one too. Each point therefore shows the best release for its k or
    a larger one, so that no line is worse at a higher risk only because of what was drawn. On a rung it shows the best of the
    releases that are at least as safe there.

    Parameters
    ----------
    found
        What `tokumei.compare` gave, or a frame with the columns ``method``, ``k``, ``side``, ``risk`` and the measure.
    measure
        Which of its measures to draw: ``"pairs"``, ``"marginals"``, ``"associations"``, ``"told_apart"``, ``"score"``,
        ``"loss"``, ``"ncp"`` or another registered loss.
    side
        ``"released"``: releases taken as they are. ``"reconstructed"``: after reconstruction. ``"both"``: two kinds of line.
    rung
        Which rung of the ladder is on the axis, the same attacker for every method: ``"linking"``, ``"whole_table"``,
        ``"inference"``, ``"differencing"`` or ``"membership"``. Releases that promise nothing there are drawn apart, at the
        right. ``None``: 1/k of what each method states, against its own attacker.

    Examples
    --------
    >>> import tokumei as tk
    >>> people, methods = tk.example_census(rows=300), ["local_suppression", "pk_perturbation"]
    >>> found = tk.compare(people, tk.example_schema(), methods, [2, 5], columns=["age", "sex"], reconstruct=False)
    >>> tk.plots.frontier(found, rung="whole_table").to_dict()["title"]["text"]
    'Risk and utility: linking by the whole table'
    """
    table, _ = to_arrow(found)
    if side not in get_args(Side):
        raise InvalidParameter("side must be 'both', 'released' or 'reconstructed'. Got {side!r}.", side=side)
    axis = axis_of(rung)
    needed = ["method", "k", "side", axis.number, measure, *([] if axis.how is None else [axis.how])]
    for name in needed:
        if name not in table.column_names:
            raise InvalidParameter(
                "there is no column {name!r} to draw.{hint}", name=name, hint=nearest(name, table.column_names)
            )
    drawn = [
        {
            "method": row["method"],
            "side": WAYS.get(row["side"], row["side"]),
            "k": row["k"],
            "risk": row[axis.number],
            "how": "" if axis.how is None else row[axis.how],
            "value": row[measure],
        }
        for row in table.select(list(dict.fromkeys(needed))).to_pylist()
        if not _absent(row[measure]) and side in {"both", row["side"]}
    ]
    apart = [
        {**row, "risk": NOTHING, "of": row["k"], "filled": float(row["side"] != WAYS["released"])}
        for row in drawn
        if row["how"] == NOTHING
    ]
    rows = [row for row in drawn if row["how"] != NOTHING and not _absent(row["risk"])]
    if not rows and not apart:
        raise InvalidParameter(
            "no release has both a risk and {measure!r}, so there is nothing to draw; choose another measure, such as 'marginals'.",
            measure=measure,
        )
    rows = _best(rows, most=measure == "score")
    made = _panels(rows, apart, axis, measure, dark)
    better = "Higher is better." if measure == "score" else "Lower is better."
    same = "for its k or a larger one" if rung is None else "of its method that are at least as safe on this rung"
    said = [f"{better} Left is safer. Each point is the best of the releases {same}.", *axis.attackers]
    if apart:
        hollow = any(not row["filled"] for row in apart)
        said.append(
            f"Apart, at the right: releases that promise nothing against these attackers{'; hollow: as released' if hollow else ''}."
        )
    called = "" if rung is None else ": " + _lowered(Words("en")(f"ladder.name.{rung}"))
    return finished(made, dark, f"Risk and utility{called}", said)


def _panels(rows: list[Row], apart: list[Row], axis: RungAxis, measure: str, dark: bool) -> Any:
    """Draw the lines, and beside them the releases that have no number."""
    alt, colours = altair(), palette(dark)
    everything = [*rows, *apart]
    series = list(dict.fromkeys(row["method"] for row in everything))
    sides = [each for each in WAYS.values() if any(row["side"] == each for row in everything)]
    scale = alt.Scale(domain=series, range=[colours[place % len(colours)] for place in range(len(series))])
    shapes = alt.Scale(domain=series, range=[SHAPES[place % len(SHAPES)] for place in range(len(series))])
    values = [row["value"] for row in everything]
    room = alt.Scale(zero=measure != "score")
    if apart and rows:  # two panels, one scale
        room = alt.Scale(domain=[min(values) if measure == "score" else 0, max(values)], nice=True)
    title = measures().get(measure, measure)
    color = alt.Color("method:N", scale=scale, title=None)
    shape = alt.Shape("method:N", scale=shapes, title=None)
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
        alt.Tooltip("value:Q", format=".4f"),
    ]
    panels = []
    if rows:
        y = alt.Y("value:Q", title=title, scale=room)
        x = encoded(axis, "risk", [row["risk"] for row in rows])
        told = [alt.Tooltip("risk:Q", format=".4f"), *([] if axis.how is None else [alt.Tooltip("how:N")])]
        base = chart_of(rows)
        lines = base.mark_line(strokeWidth=2).encode(x=x, y=y, color=color, strokeDash=dash, order=alt.Order("risk:Q"))
        points = base.mark_point(filled=True, size=80, opacity=1)
        points = points.encode(x=x, y=y, color=color, shape=shape, tooltip=[*tooltip, *told])
        layers = [lines, points]
        if axis.how is not None:
            layers.append(_ks(rows, x, y, dark))
        panels.append(alt.layer(*layers, width=440, height=300))
    if apart:
        y = alt.Y("value:Q", title=None if rows else title, scale=room, axis=alt.Axis(labels=not rows, ticks=not rows))
        x = alt.X("how:N", title=None, axis=alt.Axis(labelAngle=0, labelExpr="'nothing promised'"))
        there = list(dict.fromkeys(row["method"] for row in apart))
        offset = alt.XOffset("method:N", scale=alt.Scale(domain=there))
        points = chart_of(apart).mark_point(filled=True, size=80, opacity=1, strokeWidth=1.5, strokeOpacity=1)
        filled = alt.FillOpacity("filled:Q", scale=alt.Scale(domain=[0, 1], range=[0, 1]), legend=None)
        points = points.encode(
            x=x, xOffset=offset, y=y, color=color, stroke=color, fillOpacity=filled, shape=shape, tooltip=tooltip
        )
        labels = _ks(apart, x, y, dark).encode(xOffset=offset)
        wide = max(100, 34 * len(there))
        panels.append(alt.layer(points, labels, width=wide, height=300))
    if len(panels) == 1:
        return panels[0]
    return alt.hconcat(*panels, spacing=8).resolve_scale(color="shared", shape="shared", strokeDash="shared")


def _ks(rows: list[Row], x: Any, y: Any, dark: bool) -> Any:
    """Write the k of the points beside them, once where the two sides of a release are close together."""
    alt = altair()
    near = max(row["value"] for row in rows) / 25
    told: list[Row] = []
    for row in rows:
        same = (each for each in told if all(each[name] == row[name] for name in ("method", "of", "risk")))
        if all(abs(each["value"] - row["value"]) > near for each in same):
            told.append(row)
    written = chart_of(told).mark_text(align="left", dx=7, dy=-6, fontSize=9, color=ink(dark))
    return written.encode(x=x, y=y, text=alt.Text("of:Q", format=".3~g"))


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def _best(rows: list[Row], most: bool) -> list[Row]:
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
