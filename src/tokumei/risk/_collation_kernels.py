"""The search for sets of original rows that fit what is published about a group."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop

SLACK = 1e-9  # of sums of squares, which are compared as floats


@loop()
def apart(low: Any, high: Any, other_low: Any, other_high: Any) -> bool:
    """Whether two boxes have nothing in common."""
    found = False
    for j in range(low.size):
        if low[j] > other_high[j] or high[j] < other_low[j]:
            found = True
            break
    return found


@loop()
def rows_in_box(
    order: Any, rows: Any, lows: Any, highs: Any, lowest: Any, highest: Any, block: Any, above: Any, low: Any,
    high: Any, chosen: Any,
) -> Any:  # fmt: skip
    """Find the rows in a box, as `Laid` lays them out; return how many. ``chosen`` receives them, in no order."""
    found = 0
    for far in range(len(lowest)):
        if apart(lowest[far], highest[far], low, high):
            continue
        for near in range(far * above, min((far + 1) * above, len(lows))):
            if apart(lows[near], highs[near], low, high):
                continue
            for i in range(near * block, min((near + 1) * block, len(rows))):
                if not apart(rows[i], rows[i], low, high):
                    chosen[found] = order[i]
                    found += 1
    return found


@njit(nogil=True, cache=True)
def fitting(values: Any, cell_of: Any, starts: Any, many: Any, chosen: Any) -> Any:
    """Keep those of some records all of whose values are counted in their box, those with rare values first; return how many."""
    rank = np.empty(chosen.size)
    for at in range(chosen.size):
        rank[at] = chosen[at]
    chosen[:] = chosen[np.argsort(rank, kind="mergesort")]
    if values.shape[1] == 0:
        return chosen.size
    found = 0
    for i in chosen:
        inside, rarity = True, 0.0
        for j in range(values.shape[1]):
            cell = cell_of[starts[j] + values[i, j]]
            if cell < 0:
                inside = False
                break
            rarity += 1.0 / many[cell]
        if inside:
            rank[found] = -rarity
            chosen[found] = i
            found += 1
    chosen[:found] = chosen[:found][np.argsort(rank[:found], kind="mergesort")]
    return found


@njit(nogil=True, cache=True)
def count_solutions(cells: Any, numbers: Any, spare: Any, left: Any, sums: Any, squares: Any, most: Any) -> Any:
    """Count the multisets of records that fit, up to two; return their number and whether the search came to an end.

    Parameters
    ----------
    cells
        One row per record, one column per published count: which cell it falls into. The last column is one cell, the size.
    numbers
        One row per record, one column per number of which the sum and the sum of squares are published.
    spare
        How many rows there are of each record.
    left, sums, squares
        The published counts of the cells, sums, and sums of squares. They are changed and restored.
    most
        The search gives up after this many steps.
    """
    records, size = len(cells), left.size - 1  # the cell of the size comes last
    decided = np.zeros(records, dtype=np.bool_)
    path, taken = np.empty(records, dtype=np.int64), np.empty(records, dtype=np.int64)
    supply, holders = np.empty(left.size, dtype=np.int64), np.empty(left.size, dtype=np.int64)
    depth, steps, found, entering = 0, 0, 0, True
    while True:
        pick = -1
        if entering:
            steps += 1
            if steps > most:
                return found, False
            if left[size] == 0:
                found += not (sums.any() or squares.any())
                if found == 2:
                    return found, True
            else:
                pick = next_record(cells, numbers, spare, left, sums, squares, decided, supply, holders)
        if pick >= 0:
            many = room(cells, spare, left, pick)
            decided[pick], path[depth], taken[depth] = True, pick, many
            move(cells, numbers, left, sums, squares, pick, many)
            depth += 1
            entering = True
            continue
        if depth == 0:
            return found, True
        depth -= 1
        record = path[depth]
        if taken[depth] > 0:  # one fewer of it
            move(cells, numbers, left, sums, squares, record, -1)
            taken[depth] -= 1
            depth += 1
            entering = True
        else:
            decided[record] = False
            entering = False


@loop()
def move(cells: Any, numbers: Any, left: Any, sums: Any, squares: Any, record: Any, many: Any) -> None:
    """Take this many rows of a record, or give them back."""
    for j in range(cells.shape[1]):
        left[cells[record, j]] -= many
    for r in range(sums.size):
        sums[r] -= many * numbers[record, r]
        squares[r] -= many * numbers[record, r] * numbers[record, r]


@loop()
def room(cells: Any, spare: Any, left: Any, record: Any) -> Any:
    """Return how many rows of a record can still be taken."""
    many = spare[record]
    for j in range(cells.shape[1]):
        many = min(many, left[cells[record, j]])
    return many


@loop()
def reachable(size: Any, sums: Any, squares: Any, lowest: Any, highest: Any) -> Any:
    """Say whether this many numbers between bounds can have these sums, and these sums of squares.

    Squares lie between those of equal numbers and those of numbers at the bounds only.
    """
    for r in range(sums.size):
        if sums[r] < size * lowest[r] or sums[r] > size * highest[r]:
            return False
        least = float(sums[r]) * sums[r] / size
        ends = float(size) * lowest[r] * highest[r]
        greatest = float(lowest[r] + highest[r]) * sums[r] - ends
        slack = SLACK * (1.0 + least + abs(greatest) + abs(ends))
        if squares[r] < least - slack or squares[r] > greatest + slack:
            return False
    return True


@njit(nogil=True, cache=True)
def next_record(
    cells: Any, numbers: Any, spare: Any, left: Any, sums: Any, squares: Any, decided: Any, supply: Any, holders: Any
) -> Any:
    """Return an undecided record of the cell that the fewest records can fill, or -1 if nothing can fit any more."""
    records, columns = cells.shape
    supply[:] = 0
    holders[:] = 0
    lowest, highest = np.empty(sums.size, dtype=np.int64), np.empty(sums.size, dtype=np.int64)
    none = True
    for i in range(records):
        if decided[i]:
            continue
        many = room(cells, spare, left, i)
        if many == 0:
            continue
        for j in range(columns):
            supply[cells[i, j]] += many
            holders[cells[i, j]] += 1
        for r in range(sums.size):
            lowest[r] = numbers[i, r] if none else min(lowest[r], numbers[i, r])
            highest[r] = numbers[i, r] if none else max(highest[r], numbers[i, r])
        none = False
    tightest = -1
    for cell in range(left.size):
        if supply[cell] < left[cell]:
            return -1
        if left[cell] > 0 and (tightest < 0 or holders[cell] < holders[tightest]):
            tightest = cell
    if not reachable(left[left.size - 1], sums, squares, lowest, highest):
        return -1
    for i in range(records):
        if not decided[i] and np.any(cells[i] == tightest) and room(cells, spare, left, i) > 0:
            return i
    return -1


@njit(nogil=True, cache=True)
def collate(
    order: Any, rows: Any, lows: Any, highs: Any, lowest: Any, highest: Any, block: Any, above: Any, values: Any,
    numbers: Any, spare: Any, low: Any, high: Any, sizes: Any, first: Any, column: Any, value: Any, count: Any,
    sums: Any, squares: Any, starts: Any, most: Any, solutions: Any, complete: Any, inside: Any,
) -> None:  # fmt: skip
    """Count the solutions of each group, and the rows in its box: ``first[g] .. first[g + 1]`` are its published counts."""
    cell_of = np.full(starts[-1], -1, dtype=np.int64)
    room_for = np.empty(rows.shape[0], dtype=np.int64)
    for g in range(sizes.size):
        begin, end = first[g], first[g + 1]
        left = np.empty(end - begin + 1, dtype=np.int64)
        for at in range(begin, end):
            cell_of[starts[column[at]] + value[at]] = at - begin
            left[at - begin] = count[at]
        left[end - begin] = sizes[g]
        there = rows_in_box(
            order, rows, lows, highs, lowest, highest, block, above, low[g], high[g], room_for
        )  # fmt: skip
        chosen = room_for[:there]
        for i in chosen:
            inside[g] += spare[i]
        found = fitting(values, cell_of, starts, left, chosen)
        cells = np.empty((found, values.shape[1] + 1), dtype=np.int64)
        few, have = np.empty((found, numbers.shape[1]), dtype=np.int64), np.empty(found, dtype=np.int64)
        for place in range(found):
            i = chosen[place]
            for j in range(values.shape[1]):
                cells[place, j] = cell_of[starts[j] + values[i, j]]
            cells[place, values.shape[1]] = end - begin
            few[place], have[place] = numbers[i], spare[i]
        for at in range(begin, end):
            cell_of[starts[column[at]] + value[at]] = -1
        solutions[g], complete[g] = count_solutions(cells, few, have, left, sums[g].copy(), squares[g].copy(), most)
