"""Inner loops of MDAV."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop
from tokumei.partition.microaggregation._kernels import remember
from tokumei.partition.microaggregation.fast import FAST


@loop(fastmath=FAST)
def _farthest(rows: Any, left: Any, count: Any, point: Any) -> Any:
    """Return the row among ``left[:count]`` that is farthest from a point."""
    best, found = -1.0, left[0]
    for place in range(count):
        row, far = left[place], 0.0
        for column in range(rows.shape[1]):
            gap = rows[row, column] - point[column]
            far += gap * gap
        if far > best:
            best, found = far, row
    return found


@njit(cache=True, nogil=True, fastmath=FAST)
def _take(rows: Any, left: Any, count: Any, first: Any, k: Any, total: Any, labels: Any, group: Any) -> Any:
    """Make a group of a row and its k - 1 nearest among ``left[:count]``; return how many rows are left."""
    near, places, found = np.empty(k), np.empty(k, dtype=np.int64), 0
    for place in range(count):
        row, far = left[place], 0.0
        for column in range(rows.shape[1]):
            gap = rows[row, column] - rows[first, column]
            far += gap * gap
        if row == first:
            far = -1.0
        found = remember(far, place, near, places, found, k)
    for place in np.sort(places[:found])[::-1]:
        row = left[place]
        labels[row] = group
        total -= rows[row]
        count -= 1
        left[place] = left[count]
    return count


@njit(cache=True, nogil=True, fastmath=FAST)
def mdav(rows: Any, k: Any) -> Any:
    """Group around the row farthest from the mean, then around the row farthest from that one, and again."""
    labels = np.empty(len(rows), dtype=np.int64)
    left, count, group = np.arange(len(rows)), len(rows), 0
    total = rows.sum(axis=0)
    while count >= 3 * k:
        first = _farthest(rows, left, count, total / count)
        count = _take(rows, left, count, first, k, total, labels, group)
        second = _farthest(rows, left, count, rows[first])
        count = _take(rows, left, count, second, k, total, labels, group + 1)
        group += 2
    if count >= 2 * k:
        first = _farthest(rows, left, count, total / count)
        count = _take(rows, left, count, first, k, total, labels, group)
        group += 1
    for place in range(count):
        labels[left[place]] = group
    return labels
