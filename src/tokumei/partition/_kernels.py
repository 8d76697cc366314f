"""What every compiled loop over groups needs: the cost of a stretch, and of a box."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop

HIGHEST = 2**31 - 1


@loop()
def span(lines: Any, axis: Any, low: Any, high: Any) -> Any:
    """Return what a cell costs that stands for everything from ``low`` to ``high``."""
    if lines.pairs[axis] >= 0:
        return lines.table[lines.pairs[axis] + low * lines.size[axis] + high]
    if high < lines.free[axis]:
        return (high - low) * lines.unit[axis]
    at = lines.start[axis]
    while lines.first[at + low] != lines.first[at + high]:
        at += lines.size[axis]
    return lines.cost[at + low]


@loop()
def box_cost(lines: Any, low: Any, high: Any) -> Any:
    """Return what a row costs whose cells stand for everything from ``low`` to ``high``, axis by axis."""
    total = 0.0
    for axis in range(low.size):
        total += span(lines, axis, low[axis], high[axis])
    return total


@loop()
def fit_boxes(lines: Any, rows: Any, labels: Any, low: Any, high: Any, size: Any, cost: Any) -> None:
    """Fill in the lowest and highest places of each group, its size, and what its box costs a row."""
    for g in range(size.size):
        size[g], cost[g] = 0, 0.0
        for j in range(rows.shape[1]):
            low[g, j], high[g, j] = HIGHEST, -1
    for i in range(rows.shape[0]):
        g = labels[i]
        if g < 0:
            continue
        size[g] += 1
        for j in range(rows.shape[1]):
            low[g, j] = min(low[g, j], rows[i, j])
            high[g, j] = max(high[g, j], rows[i, j])
    for g in range(size.size):
        if size[g] > 0:
            cost[g] = box_cost(lines, low[g], high[g])


@loop()
def cheapest_home(lines: Any, row: Any, low: Any, high: Any, size: Any, cost: Any) -> Any:
    """Return the group whose total grows least by taking a row in."""
    home, least = -1, np.inf
    for g in range(size.size):
        if size[g] == 0:
            continue
        before = size[g] * cost[g]
        bar = (least + before) / (size[g] + 1)
        if cost[g] >= bar:
            continue
        wider = 0.0
        for j in range(row.size):
            wider += span(lines, j, min(low[g, j], row[j]), max(high[g, j], row[j]))
            if wider >= bar:
                break
        if wider < bar:
            home, least = g, (size[g] + 1) * wider - before
    return home


@loop()
def take_in(lines: Any, rows: Any, labels: Any, low: Any, high: Any, size: Any, cost: Any) -> None:
    """Put every row without a group into the one whose total grows least."""
    for i in range(rows.shape[0]):
        if labels[i] >= 0:
            continue
        g = cheapest_home(lines, rows[i], low, high, size, cost)
        labels[i] = g
        size[g] += 1
        for j in range(rows.shape[1]):
            low[g, j] = min(low[g, j], rows[i, j])
            high[g, j] = max(high[g, j], rows[i, j])
        cost[g] = box_cost(lines, low[g], high[g])


@njit(nogil=True, cache=True)
def cheapest_partners(
    lines: Any, low: Any, high: Any, size: Any, cost: Any, failing: Any, orders: Any, window: Any, partner: Any
) -> None:
    """Find for each failing group the group that it costs least to be merged with.

    Each row of ``orders`` is an order of all groups; a group is compared with those at most ``window`` places away in any
    of them.
    """
    groups = size.size
    place = np.empty(groups, np.int64)
    least = np.full(failing.size, np.inf)
    for order in orders:
        for q in range(groups):
            place[order[q]] = q
        for f in range(failing.size):
            g = failing[f]
            for q in range(max(0, place[g] - window), min(groups, place[g] + window + 1)):
                h = order[q]
                if h == g:
                    continue
                before = size[g] * cost[g] + size[h] * cost[h]
                bar = (least[f] + before) / (size[g] + size[h])
                wider = 0.0
                for j in range(low.shape[1]):
                    wider += span(lines, j, min(low[g, j], low[h, j]), max(high[g, j], high[h, j]))
                    if wider >= bar:
                        break
                if wider < bar:
                    least[f], partner[f] = (size[g] + size[h]) * wider - before, h


@njit(nogil=True, cache=True)
def pair_off(groups: Any, failing: Any, partner: Any) -> Any:
    """Say what each group becomes: a failing one its partner. Two failing ones are joined once in a round, no chains."""
    into = np.arange(groups)
    needy, used = np.zeros(groups, np.bool_), np.zeros(groups, np.bool_)
    for f in range(failing.size):
        needy[failing[f]] = True
    for f in range(failing.size):
        group, other = failing[f], partner[f]
        if used[group] or (needy[other] and used[other]):
            continue
        into[group] = other
        used[group], used[other] = True, True
    return into
