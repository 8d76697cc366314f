"""How columns are associated: original, release, and the difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import altair, chart_of, check_finite, faint, finished


def correlations(
    columns: Sequence[str], original: Any, released: Any, *, title: str = "released", dark: bool = False
) -> Any:
    """Draw two matrices of correlations and their difference, side by side, as heat maps on one scale from -1 to 1.

    Parameters
    ----------
    columns
        What rows and columns of the matrices stand for.
    original, released
        The matrices.
    title
        What the second one is called, such as ``"reconstructed"``.
    """
    before, after = np.asarray(original, dtype=np.float64), np.asarray(released, dtype=np.float64)
    if before.shape != after.shape or before.shape != (len(columns),) * 2 or not len(columns):
        raise InvalidParameter("both matrices must have one row and one column for each name.")
    check_finite(before.ravel(), after.ravel())
    alt = altair()
    panels = [
        _panel(columns, matrix, title, dark, first=place == 0)
        for place, (title, matrix) in enumerate((("original", before), (title, after), ("difference", after - before)))
    ]
    return finished(alt.hconcat(*panels, spacing=18), dark)


def _panel(columns: Sequence[str], matrix: Any, title: str, dark: bool, first: bool) -> Any:
    alt = altair()
    rows = [
        {"row": a, "column": b, "value": float(matrix[i, j])}
        for i, a in enumerate(columns)
        for j, b in enumerate(columns)
    ]
    ends = ["#D55E00", "#20242a" if dark else "#ffffff", "#0072B2"]
    scale = alt.Scale(domain=[-1, 0, 1], range=ends, interpolate="rgb")
    x = alt.X("column:N", sort=list(columns), title=None, axis=alt.Axis(labelAngle=-45))
    y = alt.Y("row:N", sort=list(columns), title=None, axis=alt.Axis(labels=first, ticks=first, domain=first))
    cells = (
        chart_of(rows)
        .mark_rect(stroke=faint(dark))
        .encode(
            x=x,
            y=y,
            color=alt.Color("value:Q", scale=scale, title=None),
            tooltip=[alt.Tooltip("row:N"), alt.Tooltip("column:N"), alt.Tooltip("value:Q", format=".3f")],
        )
    )
    strong = "#ffffff" if dark else "#111111"
    numbers = (
        chart_of(rows)
        .mark_text(fontSize=9)
        .encode(
            x=x,
            y=y,
            text=alt.Text("value:Q", format=".2f"),
            color=alt.ColorValue(strong, condition={"test": "abs(datum.value) > 0.55", "value": "#ffffff"}),
        )
    )
    side = 30 * len(columns)
    return alt.layer(cells, numbers, width=side, height=side, title=title)
