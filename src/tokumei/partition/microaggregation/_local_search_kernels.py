"""Inner loops of a local search among neighbouring groups.

A region is a few groups that lie close together. Inside it everything follows from the dot products of its rows:
``dots`` between rows, ``along`` between a row and the sum of a group, and ``norm`` of that sum. The sum of squares within
groups is the sum of the diagonal of ``dots`` less that of ``norm / size``; moving a row touches one column of each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.loops import inner, loop
from tokumei.partition._chance_kernels import chance
from tokumei.partition.microaggregation._kernels import remember
from tokumei.partition.microaggregation.fast import FAST

PASSES = 50  # over a region at most; a few are enough
LEAST = 1e-10  # a step must gain so much of the region's sum of squares
DISSOLVE, GATHER, SWAP = 0, 1, 2


@loop(fastmath=FAST)
def move(row: Any, to: Any, dots: Any, label: Any, size: Any, along: Any, norm: Any) -> Any:
    """Put a row of a region into another group."""
    out = label[row]
    norm[out] += dots[row, row] - 2.0 * along[out, row]
    norm[to] += dots[row, row] + 2.0 * along[to, row]
    for other in range(len(label)):
        along[out, other] -= dots[row, other]
        along[to, other] += dots[row, other]
    size[out] -= 1
    size[to] += 1
    label[row] = to


@loop(fastmath=FAST)
def far(row: Any, group: Any, dots: Any, size: Any, along: Any, norm: Any) -> Any:
    """Return the squared distance of a row from the mean of a group."""
    return dots[row, row] - 2.0 * along[group, row] / size[group] + norm[group] / (size[group] * size[group])


@loop(fastmath=FAST)
def within(dots: Any, size: Any, norm: Any) -> Any:
    """Return the sum of squares within the groups of a region."""
    total, rows = 0.0, 0
    for group in range(len(size)):
        rows += size[group]
    for row in range(rows):
        total += dots[row, row]
    for group in range(len(size)):
        if size[group] > 0:
            total -= norm[group] / size[group]
    return total


@inner(fastmath=FAST)
def _best_group(row: Any, least: Any, dots: Any, label: Any, size: Any, along: Any, norm: Any) -> Any:
    """Return the group of at least this many rows, not its own, that takes a row at the least cost; -1 if there is none."""
    best, found = np.inf, -1
    for group in range(len(size)):
        if group == label[row] or size[group] < least:
            continue
        cost = far(row, group, dots, size, along, norm) * size[group] / (size[group] + 1)
        if cost < best:
            best, found = cost, group
    return found


@inner(fastmath=FAST)
def gather(seed: Any, to: Any, only: Any, k: Any, dots: Any, label: Any, size: Any, along: Any, norm: Any) -> Any:
    """Fill an empty group with a row and the k - 1 nearest of one group, or of all where ``only`` is -1."""
    move(seed, to, dots, label, size, along, norm)
    while size[to] < k:
        found: Any = np.int64(-1)
        best = np.inf
        for row in range(len(label)):
            if label[row] == to or (only >= 0 and label[row] != only):
                continue
            gap = far(row, to, dots, size, along, norm)
            if gap < best:
                best, found = gap, row
        move(found, to, dots, label, size, along, norm)


@inner(fastmath=FAST)
def _split(k: Any, dots: Any, label: Any, size: Any, along: Any, norm: Any) -> Any:
    """Split groups of 2k or more: the row farthest out leaves with its nearest."""
    changed = False
    for group in range(len(size)):
        if size[group] < 2 * k:
            continue
        empty: Any = np.int64(-1)
        for other in range(len(size)):
            if size[other] == 0:
                empty = other
                break
        if empty < 0:
            break
        found: Any = np.int64(-1)
        best = -1.0
        for row in range(len(label)):
            if label[row] == group:
                gap = far(row, group, dots, size, along, norm)
                if gap > best:
                    best, found = gap, row
        gather(found, empty, group, k, dots, label, size, along, norm)
        changed = True
    return changed


@inner(fastmath=FAST)
def _best_move(row: Any, k: Any, best: Any, dots: Any, label: Any, size: Any, along: Any, norm: Any) -> Any:
    """Return what moving a row to another group changes at best, and the group: -1 if nothing is below ``best``."""
    out, to = label[row], -1
    if size[out] > k:
        gain = far(row, out, dots, size, along, norm) * size[out] / (size[out] - 1)
        for group in range(len(size)):
            if group == out or size[group] == 0:
                continue
            cost = far(row, group, dots, size, along, norm) * size[group] / (size[group] + 1) - gain
            if cost < best:
                best, to = cost, group
    return best, to


@inner(fastmath=FAST)
def _best_swap(row: Any, best: Any, dots: Any, label: Any, size: Any, along: Any) -> Any:
    """Return the row of another group to swap with: -1 if no swap changes less than ``best``."""
    out, partner = label[row], -1
    mine, share = along[out, row], 1.0 / size[out]
    for other in range(len(label)):
        group = label[other]
        if group == out:
            continue
        apart = dots[row, row] + dots[other, other] - 2.0 * dots[row, other]
        cost = -(2.0 * (along[out, other] - mine) + apart) * share
        cost -= (2.0 * (along[group, row] - along[group, other]) + apart) / size[group]
        if cost < best:
            best, partner = cost, other
    return partner


@inner(fastmath=FAST)
def _swap(one: Any, two: Any, dots: Any, label: Any, size: Any, along: Any, norm: Any) -> Any:
    first, second = label[one], label[two]
    if first != second:
        move(one, second, dots, label, size, along, norm)
        move(two, first, dots, label, size, along, norm)


@loop(fastmath=FAST)
def descend(k: Any, dots: Any, label: Any, size: Any, along: Any, norm: Any) -> Any:
    """Move and swap single rows, and split large groups, until nothing gains."""
    least = -LEAST * within(dots, size, norm)
    for _ in range(PASSES):
        changed = False
        for row in range(len(label)):
            best, to = _best_move(row, k, least, dots, label, size, along, norm)
            partner = _best_swap(row, best, dots, label, size, along)
            if partner >= 0:
                _swap(row, partner, dots, label, size, along, norm)
            elif to >= 0:
                move(row, to, dots, label, size, along, norm)
            changed = changed or partner >= 0 or to >= 0
        if _split(k, dots, label, size, along, norm):
            changed = True
        if not changed:
            return


@inner(fastmath=FAST)
def _dissolve(gone: Any, least: Any, dots: Any, label: Any, size: Any, along: Any, norm: Any) -> Any:
    """Move the rows of a group to where each costs least among groups of at least this many rows."""
    for row in range(len(label)):
        if label[row] == gone:
            to = _best_group(row, least, dots, label, size, along, norm)
            if to >= 0:
                move(row, to, dots, label, size, along, norm)


@loop(fastmath=FAST)
def disturb(how: Any, k: Any, near: Any, state: Any, dots: Any, label: Any, size: Any, along: Any, norm: Any) -> Any:
    """Leave a region's best state at random: dissolve a group, gather a new one, or swap a few rows."""
    count = len(label)
    if how == DISSOLVE:
        _dissolve(chance(state, near), np.int64(1), dots, label, size, along, norm)
    elif how == GATHER:
        gather(chance(state, count), near, np.int64(-1), k, dots, label, size, along, norm)
        for group in range(near):
            if 0 < size[group] < k:
                _dissolve(group, k, dots, label, size, along, norm)
    else:
        for _ in range(1 + chance(state, np.int64(3))):
            _swap(chance(state, count), chance(state, count), dots, label, size, along, norm)


