"""Inner loops of paths through points: the nearest point next, and the best cut."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.partition.microaggregation.fast import FAST


@njit(cache=True, nogil=True, fastmath=FAST)
def nearest_point_next(rows: Any) -> Any:
    """Order rows: first the one farthest from the mean, then always the nearest that is left."""
    count, columns = rows.shape
    path, left = np.empty(count, dtype=np.int64), np.arange(count)
    here = rows.sum(axis=0) / count
    sign = -1.0
    for step in range(count):
        best, found = np.inf, 0
        for place in range(count - step):
            far = 0.0
            for column in range(columns):
                gap = rows[left[place], column] - here[column]
                far += gap * gap
            if sign * far < best:
                best, found = sign * far, place
        path[step] = left[found]
        left[found] = left[count - step - 1]
        here = rows[path[step]]
        sign = 1.0
    return path


@njit(cache=True, nogil=True)
def best_cut(rows: Any, k: Any) -> Any:
    """Cut rows, in their order, into groups of k to 2k - 1 with the least sum of squares; return their labels."""
    count, columns = rows.shape
    sums, squares = np.zeros((count + 1, columns)), np.zeros(count + 1)
    for row in range(count):
        squares[row + 1] = squares[row]
        for column in range(columns):
            cell = rows[row, column]
            sums[row + 1, column] = sums[row, column] + cell
            squares[row + 1] += cell * cell
    least, came = np.full(count + 1, np.inf), np.zeros(count + 1, dtype=np.int64)
    least[0] = 0.0
    for end in range(k, count + 1):
        for start in range(max(0, end - 2 * k + 1), end - k + 1):
            if least[start] == np.inf:
                continue
            square = 0.0
            for column in range(columns):
                part = sums[end, column] - sums[start, column]
                square += part * part
            cost = least[start] + squares[end] - squares[start] - square / (end - start)
            if cost < least[end]:
                least[end], came[end] = cost, start
    labels = np.empty(count, dtype=np.int64)
    end, group = count, 0
    while end > 0:
        labels[came[end] : end] = group
        end = came[end]
        group += 1
    return labels
