"""Inner loops of opening boxes: every record it would serve better moves in, if those left behind can be cared for."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.loops import loop
from tokumei.partition.local_recoding._search_kernels import move


@loop()
def holds_row(row_starts: Any, row_boxes: Any, row: Any, b: Any) -> Any:
    """Whether a box holds a row, by bisection in the row's list."""
    low, high = row_starts[row], row_starts[row + 1]
    while low < high:
        middle = (low + high) >> 1
        if row_boxes[middle] < b:
            low = middle + 1
        else:
            high = middle
    return low < row_starts[row + 1] and row_boxes[low] == b


@loop()
def sources_of(boxes: Any, first: Any, box: Any, pulled: Any, seen: Any, sources: Any, b: Any, stamp: Any) -> Any:
    """List the boxes with records that box ``b`` would serve better, and count these; return how many boxes, and the gain."""
    count, gain = 0, 0.0
    for t in range(boxes.starts[b], boxes.starts[b + 1]):
        row = boxes.entries[t]
        for r in range(first[row], first[row + 1]):
            s = box[r]
            better = boxes.cost[s] - boxes.cost[b]
            if better > 1e-12:
                gain += better
                if seen[s] != stamp:
                    seen[s], pulled[s], sources[count] = stamp, 0, s
                    count += 1
                pulled[s] += 1
    return count, gain


@loop()
def rehouse(
    boxes: Any, distinct: Any, size: Any, head: Any, after: Any, gone: Any, s: Any, b: Any, stamp: Any, most: Any,
    who: Any, where: Any, listed: Any,
) -> Any:  # fmt: skip
    """List where the records of ``s`` that ``b`` does not hold could go: each to the cheapest box that stays open.

    Returns the length of the list and what that costs; infinite if somebody cannot go, or if it costs ``most`` or more.
    """
    row_starts, row_boxes, cost = boxes.row_starts, boxes.row_boxes, boxes.cost
    paid, r = 0.0, head[s]
    while r >= 0:
        row = distinct[r]
        if not holds_row(row_starts, row_boxes, row, b):
            found = -1
            for t in range(row_starts[row], row_starts[row + 1]):
                h = row_boxes[t]
                if size[h] > 0 and h != s and gone[h] != stamp:
                    found = h
                    break
            if found < 0:
                return listed, np.inf
            paid += cost[found] - cost[s]
            if paid >= most:
                return listed, np.inf
            who[listed], where[listed] = r, found
            listed += 1
        r = after[r]
    return listed, paid


@loop()
def donors_of(
    boxes: Any, first: Any, box: Any, size: Any, seen: Any, lent: Any, b: Any, k: Any, need: Any, stamp: Any, who: Any,
    listed: Any,
) -> Any:  # fmt: skip
    """List the records that lose least by moving into ``b`` and that their boxes can spare; return the list's end and the loss."""
    begin = listed
    for t in range(boxes.starts[b], boxes.starts[b + 1]):
        row = boxes.entries[t]
        for r in range(first[row], first[row + 1]):
            s = box[r]
            price = boxes.cost[s]
            if price > boxes.cost[b] + 1e-12 or s == b:
                continue
            if seen[s] != stamp:
                seen[s], lent[s] = stamp, 0
            if size[s] - lent[s] <= k:
                continue
            if listed - begin < need:
                q = listed
                listed += 1
            elif price > boxes.cost[box[who[listed - 1]]]:
                q = listed - 1
                lent[box[who[q]]] -= 1
            else:
                continue
            while q > begin and boxes.cost[box[who[q - 1]]] < price:
                who[q] = who[q - 1]
                q -= 1
            who[q] = r
            lent[s] += 1
    loss = 0.0
    for q in range(begin, listed):
        loss += boxes.cost[b] - boxes.cost[box[who[q]]]
    return listed, loss


@loop()
def open_one(  # noqa: PLR0912
    boxes: Any, first: Any, distinct: Any, state: Any, pulled: Any, seen: Any, gone: Any, kept: Any, sources: Any,
    who: Any, where: Any, b: Any, k: Any, stamp: Any,
) -> Any:  # fmt: skip
    """Move into box ``b`` whatever it serves better, if that saves anything in all; return what it saves.

    A box that would be left with fewer than k either keeps some of its records, or is closed and its others go elsewhere.
    """
    box, size, cost = state.box, state.size, boxes.cost
    count, gain = sources_of(boxes, first, box, pulled, seen, sources, b, stamp)
    if gain <= 1e-9:
        return 0.0
    gain, inside, listed = 0.0, size[b], 0
    for q in range(count):
        s = sources[q]
        if pulled[s] == size[s]:
            gone[s] = stamp
    for q in range(count):
        s = sources[q]
        better = cost[s] - cost[b]
        if gone[s] != stamp and size[s] - pulled[s] < k:
            spare = size[s] - k
            end, paid = listed, np.inf
            if kept[s] != stamp and size[s] <= 5 * k + 20:
                gone[s] = stamp
                end, paid = rehouse(
                    boxes, distinct, size, state.head, state.after, gone, s, b, stamp, (pulled[s] - spare) * better,
                    who, where, listed,
                )  # fmt: skip
            if paid < np.inf:
                for t in range(listed, end):
                    kept[where[t]] = stamp
                listed = end
                gain -= paid
            else:
                gone[s] = 0
                pulled[s] = spare
        gain += pulled[s] * better
        inside += pulled[s]
    if gain <= 1e-9 or inside == 0:
        return 0.0
    end = listed
    if inside < k:
        end, loss = donors_of(boxes, first, box, size, seen, pulled, b, k, k - inside, stamp, who, listed)
        gain -= loss
        if end - listed < k - inside or gain <= 1e-9:
            return 0.0
        for q in range(listed, end):
            where[q] = b
    for t in range(boxes.starts[b], boxes.starts[b + 1]):
        row = boxes.entries[t]
        for r in range(first[row], first[row + 1]):
            s = box[r]
            if cost[s] > cost[b] + 1e-12 and seen[s] == stamp and pulled[s] > 0:
                pulled[s] -= 1
                move(state, r, b)
    for q in range(end):
        move(state, who[q], where[q])
    return gain


@loop()
def open_all(
    boxes: Any, first: Any, distinct: Any, state: Any, pulled: Any, seen: Any, gone: Any, kept: Any, sources: Any,
    who: Any, where: Any, k: Any, stamp: Any,
) -> Any:  # fmt: skip
    """Try to open every box once, from the cheapest on; return what that saves."""
    saved = 0.0
    for b in range(boxes.cost.size):
        saved += open_one(
            boxes, first, distinct, state, pulled, seen, gone, kept, sources, who, where, b, k, stamp + b
        )  # fmt: skip
    return saved