@inner(fastmath=FAST)
def _neighbours(group: Any, wanted: Any, sums: Any, size: Any, near: Any, found: Any) -> Any:
    """List a group and its nearest ones by their means; return how many."""
    listed = np.int64(0)
    for other in range(len(size)):
        if size[other] == 0:
            continue
        gap = 0.0
        for column in range(sums.shape[1]):
            step = sums[other, column] / size[other] - sums[group, column] / size[group]
            gap += step * step
        if other == group:
            gap = -1.0
        listed = remember(gap, other, near, found, listed, wanted)
    return listed


@inner(fastmath=FAST, inline="always")
def _list_rows(region: Any, members: Any, size: Any, who: Any, label: Any) -> Any:
    """List the rows of a region's groups, and the place of each one's group in the region; return how many."""
    inside = np.int64(0)
    for slot in range(len(region)):
        group = region[slot]
        for place in range(size[group]):
            who[inside], label[inside] = members[group, place], slot
            inside += 1
    return inside


@loop(fastmath=FAST)
def products(cells: Any, label: Any, slots: Any, dots: Any, along: Any, norm: Any) -> None:
    """Fill in the dot products of a region's rows, with the sums of its groups, and of those with themselves."""
    count, columns = len(label), cells.shape[1]
    for row in range(count):
        for other in range(row + 1):
            dot = 0.0
            for column in range(columns):
                dot += cells[row, column] * cells[other, column]
            dots[row, other] = dot
            dots[other, row] = dot
    for slot in range(slots):
        norm[slot] = 0.0
        for other in range(count):
            along[slot, other] = 0.0
    for row in range(count):
        for other in range(count):
            along[label[row], other] += dots[row, other]
    for row in range(count):
        norm[label[row]] += along[label[row], row]


