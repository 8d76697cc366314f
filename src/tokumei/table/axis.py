"""A column as groups of rows see it: values in a line, and which stretches of the line may stand for a group.

The leaves of a tree are numbered depth first, so every label of the tree is a stretch of leaves, and the label that
covers a set of leaves is the one that covers its first and its last. A number needs no tree: every stretch will do.
So trees and ranges are one thing, and a group is a pair (low, high) for each column.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers, Places
from tokumei.table.domain import Categories
from tokumei.table.loss import open_share
from tokumei.table.schema import Attribute


@dataclass(frozen=True, eq=False)
class Axis:
    """One column's values in a line of ``size`` places.

    Attributes
    ----------
    place
        The place of each code.
    first, last
        One row per level of the tree, finest first, the whole line last: where the label that a place lies under begins
        and ends. Level 0 is the place itself.
    free
        Among this many places at the beginning every stretch may stand for a group, not only those of the levels.
    """

    name: str
    place: Places
    first: Places
    last: Places
    free: int = 0

    @property
    def size(self) -> int:
        """How many places there are."""
        return len(self.place)

    @property
    def levels(self) -> int:
        """How many levels there are, the places themselves and the whole line included."""
        return len(self.first)

    def closure(self, low: Any, high: Any) -> tuple[Places, Places]:
        """Return the smallest stretch that may stand for everything from ``low`` to ``high``, elementwise."""
        low, high = np.asarray(low, dtype=np.int32), np.asarray(high, dtype=np.int32)
        level = self.level(low, high)
        free = high < self.free
        return np.where(free, low, self.first[level, low]), np.where(free, high, self.last[level, low])

    def level(self, low: Any, high: Any) -> Integers:
        """Return the finest level with one label over both ``low`` and ``high``, elementwise."""
        return np.argmax(self.first[:, low] == self.first[:, high], axis=0)

    def loss(self, low: Any, high: Any) -> Floats:
        """Return the share of the line that a cell from ``low`` to ``high`` leaves open."""
        return open_share(low, high, self.size)


@lru_cache(maxsize=64)  # every release lays the same columns in the same lines, several times
def axis_of(attribute: Attribute) -> Axis:
    """Lay a column's values in a line: by its hierarchy, else in order (numbers, dates, ordered categories).

    Categories without an order and without a hierarchy have two levels only: the value, and everything. A missing cell
    is one more place at the end, which nothing but the whole line covers together with another.
    """
    domain = attribute.domain
    assert domain is not None
    states = attribute.states
    line = np.arange(states, dtype=np.int32)
    whole = np.zeros(states, dtype=np.int32), np.full(states, states - 1, dtype=np.int32)
    if attribute.hierarchy is None:
        free = domain.size if not isinstance(domain, Categories) or domain.ordered else 0
        return Axis(attribute.name, line, np.stack([line, whole[0]]), np.stack([line, whole[1]]), free)
    tree = attribute.hierarchy
    groups = [tree.coarsen(domain, level)[1] for level in range(1, tree.depth + 1)]
    order = np.lexsort(tuple(groups))  # the coarsest level decides first
    place = np.empty(states, dtype=np.int32)
    place[order] = np.arange(domain.size, dtype=np.int32)
    if attribute.missing:
        place[domain.size] = domain.size
    first, last = [line], [line]
    for level in groups:
        labels = np.append(level[order], -1) if attribute.missing else level[order]
        starts = np.flatnonzero(np.append(True, labels[1:] != labels[:-1]))
        number = np.cumsum(np.append(True, labels[1:] != labels[:-1])) - 1
        ends = np.append(starts[1:], states) - 1
        first.append(starts[number].astype(np.int32))
        last.append(ends[number].astype(np.int32))
    if not np.array_equal(first[-1], whole[0]):
        first.append(whole[0])
        last.append(whole[1])
    return Axis(attribute.name, place, np.stack(first), np.stack(last))
