"""Inner loops of the overlap of boxes."""

from __future__ import annotations

from typing import Any

from tokumei.loops import inner, loop

FEW = 16  # boxes that are compared one with another
EVEN = 8  # a cut leaves more than one box in eight on either side: what is cut less evenly is compared instead


@inner()
def cut_of(low: Any, high: Any, order: Any, first: Any, last: Any, spans: Any, ends: Any) -> Any:
    """Find the axis and the place at which boxes are told apart by a plane that goes through none, most evenly; axis -1 if there is none.

    Places are counted in bins where there are many more of them than boxes.
    """
    many = last - first
    axis, place, best = -1, 0, many // EVEN
    for a in range(low.shape[1]):
        least = most = low[order[first], a]
        for i in range(first, last):  # an empty box ends before it begins
            least, most = min(least, low[order[i], a]), max(most, low[order[i], a], high[order[i], a])
        width = (most - least) // (2 * many) + 1
        bins = (most - least) // width + 1
        for b in range(bins):
            spans[b], ends[b] = 0, 0
        for i in range(first, last):
            begin = (low[order[i], a] - least) // width
            end = max(begin, (high[order[i], a] - least) // width)
            spans[begin] += 1
            spans[end] -= 1
            ends[end] += 1
        across, left = 0, 0
        for b in range(bins - 1):
            across += spans[b]
            left += ends[b]
            if across == 0 and min(left, many - left) > best:
                axis, place, best = a, least + (b + 1) * width, min(left, many - left)
    return axis, place


@inner()
def compared(low: Any, high: Any, order: Any, first: Any, last: Any, budget: Any) -> Any:
    """Compare boxes in the order of their first axis; return what is left of the budget, -1 if two overlap or it is spent."""
    for i in range(first, last):
        one = order[i]
        for j in range(i + 1, last):
            other = order[j]
            if low[other, 0] > high[one, 0]:
                break
            budget -= 1
            meet = budget >= 0
            for axis in range(1, low.shape[1] if meet else 0):
                if low[other, axis] > high[one, axis] or low[one, axis] > high[other, axis]:
                    meet = False
                    break
            if meet or budget < 0:
                return -1
    return budget


@loop()
def any_overlap(low: Any, high: Any, budget: Any, order: Any, aside: Any, spans: Any, ends: Any, waiting: Any) -> bool:
    """Say whether two boxes overlap; they come in the order of their first axis. After ``budget`` pairs, say yes.

    Boxes on the two sides of a plane that goes through none need not be compared: most groups were cut by such planes, over and over.
    """
    waiting[0, 0], waiting[0, 1], many = 0, low.shape[0], 1
    while many:
        many -= 1
        first, last = waiting[many, 0], waiting[many, 1]
        axis, place = -1, 0
        if last - first > FEW:
            axis, place = cut_of(low, high, order, first, last, spans, ends)
        if axis < 0:
            budget = compared(low, high, order, first, last, budget)
            if budget < 0:
                return True
            continue
        left, right = first, 0
        for i in range(first, last):  # each side stays in the order of the first axis
            if low[order[i], axis] < place:
                order[left] = order[i]
                left += 1
            else:
                aside[right] = order[i]
                right += 1
        for i in range(right):
            order[left + i] = aside[i]
        waiting[many, 0], waiting[many, 1] = first, left
        waiting[many + 1, 0], waiting[many + 1, 1] = left, last
        many += 2
    return False
