"""Inner loops of the noise-aware partition: what a group costs in noise, growing and pruning a tree of cuts, exact cuts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from tokumei.partition._kernels import span


@njit(nogil=True, cache=True)
def changed(labels: Any, budget: Any) -> Any:
    """Return with what probability retention changes a cell of a column with this many labels."""
    return (labels - 1.0) / (math.expm1(budget) + labels)


@njit(nogil=True, cache=True)
def noise(lines: Any, ordered: Any, whole: Any, rows: Any, k: Any, low: Any, high: Any) -> Any:
    """Return the noise of a group's rows, as this many rows of the ungrouped table have: rows times the mean ratio.

    ``whole`` is the budget of one column in the ungrouped table. Columns that do not vary in the group have no noise and
    leave their budget to the others.
    """
    axes = low.size
    varying = 0
    for axis in range(axes):
        if span(lines, axis, low[axis], high[axis]) > 0.0:
            varying += 1
    if varying == 0:
        return 0.0
    if rows <= k:
        return np.inf
    budget = 0.5 * math.log((rows - 1.0) / (k - 1.0)) / varying
    total = 0.0
    for axis in range(axes):
        width = span(lines, axis, low[axis], high[axis])
        if width <= 0.0:
            continue
        if ordered[axis]:
            total += width * whole / budget
        else:
            size = lines.size[axis]
            total += changed(1.0 + width * (size - 1.0), budget) / changed(size * 1.0, whole)
    return rows * total / axes


@njit(nogil=True, cache=True)
def _ends(rows: Any, order: Any, start: Any, stop: Any, low: Any, high: Any) -> None:
    for axis in range(rows.shape[1]):
        low[axis], high[axis] = rows[order[start], axis], rows[order[start], axis]
    for at in range(start + 1, stop):
        for axis in range(rows.shape[1]):
            cell = rows[order[at], axis]
            low[axis] = min(low[axis], cell)
            high[axis] = max(high[axis], cell)


@njit(nogil=True, cache=True)
def _best_cut(
    lines: Any, ordered: Any, whole: Any, rows: Any, order: Any, start: Any, stop: Any, k: Any, least: Any
) -> Any:
    """Sort the rows from ``start`` to ``stop`` along the best axis, and return the place of the best cut, -1 for none."""
    axes, count = rows.shape[1], stop - start
    low, high = np.empty(axes, dtype=np.int32), np.empty(axes, dtype=np.int32)
    front = np.empty(count + 1)
    best, where = np.inf, -1
    kept = order[start:stop].copy()
    for axis in range(axes):
        along = np.argsort(rows[order[start:stop], axis], kind="mergesort")
        here = order[start:stop][along]
        if rows[here[0], axis] == rows[here[-1], axis]:
            continue
        front[:] = np.inf
        low[:], high[:] = rows[here[0]], rows[here[0]]
        for at in range(count - least):
            for other in range(axes):
                cell = rows[here[at], other]
                low[other] = min(low[other], cell)
                high[other] = max(high[other], cell)
            if at + 1 >= least and rows[here[at], axis] < rows[here[at + 1], axis]:
                front[at + 1] = noise(lines, ordered, whole, at + 1, k, low, high)
        low[:], high[:] = rows[here[-1]], rows[here[-1]]
        for at in range(count - 1, least - 1, -1):
            for other in range(axes):
                cell = rows[here[at], other]
                low[other] = min(low[other], cell)
                high[other] = max(high[other], cell)
            if front[at] < best:
                both = front[at] + noise(lines, ordered, whole, count - at, k, low, high)
                if both < best:
                    best, where = both, start + at
                    kept = here
    order[start:stop] = kept
    return where


@njit(nogil=True, cache=True)
def grow_and_prune(lines: Any, ordered: Any, whole: Any, rows: Any, k: Any, least: Any, labels: Any) -> Any:
    """Cut groups in two as long as both parts have ``least`` rows, then undo cuts that did not pay; return the noise."""
    count = rows.shape[0]
    order = np.arange(count)
    room = 2 * (count // least) + 1
    starts, stops = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    left = np.full(room, -1, dtype=np.int64)
    own = np.empty(room)
    low, high = np.empty(rows.shape[1], dtype=np.int32), np.empty(rows.shape[1], dtype=np.int32)
    starts[0], stops[0], made, node = 0, count, 1, 0
    while node < made:
        start, stop = starts[node], stops[node]
        _ends(rows, order, start, stop, low, high)
        own[node] = noise(lines, ordered, whole, stop - start, k, low, high)
        if stop - start >= 2 * least and own[node] > 0.0:
            cut = _best_cut(lines, ordered, whole, rows, order, start, stop, k, least)
            if cut >= 0:
                left[node] = made
                starts[made], stops[made] = start, cut
                starts[made + 1], stops[made + 1] = cut, stop
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


@njit(nogil=True, cache=True)
def number_pairs(longest: Any) -> Any:
    """Number the stretches a <= x < b of a line, the shortest first; -1 where a and b are not in this order."""
    pair = np.full((longest + 1, longest + 1), -1, dtype=np.int64)
    number = 0
    for length in range(1, longest + 1):
        for a in range(longest - length + 1):
            pair[a, a + length] = number
            number += 1
    return pair


@njit(nogil=True, cache=True)
def _fill(rows: Any, cells: Any, pair: Any, across: Any, down: Any, size: Any, box: Any) -> None:
    """Count the rows of every rectangle of cells, and fit a box around them: cell by cell, then two smaller ones in one."""
    for row in range(rows.shape[0]):
        p, q = pair[cells[row, 0], cells[row, 0] + 1], pair[cells[row, 1], cells[row, 1] + 1]
        size[p, q] += 1
        for side in range(2):
            box[p, q, 2 * side] = min(box[p, q, 2 * side], rows[row, side])
            box[p, q, 2 * side + 1] = max(box[p, q, 2 * side + 1], rows[row, side])
    for width in range(1, across + 1):
        for a in range(across - width + 1):
            p = pair[a, a + width]
            for height in range(1, down + 1):
                for c in range(down - height + 1):
                    q = pair[c, c + height]
                    if width > 1:
                        p1, q1, p2, q2 = pair[a, a + 1], q, pair[a + 1, a + width], q
                    elif height > 1:
                        p1, q1, p2, q2 = p, pair[c, c + 1], p, pair[c + 1, c + height]
                    else:
                        continue
                    size[p, q] = size[p1, q1] + size[p2, q2]
                    for side in (0, 2):
                        box[p, q, side] = min(box[p1, q1, side], box[p2, q2, side])
                        box[p, q, side + 1] = max(box[p1, q1, side + 1], box[p2, q2, side + 1])


@njit(nogil=True, cache=True)
def _choose(a: Any, b: Any, c: Any, d: Any, pair: Any, cost: Any, own: Any) -> Any:
    """Return the least noise of a rectangle, and how: 0 as it is, x > 0 cut across at x, -y < 0 cut down at y."""
    best, choice, p, q = own, 0, pair[a, b], pair[c, d]
    for x in range(a + 1, b):
        parts = cost[pair[a, x], q] + cost[pair[x, b], q]
        if parts < best:
            best, choice = parts, x
    for y in range(c + 1, d):
        parts = cost[p, pair[c, y]] + cost[p, pair[y, d]]
        if parts < best:
            best, choice = parts, -y
    return best, choice


@njit(nogil=True, cache=True)
def cut_exactly(
    lines: Any, ordered: Any, whole: Any, rows: Any, cells: Any, across: Any, down: Any, k: Any, least: Any, labels: Any
) -> Any:
    """Find the best of all ways to cut a plane of ``across`` × ``down`` cells from edge to edge, again and again.

    A dynamic programme over all rectangles of cells: the noise of a rectangle is that of its rows as one group, or of the
    two rectangles that the best cut makes of it. Labels are filled in; return the noise, infinite if there is no way.
    """
    pair = number_pairs(max(across, down))
    number = pair.max() + 1
    size, box = np.zeros((number, number), dtype=np.int32), np.empty((number, number, 4), dtype=np.int32)
    box[:, :, 0], box[:, :, 1], box[:, :, 2], box[:, :, 3] = 2**31 - 1, -1, 2**31 - 1, -1
    _fill(rows, cells, pair, across, down, size, box)
    cost, how = np.full((number, number), np.inf), np.zeros((number, number), dtype=np.int64)
    low, high = np.empty(2, dtype=np.int32), np.empty(2, dtype=np.int32)
    for width in range(1, across + 1):
        for a in range(across - width + 1):
            p = pair[a, a + width]
            for height in range(1, down + 1):
                for c in range(down - height + 1):
                    q = pair[c, c + height]
                    if size[p, q] == 0:
                        cost[p, q] = 0.0
                    elif size[p, q] >= least:
                        low[0], high[0], low[1], high[1] = box[p, q, 0], box[p, q, 1], box[p, q, 2], box[p, q, 3]
                        own = noise(lines, ordered, whole, size[p, q], k, low, high)
                        cost[p, q], how[p, q] = _choose(a, a + width, c, c + height, pair, cost, own)
    _trace(cells, across, down, pair, how, labels)
    return cost[pair[0, across], pair[0, down]]


@njit(nogil=True, cache=True)
def _trace(cells: Any, across: Any, down: Any, pair: Any, how: Any, labels: Any) -> None:
    """Follow the cuts from the whole plane down, and number the rectangles at their ends."""
    group_of = np.full((across, down), -1, dtype=np.int64)
    stack = np.empty((across * down + 1, 4), dtype=np.int64)
    stack[0] = 0, across, 0, down
    waiting, group = 1, 0
    while waiting > 0:
        waiting -= 1
        a, b, c, d = stack[waiting]
        choice = how[pair[a, b], pair[c, d]]
        if choice == 0:
            group_of[a:b, c:d] = group
            group += 1
            continue
        if choice > 0:
            stack[waiting], stack[waiting + 1] = (a, choice, c, d), (choice, b, c, d)
        else:
            stack[waiting], stack[waiting + 1] = (a, b, c, -choice), (a, b, -choice, d)
        waiting += 2
    seen, next_label = np.full(group, -1, dtype=np.int64), 0  # a rectangle without rows gets no number
    for row in range(cells.shape[0]):
        at = group_of[cells[row, 0], cells[row, 1]]
        if seen[at] < 0:
            seen[at] = next_label
            next_label += 1
        labels[row] = seen[at]
