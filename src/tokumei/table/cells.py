"""What a coarser cell is called: the label of its tree, an interval, or a star."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.errors import InvalidParameter
from tokumei.table.axis import Axis
from tokumei.table.domain import OUTSIDE, Categories, Dates, Numbers
from tokumei.table.schema import Attribute

SEPARATOR = ", "  # of the two ends of an interval
STAR = "*"  # a suppressed cell


class CellNames:
    """The names of the stretches of a column's line; ``None`` is the name of a missing cell.

    A value has its own label, a stretch of a tree the label of its finest level, a stretch of an ordered line its first
    and last value as ``[20, 34]``, and what only the whole line covers is a star. ``own`` tells values by other texts than the
    points of the grid, those of the cells that came.
    """

    def __init__(self, attribute: Attribute, axis: Axis, own: Mapping[int, str] | None = None) -> None:
        assert attribute.domain is not None
        self.attribute, self.axis = attribute, axis
        self._code = np.empty(axis.size, dtype=np.int64)
        self._code[axis.place] = np.arange(axis.size)  # which code lies at a place
        self._values: list[str | None] = [*attribute.domain.labels(), None]
        for code, text in (own or {}).items():
            self._values[code] = text

    def at_level(self, level: int) -> dict[tuple[int, int], str | None]:
        """Name every stretch of one level."""
        first, last = self.axis.first[level], self.axis.last[level]
        starts = np.unique(first)
        named = self._level_names(level)
        return {(int(start), int(last[start])): named[int(self._code[start])] for start in starts}

    def of(self, low: Any, high: Any) -> list[str | None]:
        """Name stretches, each by the finest level that has it."""
        levels = self.axis.level(low, high)
        by_level = {int(level): self._level_names(int(level)) for level in np.unique(levels)}
        found: list[str | None] = []
        for start, end, level in zip(np.asarray(low).tolist(), np.asarray(high).tolist(), levels.tolist(), strict=True):
            if start != end and end < self.axis.free and end - start + 1 < self.axis.size:
                found.append(f"[{self._values[self._code[start]]}, {self._values[self._code[end]]}]")
            else:
                found.append(by_level[level][int(self._code[start])])
        return found

    def possible(self, stretches: Sequence[tuple[int, int]], names: Sequence[str]) -> bool:
        """Say whether each of some names may stand for its stretch: by any level, as an interval, or as a star."""
        low, high = np.array(stretches, dtype=np.int64).T
        usual = self.of(low, high)
        whole, values = (0, self.axis.size - 1), (0, len(self._values) - 2)
        odd = [
            (stretch, name)
            for stretch, name, expected in zip(stretches, names, usual, strict=True)
            if name != expected and not (name == STAR and stretch in {whole, values})
        ]
        for level in range(self.axis.levels if odd else 0):
            named, first, last = self._level_names(level), self.axis.first[level], self.axis.last[level]
            odd = [
                ((low, high), name)
                for (low, high), name in odd
                if (int(first[low]), int(last[low])) != (low, high) or named[int(self._code[low])] != name
            ]
        return not odd or self._written(odd)

    def _written(self, named: Sequence[tuple[tuple[int, int], str]]) -> bool:
        """Say whether each name is that of a number or date, or of an interval of them, which lies at its stretch."""
        domain = self.attribute.domain
        assert domain is not None
        if isinstance(domain, Categories):
            return False
        ends = [next(interval_ends(name), (name, name)) for _, name in named]
        low, high = (written_codes(domain, [pair[end] for pair in ends]) for end in (0, 1))
        for (stretch, _), first, last in zip(named, low, high, strict=True):
            if first is None or last is None or (first != last and not self.axis.free):
                return False
            if stretch != (int(self.axis.place[first]), int(self.axis.place[last])):
                return False
        return True

    def _level_names(self, level: int) -> Sequence[str | None]:
        """Return the name of each code at a level."""
        tree, domain = self.attribute.hierarchy, self.attribute.domain
        assert domain is not None
        if level == 0:
            return self._values
        if tree is None or level > tree.depth:
            return [STAR] * self.axis.size
        groups, codes = tree.coarsen(domain, level)
        labels = groups.labels()
        return [*(labels[code] for code in codes), None]


def written_codes(domain: Numbers | Dates, texts: Sequence[str]) -> list[int | None]:
    """Return the code of each number or date that is written as text, or None where it is none of the domain's."""
    parsed = [_parsed(text, domain) for text in texts]
    kind = pa.float64() if isinstance(domain, Numbers) else pa.timestamp("us")
    codes = domain.code(pa.array(parsed, kind)).codes.tolist()
    return [None if each is None or code == OUTSIDE else code for each, code in zip(parsed, codes, strict=True)]


def _parsed(text: str, domain: Numbers | Dates) -> Any:
    try:
        if isinstance(domain, Numbers):
            return float(text) if math.isfinite(float(text)) else None
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is None else None


def interval_ends(text: str) -> Iterator[tuple[str, str]]:
    """Yield the two ends that a text may be an interval of; labels may hold what stands between them.

    >>> list(interval_ends("[1, 2]")), list(interval_ends("1"))
    ([('1', '2')], [])
    """
    if text.startswith("[") and text.endswith("]"):
        parts = text[1:-1].split(SEPARATOR)
        for cut in range(1, len(parts)):
            yield SEPARATOR.join(parts[:cut]), SEPARATOR.join(parts[cut:])


def check_names(attribute: Attribute, stretches: Sequence[tuple[int, int]], names: Sequence[str | None]) -> None:
    """Refuse one name for two different stretches: nobody could tell which is meant."""
    stands_for: dict[str | None, tuple[int, int]] = {}
    for stretch, name in zip(stretches, names, strict=True):
        if stands_for.setdefault(name, stretch) != stretch:
            if not attribute.observed:
                raise InvalidParameter(
                    "the label {label!r} of {column!r} would stand for different groups of values (a suppressed "
                    "cell is written as a star); rename one of them in its domain or hierarchy.",
                    label=name,
                    column=attribute.name,
                )
            raise InvalidParameter(
                "the label of {column!r} would stand for different groups of values (a suppressed "
                "cell is written as a star); rename one of them in its domain or hierarchy.",
                column=attribute.name,
            )
