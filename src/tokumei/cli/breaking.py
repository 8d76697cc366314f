"""Where a line of Japanese may end in a terminal: between any two characters, but not before a comma or after an opening bracket."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.containers import Lines
from rich.measure import Measurement
from rich.text import Text

NOT_FIRST = frozenset(
    "、。，．・：；？！）」』】〉》〕］｝％…‥ー々ゝゞぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.:;?!)]}%～"
)
NOT_LAST = frozenset("（「『【〈《〔［｛([{")


def pieces(text: str) -> list[str]:
    """Cut a text wherever a line may end; spaces stay with what is before them.

    >>> pieces("k = 10 です。「年齢」、age")
    ['k ', '= ', '10 ', 'で', 'す。', '「年', '齢」、', 'age']
    """
    made: list[str] = []
    for place, sign in enumerate(text):
        before = text[place - 1] if place else ""
        wide = cell_len(sign) > 1 or (before != "" and cell_len(before) > 1)
        apart = (before == " " or wide) and sign not in NOT_FIRST and before not in NOT_LAST
        if before and sign != " " and apart:
            made.append(sign)
        elif made:
            made[-1] += sign
        else:
            made.append(sign)
    return made


def ends(text: str, width: int) -> list[int]:
    """Return where the lines of a text end that is shown in this many columns.

    >>> ends("年齢と性別を知る攻撃者、", 10)
    [5, 10]
    """
    found, at, room = list[int](), 0, width
    for piece in pieces(text):
        taken = cell_len(piece.rstrip(" "))
        if taken > room and room < width:
            found.append(at)
            room = width
        at, room = at + len(piece), room - cell_len(piece)
    return found


def is_wide(text: str) -> bool:
    """Whether a text has characters of two columns, between which a line may end."""
    return any(cell_len(sign) > 1 for sign in text)


class Japanese(Text):
    """A text whose lines end where Japanese ones may."""

    @classmethod
    def of(cls, text: Text) -> Text:
        """Return the text so, if it needs it."""
        if not is_wide(text.plain):
            return text
        made = cls(text.plain, text.style, justify=text.justify, overflow=text.overflow, end=text.end, spans=text.spans)
        made.no_wrap = text.no_wrap
        return made

    def copy(self) -> Text:
        """Return another such text."""
        return self.of(super().copy())

    def wrap(self, console: Console, width: int, **options: Any) -> Lines:
        """Break the text into lines."""
        if options.get("no_wrap") or self.no_wrap:
            return super().wrap(console, width, **options)
        made = Lines()
        for line in self.split(allow_blank=True):
            for part in line.divide(ends(line.plain, width)):
                made.extend(Text.wrap(part, console, width, **options))
        return made

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Return how narrow and how wide it may be."""
        longest = max((cell_len(line) for line in self.plain.splitlines()), default=0)
        return Measurement(max((cell_len(each.rstrip(" ")) for each in pieces(self.plain)), default=0), longest)


class Printed:
    """A text that is printed by itself."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Show it."""
        yield self.text
