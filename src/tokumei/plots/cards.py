"""Cards that say in a number and a sentence what each attacker can do."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import altair, chart_of, faint, finished, ink, palette

WIDTH = 230
LETTERS = 36  # of a sentence on one line


def attackers(cards: Sequence[tuple[str, str | float, str]], *, across: int = 3, dark: bool = False) -> Any:
    """Draw one card for each attacker.

    Parameters
    ----------
    cards
        For each attacker a title, a number (one between 0 and 1 is written as a percentage), and a sentence.
    across
        How many cards stand side by side.
    """
    if not cards:
        raise InvalidParameter("there must be at least one card.")
    alt = altair()
    wrapped = [textwrap.wrap(sentence, LETTERS) for _, _, sentence in cards]
    height = 92 + 15 * max(len(lines) for lines in wrapped)
    made = [_card(title, number, lines, height, dark) for (title, number, _), lines in zip(cards, wrapped, strict=True)]
    return finished(alt.concat(*made, columns=across, spacing=14), dark)


def _card(title: str, number: str | float, lines: list[str], height: int, dark: bool) -> Any:
    alt = altair()
    shown = number if isinstance(number, str) else f"{number:.2%}" if 0 <= number <= 1 else f"{number:,.4g}"
    frame = (
        chart_of([{}])
        .mark_rect(fill=None, stroke=faint(dark), strokeWidth=1.5, cornerRadius=8)
        .encode(x=alt.XValue(0), y=alt.YValue(0), x2=alt.X2Value(WIDTH), y2=alt.Y2Value(height))
    )

    def written(text: str | list[str], y: int, **style: Any) -> Any:
        place = {"x": alt.XValue(14), "y": alt.YValue(y)}
        return chart_of([{}]).mark_text(align="left", baseline="top", text=text, **style).encode(**place)

    return alt.layer(
        frame,
        written(title, 14, color=ink(dark), fontSize=12, fontWeight="bold", limit=WIDTH - 28),
        written(shown, 36, color=palette(dark)[1], fontSize=28, fontWeight="bold"),
        written(lines, 76, color=ink(dark), fontSize=11, lineHeight=15),
        width=WIDTH,
        height=height,
    )
