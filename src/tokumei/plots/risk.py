"""Risk before and after, and which columns are to blame for it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import altair, chart_of, check_finite, faint, finished, ink, palette


def before_after(before: Mapping[str, float], after: Mapping[str, float], *, dark: bool = False) -> Any:
    """Draw for each kind of attack how probable a correct link was in the original, and is in the release.

    Parameters
    ----------
    before, after
        The probabilities by name; both must have the same names.
    """
    if set(before) != set(after) or not before:
        raise InvalidParameter("before and after must name the same risks, and at least one.")
    alt, colours = altair(), palette(dark)
    rows = [
        {"risk": name, "when": when, "probability": float(given[name]), "from": before[name], "to": after[name]}
        for name in before
        for when, given in (("before", before), ("after", after))
    ]
    order = list(before)
    y = alt.Y("risk:N", sort=order, title=None, axis=alt.Axis(grid=True))
    x = alt.X(
        "probability:Q",
        title="probability of a correct link",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format="%", tickCount=5),
    )
    line = (
        chart_of(rows[::2])
        .mark_rule(strokeWidth=3, color=faint(dark))
        .encode(y=y, x=alt.X("from:Q", title="probability of a correct link"), x2=alt.X2("to:Q"))
    )
    series = alt.Scale(domain=["before", "after"], range=[colours[1], colours[0]])
    shape = alt.Scale(domain=["before", "after"], range=["circle", "diamond"])
    points = (
        chart_of(rows)
        .mark_point(filled=True, size=150, opacity=1)
        .encode(
            y=y,
            x=x,
            color=alt.Color("when:N", scale=series, title=None),
            shape=alt.Shape("when:N", scale=shape, title=None),
            tooltip=[alt.Tooltip("risk:N"), alt.Tooltip("when:N"), alt.Tooltip("probability:Q", format=".2%")],
        )
    )
    labels = (
        chart_of(rows[1::2])
        .mark_text(dy=-14, color=ink(dark), fontSize=11)
        .encode(y=y, x=x, text=alt.Text("probability:Q", format=".1%"))
    )
    made = alt.layer(line, points, labels, width=420, height=46 * len(before))
    return finished(made, dark, "Risk before and after")


def blame(columns: Sequence[str], shares: Sequence[float], *, title: str = "", dark: bool = False) -> Any:
    """Draw each column's share of the risk, the largest first.

    Parameters
    ----------
    columns, shares
        The columns, and the share of each: they add up to one, or to less where columns are left out.
    """
    if len(columns) != len(shares) or not len(columns):
        raise InvalidParameter("columns and shares must have the same length, and at least one entry.")
    if len(set(columns)) < len(columns):
        raise InvalidParameter("each column must be named once.")
    check_finite(shares)
    if min(shares) < 0 or math.fsum(shares) > 1 + 1e-9:
        raise InvalidParameter("shares must be at least 0 and add up to at most 1.")
    alt = altair()
    rows = [{"column": name, "share": float(share)} for name, share in zip(columns, shares, strict=True)]
    y = alt.Y("column:N", sort="-x", title=None)
    x = alt.X("share:Q", title=title or "share of the risk", axis=alt.Axis(format="%"))
    bars = (
        chart_of(rows)
        .mark_bar(color=palette(dark)[0], cornerRadiusEnd=2)
        .encode(y=y, x=x, tooltip=[alt.Tooltip("column:N"), alt.Tooltip("share:Q", format=".1%")])
    )
    text = (
        chart_of(rows)
        .mark_text(align="left", dx=4, color=ink(dark), fontSize=11)
        .encode(y=y, x=alt.X("share:Q"), text=alt.Text("share:Q", format=".1%"))
    )
    made = alt.layer(bars, text, width=420, height=24 * len(rows))
    return finished(made, dark, "What singles people out")
