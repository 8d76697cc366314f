"""Inner loop of pricing: all groups that cost less than their rows are worth.

The sum of squares of a group of ``size`` rows, less what its rows are worth, is a sum over its pairs:
``apart / size - (worth + worth) / (size - 1)``. Taking the row out that carries most leaves a rest whose pairs are on average
no dearer, so a group below zero grows from a pair below zero, row by row, through groups below zero: its *line*. A group is
entered only from its own line, so it is met once, and nothing has to be remembered. Costs are whole numbers: sums and ties
are exact, so no group is lost to rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop

ENTERING = 16  # a group that grows looks at all rows, which takes as long as listing this many


@loop()
def _list(cost: Any, size: Any, chosen: Any, last: Any, best: Any, sets: Any) -> Any:
    """List a group with each of its rows, if it is one of the cheapest there."""
    keep = best.shape[1]
    for member in range(size):
        row = last if member == size - 1 else chosen[member]
        if cost >= best[row, keep - 1]:
            continue
        at = keep - 1
        while at > 0 and best[row, at - 1] > cost:
            best[row, at] = best[row, at - 1]
            for other in range(sets.shape[2]):
                sets[row, at, other] = sets[row, at - 1, other]
            at -= 1
        best[row, at] = cost
        for other in range(size - 1):
            sets[row, at, other] = chosen[other]
        sets[row, at, size - 1] = last


@loop()
def _carries_most(row: Any, held: Any, carried: Any, chosen: Any, count: Any, pairs: Any) -> Any:
    """Whether, of a group and one row more, that row carries most; of equals, the one with the highest number."""
    for at in range(count):
        other = carried[at] + pairs[chosen[at], row]
        if other > held or (other == held and chosen[at] > row):
            return False
    return True


@njit(cache=True, nogil=True)
def price(pairs: Any, size: Any, first: Any, step: Any, budget: Any, best: Any, sets: Any) -> Any:
    """Find the groups of ``size`` rows whose pairs add up to less than zero, grown from every ``step``-th row.

    ``best`` and ``sets`` get the cheapest groups with each row. Returns whether all were met: from each row ``budget`` groups
    may be listed, and a group that grows further counts as `ENTERING` ones.
    """
    count = len(pairs)
    whole = True
    chosen, place = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    cost, carried = np.zeros(size + 1, dtype=np.int64), np.zeros((size + 1, size), dtype=np.int64)
    held = np.zeros((size + 1, count), dtype=np.int64)
    for start in range(first, count, step):
        left = budget
        chosen[0] = start
        carried[1, 0] = 0
        held[1] = pairs[start]
        depth = 1
        place[0] = start + 1  # a pair is entered from its lower row
        while depth > 0:
            row = place[depth - 1]
            found = False
            while row < count:
                total = cost[depth] + held[depth, row]
                if total < 0:
                    inside = False
                    for at in range(depth):
                        inside = inside or chosen[at] == row
                    if not inside and (
                        depth == 1 or _carries_most(row, held[depth, row], carried[depth], chosen, depth, pairs)
                    ):
                        if depth + 1 < size:
                            found = True
                            break
                        _list(total, size, chosen, row, best, sets)
                        left -= 1
                        if left <= 0:
                            break
                row += 1
            if left <= 0:
                whole = False
                break
            if not found:
                depth -= 1
                continue
            left -= ENTERING
            place[depth - 1] = row + 1
            for at in range(depth):
                carried[depth + 1, at] = carried[depth, at] + pairs[chosen[at], row]
            carried[depth + 1, depth] = held[depth, row]
            cost[depth + 1] = cost[depth] + held[depth, row]
            for other in range(count):
                held[depth + 1, other] = held[depth, other] + pairs[row, other]
            chosen[depth] = row
            place[depth] = 0
            depth += 1
    return whole
