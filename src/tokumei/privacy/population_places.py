"""The people of a population along axes, counted in boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tokumei.arrays import Floats, Integers, Places
from tokumei.errors import InvalidParameter
from tokumei.privacy import _population_kernels as _kernels
from tokumei.table.axis import axis_of
from tokumei.table.classes import class_of
from tokumei.table.coded import CodedTable
from tokumei.table.domain import OUTSIDE
from tokumei.table.schema import Attribute


@dataclass(frozen=True, eq=False)
class PopulationPlaces:
    """The different rows of a population as places along axes, and how many people have each."""

    rows: Places
    people: Integers

    @cached_property
    def _sorted(self) -> tuple[tuple[Integers, Integers], ...]:
        orders = [np.argsort(along, kind="stable") for along in self.rows.T]
        return tuple((order, self.rows[order, axis].astype(np.int64)) for axis, order in enumerate(orders))

    def _slab(self, low: Places, high: Places) -> tuple[Integers, Integers, Integers]:
        """Return an order of the rows, and for each box from where to where in it rows can be inside: along the axis that leaves fewest."""
        found = []
        for axis, (order, along) in enumerate(self._sorted):
            start = np.searchsorted(along, low[:, axis], side="left")
            stop = np.searchsorted(along, high[:, axis], side="right")
            found.append((int(np.sum(stop - start)), axis, order, start, stop))
        _, _, order, start, stop = min(found, key=lambda each: each[:2])
        return order, start.astype(np.int64), stop.astype(np.int64)

    def inside(self, low: Places, high: Places) -> Integers:
        """Count the people in each box."""
        order, start, stop = self._slab(low, high)
        counts = np.zeros(len(low), dtype=np.int64)
        _kernels.count_inside(self.rows[order], self.people[order], low, high, start, stop, counts)
        return counts

    def presence(self, low: Places, high: Places, most: Floats, least: Floats) -> tuple[Floats, Floats]:
        """Return for each different row the sum of ``most`` and the largest ``least`` of the boxes that it lies in."""
        order, start, stop = self._slab(low, high)
        upper, lower = np.zeros(len(order)), np.zeros(len(order))
        _kernels.reach(self.rows[order], low, high, start, stop, most, least, upper, lower)
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        return upper[back], lower[back]

    def largest(self, numbers: Floats, low: Places, high: Places) -> Floats:
        """Return the largest number that a row in each box has."""
        order, start, stop = self._slab(low, high)
        found = np.zeros(len(low))
        _kernels.largest_inside(self.rows[order], numbers[order], low, high, start, stop, found)
        return found


@dataclass(frozen=True, eq=False)
class Population:
    """Everyone whom the rows of a table may belong to: their quasi-identifiers, prepared as the table's are."""

    table: CodedTable
    columns: tuple[str, ...]

    @property
    def people(self) -> int:
        """How many people there are."""
        return self.table.rows

    @cached_property
    def _different(self) -> tuple[Integers, Integers]:
        """One row of each kind, and how many people are of it."""
        which = class_of([self.table.codes(name).astype(np.int64) for name in self.columns], self.people)
        counts = np.bincount(which)
        example = np.empty(len(counts), dtype=np.int64)
        example[which] = np.arange(self.people)
        return example, counts.astype(np.int64)

    def along(self, attributes: Sequence[Attribute]) -> PopulationPlaces:
        """Lay the people along the axes of columns as these describe them; a value that one does not have is in no box."""
        rows, counts = self._different
        places = [self._places(attribute, rows) for attribute in attributes]
        return PopulationPlaces(np.ascontiguousarray(np.stack(places, axis=1), dtype=np.int32), counts)

    def _places(self, attribute: Attribute, rows: Integers) -> Integers:
        mine = self.table.schema[attribute.name]
        assert mine.domain is not None
        assert attribute.domain is not None
        codes = self.table.codes(attribute.name)[rows].astype(np.int64)
        if mine.domain != attribute.domain:
            coded = attribute.domain.code(mine.domain.values_of(codes))
            if coded.rounded:
                raise finer(attribute.name)
            codes = coded.codes
        codes = np.where((codes == attribute.domain.size) & (not attribute.missing), OUTSIDE, codes)
        return np.where(codes == OUTSIDE, OUTSIDE, axis_of(attribute).place[np.maximum(codes, 0)])


def finer(column: str) -> InvalidParameter:
    """Return the error for a column whose cells are finer than its codes."""
    return InvalidParameter(
        "the cells of {column!r} differ where its domain does not tell them apart, so equivalence "
        "classes cannot be judged by what is released; declare a step that fits, or recode it.",
        column=column,
    )
