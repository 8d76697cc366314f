"""A column that some rows tell: on which grids, which cell a value lies in, and what is released of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from tokumei.arrays import Codes, Integers
from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.mechanism.boxes import place_of
from tokumei.table.axis import axis_of
from tokumei.table.cells import CellNames, check_names
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute, attribute_from, describe_attribute

Grid = tuple[int, ...] | None  # where the cells of a column begin along its line; none where every value is one


class Shown(NamedTuple):
    """One grid of a column: the cell that each true code lies in, and the released code of each cell."""

    cell_of: Integers
    code_of: Integers


@dataclass(frozen=True)
class ToldColumn:
    """A column that some rows tell, on one grid or several.

    Attributes
    ----------
    original
        The column before: its domain, hierarchy, and whether cells could be missing. A missing cell is one more value.
    grids
        For each grid the first places of its cells along the line that `axis_of` lays the values in; ``None`` where every
        value is a cell of its own.
    """

    original: Attribute
    grids: tuple[Grid, ...]

    def __post_init__(self) -> None:
        name, points = self.original.name, self._points
        if not self.grids or len(set(self.grids)) < len(self.grids):
            raise InvalidParameter("the grids of {name!r} must be at least one, and different.", name=name)
        for starts in self.grids:
            if starts is None:
                continue
            if starts[:1] != (0,) or starts[-1] >= points or any(a >= b for a, b in pairwise(starts)):
                raise InvalidParameter(
                    "the cells of {name!r} must begin at places of its domain, the first at 0.", name=name
                )
            if not self._nameable(starts):
                raise InvalidParameter("the cells of {name!r} must be those of a level of its hierarchy.", name=name)

    @property
    def _points(self) -> int:
        assert self.original.domain is not None
        return self.original.domain.size

    def _nameable(self, starts: Sequence[int]) -> bool:
        if self.original.hierarchy is None:
            return not isinstance(self.original.domain, Categories) or self.original.domain.ordered
        axis = axis_of(replace(self.original, missing=False))
        return any(np.array_equal(np.unique(level), starts) for level in axis.first)

    def cells(self, grid: int) -> int:
        """Count the cells of a grid, a missing one included."""
        starts = self.grids[grid]
        return (self._points if starts is None else len(starts)) + int(self.original.missing)

    @property
    def whole(self) -> bool:
        """Whether rows that tell the column tell its values, and nothing coarser."""
        return self.grids == (None,)

    @cached_property
    def released(self) -> Attribute:
        """The column as it is released: a cell that is not told is null, like a missing one; the row says which it is."""
        if self.whole:
            return replace(self.original, missing=True)
        names = [name for name in self._names if name is not None]
        return replace(self.original, domain=Categories(tuple(names)), hierarchy=None, missing=True)

    @cached_property
    def stretches(self) -> tuple[tuple[int, int], ...]:
        """The stretch of the line that each released code stands for."""
        found = {stretch for starts in self.grids for stretch in self._stretches(starts)}
        return tuple(sorted(found))

    @cached_property
    def spans(self) -> Integers:
        """For each released code its first and last place along the line of `place_of`, that of a told missing cell last."""
        ends = [(self._points, self._points)] * self.original.missing
        return np.array([*self.stretches, *ends])

    def _stretches(self, starts: Grid) -> list[tuple[int, int]]:
        first = range(self._points) if starts is None else starts
        return list(zip(first, [*(each - 1 for each in first[1:]), self._points - 1], strict=True))

    @cached_property
    def _names(self) -> list[str | None]:
        low, high = np.array(self.stretches).T
        plain = replace(self.original, missing=False)
        names = CellNames(plain, axis_of(plain)).of(low, high)
        check_names(self.original, self.stretches, names)
        return names

    @cached_property
    def shown(self) -> tuple[Shown, ...]:
        """For each grid the cell of each true code, and the released code of each cell."""
        place, points, missing = place_of(self.original), self._points, self.original.missing
        if self.whole:
            line = np.arange(points + int(missing))
            return (Shown(line, line),)
        number = {stretch: code for code, stretch in enumerate(self.stretches)}
        null, found = len(number), []
        for starts in self.grids:
            cells = self._stretches(starts)
            codes = [number[stretch] for stretch in cells] + [null] * missing
            first = np.array([low for low, _ in cells] + [points] * missing)
            found.append(Shown(np.searchsorted(first, place, side="right") - 1, np.array(codes)))
        return tuple(found)

    def cell(self, grid: int, released: Codes) -> Integers:
        """Return the cell of each released code, -1 where it is none of the grid's."""
        assert self.released.domain is not None
        codes = self.shown[grid].code_of
        inverse = np.full(self.released.states, -1)
        inverse[codes] = np.arange(len(codes))
        return inverse[released]

    def describe(self) -> dict[str, Any]:
        """Return the column as it appears in a manifest."""
        grids = [None if starts is None else list(starts) for starts in self.grids]
        return {"original": describe_attribute(self.original), "grids": grids}

    @classmethod
    def from_description(cls, name: str, described: Mapping[str, Any]) -> ToldColumn:
        """Make a column again from what `describe` gave."""
        original = attribute_from({"name": name, **described["original"]})
        grids = tuple(None if starts is None else tuple(starts) for starts in described["grids"])
        if any(type(start) is not int for starts in grids if starts is not None for start in starts):
            raise ReleaseError("The release tells {name!r} on a grid that is not possible.", name=name)
        return cls(original, grids)
