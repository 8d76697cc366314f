"""Inner loops of V-MDAV."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop
from tokumei.partition.microaggregation.fast import FAST


@loop(fastmath=FAST)
def _gap(rows: Any, one: Any, two: Any) -> Any:
    total = 0.0
    for column in range(rows.shape[1]):
        gap = rows[one, column] - rows[two, column]
        total += gap * gap
    return total


@loop(fastmath=FAST)
def _join(rows: Any, row: Any, group: Any, labels: Any, near: Any) -> None:
    """Put a row into a group; ``near`` is how far each row without a group is from the nearest row of this one."""
    labels[row] = group
    for other in range(len(rows)):
        if labels[other] < 0:
            near[other] = min(near[other], _gap(rows, row, other))


@loop(fastmath=FAST)
def _closest(labels: Any, near: Any) -> Any:
    """Return the row without a group that is nearest to the group being made; -1 if there is none."""
    best, found = np.inf, -1
    for row in range(len(labels)):
        if labels[row] < 0 and near[row] < best:
            best, found = near[row], row
    return found


@loop(fastmath=FAST)
def _alone(rows: Any, row: Any, labels: Any) -> Any:
    """Return how far a row is from the nearest other one without a group."""
    best = np.inf
    for other in range(len(rows)):
        if other != row and labels[other] < 0:
            best = min(best, _gap(rows, row, other))
    return best


@njit(cache=True, nogil=True, fastmath=FAST)
def _from_first(rows: Any, first: Any, k: Any, group: Any, labels: Any) -> None:
    """Make a group of a row and its k - 1 nearest."""
    gaps = np.full(len(rows), np.inf)
    for row in range(len(rows)):
        if labels[row] < 0:
            gaps[row] = _gap(rows, first, row)
    gaps[first] = -1.0
    for row in np.argsort(gaps, kind="mergesort")[:k]:
        labels[row] = group


@njit(cache=True, nogil=True, fastmath=FAST)
def variable_mdav(rows: Any, turn: Any, k: Any, gain: Any) -> Any:
    """Take rows by their turn, each with its k - 1 nearest, then rows that are nearer to the group than to the others.

    Fewer than k rows at the end are left without a group: -1.
    """
    labels, near = np.full(len(rows), -1, dtype=np.int64), np.empty(len(rows))
    group, left = 0, len(rows)
    for first in turn:
        if left < k:
            break
        if labels[first] >= 0:
            continue
        _from_first(rows, first, k, group, labels)
        near[:] = np.inf
        for row in range(len(rows)):
            if labels[row] == group:
                _join(rows, row, group, labels, near)
        size = k
        while size < 2 * k - 1:
            row = _closest(labels, near)
            if row < 0:
                break
            alone = _alone(rows, row, labels)
            if alone < np.inf and near[row] >= gain * gain * alone:  # the very last row is taken in
                break
            _join(rows, row, group, labels, near)
            size += 1
        left -= size
        group += 1
    return labels
