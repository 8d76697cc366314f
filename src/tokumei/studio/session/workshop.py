"""Hierarchies taken into one's hands: labels moved from group to group, edges moved along a line, what is lacking put in its place.

The text of a hierarchy stays what is edited; everything here turns one text into another.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Collection
from dataclasses import dataclass

from tokumei.studio.hierarchy_text import hierarchy_text
from tokumei.table.domain import Dates, Domain, Numbers
from tokumei.table.hierarchy import Edge, Hierarchy, Intervals
from tokumei.table.levels import ROOT

Rows = list[list[str]]


def rows_of(text: str) -> Rows:
    """Read the lines of a tree: a value, then its labels."""
    rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text), delimiter=";")]
    return [row for row in rows if any(row)]


def text_of(rows: Rows) -> str:
    """Write the lines of a tree."""
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(rows)
    return text.getvalue().rstrip("\n")


@dataclass(frozen=True)
class Grouped:
    """One level of a tree: its groups in order, each with what is in it, and the values that are in none."""

    groups: tuple[tuple[str, tuple[str, ...]], ...]
    lacking: tuple[str, ...]
    levels: int


def grouped(text: str, domain: Domain, level: int) -> Grouped:
    r"""Return a level of a tree as groups.

    >>> from tokumei import Categories
    >>> grouped("a;x\nb;x\nc;y", Categories(["a", "b", "c", "d"]), 1)
    Grouped(groups=(('x', ('a', 'b')), ('y', ('c',))), lacking=('d',), levels=1)
    """
    rows = rows_of(text)
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        if len(row) > level:
            found.setdefault(row[level], {}).setdefault(row[level - 1])
    there = {row[0] for row in rows if len(row) > level}
    lacking = tuple(label for label in domain.labels() if label not in there) if level == 1 else ()
    levels = max((len(row) - 1 for row in rows), default=0)
    return Grouped(tuple((name, tuple(inner)) for name, inner in found.items()), lacking, levels)


def moved(text: str, level: int, items: Collection[str], group: str) -> str:
    r"""Put labels into a group, a new one too; above it they go where the group goes.

    >>> print(moved("a;x;*\nb;x;*\nc;y;*", 1, ["b", "d"], "y"))
    a;x;*
    c;y;*
    b;y;*
    d;y;*
    """
    rows = rows_of(text)
    width = max((len(row) for row in rows), default=level + 1)
    above = next((row[level + 1 :] for row in rows if len(row) > level and row[level] == group), None)
    going = [row for row in rows if len(row) >= level and row[level - 1] in items]
    staying = [row for row in rows if row not in going]
    if above is None:
        above = going[0][level + 1 :] if going else [ROOT] * (width - level - 1)
    known = {row[0] for row in rows}
    new = [[item] for item in items if level == 1 and item not in known]
    for row in [*going, *new]:
        row[level:] = [group, *above]
    last = max((at for at, row in enumerate(staying) if len(row) > level and row[level] == group), default=-1)
    at = last + 1 if last >= 0 else len(staying)
    return text_of([*staying[:at], *going, *new, *staying[at:]])


def renamed(text: str, level: int, group: str, name: str) -> str:
    r"""Give a group another name; with the name of another one, both are one.

    >>> print(renamed("a;x\nb;y", 1, "x", "y"))
    b;y
    a;y
    """
    rows = rows_of(text)
    items = list(dict.fromkeys(row[level - 1] for row in rows if len(row) > level and row[level] == group))
    return moved(text, level, items, name)


def with_level(text: str, domain: Domain) -> str:
    """Add a level on top, where everything is one label until it is taken apart; an empty text begins with every value."""
    rows = rows_of(text) or [[label] for label in domain.labels()]
    return text_of([[*row, ROOT] for row in rows])


def placed(text: str, domain: Domain) -> str:
    r"""Put every value that is lacking into the tree: by itself, and on top with all others where these are one.

    >>> from tokumei import Categories
    >>> print(placed("a;x;*\nb;x;*", Categories(["a", "b", "c"])))
    a;x;*
    b;x;*
    c;c;*
    """
    rows = rows_of(text)
    lacking = grouped(text, domain, 1).lacking
    width = max((len(row) for row in rows), default=2)
    tops = {row[-1] for row in rows if len(row) == width}
    top = tops.pop() if len(tops) == 1 else None
    new = [[label, *[label] * (width - 2), label if top is None else top] for label in lacking]
    return text_of([*rows, *new])


# Edges


def can_be_handled(domain: Domain) -> bool:
    """Whether edges of a domain can be moved from value to value."""
    return isinstance(domain, Numbers) or (isinstance(domain, Dates) and domain.unit == "day")


def edge_at(domain: Domain, code: int) -> Edge:
    """Return the value of a code as an edge."""
    if isinstance(domain, Dates):
        return dt.date.fromordinal(domain.low.toordinal() + code * domain.step)
    assert isinstance(domain, Numbers)
    number = float(domain.labels()[code])
    return int(number) if number.is_integer() else number


def codes_of(hierarchy: Intervals, domain: Domain, level: int) -> list[int]:
    """Return where the inner edges of a level are."""
    assert isinstance(domain, Numbers | Dates)
    return [domain.first_code(edge) for edge in hierarchy.edges[level - 1][1:-1]]


def with_edges(hierarchy: Intervals | None, domain: Domain, level: int, codes: Collection[int]) -> str:
    """Return the text of intervals whose level has its inner edges at these codes.

    Coarser levels keep those of their edges that are still there; finer ones get the new ones too.
    """
    ends = edge_at(domain, 0), edge_at(domain, domain.size - 1)
    inner = {edge_at(domain, code) for code in codes if 0 < code < domain.size - 1}
    before = [] if hierarchy is None else [set(edges[1:-1]) for edges in hierarchy.edges]
    levels = [
        inner if at == level else edges | inner if at < level else edges & inner for at, edges in enumerate(before, 1)
    ]
    made = levels or [inner]
    return hierarchy_text(Hierarchy.intervals(*(sorted({*ends, *edges}) for edges in made)))
