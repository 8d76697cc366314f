"""Sorting inside compiled loops: numba's own `np.sort` takes more than a second to compile."""

from __future__ import annotations

from typing import Any

from tokumei.loops import loop


@loop()
def sort_in_place(values: Any, count: Any) -> None:
    """Sort the first ``count`` values, smallest first."""
    for first in range(1 - count // 2, count):
        if first <= 0:  # the larger ones move to the top of a heap ...
            at, end = -first, count
            value = values[at]
        else:  # ... and from there one after the other to the back
            at, end = 0, count - first
            value = values[end]
            values[end] = values[0]
        child = 2 * at + 1
        while child < end:
            if child + 1 < end and values[child + 1] > values[child]:
                child += 1
            if values[child] <= value:
                break
            values[at] = values[child]
            at = child
            child = 2 * at + 1
        values[at] = value
