"""Inner loops of blocks of different sizes: those that share a face, and those that are halved along one column at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop

MIXED = np.uint64(0x9E3779B97F4A7C15)  # an odd number whose multiples are spread evenly


@loop()
def _slot(key: Any, level: Any, mask: Any) -> Any:
    mixed = (key ^ (np.uint64(level) * MIXED)) * MIXED
    return np.int64((mixed ^ (mixed >> np.uint64(32))) & mask)


@loop()
def _found(key: Any, level: Any, wanted: Any, column: Any, moved: Any, shift: Any, table: Any, keys: Any, cells: Any, levels: Any) -> Any:  # fmt: skip
    """Return the block of a level whose cell is ``wanted >> shift``, in one column ``moved``; -1 if there is none."""
    mask = np.uint64(len(table) - 1)
    slot = _slot(key, level, mask)
    while table[slot] >= 0:
        block = table[slot]
        if keys[block] == key and levels[block] == level:
            same = True
            for at in range(cells.shape[1]):
                cell = moved if at == column else wanted[at] >> shift
                if cells[block, at] != cell:
                    same = False
                    break
            if same:
                return block
        slot = (slot + 1) & np.int64(mask)
    return -1


@loop()
def _apart(one: Any, other: Any, cells: Any, levels: Any) -> Any:
    """Return the squared distance between the middles of two blocks, the whole box being of side one."""
    far = 0.0
    for at in range(cells.shape[1]):
        gap = (cells[one, at] + 0.5) / 2.0 ** levels[one] - (cells[other, at] + 0.5) / 2.0 ** levels[other]
        far += gap * gap
    return far


@njit(cache=True, nogil=True)
def _placed(cells: Any, levels: Any) -> Any:
    """Put blocks into a table where they are found by their key; return it, the keys, and what a step along each column adds to one."""
    blocks, columns = cells.shape
    size = 2
    while size < 2 * blocks:
        size *= 2
    table, mask = np.full(size, -1, dtype=np.int64), np.uint64(size - 1)
    spread, keys = np.empty(columns, dtype=np.uint64), np.zeros(blocks, dtype=np.uint64)
    for at in range(columns):
        spread[at] = (np.uint64(2 * at + 1) * MIXED) | np.uint64(1)
    for block in range(blocks):
        for at in range(columns):
            keys[block] += np.uint64(cells[block, at]) * spread[at]
        slot = _slot(keys[block], levels[block], mask)
        while table[slot] >= 0:
            slot = (slot + 1) & np.int64(mask)
        table[slot] = block
    return table, keys, spread


@njit(cache=True, nogil=True)
def sharing_faces(cells: Any, levels: Any) -> Any:
    """Return for each block the one that shares its lower and its upper face of each column, -1 where none does.

    A block has the place ``cells`` among those of its level, and 2^-level of the whole box as its side. Across a face lies one block
    of the same size, or one larger, or smaller ones, or nothing; of smaller ones the nearest is taken.
    """
    blocks, columns = cells.shape
    table, keys, spread = _placed(cells, levels)
    shared = np.full((blocks, 2 * columns), -1, dtype=np.int64)
    away = np.full((blocks, 2 * columns), np.inf)
    for block in range(blocks):
        level, key = levels[block], keys[block]
        for shift in range(level + 1):
            if shift > 0:  # the key of the cell that holds the block on this coarser level
                key = np.uint64(0)
                for at in range(columns):
                    key += np.uint64(cells[block, at] >> shift) * spread[at]
            further = False
            for side in range(2 * columns):
                at, step = side // 2, 2 * (side % 2) - 1
                moved = cells[block, at] + step
                if shared[block, side] >= 0 and away[block, side] == 0.0:
                    continue
                if moved < 0 or moved >= np.int64(1) << level:
                    continue
                if (moved >> shift) == (cells[block, at] >> shift):
                    continue  # a cell that holds the block itself: it was halved
                further = True
                there = key + np.uint64(step) * spread[at] if step > 0 else key - spread[at]
                other = _found(
                    there, level - shift, cells[block], at, moved >> shift, shift, table, keys, cells, levels
                )
                if other < 0:
                    continue
                shared[block, side], away[block, side] = other, 0.0
                if shift > 0:  # the larger block takes the nearest of those that share its face
                    back, far = side ^ 1, _apart(block, other, cells, levels)
                    if far < away[other, back]:
                        shared[other, back], away[other, back] = block, far
            if not further:
                break
    return shared


@njit(cache=True, nogil=True)
def halved_along_widest(rows: Any, most: Any, parts: Any) -> Any:
    """Halve blocks along the column in which their rows reach farthest, in the middle of that reach.

    Blocks of more than ``most`` rows are halved, others as long as they fall into at most ``parts``. Returns the block of each row,
    and the tree: for each node its column, its threshold, its parent, the nodes below and above the threshold, and the block of a leaf.
    """
    count, columns = rows.shape
    order, labels = np.arange(count), np.empty(count, dtype=np.int64)
    column, threshold = np.full(2 * count, -1, dtype=np.int64), np.zeros(2 * count)
    parent, leaf = np.full(2 * count, -1, dtype=np.int64), np.full(2 * count, -1, dtype=np.int64)
    below, above = np.full(2 * count, -1, dtype=np.int64), np.full(2 * count, -1, dtype=np.int64)
    stack = [(np.int64(0), np.int64(count), np.int64(parts), np.int64(0))]
    nodes, blocks = 1, 0
    while len(stack) > 0:
        start, stop, budget, node = stack.pop()
        widest, reach, low, high = 0, -1.0, 0.0, 0.0
        for at in range(columns):
            least, largest = np.inf, -np.inf
            for place in range(start, stop):
                cell = rows[order[place], at]
                least, largest = min(least, cell), max(largest, cell)
            if largest - least > reach:
                widest, reach, low, high = at, largest - least, least, largest
        small = stop - start <= most
        if reach <= 0.0 or (small and budget < 2):
            leaf[node] = blocks
            labels[order[start:stop]] = blocks
            blocks += 1
            continue
        cut = low + reach / 2
        if cut <= low:  # neighbouring numbers
            cut = high
        kept, waiting = order[start:stop].copy(), start
        for place in range(stop - start):
            if rows[kept[place], widest] < cut:
                order[waiting] = kept[place]
                waiting += 1
        middle = waiting
        for place in range(stop - start):
            if rows[kept[place], widest] >= cut:
                order[waiting] = kept[place]
                waiting += 1
        column[node], threshold[node] = widest, cut
        below[node], above[node] = nodes, nodes + 1
        parent[nodes], parent[nodes + 1] = node, node
        left = budget // 2 if small else budget
        stack.append((middle, stop, left, np.int64(nodes + 1)))
        stack.append((start, middle, left, np.int64(nodes)))
        nodes += 2
    return labels, (
        column[:nodes],
        threshold[:nodes],
        parent[:nodes],
        below[:nodes],
        above[:nodes],
        leaf[:nodes],
    )


@njit(cache=True, nogil=True)
def across_faces(middles: Any, column: Any, threshold: Any, parent: Any, below: Any, above: Any, leaf: Any) -> Any:
    """Return for each block of a tree the one across the lower and the upper face of each column, opposite its middle."""
    blocks, columns = middles.shape
    across = np.full((blocks, 2 * columns), -1, dtype=np.int64)
    for node in range(len(leaf)):
        if leaf[node] < 0:
            continue
        block, at = leaf[node], node
        while parent[at] >= 0:
            up = parent[at]
            side = 2 * column[up] + (1 if at == below[up] else 0)
            if across[block, side] < 0:  # the lowest cut of this side is its face: on the way down, from its other half
                there = above[up] if at == below[up] else below[up]
                while leaf[there] < 0:
                    cut = column[there]
                    place = middles[block, cut]
                    if cut == column[up]:  # just across the face
                        there = below[there] if at == below[up] else above[there]
                    else:
                        there = below[there] if place < threshold[there] else above[there]
                across[block, side] = leaf[there]
            at = up
    return across
