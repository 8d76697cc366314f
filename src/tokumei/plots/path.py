"""Rows in an order, and the groups that it was cut into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import SHAPES, altair, chart_of, check_finite, finished, ink, palette


def path(
    points: Any,
    groups: Any,
    *,
    labels: Sequence[str] | None = None,
    names: Sequence[str] = ("first column", "second column"),
    title: str = "",
    dark: bool = False,
) -> Any:
    """Draw a path through points in two columns, the groups that it is cut into, and the centroid of each.

    Parameters
    ----------
    points
        One row per point and two columns, in the order of the path.
    groups
        The group of each point.
    labels
        What is written next to each point.
    names
        What the columns are called.
    """
    rows, of = np.asarray(points, dtype=np.float64), np.asarray(groups).reshape(-1)
    if rows.ndim != 2 or rows.shape[1] != 2 or not len(rows) or len(of) != len(rows):
        raise InvalidParameter("points must have two columns, and groups one number per point.")
    if len(names) != 2 or (labels is not None and len(labels) != len(rows)):
        raise InvalidParameter("there must be two names, and labels for all points or for none.")
    check_finite(rows.reshape(-1))
    numbers = {group: place + 1 for place, group in enumerate(dict.fromkeys(of.tolist()))}
    told = [str(numbers[group]) for group in of.tolist()]
    alt, colours = altair(), palette(dark)
    series = list(dict.fromkeys(told))
    colour = alt.Scale(domain=series, range=[colours[place % len(colours)] for place in range(len(series))])
    shape = alt.Scale(domain=series, range=[SHAPES[place % len(SHAPES)] for place in range(len(series))])
    cells = [
        {"x": x, "y": y, "step": step, "group": group, "label": "" if labels is None else str(labels[step])}
        for step, ((x, y), group) in enumerate(zip(rows.tolist(), told, strict=True))
    ]
    centres = {group: rows[np.array(told) == group].mean(axis=0).tolist() for group in series}
    spokes = [{**cell, "x2": centres[str(cell["group"])][0], "y2": centres[str(cell["group"])][1]} for cell in cells]
    scale = alt.Scale(zero=False, padding=30)
    x, y = alt.X("x:Q", title=names[0], scale=scale), alt.Y("y:Q", title=names[1], scale=scale)
    tint = alt.Color("group:N", scale=colour, sort=None)
    layers = [
        chart_of(cells)
        .mark_line(color=ink(dark), strokeWidth=1, opacity=0.55)
        .encode(x=x, y=y, order=alt.Order("step:Q")),
        chart_of(spokes)
        .mark_rule(strokeDash=[3, 3])
        .encode(x=x, y=y, x2=alt.X2("x2:Q"), y2=alt.Y2("y2:Q"), color=tint),
        chart_of(cells)
        .mark_point(filled=True, size=70, opacity=1)
        .encode(x=x, y=y, color=tint, shape=alt.Shape("group:N", scale=shape, sort=None)),
        chart_of([{"x": at[0], "y": at[1], "group": group} for group, at in centres.items()])
        .mark_point(shape="cross", filled=True, size=130, angle=45, opacity=1)
        .encode(x=x, y=y, color=tint),
    ]
    if labels is not None:
        layers.append(
            chart_of(cells)
            .mark_text(align="left", dx=7, dy=-8, color=ink(dark), fontSize=10)
            .encode(x=x, y=y, text=alt.Text("label:N"))
        )
    made = alt.layer(*layers, width=440, height=320)
    return finished(made, dark, title or f"{len(rows):,} rows on a path, cut into {len(series):,} groups")
