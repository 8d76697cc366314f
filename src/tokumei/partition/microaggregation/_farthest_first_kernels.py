"""Inner loops of grouping the farthest row with its nearest ones: a tree that rows are taken out of."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.loops import inner, loop
from tokumei.partition.microaggregation._kernels import remember
from tokumei.partition.microaggregation.fast import FAST

DEPTH = 256  # nodes that may wait while a tree is searched; a tree of halves is far less deep


@inner(fastmath=FAST)
def _gap(point: Any, low: Any, high: Any) -> Any:
    """Return the squared distance of a point from a box."""
    total = 0.0
    for column in range(len(point)):
        gap = max(low[column] - point[column], point[column] - high[column], 0.0)
        total += gap * gap
    return total


@inner(fastmath=FAST)
def _nearest(
    cells: Any,
    point: Any,
    wanted: Any,
    start: Any,
    left: Any,
    child: Any,
    low: Any,
    high: Any,
    near: Any,
    places: Any,
    nodes: Any,
    gaps: Any,
) -> Any:
    """Find the places of the nearest rows that are left; a leaf keeps those first."""
    found, waiting = np.int64(0), 1
    nodes[0], gaps[0] = 0, 0.0
    while waiting > 0:
        waiting -= 1
        node = nodes[waiting]
        if found == wanted and gaps[waiting] >= near[wanted - 1]:
            continue
        if child[node] >= 0:
            one, two = child[node], child[node] + 1
            gap_one, gap_two = _gap(point, low[one], high[one]), _gap(point, low[two], high[two])
            if gap_two < gap_one:
                one, two, gap_one, gap_two = two, one, gap_two, gap_one
            if left[two] > 0:
                nodes[waiting], gaps[waiting] = two, gap_two
                waiting += 1
            if left[one] > 0:
                nodes[waiting], gaps[waiting] = one, gap_one
                waiting += 1
            continue
        for place in range(start[node], start[node] + left[node]):
            far = 0.0
            for column in range(len(point)):
                gap = cells[place, column] - point[column]
                far += gap * gap
            found = remember(far, place, near, places, found, wanted)


@loop(fastmath=FAST)
def farthest_first(
    cells: Any, turn: Any, k: Any, order: Any, start: Any, stop: Any, child: Any, parent: Any, low: Any, high: Any,
    by_row: Any, left: Any, near: Any, few: Any, gaps: Any, labels: Any,
) -> None:  # fmt: skip
    """Take rows by their turn, each with its k - 1 nearest that are left; the last group takes what remains.

    ``cells`` are the rows in the order of the tree, which is changed, ``by_row`` is room for where each is and what is at each place, ``near`` and ``few`` for the nearest ones of a row.
    """
    count, columns = cells.shape
    row_at, place_of, leaf_of = by_row[0], by_row[1], by_row[2]
    places, members, nodes = few[0], few[1], few[2]
    group, remaining = 0, count
    for place in range(count):
        row_at[place], labels[place] = order[place], -1
    for node in range(len(start)):
        left[node] = stop[node] - start[node]
        if child[node] < 0:
            for place in range(start[node], stop[node]):
                leaf_of[order[place]], place_of[order[place]] = node, place
    for each in range(count):
        row = turn[each]
        if labels[row] >= 0:
            continue
        wanted = k if remaining >= 2 * k else remaining
        _nearest(cells, cells[place_of[row]], wanted, start, left, child, low, high, near, places, nodes, gaps)
        for at in range(wanted):
            members[at] = row_at[places[at]]
        for at in range(wanted):
            member = members[at]
            labels[member] = group
            node, place = leaf_of[member], place_of[member]
            last = start[node] + left[node] - 1
            moved = row_at[last]
            for column in range(columns):
                cells[place, column], cells[last, column] = cells[last, column], cells[place, column]
            row_at[place], row_at[last] = moved, member
            place_of[moved], place_of[member] = place, last
            while node >= 0:
                left[node] -= 1
                node = parent[node]
        remaining -= wanted
        group += 1
