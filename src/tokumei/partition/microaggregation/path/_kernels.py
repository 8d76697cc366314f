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
def _ring_of_cells(block: Any, cells: Any, waiting: Any, count: Any, listed: Any) -> Any:
    """List the blocks with rows left that are the fewest cells away; return how many."""
    found, nearest = 0, np.inf
    for at in range(count):
        other, away = waiting[at], 0
        for column in range(cells.shape[1]):
            away = max(away, abs(cells[other, column] - cells[block, column]))
            if away > nearest:
                break
        if away < nearest:
            found, nearest = 0, away
        if away == nearest:
            listed[found] = other
            found += 1
    return found


@loop()
def _ring_of_neighbours(block: Any, neighbours: Any, left: Any, seen: Any, turn: Any, queue: Any, listed: Any) -> Any:
    """List the blocks with rows left that are the fewest steps to a neighbour away; return how many."""
    queue[0], seen[block] = block, turn
    start, stop, found = 0, 1, 0
    while start < stop and found == 0:
        end = stop
        for at in range(start, end):
            for other in neighbours[queue[at]]:
                if other >= 0 and seen[other] != turn:
                    seen[other] = turn
                    queue[stop] = other
                    stop += 1
                    if left[other] > 0:
                        listed[found] = other
                        found += 1
        start = end
    return found


@njit(cache=True, nogil=True, fastmath=FAST)
def walk(rows: Any, first: Any, block_of: Any, starts: Any, members: Any, cells: Any, neighbours: Any) -> Any:
    """Order rows from ``first`` on: the nearest that is left in the block, or in the first ring around it that has one.

    Rings are made of cells of a grid, or of steps to neighbours where ``neighbours`` has columns. Where no step leads to a
    row that is left, all blocks are the ring.
    """
    count, columns = rows.shape
    blocks = len(starts) - 1
    left, members = starts[1:] - starts[:-1], members.copy()
    waiting, place_of = np.arange(blocks), np.arange(blocks)
    seen, queue, listed = np.full(blocks, -1), np.empty(blocks, dtype=np.int64), np.empty(blocks, dtype=np.int64)
    path, here, there = np.empty(count, dtype=np.int64), first, blocks
    for step in range(count):
        block = block_of[here]
        if left[block] > 0:
            listed[0], found = block, 1
        elif neighbours.shape[1] > 0:
            found = _ring_of_neighbours(block, neighbours, left, seen, step, queue, listed)
        else:
            found = _ring_of_cells(block, cells, waiting, there, listed)
        if found == 0:
            listed[:there], found = waiting[:there], there
        best, place = np.inf, -1
        for at in range(found):
            begin = starts[listed[at]]
            for other in range(begin, begin + left[listed[at]]):
                far = 0.0
                for column in range(columns):
                    gap = rows[members[other], column] - rows[here, column]
                    far += gap * gap
                if far < best:
                    best, place = far, other
        here = members[place]
        path[step] = here
        block = block_of[here]
        left[block] -= 1
        members[place] = members[starts[block] + left[block]]
        if left[block] == 0:
            there -= 1
            moved = waiting[there]
            waiting[place_of[block]], place_of[moved] = moved, place_of[block]
    return path
