"""What something costs as tables grow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import SHAPES, altair, chart_of, check_finite, finished, palette

ROWS = "rows"
LINE = "line"


def growth(points: Sequence[Mapping[str, Any]], measures: Mapping[str, str], *, dark: bool = False) -> Any:
    """Draw costs over the number of rows, on log scales: a panel for each measure, a line for each way to work.

    Parameters
    ----------
    points
        One for each way and size: ``rows``, ``line`` (the way's name) and the measures, all above 0.
    measures
        The measures to draw, with the titles of their axes.
    """
    shown = [dict(each) for each in points]
    if not shown or not measures:
        raise InvalidParameter("points and measures must say what to draw.")
    for name in (ROWS, *measures):
        check_finite([each[name] for each in shown])
        if min(each[name] for each in shown) <= 0:
            raise InvalidParameter(f"{name!r} must be above 0 everywhere: it is drawn on a log scale.")
    alt, colours = altair(), palette(dark)
    lines = list(dict.fromkeys(str(each[LINE]) for each in shown))
    colour = alt.Scale(domain=lines, range=[colours[place % len(colours)] for place in range(len(lines))])
    shape = alt.Scale(domain=lines, range=[SHAPES[place % len(SHAPES)] for place in range(len(lines))])
    panels = []
    for name, title in measures.items():
        base = chart_of(shown).encode(
            x=alt.X(
                f"{ROWS}:Q",
                title=ROWS,
                scale=alt.Scale(type="log", nice=False),
                axis=alt.Axis(format="~s", tickCount=5),
            ),
            y=alt.Y(f"{name}:Q", title=title, scale=alt.Scale(type="log"), axis=alt.Axis(format="~g", tickCount=5)),
            color=alt.Color(f"{LINE}:N", title=None, sort=None, scale=colour),
            tooltip=[f"{LINE}:N", alt.Tooltip(f"{ROWS}:Q", format=","), f"{name}:Q"],
        )
        points_of = base.mark_point(filled=True, size=50, opacity=1).encode(
            shape=alt.Shape(f"{LINE}:N", title=None, sort=None, scale=shape)
        )
        panels.append(alt.layer(base.mark_line(strokeWidth=2), points_of).properties(width=300, height=240))
    return finished(alt.hconcat(*panels), dark)
