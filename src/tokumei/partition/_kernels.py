"""What every compiled loop over groups needs: the cost of a stretch, and of a box."""

from __future__ import annotations

from typing import Any

from numba import njit


@njit(nogil=True, cache=True)
def span(lines: Any, axis: Any, low: Any, high: Any) -> Any:
    """Return what a cell costs that stands for everything from ``low`` to ``high``."""
    if lines.pairs[axis] >= 0:
        return lines.table[lines.pairs[axis] + low * lines.size[axis] + high]
    if high < lines.free[axis]:
        return (high - low) * lines.unit[axis]
    at = lines.start[axis]
    while lines.first[at + low] != lines.first[at + high]:
        at += lines.size[axis]
    return lines.cost[at + low]


@njit(nogil=True, cache=True)
def box_cost(lines: Any, low: Any, high: Any) -> Any:
    """Return what a row costs whose cells stand for everything from ``low`` to ``high``, axis by axis."""
    total = 0.0
    for axis in range(low.size):
        total += span(lines, axis, low[axis], high[axis])
    return total
