"""Inner loops of the top-down partition: far-apart rows, the side a row goes to, and mending small groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop
from tokumei.partition._kernels import box_cost, fit_boxes, span


@loop()
def farthest(lines: Any, rows: Any, order: Any, start: Any, stop: Any, who: Any) -> Any:
    """Return the row that makes the dearest pair with ``who``, and what the pair costs."""
    best, most = who, -1.0
    for t in range(start, stop):
        i = order[t]
        cost = 0.0
        for j in range(rows.shape[1]):
            cost += span(lines, j, min(rows[who, j], rows[i, j]), max(rows[who, j], rows[i, j]))
        if cost > most:
            best, most = i, cost
    return best, most


@njit(nogil=True, cache=True)
def part(
    lines: Any, rows: Any, order: Any, start: Any, stop: Any, first: Any, second: Any, scratch: Any, rng: Any
) -> Any:
    """Send every row to the side, begun by ``first`` or ``second``, whose total loss rises less; return where the second begins."""
    axes = rows.shape[1]
    low, high = np.empty((2, axes), np.int32), np.empty((2, axes), np.int32)
    size, paid, wider = np.ones(2, np.int64), np.zeros(2), np.empty(2)
    low[0], high[0], low[1], high[1] = rows[first], rows[first], rows[second], rows[second]
    front, back = start, 0
    for t in range(start, stop):
        i = order[t]
        if i in (first, second):
            side = 0 if i == first else 1
        else:
            for s in range(2):
                wider[s] = 0.0
                for j in range(axes):
                    wider[s] += span(lines, j, min(low[s, j], rows[i, j]), max(high[s, j], rows[i, j]))
            rise = (size[0] + 1) * wider[0] - size[0] * paid[0] - (size[1] + 1) * wider[1] + size[1] * paid[1]
            side = 0 if rise < 0.0 or (rise == 0.0 and rng.random() < 0.5) else 1
            size[side] += 1
            paid[side] = wider[side]
            for j in range(axes):
                low[side, j], high[side, j] = min(low[side, j], rows[i, j]), max(high[side, j], rows[i, j])
        if side == 0:
            order[front] = i
            front += 1
        else:
            scratch[back] = i
            back += 1
    for at in range(back):
        order[front + at] = scratch[at]
    return front


@njit(nogil=True, cache=True)
def part_down(lines: Any, rows: Any, k: Any, order: Any, rounds: Any, labels: Any, rng: Any) -> Any:
    """Part the rows again and again while one of the two sides has k; return how many groups there are."""
    scratch = np.empty(order.size, np.int64)
    stack = [(np.int64(0), np.int64(order.size))]
    groups = 0
    while len(stack) > 0:
        start, stop = stack.pop()
        middle = start
        if stop - start > k:
            first = second = order[start + rng.integers(0, stop - start)]
            apart = 0.0
            for _ in range(rounds):
                found, distance = farthest(lines, rows, order, start, stop, first)
                if distance <= apart:
                    break
                apart, second, first = distance, first, found
            if apart > 0.0:
                middle = part(lines, rows, order, start, stop, first, second, scratch, rng)
        if max(middle - start, stop - middle) >= k and start < middle < stop:
            stack.append((start, middle))
            stack.append((middle, stop))
            continue
        for t in range(start, stop):
            labels[order[t]] = groups
        groups += 1
    return groups


@loop()
def _loan(
    lines: Any, rows: Any, head: Any, after: Any, low: Any, high: Any, needy: Any, lender: Any, need: Any, distance: Any,
    who: Any, box_low: Any, box_high: Any,
) -> Any:  # fmt: skip
    """Choose the rows of ``lender`` nearest to the box of ``needy``; return the cost of the box with them."""
    axes, count, i = rows.shape[1], 0, head[lender]
    while i >= 0:
        wider = 0.0
        for j in range(axes):
            wider += span(lines, j, min(low[needy, j], rows[i, j]), max(high[needy, j], rows[i, j]))
        if count < need:
            count += 1
        elif wider >= distance[count - 1]:
            i = after[i]
            continue
        q = count - 1
        while q > 0 and distance[q - 1] > wider:
            distance[q], who[q] = distance[q - 1], who[q - 1]
            q -= 1
        distance[q], who[q] = wider, i
        i = after[i]
    for j in range(box_low.size):
        box_low[j], box_high[j] = low[needy, j], high[needy, j]
    for q in range(need):
        for j in range(axes):
            box_low[j], box_high[j] = min(box_low[j], rows[who[q], j]), max(box_high[j], rows[who[q], j])
    return box_cost(lines, box_low, box_high)


@njit(nogil=True, cache=True)
def mend(lines: Any, rows: Any, k: Any, labels: Any, groups: Any) -> None:  # noqa: PLR0912
    """Bring every group to k rows: it borrows them from one group that can spare this many, or is merged, whichever is cheaper.

    Before the rows of a lender are looked at, its box tells what the loan will cost at least.
    """
    axes = rows.shape[1]
    low, high = np.empty((groups, axes), np.int32), np.empty((groups, axes), np.int32)
    size, cost = np.empty(groups, np.int64), np.empty(groups)
    fit_boxes(lines, rows, labels, low, high, size, cost)
    head, after = np.full(groups, -1, np.int64), np.full(rows.shape[0], -1, np.int64)
    for i in range(rows.shape[0]):
        after[i] = head[labels[i]]
        head[labels[i]] = i
    distance, who, chosen = np.empty(k), np.empty(k, np.int64), np.empty(k, np.int64)
    box_low, box_high = np.empty(axes, np.int32), np.empty(axes, np.int32)
    for needy in np.argsort(size):
        while 0 < size[needy] < k:
            need = k - size[needy]
            merge, merge_rise = -1, np.inf
            for h in range(groups):
                if h == needy or size[h] == 0:
                    continue
                before = size[needy] * cost[needy] + size[h] * cost[h]
                bar = (merge_rise + before) / (size[needy] + size[h])
                wider = 0.0
                for j in range(axes):
                    wider += span(lines, j, min(low[needy, j], low[h, j]), max(high[needy, j], high[h, j]))
                    if wider >= bar:
                        break
                if wider < bar:
                    merge, merge_rise = h, (size[needy] + size[h]) * wider - before
            lender, loan_rise = -1, merge_rise
            for h in range(groups):
                if h == needy or size[h] < k + need:
                    continue
                before = size[needy] * cost[needy] + need * cost[h]
                bar = (loan_rise + before) / k
                least = 0.0
                for j in range(axes):
                    least += span(lines, j, min(low[needy, j], high[h, j]), max(high[needy, j], low[h, j]))
                    if least >= bar:
                        break
                if least >= bar:
                    continue
                box = _loan(lines, rows, head, after, low, high, needy, h, need, distance, who, box_low, box_high)
                if k * box - before < loan_rise:
                    lender, loan_rise = h, k * box - before
                    for at in range(need):
                        chosen[at] = who[at]
            if lender < 0 and merge < 0:
                return
            giver = lender if lender >= 0 else merge
            for q in range(need if lender >= 0 else 0):
                labels[chosen[q]] = needy
            _relink(lines, rows, labels, head, after, low, high, size, cost, needy, giver, lender < 0)
            if lender < 0:
                needy = giver  # noqa: PLW2901


@loop()
def _relink(
    lines: Any, rows: Any, labels: Any, head: Any, after: Any, low: Any, high: Any, size: Any, cost: Any, first: Any,
    second: Any, merged: Any,
) -> None:  # fmt: skip
    """Link and fit two groups anew after rows have moved between them; ``merged`` puts all into the second."""
    a, b = head[first], head[second]
    for g in (first, second):
        head[g], size[g], cost[g] = -1, 0, 0.0
        low[g], high[g] = np.iinfo(np.int32).max, -1
    for begin in (a, b):
        i = begin
        while i >= 0:
            following = after[i]
            if merged:
                labels[i] = second
            g = labels[i]
            after[i] = head[g]
            head[g] = i
            size[g] += 1
            for j in range(rows.shape[1]):
                low[g, j], high[g, j] = min(low[g, j], rows[i, j]), max(high[g, j], rows[i, j])
            i = following
    for g in (first, second):
        if size[g] > 0:
            cost[g] = box_cost(lines, low[g], high[g])
