"""Inner loops over the boxes of the lattice: listing them, opening the cheapest first, and the bound on what is possible."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def _longer(array: Any, need: Any) -> Any:
    made = np.empty(max(2 * array.size, need), array.dtype)
    made[: array.size] = array
    return made


@njit(nogil=True, cache=True)
def closed_boxes(  # noqa: PLR0912, PLR0915
    labels: Any, base: Any, levels: Any, price: Any, share: Any, weight: Any, k: Any, cap: Any, room: Any
) -> Any:
    """List every box that is the smallest one around its rows and holds at least k of them.

    ``labels[base[j] + l]`` gives each distinct row's label at level l of axis j, ``price`` and ``share`` what a label costs
    and what it adds to the number of a box. Row i is seen only by boxes that cost at most ``cap[i]``. Returns the rows of
    all boxes one behind the other, where each box begins, its cost and its number; nothing if there are more than
    ``room`` rows in all.

    Depth first over the axes: the rows of a box on the first axes are sorted by their label on the next, level by level.
    """
    rows, axes = weight.size, base.size
    held = np.empty((axes + 1, rows), np.int32)
    level = np.zeros(axes, np.int64)
    begin, end = np.zeros(axes + 1, np.int64), np.zeros(axes + 1, np.int64)
    part, stop = np.zeros(axes, np.int64), np.zeros(axes, np.int64)
    paid = np.zeros(axes + 1)
    number = np.zeros(axes + 1, np.int64)
    count, place = np.zeros(price.size, np.int32), np.zeros(price.size, np.int32)
    entries, starts = np.empty(1024, np.int32), np.empty(256, np.int64)
    costs, numbers = np.empty(256, np.float64), np.empty(256, np.int64)
    boxes, used = 0, 0
    for i in range(rows):
        held[0, i] = i
    end[0] = rows
    level[0] = -1
    j = 0
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
        if used + last - first > room:
            return entries[:0], starts[:0], costs[:0], numbers[:0]
        if used + last - first > entries.size:
            entries = _longer(entries, used + last - first)
        if boxes + 2 > starts.size:
            starts, costs, numbers = _longer(starts, 0), _longer(costs, 0), _longer(numbers, 0)
        starts[boxes], costs[boxes], numbers[boxes] = used, paid[axes], number[axes]
        for t in range(first, last):
            entries[used] = held[axes, t]
            used += 1
        boxes += 1
    starts[boxes] = used
    return entries[:used], starts[: boxes + 1], costs[:boxes], numbers[:boxes]


@njit(nogil=True, cache=True)
def cheapest_first(entries: Any, starts: Any, order: Any, weight: Any, k: Any) -> Any:
    """Open boxes in the order given, each that still holds at least k rows of no box; return each row's box, or -1."""
    box = np.full(weight.size, -1, np.int64)
    for b in order:
        total = 0
        for t in range(starts[b], starts[b + 1]):
            if box[entries[t]] < 0:
                total += weight[entries[t]]
        if total >= k:
            for t in range(starts[b], starts[b + 1]):
                if box[entries[t]] < 0:
                    box[entries[t]] = b
    return box


@njit(nogil=True, cache=True)
def reorder(entries: Any, starts: Any, order: Any) -> Any:
    """Put the boxes into another order."""
    made, begins, used = np.empty_like(entries), np.empty_like(starts), 0
    for place in range(order.size):
        b = order[place]
        begins[place] = used
        for t in range(starts[b], starts[b + 1]):
            made[used] = entries[t]
            used += 1
    begins[order.size] = used
    return made, begins


@njit(nogil=True, cache=True)
def boxes_of_rows(entries: Any, starts: Any, rows: Any) -> Any:
    """List for each row the boxes that hold it, in their order, and where each row's list begins."""
    begins = np.zeros(rows + 1, np.int64)
    for t in range(entries.size):
        begins[entries[t] + 1] += 1
    for i in range(rows):
        begins[i + 1] += begins[i]
    place, held = begins[:-1].copy(), np.empty(entries.size, np.int32)
    for b in range(starts.size - 1):
        for t in range(starts[b], starts[b + 1]):
            held[place[entries[t]]] = b
            place[entries[t]] += 1
    return begins, held


@njit(nogil=True, cache=True)
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


@njit(nogil=True, cache=True)
def could_pay(
    entries: Any, start: Any, stop: Any, price: Any, weight: Any, cost: Any, gain: Any, need: Any, shares: Any
) -> Any:
    """Whether ``need`` rows that pay at most ``cost`` could together fall short by less than ``gain``.

    A quick look at how many fall short by which share of the gain; it may say yes in vain, never no.
    """
    bins = shares.size
    shares[:] = 0
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