@inner(fastmath=FAST, inline="always")
def _put_back(
    region: Any, who: Any, label: Any, few: Any, number: Any, rows: Any, members: Any, size: Any, sums: Any, result: Any
) -> None:
    """Replace the groups of a region by its new ones, under numbers that are free."""
    for slot in range(len(region)):
        size[region[slot]] = 0
        for column in range(sums.shape[1]):
            sums[region[slot], column] = 0.0
    free = 0
    for slot in range(len(few)):
        if few[slot] > 0:
            while size[free] > 0:
                free += 1
            number[slot] = free
            free += 1
    for at in range(len(label)):
        group, row = number[label[at]], who[at]
        members[group, size[group]] = row
        size[group] += 1
        for column in range(sums.shape[1]):
            sums[group, column] += rows[row, column]
        result[row] = group


@inner(fastmath=FAST, inline="always")
def _may_stand(few: Any, k: Any, largest: Any) -> Any:
    fits = True
    for slot in range(len(few)):
        fits = fits and (few[slot] == 0 or k <= few[slot] <= largest)
    return fits


@loop(fastmath=FAST)
def search(
    rows: Any, labels: Any, k: Any, reach: Any, sweeps: Any, kicks: Any, state: Any, sums: Any, members: Any, size: Any,
    near: Any, by_slot: Any, by_row: Any, cells: Any, dots: Any, along: Any, norm: Any, result: Any,
) -> None:  # fmt: skip
    """Improve the groups of a block, region by region; fill in new labels.

    Every group with its neighbours, ``reach`` in all, is improved as it is, ``sweeps`` times; then ``kicks`` times as many
    regions of 3 to ``reach`` groups are disturbed first. What gained is kept.

    ``sums``, ``members`` and ``size`` are room for what is known of the block's groups; ``size`` is zero at first. What follows them is room for a region.
    """
    count, columns = rows.shape
    room, largest = members.shape
    found, sizes, number, who, labelled = by_slot[0], by_slot[1], by_slot[2], by_row[0], by_row[1]
    for group in range(room):
        for column in range(columns):
            sums[group, column] = 0.0
    for row in range(count):
        group = labels[row]
        result[row], members[group, size[group]] = group, row
        size[group] += 1
        for column in range(columns):
            sums[group, column] += rows[row, column]
    for turn in range(room * (sweeps + kicks)):
        kicked = turn >= room * sweeps
        middle = chance(state, room) if kicked else turn % room
        if size[middle] == 0:
            continue
        wanted = 3 + chance(state, reach - 2) if kicked else reach
        region = found[: _neighbours(middle, wanted, sums, size, near, found)]
        if len(region) < 2:
            continue
        label = labelled[: _list_rows(region, members, size, who, labelled)]
        few = sizes[: max(len(label) // k, len(region)) + 1]  # one slot more than groups can fill
        for slot in range(len(few)):
            few[slot] = size[region[slot]] if slot < len(region) else 0
        for at in range(len(label)):
            for column in range(columns):  # dot products near zero keep their digits
                cells[at, column] = rows[who[at], column] - sums[middle, column] / size[middle]
        products(cells, label, len(few), dots, along, norm)
        before = within(dots, few, norm)
        if kicked:
            disturb(chance(state, np.int64(3)), k, len(region), state, dots, label, few, along, norm)
        descend(k, dots, label, few, along, norm)
        if _may_stand(few, k, largest) and within(dots, few, norm) < before * (1.0 - LEAST):
            _put_back(region, who, label, few, number, rows, members, size, sums, result)
