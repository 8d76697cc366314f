"""Inner loops of the noise-aware partition: what a group costs in noise, growing and pruning a tree of cuts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tokumei.loops import inner, loop, maker
from tokumei.mechanism import displacement
from tokumei.partition._kernels import span

along_grid = loop()(displacement.along_grid)
LABELS, DISTANCE, SCALE = 0, 1, 2  # what the noise of an axis is measured by
FEW = 24  # rows that are sorted one by one
WIDE = 8  # an axis with more places than this for each row is not worth counting along


@loop()
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


@loop()
def whole_noise(measure: Any, size: Any, budget: Any, found: Any) -> None:
    """Fill in the noise of each column of the ungrouped table, each with this budget."""
    for axis in range(size.size):
        found[axis] = column_noise(measure[axis], size[axis], 1.0, budget, math.expm1(budget), along_grid(budget))


@loop()
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


@inner()
def _clear(boxes: Any, rows: Any, row: Any, seen: Any, stamp: Any, low: Any, high: Any, count: Any) -> None:
    """Begin a box with one row."""
    for axis in range(low.size):
        low[axis], high[axis], count[axis] = rows[row, axis], rows[row, axis], 1
        if boxes.first[axis] >= 0:
            seen[boxes.first[axis] + rows[row, axis]] = stamp


@inner()
def _take(
    boxes: Any, rows: Any, row: Any, live: Any, axes: Any, seen: Any, stamp: Any, low: Any, high: Any, count: Any
) -> None:
    """Widen a box by one row on the first ``axes`` that are live; the labels that it has so far are those marked with its stamp."""
    for at in range(axes):
        axis = live[at]
        cell = rows[row, axis]
        low[axis] = min(low[axis], cell)
        high[axis] = max(high[axis], cell)
        if boxes.first[axis] >= 0 and seen[boxes.first[axis] + cell] != stamp:
            seen[boxes.first[axis] + cell] = stamp
            count[axis] += 1


@loop()
def measure(boxes: Any, low: Any, high: Any, count: Any, width: Any) -> None:
    """Fill in what share of each axis a box is wide."""
    for axis in range(low.size):
        if boxes.first[axis] >= 0:
            width[axis] = (count[axis] - 1.0) / (boxes.lines.size[axis] - 1.0)
        else:
            width[axis] = span(boxes.lines, axis, low[axis], high[axis])


@inner()
def _sort_along(rows: Any, axis: Any, here: Any, spare: Any, places: Any, low: Any, high: Any, count: Any) -> None:
    """Sort the first ``count`` rows of ``here`` along one axis, on which they reach from ``low`` to ``high``; equal ones stay in their order."""
    if count <= FEW:
        for at in range(1, count):
            row, to = here[at], at
            while to > 0 and rows[here[to - 1], axis] > rows[row, axis]:
                here[to] = here[to - 1]
                to -= 1
            here[to] = row
        return
    for at in range(count):
        spare[at] = here[at]
    if high - low >= places.size or high - low > WIDE * count:
        _merge_along(rows, axis, spare, here, count)
        return
    for place in range(high - low + 2):
        places[place] = 0
    for at in range(count):
        places[rows[spare[at], axis] - low + 1] += 1
    for place in range(1, high - low + 2):
        places[place] += places[place - 1]
    for at in range(count):
        place = rows[spare[at], axis] - low
        here[places[place]] = spare[at]
        places[place] += 1


@inner()
def _merge_along(rows: Any, axis: Any, spare: Any, here: Any, count: Any) -> None:
    """Sort the first ``count`` rows of ``here``, of which ``spare`` is a copy, by merging longer and longer stretches."""
    width, turn = 1, 0
    while width < count:
        for start in range(0, count, 2 * width):
            middle, stop = min(start + width, count), min(start + 2 * width, count)
            left, right = start, middle
            for at in range(start, stop):
                one = here[left] if turn == 0 else spare[left]
                two = here[min(right, stop - 1)] if turn == 0 else spare[min(right, stop - 1)]
                if right >= stop or (left < middle and rows[one, axis] <= rows[two, axis]):
                    chosen, left = one, left + 1
                else:
                    chosen, right = two, right + 1
                if turn == 0:
                    spare[at] = chosen
                else:
                    here[at] = chosen
        width, turn = 2 * width, 1 - turn
    if turn == 1:
        for at in range(count):
            here[at] = spare[at]


@inner()
def _best_cut(
    boxes: Any, rows: Any, order: Any, start: Any, stop: Any, k: Any, least: Any, ends: Any, live: Any, axes: Any,
    seen: Any, stamp: Any, low: Any, high: Any, count: Any, width: Any, front: Any, here: Any, spare: Any, places: Any,
) -> Any:  # fmt: skip
    """Sort the rows of a group along the best axis, and return how many of them come before the best cut, -1 for none.

    ``ends`` are the low and the high ends of the group's box, and the first ``axes`` of ``live`` those on which it varies.
    """
    rows_here = stop - start
    by, size, whole = boxes.measure, boxes.lines.size, boxes.whole
    where: Any = np.int64(-1)
    along: Any = np.int64(-1)
    best = np.inf
    for each in range(axes + 1):
        axis = live[each] if each < axes else along  # the best axis comes again, so that the rows lie along it
        if axis < 0:
            break
        for at in range(rows_here):
            here[at] = order[start + at]
        _sort_along(rows, axis, here, spare, places, ends[0, axis], ends[1, axis], rows_here)
        if each == axes:
            for at in range(rows_here):
                order[start + at] = here[at]
            break
        stamp += 1
        _clear(boxes, rows, here[0], seen, stamp, low, high, count)
        for at in range(rows_here - least):
            _take(boxes, rows, here[at], live, axes, seen, stamp, low, high, count)
            front[at + 1] = np.inf
            if at + 1 >= least and rows[here[at], axis] < rows[here[at + 1], axis]:
                measure(boxes, low, high, count, width)
                front[at + 1] = noise(by, size, whole, at + 1, k, width)
        stamp += 1
        _clear(boxes, rows, here[rows_here - 1], seen, stamp, low, high, count)
        for at in range(rows_here - 1, least - 1, -1):
            _take(boxes, rows, here[at], live, axes, seen, stamp, low, high, count)
            if at <= rows_here - least and front[at] < best:
                measure(boxes, low, high, count, width)
                both = front[at] + noise(by, size, whole, rows_here - at, k, width)
                if both < best:
                    best, where, along = both, at, axis
    return where


@maker()
def grow_and_prune(  # noqa: PLR0912, PLR0915
    boxes: Any, rows: Any, k: Any, least: Any, labels: Any
) -> Any:
    """Cut groups in two as long as both parts have ``least`` rows, then undo cuts that did not pay; return the noise."""
    rows_in_all, axes = rows.shape
    order, here, spare = (
        np.empty(rows_in_all, np.int64),
        np.empty(rows_in_all, np.int64),
        np.empty(rows_in_all, np.int64),
    )
    room = 2 * (rows_in_all // least) + 1
    starts, stops, left = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
    own, front, width = np.empty(room), np.empty(rows_in_all + 1), np.empty(axes)
    ends, low, high = np.empty((2, axes), np.int32), np.empty(axes, np.int32), np.empty(axes, np.int32)
    every, live, count = np.empty(axes, np.int64), np.empty(axes, np.int64), np.empty(axes, np.int64)
    longest = np.int64(1)
    for axis in range(axes):
        every[axis], longest = axis, max(longest, boxes.lines.size[axis])
    places = np.empty(min(longest, WIDE * rows_in_all) + 2, np.int64)
    seen, stamp = np.empty(boxes.room, np.int64), np.int64(0)
    for place in range(boxes.room):
        seen[place] = 0
    for row in range(rows_in_all):
        order[row] = row
    starts[0], stops[0], made, node = 0, rows_in_all, 1, 0
    while node < made:
        start, stop = starts[node], stops[node]
        left[node] = -1
        stamp += 1
        _clear(boxes, rows, order[start], seen, stamp, ends[0], ends[1], count)
        for at in range(start + 1, stop):
            _take(boxes, rows, order[at], every, axes, seen, stamp, ends[0], ends[1], count)
        measure(boxes, ends[0], ends[1], count, width)
        own[node] = noise(boxes.measure, boxes.lines.size, boxes.whole, stop - start, k, width)
        if stop - start >= 2 * least and own[node] > 0.0:
            varying = np.int64(0)
            for axis in range(axes):
                if ends[0, axis] < ends[1, axis]:
                    live[varying] = axis
                    varying += 1
            cut = _best_cut(
                boxes, rows, order, start, stop, k, least, ends, live, varying, seen, stamp, low, high, count, width,
                front, here, spare, places,
            )  # fmt: skip
            stamp += 2 * axes
            if cut >= 0:
                left[node] = made
                starts[made], stops[made] = start, start + cut
                starts[made + 1], stops[made + 1] = start + cut, stop
                made += 2
        node += 1
    best = np.empty(made)
    for node in range(made):
        best[node] = own[node]
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
