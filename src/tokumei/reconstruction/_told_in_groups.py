"""Rows in groups that tell one thing each, as a mixture of products sees them.

A row of group g that tells tuple y of cluster s is seen with

    (other / total) * (masses of all boxes) + (keep / total) * (masses of y) * (masses of the other boxes),

a mass being what a class gives to a box of a column, or to a value. That the row lies in the boxes is taken to say no more than that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.mechanism.boxes import ColumnBoxes
from tokumei.mechanism.grouping import Grouping
from tokumei.reconstruction._columns import check_count
from tokumei.reconstruction._mixture import Products
from tokumei.reconstruction._views import POINTS
from tokumei.release.artifact import Release
from tokumei.table.classes import class_of
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute


@dataclass(frozen=True)
class BoxedColumn:
    """What can be seen of a column: the different boxes that groups have in it, and its values, or bins of them.

    Attributes
    ----------
    bins
        The bin of each code.
    matrix
        P(seen | bin) of every box, then of every bin.
    box
        The row of each group's box.
    held
        For each group (row) how many values of each bin its box holds.
    """

    bins: Integers
    matrix: Floats
    box: Integers
    held: Integers

    @property
    def boxes(self) -> int:
        """How many different boxes there are."""
        return len(self.matrix) - self.matrix.shape[1]

    @classmethod
    def of(cls, attribute: Attribute, boxes: ColumnBoxes, groups: int) -> BoxedColumn:
        """Look at the boxes of a column."""
        bins = _bins(attribute)
        size = int(bins.max()) + 1
        check_count(attribute.name, size)
        held = np.zeros((groups, size), dtype=np.int64)
        for group in range(groups):
            np.add.at(held[group], bins[boxes.inside(group).members], 1)
        different, box = np.unique(held, axis=0, return_inverse=True)
        matrix = np.concatenate([different / np.bincount(bins), np.eye(size)])
        return cls(bins, matrix, box.reshape(-1), held)


def _bins(attribute: Attribute) -> Integers:
    """Return the bin of each code: every value by itself, or numbers and dates of a long column in bins of equal width."""
    assert attribute.domain is not None
    size = attribute.domain.size
    if isinstance(attribute.domain, Categories) or size <= POINTS:
        return np.arange(attribute.states)
    return np.append(np.arange(size) * POINTS // size, np.full(int(attribute.missing), POINTS))


def told_in_groups(
    release: Release, grouping: Grouping, columns: dict[str, BoxedColumn], starts: dict[str, int]
) -> tuple[Products, Products, Integers]:
    """Return the two products of everything that rows show, and which of these each row does.

    ``starts`` says where the matrix of each column begins in the table of all masses.
    """
    telling = grouping.telling
    assert telling is not None
    names, label = grouping.columns, telling.label
    codes = {name: release.coded.codes(name) for name in (*names, label)}
    groups, which = release.group_of, codes[label]
    part, _ = grouping.told({name: release.schema[name] for name in names}, codes, groups)
    tells = np.stack([np.isin(which, _with(telling.clusters, name)) for name in names])
    seen = np.stack(
        [
            np.where(told, columns[name].bins[np.minimum(codes[name], len(columns[name].bins) - 1)], -1)
            for name, told in zip(names, tells, strict=True)
        ]
    )
    kinds = class_of([part, *(seen + 1)], len(part))
    one = np.zeros(int(kinds.max()) + 1, dtype=np.int64)
    one[kinds] = np.arange(len(kinds))  # a row of each kind
    channels = telling.channels()
    keep, other = (
        np.array(each) for each in zip(*((c.keep / c.total, c.other / c.total) for c in channels), strict=True)
    )
    first, second = keep[part[one]], other[part[one]]
    kept, all_boxes = [], []
    for place, name in enumerate(names):
        column, told, bins = columns[name], tells[place, one], seen[place, one]
        boxes = starts[name] + column.box[groups[one]]
        held = np.where(told, column.held[groups[one], bins], 1)
        first = first * np.where(told, held / np.bincount(column.bins)[bins], 1.0)
        second = second * held
        kept.append(np.where(told, starts[name] + column.boxes + bins, boxes))
        all_boxes.append(boxes)
    ends = np.arange(len(one) + 1) * len(names)
    return (
        Products(first, ends, np.stack(kept, axis=1).ravel()),
        Products(second, ends, np.stack(all_boxes, axis=1).ravel()),
        kinds,
    )


def _with(clusters: tuple[tuple[str, ...], ...], name: str) -> list[int]:
    return [place for place, each in enumerate(clusters) if name in each]
