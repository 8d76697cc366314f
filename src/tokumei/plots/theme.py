"""One look for all charts, on light and on dark pages.

The colours are those of Okabe and Ito, which people with any kind of colour vision can tell apart; what a colour says
is also said by position, shape or words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from tokumei.errors import InvalidParameter, MissingDependency

BLUE, ORANGE, GREEN, PINK, SKY, AMBER = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
FONT = "system-ui, 'DejaVu Sans', sans-serif"

Rows = Sequence[Mapping[str, Any]]


def altair() -> Any:
    """Return altair, or say how to get it."""
    try:
        import altair as found
    except ImportError:
        raise MissingDependency(
            "Charts need altair and vl-convert; install them with: pip install 'tokumei[plots]'."
        ) from None
    return found


def palette(dark: bool) -> tuple[str, ...]:
    """Return colours for series, in the order of their use; on dark pages the light ones come first."""
    return (SKY, AMBER, GREEN, PINK, ORANGE, BLUE) if dark else (BLUE, ORANGE, GREEN, PINK, AMBER, SKY)


def ink(dark: bool) -> str:
    """Return the colour of text."""
    return "#e6e6e6" if dark else "#222222"


def paper(dark: bool) -> str:
    """Return the colour behind everything."""
    return "#1b1e23" if dark else "#ffffff"


def faint(dark: bool) -> str:
    """Return the colour of lines that only help the eye."""
    return "#3a3f47" if dark else "#dddddd"


def check_finite(*numbers: Iterable[float]) -> None:
    """Refuse numbers that no chart can show."""
    if not all(math.isfinite(each) for some in numbers for each in some):
        raise InvalidParameter("every number of a chart must be finite.")


def chart_of(rows: Rows) -> Any:
    """Begin a chart of some rows, which become part of it.

    They are a tuple because altair copies lists, with everything in them, each time a chart is changed or becomes part of another.
    Channels are given as altair's own classes: it takes longer to look up what a bare ``"x:Q"`` stands for than to draw a small chart.
    """
    alt = altair()
    check_finite([number for row in rows for number in row.values() if isinstance(number, float)])
    return alt.Chart(alt.InlineData(values=tuple(dict(row) for row in rows)))


def finished(chart: Any, dark: bool, title: str = "", subtitle: str | Sequence[str] = "") -> Any:
    """Give a chart its title and colours."""
    made = chart.copy(deep=False)  # the methods that change a chart copy all that it is made of, one after the other
    if title:
        lines = [subtitle] if isinstance(subtitle, str) else list(subtitle)
        made.title = {"text": title, "subtitle": [line for line in lines if line]}
    made.config = _config(dark).copy()
    return made


@cache
def _config(dark: bool) -> Any:
    """Return what all charts have in common; altair takes as long to check it as to make a small chart."""
    alt, text, soft = altair(), ink(dark), "#a5abb3" if dark else "#555555"
    return alt.Config(
        background=paper(dark),
        font=FONT,
        padding=12,
        title=alt.TitleConfig(
            color=text, subtitleColor=soft, anchor="start", fontSize=14, subtitleFontSize=11, offset=10
        ),
        axis=alt.AxisConfig(
            labelColor=text,
            titleColor=text,
            gridColor=faint(dark),
            domainColor=soft,
            tickColor=soft,
            titleFontWeight="normal",
            labelLimit=220,
            maxExtent=260,  # titles stand clear of the longest labels
        ),
        header=alt.HeaderConfig(labelColor=text, titleColor=text),
        legend=alt.LegendConfig(labelColor=text, titleColor=text, titleFontWeight="normal", labelLimit=260),
        view=alt.ViewConfig(stroke=None),
    )
