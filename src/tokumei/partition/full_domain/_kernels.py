"""Inner loops of full-domain recoding: classes of packed rows, joined as levels rise.

A row is packed into a few 64-bit words, each column in bits of its own. A column's code at a level is the first place
of the label there, so raising a level is a look-up in place, and classes at one node are made from those at any finer
node, never from the rows again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, uint64

from tokumei.loops import loop


@loop()
def roll_up(
    keys: Any,
    counts: Any,
    changed: Any,
    levels: Any,
    first: Any,
    words: Any,
    shifts: Any,
    masks: Any,
    slots: Any,
    out_keys: Any,
    out_counts: Any,
    out_from: Any,
) -> int:
    """Raise the columns ``changed`` to their levels, join equal rows, and return how many classes there are.

    ``first[j, level, code]`` is the code of a column at a level. ``slots`` is room for a power of two that is at least 16
    and twice the rows; ``out_from`` receives one row that each class was made from.
    """
    rows, width = keys.shape
    size = 16
    while size < 2 * rows:
        size *= 2
    mask = uint64(size - 1)
    for place in range(size):
        slots[place] = 0
    found = 0
    for row in range(rows):
        for word in range(width):
            out_keys[found, word] = keys[row, word]
        for at in range(changed.size):
            j = changed[at]
            word = words[j]
            code = np.int64((keys[row, word] >> shifts[j]) & masks[j])
            risen = uint64(first[j, levels[j], code])
            out_keys[found, word] = (out_keys[found, word] & ~(masks[j] << shifts[j])) | (risen << shifts[j])
        mixed = uint64(0)
        for word in range(width):
            mixed = (mixed ^ out_keys[found, word]) * uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> uint64(32)
        spot = np.int64(mixed & mask)
        while True:
            other = slots[spot] - 1
            if other < 0:
                slots[spot] = found + 1
                out_counts[found] = counts[row]
                out_from[found] = row
                found += 1
                break
            same = True
            for word in range(width):
                if out_keys[other, word] != out_keys[found, word]:
                    same = False
            if same:
                out_counts[other] += counts[row]
                break
            spot = (spot + 1) & np.int64(mask)
    return found


@loop()
def rows_below(counts: Any, found: int, k: int) -> int:
    """Count the rows in classes of fewer than k."""
    total = 0
    for at in range(found):
        if counts[at] < k:
            total += counts[at]
    return total


@loop()
def loss_of(
    keys: Any, counts: Any, good: Any, found: int, levels: Any, loss: Any, words: Any, shifts: Any, masks: Any
) -> float:
    """Add up the losses of all cells: those of their labels in good classes, 1 in the others."""
    columns = levels.size
    total = 0.0
    for at in range(found):
        each = float(columns)
        if good[at]:
            each = 0.0
            for j in range(columns):
                code = np.int64((keys[at, words[j]] >> shifts[j]) & masks[j])
                each += loss[j, levels[j], code]
        total += counts[at] * each
    return total


@loop()
def next_open(order: Any, start: int, state: Any, bound: Any, best: float) -> int:
    """Return the next place in the order whose node is open and may still beat the best, or its length."""
    place = start
    while place < order.size:
        node = order[place]
        if state[node] == 0 and bound[node] < best:
            return place
        place += 1
    return place


@njit(nogil=True, cache=True)
def compare(
    counts: Any, losses: Any, enough: Any, limit: int, levels: Any, best: Any, levels_of: Any, suppressed: Any
) -> int:
    """Judge the classes of one node for every k, keep it where it loses less than the best, and say for how many it is good.

    ``losses`` has the sum over a row's cells for each class; ``enough[n]`` tells for how many of the rising k a class of
    n rows is large enough, the last entry standing for all that are larger.
    """
    reach = 0
    columns, last, top = levels.size, best.size, enough.size - 1
    rows_at, loss_at = np.zeros(last + 1), np.zeros(last + 1)
    for at in range(counts.size):
        n = counts[at]
        where = enough[min(n, top)]
        rows_at[where] += n
        loss_at[where] += n * losses[at]
    total = rows_at.sum()
    kept_rows, kept_loss = rows_at[last], loss_at[last]
    for at in range(last - 1, -1, -1):
        gone = total - kept_rows
        if gone <= limit and reach == 0:  # what is good for a k is good for every smaller one
            reach = at + 1
        cost = (kept_loss + gone * columns) / (total * columns)
        if gone <= limit and cost < best[at]:
            best[at] = cost
            levels_of[at] = levels
            suppressed[at] = np.int64(gone)
        kept_rows += rows_at[at]
        kept_loss += loss_at[at]
    return reach


@njit(nogil=True, cache=True)
def best_of_every_node(
    keys: Any,
    counts: Any,
    heights: Any,
    first: Any,
    loss: Any,
    words: Any,
    shifts: Any,
    masks: Any,
    pivot: int,
    level: int,
    enough: Any,
    limit: int,
    best: Any,
    levels_of: Any,
    suppressed: Any,
    reach: Any,
    smallest: Any,
    classes: Any,
) -> None:
    """Visit every node with one column, the ``pivot``, at a ``level`` once, depth first; keep for each k the least loss.

    A node is made from the one that lies a level below it in its last raised column. ``best``, ``levels_of`` and
    ``suppressed`` have one place for each k; ``enough`` is that of `compare`. ``reach``, ``smallest`` and ``classes`` have one
    place for each node, the last column changing fastest: for how many k it is good, and its classes.
    """
    columns = heights.size
    stride = np.ones(columns, np.int64)
    for at in range(columns - 2, -1, -1):
        stride[at] = stride[at + 1] * heights[at + 1]
    rows, width = keys.shape
    depth = heights.sum() - columns + 1
    all_keys, all_counts = np.empty((depth, rows, width), np.uint64), np.empty((depth, rows), np.int32)
    all_losses, came_from = np.empty((depth, rows), np.float64), np.empty(rows, np.int32)
    found = np.zeros(depth, np.int64)
    raised = np.zeros(depth, np.int64)  # the column that led to this depth
    coming = np.zeros(depth, np.int64)  # the column to raise next from this depth
    size = 16
    while size < 2 * rows:
        size *= 2
    slots = np.empty(size, np.int32)
    levels = np.zeros(columns, np.int64)
    changed = np.zeros(1, np.int64)
    here, levels[pivot], changed[0] = 0, level, pivot
    begun = roll_up(
        keys, counts, changed, levels, first, words, shifts, masks, slots, all_keys[0], all_counts[0], came_from
    )
    for at in range(begun):
        code = np.int64((all_keys[0, at, words[pivot]] >> shifts[pivot]) & masks[pivot])
        all_losses[0, at] = loss[pivot, level, code]
    found[0] = begun
    node = (levels * stride).sum()
    now = all_counts[0, :begun]
    reach[node] = compare(now, all_losses[0], enough, limit, levels, best, levels_of, suppressed)
    smallest[node], classes[node] = now.min(), begun
    while here >= 0:
        j = coming[here]
        while j < columns and (j == pivot or levels[j] + 1 >= heights[j]):
            j += 1
        if j == columns:
            levels[raised[here]] -= 1
            here -= 1
            continue
        coming[here] = j + 1
        levels[j] += 1
        changed[0] = j
        n, above = found[here], here + 1
        made = roll_up(
            all_keys[here, :n],
            all_counts[here, :n],
            changed,
            levels,
            first,
            words,
            shifts,
            masks,
            slots,
            all_keys[above],
            all_counts[above],
            came_from,
        )
        for at in range(made):
            row = came_from[at]
            code = np.int64((all_keys[here, row, words[j]] >> shifts[j]) & masks[j])
            risen = first[j, levels[j], code]
            more = loss[j, levels[j], risen] - loss[j, levels[j] - 1, code]
            all_losses[above, at] = all_losses[here, row] + more
        found[above], raised[above], coming[above] = made, j, j
        here = above
        node = (levels * stride).sum()
        now = all_counts[here, :made]
        reach[node] = compare(now, all_losses[here], enough, limit, levels, best, levels_of, suppressed)
        smallest[node], classes[node] = now.min(), made
