"""A path through the blocks of a grid, cut into groups."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

import numpy as np
from pydantic import StrictInt

from tokumei.arrays import Floats, Integers, Labels
from tokumei.errors import InvalidParameter
from tokumei.partition.microaggregation.path.blocks import cut_through_blocks, within_range
from tokumei.partition.microaggregation.points import PointPartition, Points, register_point_partition
from tokumei.progress import stage
from tokumei.table.classes import class_of
from tokumei.values import value

FINEST = 2**20  # parts of a column


@register_point_partition
@value
class GridBlocks(PointPartition):
    """Order rows by going to the nearest that is left in the same block of a grid, and cut the order where that loses least.

    A block without rows left looks at the blocks around it, ring by ring. Every column is cut into the same number of parts
    of the same width, so a grid is for few columns; where rows lie far out most of them share a block, and `FlexDice` serves
    better.

    Parameters
    ----------
    parts
        Into how many parts each column is cut; by default as many as leave blocks with 2k rows or more on average, of those
        blocks that have rows.
    """

    parts: StrictInt | None = None
    kind: Literal["grid_blocks"] = field(default="grid_blocks", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if self.parts is not None and not 1 <= self.parts <= FINEST:
            raise InvalidParameter(
                "parts must be a whole number from 1 to {finest:,}. Got {parts}.", finest=FINEST, parts=self.parts
            )

    def group(self, points: Points) -> Labels:
        """Number the groups from zero and return each row's."""
        with stage("Grouping along a path through a grid"):
            shares = within_range(points.rows)
            parts = self.parts or _finest(shares, len(shares) // (2 * points.k))
            cells = _cells(shares, parts)
            return cut_through_blocks(points, _block_of(cells).astype(np.int32), cells=cells)


def _cells(shares: Floats, parts: int) -> Integers:
    return np.floor(shares * parts).astype(np.int64)


def _block_of(cells: Integers) -> Integers:
    return class_of(list(cells.T), len(cells))


def _finest(shares: Floats, most: int) -> int:
    """Return a number of parts with at most this many blocks, and one part more would be too many."""
    low, high = 1, 2
    while high < FINEST and _block_of(_cells(shares, high)).max() < most:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _block_of(_cells(shares, middle)).max() < most else (low, middle)
    return low
