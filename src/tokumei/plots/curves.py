"""A number against another, a line for each thing that is compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import SHAPES, Rows, altair, chart_of, check_finite, finished, palette

MOST = 8  # numbers that have a line each
THOUSANDS = 10_000  # from here on numbers are shown as 10k and 2M
FEW = 3  # powers of ten with lines between them


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
    """Draw a number against another: a line with marks for each value of ``line``, panels side by side.

    Parameters
    ----------
    rows
        One a point: both numbers, and what tells lines and panels apart.
    x, y
        The names of the numbers.
    line, panel
        What a line and a panel stand for.
    log_x, log_y
        Whether an axis is logarithmic; its numbers must be above 0.
    own_y
        Give each panel its own vertical axis, where panels show different things.
    x_title, y_title
        What to write at the axes; without it the names.
    title, subtitle
        What to write above.

    Examples
    --------
    >>> points = [{"line": "ours", "rows": 10, "seconds": 0.1}, {"line": "ours", "rows": 100, "seconds": 0.2}]
    >>> chart = curves(points, x="rows", y="seconds", log_x=True)
    """
    if not rows:
        raise InvalidParameter("there must be at least one point to draw.")
    for name, log in ((x, log_x), (y, log_y)):
        numbers = [float(each[name]) for each in rows]
        check_finite(numbers)
        if log and min(numbers) <= 0:
            raise InvalidParameter("numbers of {name} must be above 0 on a logarithmic axis.", name=name)
    alt, colours = altair(), palette(dark)
    series = list(dict.fromkeys(str(each[line]) for each in rows))
    rounds = [divmod(place, len(colours)) for place in range(len(series))]
    # The second time round a colour has another shape, and its line is broken.
    colour = alt.Scale(domain=series, range=[colours[place] for _, place in rounds])
    shape = alt.Scale(domain=series, range=[SHAPES[(place + 2 * turn) % len(SHAPES)] for turn, place in rounds])
    # Colons and points have a meaning in names of fields, so numbers are drawn under names of their own.
    points: list[dict[str, Any]] = [
        {
            "x": float(each[x]),
            "y": float(each[y]),
            "line": str(each[line]),
            "turn": rounds[series.index(str(each[line]))][0],
            "panel": "" if panel is None else str(each[panel]),
        }
        for each in rows
    ]
    across, along_x = _along(alt, [each["x"] for each in points], log_x)
    up, along_y = _along(alt, [each["y"] for each in points], log_y)
    base = alt.Chart().encode(
        x=alt.X("x:Q", title=x_title or x, scale=across, axis=along_x),
        y=alt.Y("y:Q", title=y_title or y, scale=up, axis=along_y),
        color=alt.Color("line:N", title=None, sort=None, scale=colour),
        tooltip=[alt.Tooltip("line:N"), alt.Tooltip("x:Q", title=x), alt.Tooltip("y:Q", title=y, format=".4~g")],
    )
    turns = sorted({each["turn"] for each in points})
    lines = [
        base.mark_line(strokeWidth=2, strokeDash=[5, 3] if turn else [1, 0]).transform_filter(f"datum.turn == {turn}")
        for turn in turns
    ]
    marks = base.mark_point(filled=True, size=45, opacity=1).encode(
        shape=alt.Shape("line:N", title=None, sort=None, scale=shape)
    )
    several = len({each["panel"] for each in points}) > 1
    made = alt.layer(lines[0], marks, *lines[1:], data=chart_of(points).data, width=300 if several else 420, height=300)
    if several:
        made = made.facet(column=alt.Column("panel:N", title=None, sort=None))
        made = made.resolve_scale(y="independent") if own_y else made
    return finished(made, dark, title, subtitle)


def _along(alt: Any, numbers: Sequence[float], log: bool) -> tuple[Any, Any]:
    """Return a scale and its axis; a logarithmic one has a line for each of few numbers, or for the powers of ten among many."""
    shown = "~s" if max(map(abs, numbers)) >= THOUSANDS else ".6~g"  # without a precision ten becomes 1e+1
    if not log:
        return alt.Scale(zero=False, nice=True), alt.Axis(format=shown, tickCount=6)
    marks = sorted(set(numbers))
    if len(marks) > MOST:
        powers = range(math.floor(math.log10(marks[0])), math.ceil(math.log10(marks[-1])) + 1)
        steps = (1, 2, 5) if len(powers) <= FEW else (1,)
        tens = [step * 10.0**power for power in powers for step in steps]
        marks = [each for each in tens if marks[0] <= each <= marks[-1]]
    return alt.Scale(type="log", nice=False, padding=8), alt.Axis(format=shown, values=marks)
