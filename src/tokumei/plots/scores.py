"""Scores of models against k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import SHAPES, altair, chart_of, finished, palette

SCORES = ("accuracy", "auc")


def scores(
    rows: Sequence[Mapping[str, Any]],
    score: str = "accuracy",
    *,
    line: str = "line",
    panel: str | None = None,
    row: str | None = None,
    dark: bool = False,
) -> Any:
    """Draw a score against k: a line for each value of ``line``, panels side by side and below each other.

    Parameters
    ----------
    rows
        One a point: ``k``, the score, and what tells lines and panels apart.
    score
        ``"accuracy"`` or ``"auc"``; points without it are left out.
    line, panel, row
        What a line, a column of panels and a row of panels stand for.
    """
    if score not in SCORES:
        raise InvalidParameter("score must be 'accuracy' or 'auc'. Got {score!r}.", score=score)
    shown = [dict(each) for each in rows if each[score] is not None]
    if not shown:
        raise InvalidParameter("nothing has the score {score!r}, so there is nothing to draw.", score=score)
    alt, colours = altair(), palette(dark)
    series = list(dict.fromkeys(str(each[line]) for each in shown))
    colour = alt.Scale(domain=series, range=[colours[place % len(colours)] for place in range(len(series))])
    shape = alt.Scale(domain=series, range=[SHAPES[place % len(SHAPES)] for place in range(len(series))])
    base = alt.Chart().encode(
        x=alt.X("k:Q", title="k", axis=alt.Axis(tickMinStep=1)),
        y=alt.Y(f"{score}:Q", title=f"mean {score}", scale=alt.Scale(zero=False)),
        color=alt.Color(f"{line}:N", title=None, sort=None, scale=colour),
        tooltip=[alt.Tooltip(f"{line}:N"), alt.Tooltip("k:Q"), alt.Tooltip(f"{score}:Q", format=".4f")],
    )
    points = base.mark_point(filled=True, size=50, opacity=1).encode(
        shape=alt.Shape(f"{line}:N", title=None, sort=None, scale=shape)
    )
    data = chart_of(shown).data
    made = alt.layer(base.mark_line(strokeWidth=2), points, data=data, width=260, height=200)
    facets = {}
    if panel is not None and len({each[panel] for each in shown}) > 1:
        facets["column"] = alt.Column(f"{panel}:N", title=None, sort=None)
    if row is not None and len({each[row] for each in shown}) > 1:
        facets["row"] = alt.Row(f"{row}:N", title=None, sort=None)
    return finished(made.facet(**facets) if facets else made, dark)
