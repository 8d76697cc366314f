"""Any number against any other, a line for each of a few things."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import SHAPES, Rows, altair, chart_of, check_finite, finished, palette

MOST_TICKS = 8  # up to so many values of a logarithmic axis are all written
WIDE = 3  # above so many powers of ten, only these are written


def curves(
    rows: Rows,
    *,
    x: str,
    y: str,
    line: str = "line",
    panel: str | None = None,
    log_x: bool = False,
    log_y: bool = False,
    own_y: bool = False,
    x_title: str = "",
    y_title: str = "",
    title: str = "",
    subtitle: str = "",
    dark: bool = False,
) -> Any:
    """Draw one number against another: a line for each value of ``line``, a panel for each value of ``panel``.

    Parameters
    ----------
    rows
        One a point: two numbers, and what tells lines and panels apart.
    x, y
        The names of the two numbers.
    line, panel
        What a line and a panel stand for; both keep the order in which they come.
    log_x, log_y
        Draw the axis by powers; its numbers must be above 0.
    own_y
        Give each panel its own vertical axis, where panels show different things.
    x_title, y_title
        What to write at the axes; without it the names.

    Examples
    --------
    >>> points = [{"line": "ours", "rows": 10, "seconds": 0.1}, {"line": "ours", "rows": 100, "seconds": 0.2}]
    >>> chart = curves(points, x="rows", y="seconds", log_x=True)
    """
    shown = [{**each, x: float(each[x]), y: float(each[y])} for each in rows]
    if not shown:
        raise InvalidParameter("there is no point to draw.")
    check_finite((each[x] for each in shown), (each[y] for each in shown))
    for name, logged in ((x, log_x), (y, log_y)):
        if logged and min(each[name] for each in shown) <= 0:
            raise InvalidParameter(f"numbers of {name} must be above 0 to be drawn by powers.")
    alt, colours = altair(), palette(dark)
    series = list(dict.fromkeys(str(each[line]) for each in shown))
    places = range(len(series))
    colour = alt.Scale(domain=series, range=[colours[at % len(colours)] for at in places])
    # Colours and shapes go round out of step, so that a seventh line is told from the first.
    shape = alt.Scale(domain=series, range=[SHAPES[(at + at // len(colours)) % len(SHAPES)] for at in places])

    def axis(logged: bool, values: Collection[float]) -> dict[str, Any]:
        if not logged:
            return {"scale": alt.Scale(zero=False)}
        words = "datum.value < 1000 ? format(datum.value, '~g') : format(datum.value, '.3~s')"
        return {"scale": alt.Scale(type="log"), "axis": alt.Axis(values=_ticks(values), labelExpr=words)}

    base = alt.Chart().encode(
        x=alt.X(f"{x}:Q", title=x_title or x, **axis(log_x, {each[x] for each in shown})),
        y=alt.Y(f"{y}:Q", title=y_title or y, **axis(log_y, {each[y] for each in shown})),
        color=alt.Color(f"{line}:N", title=None, sort=None, scale=colour),
        tooltip=[f"{line}:N", f"{x}:Q", alt.Tooltip(f"{y}:Q", format=".4~g")],
    )
    points = base.mark_point(filled=True, size=45, opacity=1).encode(
        shape=alt.Shape(f"{line}:N", title=None, sort=None, scale=shape)
    )
    panels = [] if panel is None else list(dict.fromkeys(str(each[panel]) for each in shown))
    size = {"width": 280 if len(panels) > 1 else 400, "height": 240}
    made = alt.layer(base.mark_line(strokeWidth=2), points, data=chart_of(shown).data).properties(**size)
    if len(panels) > 1:
        made = made.facet(column=alt.Column(f"{panel}:N", title=None, sort=panels))
        made = made.resolve_scale(y="independent") if own_y else made
    return finished(made, dark, title, subtitle)


def _ticks(values: Collection[float]) -> list[float]:
    """Return where a logarithmic axis is labelled: at all values if they are few, else at powers of ten, or between them too."""
    if len(values) <= MOST_TICKS:
        return sorted(values)
    powers = range(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))) + 1)
    parts = (1,) if len(powers) > WIDE else (1, 2, 5)
    return [part * 10.0**power for power in powers for part in parts]
