"""The boxes of a partition along two columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import altair, chart_of, finished, ink, paper


def groups(
    low: Any,
    high: Any,
    counts: Any,
    *,
    names: Sequence[str] = ("first column", "second column"),
    step: float = 1.0,
    title: str = "",
    subtitle: str = "",
    dark: bool = False,
) -> Any:
    """Draw the box of each group of rows in two columns, darker the denser it is.

    Parameters
    ----------
    low, high
        The corners of each box, one row per group and two columns; both ends belong to it.
    counts
        How many rows each group has.
    names
        What the columns are called.
    step
        How far apart two neighbouring values are.
    title, subtitle
        What to write above; without a title, how many groups there are.
    """
    low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    sizes = np.asarray(counts, dtype=np.float64).reshape(-1)
    if low.shape != high.shape or low.shape != (len(sizes), 2) or not len(sizes):
        raise InvalidParameter("low and high must have one row per group and two columns, counts one number per group.")
    if (high < low).any() or len(names) != 2:
        raise InvalidParameter("each box must end after it begins, and there must be two names.")
    alt = altair()
    rows = [
        {
            "x": float(a[0]) - step / 2,
            "x2": float(b[0]) + step / 2,
            "y": float(a[1]) - step / 2,
            "y2": float(b[1]) + step / 2,
            "rows": float(count),
            "density": float(count / np.prod((b - a) / step + 1)),
        }
        for a, b, count in zip(low, high, sizes, strict=True)
    ]
    shades = [paper(dark), "#56B4E9"] if dark else ["#f4f9fd", "#0072B2"]
    scale = alt.Scale(type="log", range=shades, interpolate="rgb")
    boxes = (
        chart_of(rows)
        .mark_rect(stroke=ink(dark), strokeWidth=0.6)
        .encode(
            x=alt.X("x:Q", title=names[0], scale=alt.Scale(zero=False, nice=False)),
            x2=alt.X2("x2:Q"),
            y=alt.Y("y:Q", title=names[1], scale=alt.Scale(zero=False, nice=False)),
            y2=alt.Y2("y2:Q"),
            color=alt.Color("density:Q", scale=scale, title="rows per value", legend=alt.Legend(format=".2~g")),
            tooltip=[alt.Tooltip("rows:Q"), alt.Tooltip("density:Q", format=".3~g")],
        )
    )
    return finished(boxes.properties(width=420, height=320), dark, title or f"{len(sizes):,} groups of rows", subtitle)
