"""Inner loops of the large-neighbourhood search: close a few boxes that lie together, and put their records anew.

Records with the same values share a distinct row. Each record is in one box, the records of a box are linked in a list,
and the boxes are numbered from the cheapest on, so that a row's list of boxes rises in cost.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import inner, loop
from tokumei.partition._chance_kernels import chance, share


@loop()
def link(box: Any, size: Any, head: Any, after: Any, before: Any) -> None:
    """Link the records of each box."""
    for b in range(size.size):
        size[b], head[b] = 0, -1
    for r in range(box.size):
        b = box[r]
        after[r], before[r] = head[b], -1
        if head[b] >= 0:
            before[head[b]] = r
        head[b] = r
        size[b] += 1


@inner()
def move(state: Any, r: Any, b: Any) -> None:
    """Take a record out of its box and put it into another."""
    old, left, right = state.box[r], state.before[r], state.after[r]
    if left >= 0:
        state.after[left] = right
    else:
        state.head[old] = right
    if right >= 0:
        state.before[right] = left
    state.before[r], state.after[r] = -1, state.head[b]
    if state.head[b] >= 0:
        state.before[state.head[b]] = r
    state.head[b], state.box[r] = r, b
    state.size[old] -= 1
    state.size[b] += 1


@njit(inline="always")
def _stays_open(size: Any, closed: Any, b: Any, stamp: Any) -> Any:
    return size[b] > 0 and closed[b] != stamp


@inner()
def _close(head: Any, after: Any, closed_at: Any, taken: Any, b: Any, stamp: Any, count: Any) -> Any:
    """Take all records out of a box; return how many are taken now."""
    closed_at[b] = stamp
    r = head[b]
    while r >= 0:
        taken[count] = r
        count += 1
        r = after[r]
    return count


@inner()
def take_out(  # noqa: PLR0912
    boxes: Any,
    first: Any,
    distinct: Any,
    state: Any,
    work: Any,
    k: Any,
    groups: Any,
    most: Any,
    walk: Any,
    stamp: Any,
    luck: Any,
) -> Any:
    """Choose a costly record, and boxes around it to close; from others take only what they can spare.

    Returns how many records were taken, what they cost, and the cost of the dearest box among them.
    """
    costs, entries, row_boxes, row_starts, starts = (
        boxes.cost,
        boxes.entries,
        boxes.row_boxes,
        boxes.row_starts,
        boxes.starts,
    )
    box, size = state.box, state.size
    closed_at, spared, spared_at, taken, taken_at = work.closed, work.spared, work.spared_at, work.taken, work.taken_at
    records = box.size
    r, other = chance(luck, records), chance(luck, records)
    if costs[box[other]] > costs[box[r]]:
        r = other
    start = box[r]
    dearest = costs[start]
    if dearest <= 0.0:
        return 0, 0.0, 0.0
    count, wanted, closed = np.int64(0), 2 + chance(luck, groups - 1), 1
    if size[start] <= most:
        count = _close(state.head, state.after, closed_at, taken, start, stamp, count)
    else:
        taken[0], taken_at[r] = r, stamp
        spared_at[start], spared[start] = stamp, 1
        count = np.int64(1)
    old = count * dearest
    # Neighbours are rows that share a box with this one which would cost little more than its own.
    row, limit = distinct[r], 1.3 * dearest + 0.1
    low, high = row_starts[row], row_starts[row + 1]
    while low < high:
        middle = (low + high) >> 1
        if costs[row_boxes[middle]] <= limit:
            low = middle + 1
        else:
            high = middle
    near = low - row_starts[row]
    for _ in range(5):
        b = row_boxes[row_starts[row] + chance(luck, near)]
        begin, rows = starts[b], starts[b + 1] - starts[b]
        offset = chance(luck, rows)
        for q in range(min(rows, walk)):
            there = entries[begin + (offset + q) % rows]
            r = first[there] + chance(luck, first[there + 1] - first[there])
            s = box[r]
            if closed_at[s] == stamp or taken_at[r] == stamp:
                continue
            if spared_at[s] != stamp:
                spared_at[s], spared[s] = stamp, 0
            spare = spared[s] > 0 or costs[s] <= 0.0 or size[s] > 3 * k or share(luck) < 0.5
            if size[s] - spared[s] > k and spare:
                spared[s] += 1
                taken_at[r], taken[count] = stamp, r
                count += 1
                old += costs[s]
            elif spared[s] == 0 and count + size[s] <= most:
                count = _close(state.head, state.after, closed_at, taken, s, stamp, count)
                old += size[s] * costs[s]
                dearest = max(dearest, costs[s])
                closed += 1
            if closed >= wanted or count >= most:
                return count, old, dearest
    return count, old, dearest


@inner()
def list_candidates(
    boxes: Any, distinct: Any, state: Any, work: Any, k: Any, count: Any, limit: Any, stamp: Any, noise: Any, luck: Any
) -> Any:
    """List the boxes of at most ``limit`` that the taken records could go to, with their records.

    A box can be used if it is open and stays so, or if k of the records lie in it. Returns how many boxes were met and how
    many of them can be used; -1 if the list would be too long.
    """
    costs, row_boxes, row_starts = boxes.cost, boxes.row_boxes, boxes.row_starts
    size = state.size
    closed_at, taken, begins, items, local = work.closed, work.taken, work.at, work.items, work.local
    counts, names, orders, rank = work.many, work.name, work.order, work.rank
    met = 0
    for q in range(count):
        row = distinct[taken[q]]
        for t in range(row_starts[row], row_starts[row + 1]):
            b = row_boxes[t]
            if costs[b] > limit:
                break
            if local[b] < 0:
                local[b], names[met], counts[met] = met, b, 0
                met += 1
            counts[local[b]] += 1
    usable, total = 0, 0
    for c in range(met):
        b = names[c]
        if counts[c] >= k or _stays_open(size, closed_at, b, stamp):
            begins[c], orders[usable] = total, c
            rank[usable] = costs[b] * (1.0 + noise * (share(luck) - 0.5))
            total += counts[c]
            counts[c] = 0
            usable += 1
        else:
            begins[c] = -1
    if total > items.size:
        return met, -1
    for q in range(count):
        row = distinct[taken[q]]
        for t in range(row_starts[row], row_starts[row + 1]):
            b = row_boxes[t]
            if costs[b] > limit:
                break
            c = local[b]
            if begins[c] >= 0:
                items[begins[c] + counts[c]] = q
                counts[c] += 1
    return met, usable


@njit(inline="always")
def _worst_fit(boxes: Any, state: Any, work: Any, k: Any, c: Any, hard: Any, stamp: Any) -> Any:  # noqa: PLR0912
    """Return what the records would lose (less what they would pay at their price) if a box opened around ``hard``."""
    costs = boxes.cost
    size = state.size
    closed_at, begins, items, counts, names = work.closed, work.at, work.items, work.many, work.name
    bests, prices, targets = work.best, work.price, work.target
    b = names[c]
    cost = costs[b]
    loss = cost - prices[hard]
    if _stays_open(size, closed_at, b, stamp):
        return loss
    taken, there = 1, 1
    for u in range(begins[c], begins[c] + counts[c]):
        q = items[u]
        if targets[q] >= 0 or q == hard:
            continue
        there += 1
        if prices[q] > cost:
            loss += cost - prices[q]
            taken += 1
    if there < k:
        return np.inf
    need, listed = k - taken, 0
    if need <= 0:
        return loss
    for u in range(begins[c], begins[c] + counts[c]):
        q = items[u]
        price = prices[q]
        if targets[q] >= 0 or q == hard or price > cost:
            continue
        if listed < need:
            y = listed
            listed += 1
        elif price > bests[listed - 1]:
            y = listed - 1
        else:
            continue
        while y > 0 and bests[y - 1] < price:
            bests[y] = bests[y - 1]
            y -= 1
        bests[y] = price
    for y in range(listed):
        loss += cost - bests[y]
    return loss


@inner()
def open_for_hardest(  # noqa: PLR0912
    boxes: Any, distinct: Any, state: Any, work: Any, k: Any, count: Any, limit: Any, rounds: Any, stamp: Any
) -> Any:
    """Open boxes around the records of the highest price; return how many records are left, and what the others cost."""
    costs, row_boxes, row_starts = boxes.cost, boxes.row_boxes, boxes.row_starts
    size = state.size
    closed_at, taken, begins, items, local = work.closed, work.taken, work.at, work.items, work.local
    counts, names, prices, targets = work.many, work.name, work.price, work.target
    left, new = count, 0.0
    for _ in range(rounds):
        hard, most = -1, -1.0
        for q in range(count):
            if targets[q] < 0 and prices[q] > most:
                hard, most = q, prices[q]
        if hard < 0:
            break
        row = distinct[taken[hard]]
        chosen, least = -1, np.inf
        for t in range(row_starts[row], row_starts[row + 1]):
            b = row_boxes[t]
            if costs[b] > limit:
                break
            c = local[b]
            if begins[c] < 0:
                continue
            loss = _worst_fit(boxes, state, work, k, c, hard, stamp)
            if loss < least:
                chosen, least = c, loss
        if chosen < 0:
            break
        b = names[chosen]
        cost = costs[b]
        targets[hard] = b
        left -= 1
        new += cost
        if _stays_open(size, closed_at, b, stamp):
            continue
        inside = 1
        for u in range(begins[chosen], begins[chosen] + counts[chosen]):
            q = items[u]
            if targets[q] < 0 and prices[q] > cost:
                targets[q] = b
                inside += 1
        while inside < k:
            next_one, most = -1, -np.inf
            for u in range(begins[chosen], begins[chosen] + counts[chosen]):
                q = items[u]
                if targets[q] < 0 and prices[q] > most:
                    next_one, most = q, prices[q]
            targets[next_one] = b
            inside += 1
        left -= inside - 1
        new += (inside - 1) * cost
    return left, new


@inner()
def sink(rank: Any, orders: Any, at: Any, count: Any) -> None:
    """Let one box of a heap sink to where none below it ranks before it."""
    value, box, child = rank[at], orders[at], 2 * at + 1
    while child < count:
        if child + 1 < count and rank[child + 1] < rank[child]:
            child += 1
        if rank[child] >= value:
            break
        rank[at], orders[at] = rank[child], orders[child]
        at = child
        child = 2 * at + 1
    rank[at], orders[at] = value, box


@inner()
def heap_up(rank: Any, orders: Any, count: Any) -> None:
    """Order boxes as a heap, the first by its rank at the top."""
    for at in range(count // 2 - 1, -1, -1):
        sink(rank, orders, at, count)


@inner()
def take_cheapest(rank: Any, orders: Any, count: Any) -> None:
    """Take the box at the top out of a heap, of which this many are left."""
    rank[0], orders[0] = rank[count], orders[count]
    sink(rank, orders, np.int64(0), count)


@inner()
def open_by_rank(
    boxes: Any, state: Any, work: Any, k: Any, usable: Any, left: Any, new: Any, limit: Any, stamp: Any
) -> Any:
    """Fill boxes from the cheapest on (by their noisy rank); return how many records are left, and what the others cost."""
    costs = boxes.cost
    size = state.size
    closed_at, begins, items, counts, names = work.closed, work.at, work.items, work.many, work.name
    orders, rank, targets = work.order, work.rank, work.target
    heap_up(rank, orders, usable)
    for waiting_boxes in range(usable, 0, -1):
        c = orders[0]
        b = names[c]
        take_cheapest(rank, orders, waiting_boxes - 1)
        waiting, opened = 0, _stays_open(size, closed_at, b, stamp)
        for u in range(begins[c], begins[c] + counts[c]):
            target = targets[items[u]]
            if target < 0:
                waiting += 1
            elif target == b:
                opened = True
        if waiting >= k or (waiting > 0 and opened):
            for u in range(begins[c], begins[c] + counts[c]):
                if targets[items[u]] < 0:
                    targets[items[u]] = b
            left -= waiting
            new += waiting * costs[b]
            if left == 0 or new >= limit:
                break
    return left, new


@inner()
def settle(boxes: Any, distinct: Any, state: Any, work: Any, k: Any, count: Any, met: Any, new: Any, stamp: Any) -> Any:
    """Let each record go to the cheapest open box that holds it, where its own box can spare it; return the new cost."""
    costs, row_boxes, row_starts = boxes.cost, boxes.row_boxes, boxes.row_starts
    size = state.size
    closed_at, taken, local, counts, targets = work.closed, work.taken, work.local, work.many, work.target
    opened_now = work.open
    for c in range(met):
        counts[c], opened_now[c] = 0, False
    for q in range(count):
        c = local[targets[q]]
        counts[c] += 1
        opened_now[c] = True
    for q in range(count):
        b = targets[q]
        c = local[b]
        if not (_stays_open(size, closed_at, b, stamp) or counts[c] > k):
            continue
        row = distinct[taken[q]]
        for t in range(row_starts[row], row_starts[row + 1]):
            other = row_boxes[t]
            if costs[other] >= costs[b] - 1e-12:
                break
            d = local[other]
            if opened_now[d] or _stays_open(size, closed_at, other, stamp):
                targets[q] = other
                new -= costs[b] - costs[other]
                counts[c] -= 1
                counts[d] += 1
                opened_now[d] = True
                break
    return new


@loop()
def search(
    boxes: Any, first: Any, distinct: Any, state: Any, work: Any, price: Any, k: Any, steps: Any, stamp: Any,
    warm: Any, cold: Any, noise: Any, groups: Any, most: Any, walk: Any, hardest: Any, luck: Any,
) -> Any:  # fmt: skip
    """Take out and put back this many times, cooling from ``warm`` to ``cold``; return what was saved."""
    saved = 0.0
    for step in range(steps):
        heat = warm * (cold / warm) ** (step / steps)
        stamp += 1
        count, old, dearest = take_out(boxes, first, distinct, state, work, k, groups, most, walk, stamp, luck)
        if count == 0:
            continue
        limit = 1.15 * dearest + 0.05
        met, usable = list_candidates(boxes, distinct, state, work, k, count, limit, stamp, noise, luck)
        if usable >= 0:
            for q in range(count):
                work.target[q] = -1
                work.price[q] = price[distinct[work.taken[q]]] * (1.0 + noise * (share(luck) - 0.5))
            bar = old - heat * np.log(share(luck) + 1e-300)
            rounds = chance(luck, hardest + 1)
            left, new = open_for_hardest(boxes, distinct, state, work, k, count, limit, rounds, stamp)
            if left > 0 and new < bar:
                left, new = open_by_rank(boxes, state, work, k, usable, left, new, bar + 3 * limit, stamp)
            if left == 0:
                new = settle(boxes, distinct, state, work, k, count, met, new, stamp)
                if new < bar and new != old:
                    for q in range(count):
                        if state.box[work.taken[q]] != work.target[q]:
                            move(state, work.taken[q], work.target[q])
                    saved += old - new
        for c in range(met):
            work.local[work.name[c]] = -1
    return saved
