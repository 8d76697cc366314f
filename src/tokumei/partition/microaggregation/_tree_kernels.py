"""Inner loops of a tree over points."""

from __future__ import annotations

from typing import Any

from tokumei.loops import inner, loop

SAMPLE = 1000  # rows of a node that are looked at to choose the column to halve it by


@inner()
def _select(key: Any, order: Any, low: Any, high: Any, place: Any) -> Any:
    """Reorder ``order[low:high]`` so that the rows before ``place`` have no larger keys than those from it on."""
    while high - low > 1:
        first, middle, last = key[order[low]], key[order[(low + high) // 2]], key[order[high - 1]]
        pivot = max(min(first, middle), min(max(first, middle), last))
        left, right = low, high - 1
        while left <= right:
            while key[order[left]] < pivot:
                left += 1
            while key[order[right]] > pivot:
                right -= 1
            if left <= right:
                order[left], order[right] = order[right], order[left]
                left += 1
                right -= 1
        if place <= right:
            high = right + 1
        elif place >= left:
            low = left
        else:
            return


@loop()
def grow(
    rows: Any, leaf: Any, order: Any, key: Any, start: Any, stop: Any, child: Any, parent: Any, low: Any, high: Any
) -> Any:
    """Halve the rows by the column of the largest variance until no part has more than ``leaf``; return how many nodes there are.

    Fills in for each node its first row and the one after its last in ``order``, its first child (the second follows it; -1 in
    a leaf), its parent, and the smallest and largest cell of each column.
    """
    count, columns = rows.shape
    for row in range(count):
        order[row] = row
    start[0], stop[0], parent[0], nodes, node = 0, count, -1, 1, 0
    while node < nodes:
        first, last = start[node], stop[node]
        child[node] = -1
        for column in range(columns):
            low[node, column], high[node, column] = rows[order[first], column], rows[order[first], column]
        for place in range(first, last):
            for column in range(columns):
                cell = rows[order[place], column]
                low[node, column] = min(low[node, column], cell)
                high[node, column] = max(high[node, column], cell)
        if last - first > leaf:
            step = max(1, (last - first) // SAMPLE)
            widest, chosen = -1.0, 0
            for column in range(columns):
                total, square, seen = 0.0, 0.0, 0
                for place in range(first, last, step):
                    cell = rows[order[place], column]
                    total += cell
                    square += cell * cell
                    seen += 1
                variance = square / seen - (total / seen) ** 2
                if variance > widest:
                    widest, chosen = variance, column
            for place in range(first, last):
                key[order[place]] = rows[order[place], chosen]
            half = first + (last - first) // 2
            _select(key, order, first, last, half)
            child[node] = nodes
            start[nodes], stop[nodes], parent[nodes] = first, half, node
            start[nodes + 1], stop[nodes + 1], parent[nodes + 1] = half, last, node
            nodes += 2
        node += 1
    return nodes
