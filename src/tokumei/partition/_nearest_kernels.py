"""Inner loops of the cheapest groups: who is nearest to a row, what a group around it costs, and which comes first."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop
from tokumei.partition._kernels import box_cost, cheapest_home, span


@loop()
def nearest(lines: Any, rows: Any, who: Any, others: Any, count: Any, reach: Any, distance: Any, found: Any) -> Any:
    """List the rows that make the cheapest pair with ``who``, cheapest first; return how many there are.

    ``reach`` is room for what a pair of ``who`` with each place of each axis costs.
    """
    size, listed, axes = found.size, 0, rows.shape[1]
    for j in range(axes):
        place = rows[who, j]
        for v in range(lines.size[j]):
            reach[j, v] = span(lines, j, min(place, v), max(place, v))
    for p in range(count):
        i = others[p]
        if i == who:
            continue
        bar = distance[listed - 1] if listed == size else np.inf
        cost = 0.0
        for j in range(axes):
            cost += reach[j, rows[i, j]]
            if cost >= bar:
                break
        if cost >= bar:
            continue
        if listed < size:
            listed += 1
        q = listed - 1
        while q > 0 and distance[q - 1] > cost:
            distance[q], found[q] = distance[q - 1], found[q - 1]
            q -= 1
        distance[q], found[q] = cost, i
    return listed


@loop()
def grow(
    lines: Any, rows: Any, k: Any, who: Any, near: Any, count: Any, low: Any, high: Any, members: Any, used: Any,
    stamp: Any, most: Any,
) -> Any:  # fmt: skip
    """Gather k rows around ``who``, each time the one that widens the box least; return what the box costs a row.

    It stops as soon as that is over ``most``; the box can only get dearer.
    """
    axes = rows.shape[1]
    for j in range(axes):
        low[j] = high[j] = rows[who, j]
    members[0], used[who] = who, stamp
    cost = 0.0
    for m in range(1, k):
        best, least = -1, np.inf
        for q in range(count):
            i = near[q]
            if used[i] == stamp:
                continue
            wider = 0.0
            for j in range(axes):
                wider += span(lines, j, min(low[j], rows[i, j]), max(high[j], rows[i, j]))
                if wider >= least:
                    break
            if wider < least:
                best, least = i, wider
        members[m], used[best] = best, stamp
        cost = least
        for j in range(axes):
            low[j], high[j] = min(low[j], rows[best, j]), max(high[j], rows[best, j])
        if cost > most:
            break
    return cost


@njit(nogil=True, cache=True)
def group_cell(  # noqa: PLR0912, PLR0915
    lines: Any, rows: Any, k: Any, cell: Any, lists: Any, listed: Any, used: Any, labels: Any, groups: Any, stamp: Any
) -> Any:
    """Group the rows of one cell, the cheapest group first; return how many groups there are now.

    What a group around a row costs can only rise as others are taken, and is at least what a pair with the k-th row from it
    costs; so lower bounds are kept in a heap and worked out further when they come up. A row whose list has worn thin looks
    around again among those left. The last few join a group.
    """
    axes, neighbours = rows.shape[1], lists.shape[1]
    low, high = np.empty(axes, np.int32), np.empty(axes, np.int32)
    members, near = np.empty(k, np.int64), np.empty(neighbours, np.int64)
    distance, found = np.empty(neighbours), np.empty(neighbours, np.int64)
    reach = np.empty((axes, lines.size.max()))
    alive, present = cell.copy(), cell.size
    begin, left = groups, cell.size
    if left < k:
        return groups, stamp
    heap = [(0.0, np.int64(0))]
    heap.pop()
    for p in range(present):
        who = alive[p]
        count = nearest(lines, rows, who, alive, present, reach, distance, found)
        listed[who] = count
        for q in range(count):
            lists[who, q] = found[q]
        heap.append((distance[k - 2] if k > 1 else 0.0, np.int64(who)))
    heapq.heapify(heap)
    while len(heap) > 0 and left >= k:
        _, who = heapq.heappop(heap)
        if labels[who] >= 0:
            continue
        count = 0
        for q in range(listed[who]):
            if labels[lists[who, q]] < 0:
                near[count] = lists[who, q]
                count += 1
        if count < min(left - 1, 2 * (k - 1)):
            kept = 0
            for p in range(present):
                if labels[alive[p]] < 0:
                    alive[kept] = alive[p]
                    kept += 1
            present = kept
            count = nearest(lines, rows, who, alive, present, reach, distance, found)
            listed[who] = count
            for q in range(count):
                lists[who, q], near[q] = found[q], found[q]
        stamp += 1
        most = heap[0][0] + 1e-9 if len(heap) > 0 else np.inf
        cost = grow(lines, rows, k, who, near, count, low, high, members, used, stamp, most)
        if cost > most:
            heapq.heappush(heap, (cost, who))
            continue
        for m in range(k):
            labels[members[m]] = groups
        left -= k
        for q in range(count):  # a row that lies inside the box anyway costs nothing more
            i = near[q]
            if labels[i] >= 0:
                continue
            inside = True
            for j in range(axes):
                if rows[i, j] < low[j] or rows[i, j] > high[j]:
                    inside = False
                    break
            if inside:
                labels[i] = groups
                left -= 1
        groups += 1
    if left > 0:
        _join(lines, rows, cell, labels, begin, groups)
    return groups, stamp


@njit(nogil=True, cache=True)
def _join(lines: Any, rows: Any, cell: Any, labels: Any, begin: Any, end: Any) -> None:
    """Put the rows of a cell that have no group into the cheapest of its groups."""
    axes = rows.shape[1]
    low = np.full((end - begin, axes), np.iinfo(np.int32).max, np.int32)
    high = np.full((end - begin, axes), -1, np.int32)
    size, cost = np.zeros(end - begin, np.int64), np.zeros(end - begin)
    for i in cell:
        g = labels[i] - begin
        if labels[i] < 0:
            continue
        size[g] += 1
        for j in range(axes):
            low[g, j], high[g, j] = min(low[g, j], rows[i, j]), max(high[g, j], rows[i, j])
    for g in range(end - begin):
        cost[g] = box_cost(lines, low[g], high[g])
    for i in cell:
        if labels[i] >= 0:
            continue
        g = cheapest_home(lines, rows[i], low, high, size, cost)
        labels[i] = begin + g
        size[g] += 1
        for j in range(axes):
            low[g, j], high[g, j] = min(low[g, j], rows[i, j]), max(high[g, j], rows[i, j])
        cost[g] = box_cost(lines, low[g], high[g])
