"""Inner loops of the exact noise-aware cuts of two columns: a dynamic programme over rectangles of cells."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop
from tokumei.partition._noise_aware_kernels import measure, noise


@loop()
def _bits(number: Any) -> Any:
    """Count the bits that are set."""
    count = 0
    while number:
        number &= number - np.uint64(1)
        count += 1
    return count


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


@loop()
def _fill(boxes: Any, rows: Any, cells: Any, pair: Any, across: Any, down: Any, size: Any, box: Any, has: Any) -> None:
    """Count the rows of every rectangle of cells, and fit a box around them: cell by cell, then two smaller ones in one.

    ``has`` are the labels of a rectangle on the axes whose boxes are sets, a bit for each.
    """
    for row in range(rows.shape[0]):
        p, q = pair[cells[row, 0], cells[row, 0] + 1], pair[cells[row, 1], cells[row, 1] + 1]
        size[p, q] += 1
        for side in range(2):
            box[p, q, 2 * side] = min(box[p, q, 2 * side], rows[row, side])
            box[p, q, 2 * side + 1] = max(box[p, q, 2 * side + 1], rows[row, side])
            if boxes.first[side] >= 0:
                has[p, q, side] |= np.uint64(1) << np.uint64(rows[row, side])
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
                    for side in range(2):
                        has[p, q, side] = has[p1, q1, side] | has[p2, q2, side]
                    for side in (0, 2):
                        box[p, q, side] = min(box[p1, q1, side], box[p2, q2, side])
                        box[p, q, side + 1] = max(box[p1, q1, side + 1], box[p2, q2, side + 1])


@loop()
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
def cut_exactly(boxes: Any, rows: Any, cells: Any, across: Any, down: Any, k: Any, least: Any, labels: Any) -> Any:
    """Find the best of all ways to cut a plane of ``across`` × ``down`` cells from edge to edge, again and again.

    A dynamic programme over all rectangles of cells: the noise of a rectangle is that of its rows as one group, or of the
    two rectangles that the best cut makes of it. Labels are filled in; return the noise, infinite if there is no way.
    """
    pair = number_pairs(max(across, down))
    number = pair.max() + 1
    size, box = np.zeros((number, number), dtype=np.int32), np.empty((number, number, 4), dtype=np.int32)
    box[:, :, 0], box[:, :, 1], box[:, :, 2], box[:, :, 3] = 2**31 - 1, -1, 2**31 - 1, -1
    has = np.zeros((number, number, 2), dtype=np.uint64)
    _fill(boxes, rows, cells, pair, across, down, size, box, has)
    cost, how = np.full((number, number), np.inf), np.zeros((number, number), dtype=np.int64)
    low, high, count, share = np.empty(2, np.int32), np.empty(2, np.int32), np.empty(2, np.int64), np.empty(2)
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
                        count[0], count[1] = _bits(has[p, q, 0]), _bits(has[p, q, 1])
                        measure(boxes, low, high, count, share)
                        own = noise(boxes.measure, boxes.lines.size, boxes.whole, size[p, q], k, share)
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
