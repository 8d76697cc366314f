"""Rows laid so that those near each other stand together: the rows in a box are found without a look at every row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Integers, Places

BLOCK = 32  # rows whose bounds are kept
ABOVE = 16  # blocks whose common bounds are kept
BITS = 62  # of the number that rows are ordered by


@dataclass(frozen=True, eq=False)
class Laid:
    """Rows of places along axes, in an order in which neighbours are near, with the bounds of every few.

    Attributes
    ----------
    order
        Which row stands where.
    rows
        The rows in this order.
    low, high
        The smallest and the largest place along each axis in every `BLOCK` rows.
    lowest, highest
        The same in every `ABOVE` blocks.
    """

    order: Integers
    rows: Places
    low: Places
    high: Places
    lowest: Places
    highest: Places

    @classmethod
    def of(cls, places: Places) -> Laid:
        """Lay rows out along a curve that turns to each axis in turn, the first half or second half of all being decided first.

        >>> laid = Laid.of(np.array([[0, 0], [9, 9], [0, 1], [9, 8]]))
        >>> laid.order.tolist(), laid.low.tolist(), laid.high.tolist()
        ([0, 2, 3, 1], [[0, 0]], [[9, 9]])
        """
        order = np.argsort(_along_a_curve(places), kind="stable")
        rows = places[order].astype(np.int32)
        low, high = bounds(rows, rows, BLOCK)
        return cls(order, rows, low, high, *bounds(low, high, ABOVE))


def _along_a_curve(places: Places) -> Integers:
    """Return for each row its number along a Z-order curve: the first bit of its place along each axis, then the second, and so on."""
    wide = [int(axis.max(initial=0)).bit_length() for axis in places.T]
    turns = [(turn, axis) for turn in range(max(wide, default=0)) for axis in range(len(wide)) if wide[axis] > turn]
    made = np.zeros(len(places), dtype=np.int64)
    for turn, axis in turns[:BITS]:
        made <<= 1
        made |= (places[:, axis] >> (wide[axis] - 1 - turn)) & 1
    return made


def bounds(low: Places, high: Places, many: int) -> tuple[Places, Places]:
    """Return the bounds of every ``many`` rows."""
    starts = np.arange(0, len(low), many)
    if not len(starts):
        return low, high
    return np.minimum.reduceat(low, starts, axis=0), np.maximum.reduceat(high, starts, axis=0)
