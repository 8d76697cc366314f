"""Inner loops over the boxes of the lattice: listing them, opening the cheapest first, and the bound on what is possible."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop


@loop()
def closed_boxes(  # noqa: PLR0912, PLR0915
    labels: Any, base: Any, levels: Any, price: Any, share: Any, weight: Any, k: Any, cap: Any, work: Any, held: Any,
    paid: Any, entries: Any, starts: Any, costs: Any, numbers: Any,
) -> Any:  # fmt: skip
    """List every box that is the smallest one around its rows and holds at least k of them.

    ``labels[base[j] + l]`` gives each distinct row's label at level l of axis j, ``price`` and ``share`` what a label costs
    and what it adds to the number of a box. Row i is seen only by boxes that cost at most ``cap[i]``. The rows of all boxes go
    one behind the other into ``entries``, where each box begins, its cost and its number into the others. Returns whether all are
    listed; if not, there was no room for the next one, and the same call with more room goes on where it was.

    Depth first over the axes: the rows of a box on the first axes are sorted by their label on the next, level by level.
    ``work`` keeps, axis by axis, the level, the stretch of ``held`` that is looked at, the part that comes next, where the parts end, and
    the number of the box so far; then for each label how many rows have it and where the next one goes; ``work[6, :3]`` is the axis that is looked
    at, how many boxes there are, and how many rows they have.
    """
    axes = base.size
    level, begin, end, part, stop, number = work[0], work[1], work[2], work[3], work[4], work[5]
    count, place = work[7], work[8]
    j, boxes, used = work[6, 0], work[6, 1], work[6, 2]
    while j >= 0:
        if part[j] >= stop[j]:  # the parts of this level are done: sort by the next one
            level[j] += 1
            if level[j] >= levels[j]:
                j -= 1
                continue
            here = labels[base[j] + level[j]]
            low, high = price.size, -1
            for t in range(begin[j], end[j]):
                i = held[j, t]
                label = here[i]
                if cap[i] >= paid[j] + price[label]:
                    count[label] += 1
                    low, high = min(low, label), max(high, label)
            at = begin[j]
            for label in range(low, high + 1):
                place[label] = at
                at += count[label]
                count[label] = 0
            for t in range(begin[j], end[j]):
                i = held[j, t]
                label = here[i]
                if cap[i] >= paid[j] + price[label]:
                    held[j + 1, place[label]] = i
                    place[label] += 1
            part[j], stop[j] = begin[j], at
            if at == begin[j]:
                continue
        first = part[j]
        here = labels[base[j] + level[j]]
        below = labels[base[j] + max(level[j] - 1, 0)]
        label, inner = here[held[j + 1, first]], below[held[j + 1, first]]
        last, total, closed = first, 0, level[j] == 0
        while last < stop[j]:
            i = held[j + 1, last]
            if here[i] != label:
                break
            total += weight[i]
            if below[i] != inner:
                closed = True
            last += 1
        part[j] = last
        if total < k or not closed:
            continue
        paid[j + 1], number[j + 1] = paid[j] + price[label], number[j] + share[label]
        if j < axes - 1:
            begin[j + 1], end[j + 1] = first, last
            level[j + 1], part[j + 1], stop[j + 1] = -1, 0, 0
            j += 1
            continue
        for axis in range(axes - 1):
            if level[axis] == 0:
                continue
            below = labels[base[axis] + level[axis] - 1]
            inner = below[held[axes, first]]
            closed = False
            for t in range(first + 1, last):
                if below[held[axes, t]] != inner:
                    closed = True
                    break
            if not closed:
                break
        if not closed:
            continue
        if used + last - first > entries.size or boxes + 2 > starts.size:
            part[j] = first
            work[6, 0], work[6, 1], work[6, 2] = j, boxes, used
            return False
        starts[boxes], costs[boxes], numbers[boxes] = used, paid[axes], number[axes]
        for t in range(first, last):
            entries[used] = held[axes, t]
            used += 1
        boxes += 1
    starts[boxes] = used
    work[6, 0], work[6, 1], work[6, 2] = j, boxes, used
    return True


@loop()
def cheapest_first(entries: Any, starts: Any, order: Any, weight: Any, k: Any, box: Any) -> None:
    """Open boxes in the order given, each that still holds at least k rows of no box (-1); fill in each row's box."""
    for at in range(order.size):
        b, total = order[at], 0
        for t in range(starts[b], starts[b + 1]):
            if box[entries[t]] < 0:
                total += weight[entries[t]]
        if total >= k:
            for t in range(starts[b], starts[b + 1]):
                if box[entries[t]] < 0:
                    box[entries[t]] = b


