"""Inner loops of the noise-aware partition: what a group costs in noise, growing and pruning a tree of cuts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from tokumei.mechanism import displacement
from tokumei.partition._kernels import span

along_grid = njit(nogil=True, cache=True)(displacement.along_grid)
LABELS, DISTANCE, SCALE = 0, 1, 2  # what the noise of an axis is measured by
FEW = 24  # rows that are sorted one by one
WIDE = 8  # an axis with more places than this for each row is not worth counting along


@njit(nogil=True, cache=True)
def column_noise(measure: Any, size: Any, width: Any, budget: Any, growth: Any, along: Any) -> Any:
    """Return the noise of a column whose box is this share of its axis wide: a distance, a scale, or the probability of a change.

    ``growth`` is e^budget - 1, and ``along`` what `along_grid` says, both of which the columns of a group have in common.
    """
    values = 1.0 + width * (size - 1.0)
    if measure == LABELS:
        return (values - 1.0) / (growth + values)
    if measure == SCALE:
        return width / budget
    return width * min(along, values / (growth + values))  # by retention where that moves less: `by_replacing`


@njit(nogil=True, cache=True)
def whole_noise(measure: Any, size: Any, budget: Any) -> Any:
    """Return the noise of each column of the ungrouped table, each with this budget."""
    found = np.empty(size.size)
    for axis in range(size.size):
        found[axis] = column_noise(measure[axis], size[axis], 1.0, budget, math.expm1(budget), along_grid(budget))
    return found


@njit(nogil=True, cache=True)
def noise(measure: Any, size: Any, whole: Any, rows: Any, k: Any, width: Any) -> Any:
    """Return the noise of a group's rows, as this many rows of the ungrouped table have: rows times the mean ratio.

    ``width`` is the share of each axis that the group's box is wide, and ``whole`` the noise of each column in the ungrouped table.
    Columns that do not vary in the group have no noise and leave their budget to the others.
    """
    axes = width.size
    varying = 0
    for axis in range(axes):
        if width[axis] > 0.0:
            varying += 1
    if varying == 0:
        return 0.0
    if rows <= k:
        return np.inf
    budget = 0.5 * math.log((rows - 1.0) / (k - 1.0)) / varying
    growth, along, total = math.expm1(budget), along_grid(budget), 0.0
    for axis in range(axes):
        if width[axis] > 0.0:
            total += column_noise(measure[axis], size[axis], width[axis], budget, growth, along) / whole[axis]
    return rows * total / axes


@njit(nogil=True, cache=True)
def _clear(boxes: Any, rows: Any, row: Any, live: Any, seen: Any, stamp: Any, low: Any, high: Any, count: Any) -> None:
    """Begin a box with one row."""
    count[:] = 1
    low[:], high[:] = rows[row], rows[row]
    for axis in live:
        if boxes.first[axis] >= 0:
            seen[boxes.first[axis] + rows[row, axis]] = stamp


@njit(nogil=True, cache=True)
def _take(boxes: Any, rows: Any, row: Any, live: Any, seen: Any, stamp: Any, low: Any, high: Any, count: Any) -> None:
    """Widen a box by one row on the axes that are live; the labels that it has so far are those marked with its stamp."""
    for axis in live:
        cell = rows[row, axis]
        low[axis] = min(low[axis], cell)
        high[axis] = max(high[axis], cell)
        if boxes.first[axis] >= 0 and seen[boxes.first[axis] + cell] != stamp:
            seen[boxes.first[axis] + cell] = stamp
            count[axis] += 1


@njit(nogil=True, cache=True)
def measure(boxes: Any, low: Any, high: Any, count: Any, width: Any) -> None:
    """Fill in what share of each axis a box is wide."""
    for axis in range(low.size):
        if boxes.first[axis] >= 0:
            width[axis] = (count[axis] - 1.0) / (boxes.lines.size[axis] - 1.0)
        else:
            width[axis] = span(boxes.lines, axis, low[axis], high[axis])


@njit(nogil=True, cache=True)
def _sorted(rows: Any, axis: Any, order: Any, low: Any, high: Any) -> Any:
    """Return the rows of ``order`` along one axis, on which they reach from ``low`` to ``high``; equal ones stay in their order."""
    count = order.size
    if count <= FEW:
        here = order.copy()
        for at in range(1, count):
            row, to = here[at], at
            while to > 0 and rows[here[to - 1], axis] > rows[row, axis]:
                here[to] = here[to - 1]
                to -= 1
            here[to] = row
        return here
    if high - low > WIDE * count:
        return order[np.argsort(rows[order, axis], kind="mergesort")]
    ends = np.zeros(high - low + 2, dtype=np.int64)
    for at in range(count):
        ends[rows[order[at], axis] - low + 1] += 1
    for place in range(1, ends.size):
        ends[place] += ends[place - 1]
    here = np.empty(count, dtype=order.dtype)
    for at in range(count):
        place = rows[order[at], axis] - low
        here[ends[place]] = order[at]
        ends[place] += 1
    return here


@njit(nogil=True, cache=True)
def _best_cut(
    boxes: Any, rows: Any, order: Any, k: Any, least: Any, ends: Any, live: Any, seen: Any, stamp: Any
) -> Any:
    """Sort the rows of a group along the best axis, and return how many of them come before the best cut, -1 for none.

    ``ends`` are the low and the high ends of the group's box, and ``live`` the axes on which it varies.
    """
    axes, rows_here = rows.shape[1], order.size
    low, high = np.empty(axes, dtype=np.int32), np.empty(axes, dtype=np.int32)
    count, width = np.empty(axes, dtype=np.int64), np.empty(axes)
    by, size, whole = boxes.measure, boxes.lines.size, boxes.whole
    front = np.empty(rows_here + 1)
    best, where = np.inf, -1
    kept = order.copy()
    for axis in live:
        here = _sorted(rows, axis, order, ends[0, axis], ends[1, axis])
        front[:] = np.inf
        stamp += 1
        _clear(boxes, rows, here[0], live, seen, stamp, low, high, count)
        for at in range(rows_here - least):
            _take(boxes, rows, here[at], live, seen, stamp, low, high, count)
            if at + 1 >= least and rows[here[at], axis] < rows[here[at + 1], axis]:
                measure(boxes, low, high, count, width)
                front[at + 1] = noise(by, size, whole, at + 1, k, width)
        stamp += 1
        _clear(boxes, rows, here[-1], live, seen, stamp, low, high, count)
        for at in range(rows_here - 1, least - 1, -1):
            _take(boxes, rows, here[at], live, seen, stamp, low, high, count)
            if front[at] < best:
                measure(boxes, low, high, count, width)
                both = front[at] + noise(by, size, whole, rows_here - at, k, width)
                if both < best:
                    best, where = both, at
                    kept = here
    order[:] = kept
    return where


@njit(nogil=True, cache=True)
def grow_and_prune(boxes: Any, rows: Any, k: Any, least: Any, labels: Any) -> Any:
    """Cut groups in two as long as both parts have ``least`` rows, then undo cuts that did not pay; return the noise."""
    rows_in_all, axes = rows.shape
    order = np.arange(rows_in_all)
    room = 2 * (rows_in_all // least) + 1
    starts, stops = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    left = np.full(room, -1, dtype=np.int64)
    own = np.empty(room)
    ends, every = np.empty((2, axes), dtype=np.int32), np.arange(axes)
    count, width = np.empty(axes, dtype=np.int64), np.empty(axes)
    seen, stamp = np.zeros(boxes.room, dtype=np.int64), 0
    starts[0], stops[0], made, node = 0, rows_in_all, 1, 0
    while node < made:
        start, stop = starts[node], stops[node]
        stamp += 1
        _clear(boxes, rows, order[start], every, seen, stamp, ends[0], ends[1], count)
        for at in range(start + 1, stop):
            _take(boxes, rows, order[at], every, seen, stamp, ends[0], ends[1], count)
        measure(boxes, ends[0], ends[1], count, width)
        own[node] = noise(boxes.measure, boxes.lines.size, boxes.whole, stop - start, k, width)
        if stop - start >= 2 * least and own[node] > 0.0:
            live = np.flatnonzero(ends[0] < ends[1])
            cut = _best_cut(boxes, rows, order[start:stop], k, least, ends, live, seen, stamp)
            stamp += 2 * axes
            if cut >= 0:
                left[node] = made
                starts[made], stops[made] = start, start + cut
                starts[made + 1], stops[made + 1] = start + cut, stop
                made += 2
        node += 1
    best = own[:made].copy()
    for node in range(made - 1, -1, -1):
        if left[node] >= 0:
            parts = best[left[node]] + best[left[node] + 1]
            if parts < own[node]:
                best[node] = parts
            else:
                left[node] = -1
    stack = np.empty(made, dtype=np.int64)
    stack[0], waiting, group = 0, 1, 0
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if left[node] >= 0:
            stack[waiting], stack[waiting + 1] = left[node], left[node] + 1
            waiting += 2
            continue
        for at in range(starts[node], stops[node]):
            labels[order[at]] = group
        group += 1
    return best[0]
