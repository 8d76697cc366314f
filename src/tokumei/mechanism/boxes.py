"""Boxes: what the cells of a group of rows can be in one column, one group at a time or all groups at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tokumei.arrays import Codes, Integers
from tokumei.table.axis import axis_of
from tokumei.table.schema import Attribute

DENSE = 4  # times as many cells in all groups as are looked at: then a table of all of them costs less than a search


class Box(NamedTuple):
    """What a cell of a group can be in one column: a stretch of the column's line or a set of its places, and missing or not.

    An empty stretch (``high = low - 1``) is that of a group in which every cell is missing.
    """

    low: int
    high: int
    missing: bool
    labels: tuple[int, ...] | None = (
        None  # the places of a set, rising; ``low`` and ``high`` are then the first and the last
    )

    @classmethod
    def of(cls, labels: Sequence[int], missing: bool) -> Box:
        """Make the box of a set of places.

        >>> Box.of((1, 4, 5), missing=True).size
        4
        """
        return cls(labels[0] if labels else 0, labels[-1] if labels else -1, missing, tuple(labels))

    @property
    def size(self) -> int:
        """How many different cells there can be."""
        return (self.high - self.low + 1 if self.labels is None else len(self.labels)) + int(self.missing)


def shared(boxes: Sequence[Box]) -> list[Box]:
    """Return the same boxes, equal ones being one object: many groups have the same few."""
    known: dict[Box, Box] = {}
    return [known.setdefault(box, box) for box in boxes]


class Inside(NamedTuple):
    """One column as a group sees it: the codes that its box holds, in the order in which its channel numbers them."""

    members: Integers
    place: Integers  # of each code along the column's line
    places: Integers | range  # of the members

    def local(self, codes: Codes) -> Integers:
        """Return the channel's number of each code; a missing cell lies behind all places, and has the last one."""
        if isinstance(self.places, range):
            return np.minimum(self.place[codes] - self.places.start, len(self.members) - 1)
        return np.searchsorted(self.places, self.place[codes])


class ColumnBoxes:
    """The boxes of all groups in one column, as arrays, so that all rows are looked at together."""

    def __init__(self, attribute: Attribute, boxes: Sequence[Box]) -> None:
        assert attribute.domain is not None
        self.size = attribute.domain.size
        self.place = place_of(attribute)
        self._along = np.append(np.argsort(self.place[: self.size], kind="stable"), self.size)  # the code at each place
        self._low = np.array([box.low for box in boxes], dtype=np.int64)
        self.missing = np.array([box.missing for box in boxes], dtype=np.bool_)
        self._held: Integers | None = None
        if boxes[0].labels is None:
            self.sizes = np.array([box.high for box in boxes], dtype=np.int64) - self._low + 1 + self.missing
        else:  # the places of all sets, one behind the other, and a missing cell behind its own set
            sets = [(*(box.labels or ()), *([self.size] * box.missing)) for box in boxes]
            self.sizes = np.array([len(places) for places in sets], dtype=np.int64)
            self._held = np.array([place for places in sets for place in places], dtype=np.int64)
            self._start = np.cumsum(self.sizes) - self.sizes
            self._keys = np.repeat(np.arange(len(boxes)), self.sizes) * (self.size + 1) + self._held

    @property
    def of_sets(self) -> bool:
        """Whether boxes are sets of labels, not stretches."""
        return self._held is not None

    def inside(self, group: int) -> Inside:
        """Look at the column from inside one group's box."""
        low, count = int(self._low[group]), int(self.sizes[group])
        if self._held is None:
            missing = bool(self.missing[group])
            members = self._along[low : low + count - missing]
            return Inside(
                np.append(members, self.size) if missing else members, self.place, range(low, low + count - missing)
            )
        places = self._held[self._start[group] : self._start[group] + count]
        return Inside(self._along[places], self.place, places)

    def members(self, groups: Integers) -> tuple[Integers, Integers]:
        """List the codes in the boxes of several groups, one group after the other: which group it is among those given, and the code.

        >>> from tokumei.table.domain import Numbers
        >>> boxes = ColumnBoxes(Attribute("age", domain=Numbers(10, 19, step=1)), [Box(0, 2, False), Box(7, 8, False)])
        >>> [each.tolist() for each in boxes.members(np.array([1, 0]))]
        [[0, 0, 1, 1, 1], [7, 8, 0, 1, 2]]
        """
        count = self.sizes[groups]
        which = np.repeat(np.arange(len(groups)), count)
        local = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
        return which, self.codes(local, groups[which])

    def local(self, codes: Codes, groups: Integers) -> Integers:
        """Return the number of each code in its group's channel, -1 where it is not in the box."""
        at, count = self.place[codes], self.sizes[groups]
        if self._held is None:
            gone = at == self.size
            number = np.where(gone, count - 1, at - self._low[groups])
            inside = np.where(gone, self.missing[groups], (number >= 0) & (number < count - self.missing[groups]))
            return np.where(inside, number, -1)
        key = groups * (self.size + 1) + at
        if len(self.sizes) * (self.size + 1) <= DENSE * len(key):
            numbers = np.full(len(self.sizes) * (self.size + 1), -1, dtype=np.int32)
            numbers[self._keys] = np.arange(len(self._keys)) - np.repeat(self._start, self.sizes)
            return numbers[key].astype(np.int64)
        found = np.minimum(np.searchsorted(self._keys, key), len(self._keys) - 1)
        return np.where(self._keys[found] == key, found - self._start[groups], -1)

    def codes(self, local: Integers, groups: Integers) -> Integers:
        """Return the code that a number means in a group's channel."""
        if self._held is not None:
            return self._along[self._held[self._start[groups] + local]]
        gone = self.missing[groups] & (local == self.sizes[groups] - 1)
        return self._along[np.where(gone, self.size, self._low[groups] + local)]


def place_of(attribute: Attribute) -> Integers:
    """Return the place of each code along the column's line; a missing cell is behind all of them."""
    assert attribute.domain is not None
    along: Integers = axis_of(replace(attribute, missing=False)).place.astype(np.int64)
    return np.append(along, attribute.domain.size) if attribute.missing else along