@loop()
def reorder(entries: Any, starts: Any, order: Any, made: Any, begins: Any) -> None:
    """Put the boxes into another order."""
    used = 0
    for place in range(order.size):
        b = order[place]
        begins[place] = used
        for t in range(starts[b], starts[b + 1]):
            made[used] = entries[t]
            used += 1
    begins[order.size] = used


@loop()
def boxes_of_rows(entries: Any, starts: Any, place: Any, held: Any) -> None:
    """List for each row, from its ``place`` on, the boxes that hold it, in their order."""
    for b in range(starts.size - 1):
        for t in range(starts[b], starts[b + 1]):
            held[place[entries[t]]] = b
            place[entries[t]] += 1


@loop()
def best_payers(
    entries: Any, start: Any, stop: Any, price: Any, over: Any, most: Any, need: Any, best: Any, who: Any
) -> Any:
    """List the first ``need`` rows with a price over one number and at most another, highest first; return how many."""
    listed = 0
    for t in range(start, stop):
        i = entries[t]
        if not over < price[i] <= most:
            continue
        if listed < need:
            listed += 1
        elif price[i] <= best[listed - 1]:
            continue
        q = listed - 1
        while q > 0 and best[q - 1] < price[i]:
            best[q], who[q] = best[q - 1], who[q - 1]
            q -= 1
        best[q], who[q] = price[i], i
    return listed


@loop()
def could_pay(
    entries: Any, start: Any, stop: Any, price: Any, weight: Any, cost: Any, gain: Any, need: Any, shares: Any
) -> Any:
    """Whether ``need`` rows that pay at most ``cost`` could together fall short by less than ``gain``.

    A quick look at how many fall short by which share of the gain; it may say yes in vain, never no.
    """
    bins = shares.size
    for share in range(bins):
        shares[share] = 0
    for t in range(start, stop):
        short = cost - price[entries[t]]
        if 0.0 <= short < gain:
            shares[min(bins - 1, int(bins * short / gain))] += weight[entries[t]]
    owed = 0.0
    for share in range(bins):
        many = min(need, shares[share])
        owed += many * share * gain / bins
        need -= many
    return need == 0 and owed < gain


@njit(nogil=True, cache=True)
def dual(entries: Any, starts: Any, cost: Any, weight: Any, k: Any, price: Any, use: Any) -> Any:  # noqa: PLR0912
    """Return a lower bound of what all rows cost, given a price for each: every box takes the rows that pay best.

    A box takes all rows that pay more than it costs, and others, best payers first, until it has k; it opens where they pay
    for it together. ``use`` receives how often each row was taken.
    """
    total = 0.0
    for i in range(weight.size):
        use[i] = 0.0
        total += weight[i] * price[i]
    best, who, shares = np.empty(k), np.empty(k, np.int64), np.empty(32, np.int64)
    for b in range(cost.size):
        gain, taken = 0.0, 0
        for t in range(starts[b], starts[b + 1]):
            i = entries[t]
            if price[i] > cost[b]:
                gain += weight[i] * (price[i] - cost[b])
                taken += weight[i]
        if gain <= 0.0:
            continue
        need, listed = k - taken, 0
        if need > 0:
            if not could_pay(entries, starts[b], starts[b + 1], price, weight, cost[b], gain, need, shares):
                continue
            listed = best_payers(entries, starts[b], starts[b + 1], price, cost[b] - gain, cost[b], need, best, who)
            left, q = need, 0
            while left > 0 and q < listed:
                many = min(left, weight[who[q]])
                gain -= many * (cost[b] - best[q])
                left -= many
                q += 1
            if left > 0:
                continue
        if gain <= 0.0:
            continue
        total -= gain
        for t in range(starts[b], starts[b + 1]):
            if price[entries[t]] > cost[b]:
                use[entries[t]] += weight[entries[t]]
        left, q = max(need, 0), 0
        while left > 0:
            many = min(left, weight[who[q]])
            use[who[q]] += many
            left -= many
            q += 1
    return total
