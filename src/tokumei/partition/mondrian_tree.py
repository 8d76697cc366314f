"""A tree of cuts, which sends every row to one of its leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tokumei.arrays import Integers


@dataclass(frozen=True, eq=False)
class CutTree:
    """Cuts: the axis and stretch of each node; rows inside it go to the node ``front``, others to ``back``.

    The first node is the root, a node comes before those below it, and a leaf has the axis -1.
    """

    axis: Integers
    low: Integers
    high: Integers
    front: Integers
    back: Integers

    @classmethod
    def whole(cls) -> CutTree:
        """Return the tree without a cut: all rows are in one leaf."""
        none = np.full(1, -1, dtype=np.int64)
        return cls(none, none.copy(), none.copy(), none.copy(), none.copy())

    def __len__(self) -> int:
        return len(self.axis)

    def leaves(self, places: npt.NDArray[Any]) -> Integers:
        """Return the leaf of each row."""
        from tokumei.partition._mondrian_kernels import leaves_of

        found = np.empty(len(places), dtype=np.int64)
        leaves_of(places, self.axis, self.low, self.high, self.front, self.back, found)
        return found

    def cut(self, leaf: int, axis: int, low: int, high: int) -> CutTree:
        """Return the tree with a leaf cut in two."""
        size = len(self)
        parts = [np.append(part, [-1, -1]) for part in (self.axis, self.low, self.high, self.front, self.back)]
        for part, given in zip(parts, (axis, low, high, size, size + 1), strict=True):
            part[leaf] = given
        return CutTree(*parts)

    def merged(self, counts: Integers, least: int) -> CutTree:
        """Take back every cut one of whose sides has fewer than ``least`` rows, from the bottom up.

        ``counts`` are the rows of each leaf; what lies below a cut that is taken back is not reached any more.
        """
        counts, axis = counts.copy(), self.axis.copy()
        for node in range(len(self) - 1, -1, -1):
            if axis[node] >= 0:
                sides = counts[self.front[node]], counts[self.back[node]]
                counts[node] = sum(sides)
                if min(sides) < least:
                    axis[node] = -1
        return CutTree(axis, self.low, self.high, self.front, self.back)
