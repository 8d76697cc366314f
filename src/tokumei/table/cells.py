"""What a coarser cell is called: the label of its tree, an interval, or a star."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.table.axis import Axis
from tokumei.table.schema import Attribute

STAR = "*"  # a suppressed cell


class CellNames:
    """The names of the stretches of a column's line; ``None`` is the name of a missing cell.

    A value has its own label, a stretch of a tree the label of its finest level, a stretch of an ordered line its first
    and last value as ``[20, 34]``, and what only the whole line covers is a star.
    """

    def __init__(self, attribute: Attribute, axis: Axis) -> None:
        assert attribute.domain is not None
        self.attribute, self.axis = attribute, axis
        self._code = np.empty(axis.size, dtype=np.int64)
        self._code[axis.place] = np.arange(axis.size)  # which code lies at a place
        self._values: Sequence[str | None] = [*attribute.domain.labels(), None]

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
        return not odd

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


def check_names(attribute: Attribute, stretches: Sequence[tuple[int, int]], names: Sequence[str | None]) -> None:
    """Refuse one name for two different stretches: nobody could tell which is meant."""
    stands_for: dict[str | None, tuple[int, int]] = {}
    for stretch, name in zip(stretches, names, strict=True):
        if stands_for.setdefault(name, stretch) != stretch:
            shown = "" if attribute.observed else f" {name!r}"
            raise InvalidParameter(
                f"the label{shown} of {attribute.name!r} would stand for different groups of values (a star is how a "
                "suppressed cell is written); rename one of them in its domain or hierarchy."
            )
