"""Inner loops of paths through points: the nearest point next, and the best cut."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop
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


@loop()
def _ring_of_cells(block: Any, cells: Any, lined: Any, waiting: Any, count: Any, away: Any, listed: Any) -> Any:
    """List the blocks with rows left that are the fewest cells away; return how many.

    Their cells are ``lined`` up, a column at a time, which the processor compares many at once. Every block is written down, and those that are
    further away are written over.
    """
    for at in range(count):
        away[at] = 0
    for column in range(len(cells)):
        here, there = cells[column, block], lined[column][:count]
        for at in range(count):
            away[at] = max(away[at], abs(there[at] - here))
    nearest = away[0]
    for at in range(count):
        nearest = min(nearest, away[at])
    found = np.uint64(0)
    for at in range(np.uint64(count)):
        listed[found] = waiting[at]
        found += np.uint64(away[at] == nearest)
    return np.int64(found)


@loop()
def _closed(block: Any, waiting: Any, place_of: Any, last: Any, lined: Any) -> None:
    """Put the last of the blocks that wait into the place of one without rows left."""
    moved = waiting[last]
    waiting[place_of[block]], place_of[moved] = moved, place_of[block]
    for column in range(len(lined)):
        lined[column, place_of[block]] = lined[column, last]


@loop()
def _listed_once(neighbours: Any, near: Any, many: Any, seen: Any) -> None:
    """List the neighbours of each block one after the other, each once, and how many they are."""
    for block in range(len(neighbours)):
        found = np.int64(0)
        for side in range(neighbours.shape[1]):
            other = neighbours[block, side]
            if other >= 0 and seen[other] != block:
                seen[other] = block
                near[block, found] = other
                found += 1
        many[block] = found
    seen[:] = -1


@loop()
def _ring_of_neighbours(
    block: Any, near: Any, many: Any, left: Any, seen: Any, turn: Any, queue: Any, listed: Any
) -> Any:
    """List the blocks with rows left that are the fewest steps to a neighbour away; return how many.

    Where there are none, nor will there be on a later way through the same blocks: these then have no neighbours any more.
    """
    queue[0], seen[block] = block, turn
    start, stop, found = np.uint64(0), np.uint64(1), np.int64(0)
    while start < stop and found == 0:
        end = stop
        for at in range(start, end):
            here = np.uint64(queue[at])
            for side in range(np.uint64(many[here])):
                other = np.uint64(near[here, side])
                if seen[other] != turn:
                    seen[other] = turn
                    queue[stop] = other
                    stop += np.uint64(1)
                    if left[other] > 0:
                        listed[found] = other
                        found += 1
        start = end
    if found == 0:
        for at in range(stop):
            many[queue[at]] = 0
    return found


@njit(cache=True, nogil=True, fastmath=FAST)
def walk(rows: Any, first: Any, block_of: Any, starts: Any, members: Any, cells: Any, neighbours: Any) -> Any:
    """Order rows from ``first`` on: the nearest that is left in the block, or in the first ring around it that has one.

    Rings are made of cells of a grid, or of steps to neighbours where ``neighbours`` has columns. Where no step leads to a
    row that is left, all blocks are the ring. ``cells`` has a row for each column.
    """
    count, columns = rows.shape
    blocks = len(starts) - 1
    left, members = starts[1:] - starts[:-1], members.copy()
    near, point = rows[members], rows[first].copy()  # rows of a block side by side, and where the path is
    waiting, place_of = np.arange(blocks), np.arange(blocks)
    lined, away = cells.copy(), np.empty(blocks, np.int32)
    seen, queue, listed = np.full(blocks, -1), np.empty(blocks, dtype=np.int64), np.empty(blocks + 1, dtype=np.int64)
    around, many = np.empty(neighbours.shape, np.int64), np.empty(blocks, np.int64)
    _listed_once(neighbours, around, many, seen)
    path, here, there = np.empty(count, dtype=np.int64), first, blocks
    for step in range(count):
        block = block_of[here]
        if left[block] > 0:
            listed[0], found = block, 1
        elif neighbours.shape[1] > 0:
            found = _ring_of_neighbours(block, around, many, left, seen, step, queue, listed)
        else:
            found = _ring_of_cells(block, cells, lined, waiting, there, away, listed)
        if found == 0:
            listed[:there], found = waiting[:there], there
        best, place = np.inf, np.uint64(0)
        for at in range(found):
            begin = np.uint64(starts[listed[at]])
            for other in range(begin, begin + np.uint64(left[listed[at]])):
                far = 0.0
                for column in range(columns):
                    gap = near[other, column] - point[column]
                    far += gap * gap
                if far < best:
                    best, place = far, np.uint64(other)
        here = members[place]
        path[step] = here
        block = block_of[here]
        left[block] -= 1
        last = np.uint64(starts[block] + left[block])
        members[place] = members[last]
        for column in range(columns):
            point[column], near[place, column] = near[place, column], near[last, column]
        if left[block] == 0:
            there -= 1
            _closed(block, waiting, place_of, there, lined)
    return path
