"""Inner loops of Mondrian: the best cut of a group of rows, and the rows moved to its two sides.

The rows of a group lie side by side in one of two buffers, packed in words of eight bytes. A cut sends those inside a
stretch of one axis to the front and the others to the back of the same place in the other buffer, so nothing is
allocated and memory is read in order. What is done once for every group is put into its caller (``forceinline``): axes and buffers
are some two hundred words, and handing them on took as long as cutting a group of 20 rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop
from tokumei.partition._kernels import span
from tokumei.partition._sorting_kernels import sort_in_place

LANES = 64  # cells that are compared at once


@loop(forceinline=True)
def extremes(rows: Any, start: Any, stop: Any, lanes: Any, low: Any, high: Any) -> None:
    """Fill in the lowest and highest place of each column.

    Several rows are compared at once, cell by cell, which the processor does with one instruction; ``lanes`` is room for it. Numbers without a sign
    are never taken for places counted from the end, which would cost a choice for each cell.
    """
    cells, columns, many = rows.reshape(-1), np.uint64(rows.shape[1]), np.uint64(LANES)
    at, end = np.uint64(start) * columns, np.uint64(stop) * columns
    least, most = lanes[0], lanes[1]
    if many % columns == 0 and end - at >= many:
        for lane in range(many):
            least[lane] = most[lane] = cells[at + lane]
        for block in range((end - at + many - np.uint64(1)) // many):
            here = min(at + block * many, end - many)  # the last look may see rows again, which changes nothing
            for lane in range(many):
                least[lane] = min(least[lane], cells[here + lane])
                most[lane] = max(most[lane], cells[here + lane])
        half = many // np.uint64(2)
        while half >= columns:
            for lane in range(half):
                least[lane] = min(least[lane], least[lane + half])
                most[lane] = max(most[lane], most[lane + half])
            half //= np.uint64(2)
    else:
        for lane in range(columns):
            least[lane] = most[lane] = cells[at + lane]
        while at < end:
            for lane in range(columns):
                least[lane] = min(least[lane], cells[at + lane])
                most[lane] = max(most[lane], cells[at + lane])
            at += columns
    for column in range(columns):
        low[column], high[column] = least[column], most[column]


@loop(forceinline=True)
def counted(rows: Any, start: Any, stop: Any, column: Any, low: Any, high: Any, histogram: Any) -> Any:
    """Count the rows of each place from ``low`` on; return whether there are few enough places for it."""
    if high - low >= min(histogram.size, 4 * (stop - start) + 64):
        return False
    for v in range(high - low + 1):
        histogram[v] = 0
    first = np.uint64(low)
    for i in range(np.uint64(start), np.uint64(stop)):
        histogram[np.uint64(rows[i, column]) - first] += 1
    return True


@loop(forceinline=True)
def middle(rows: Any, k: Any, histogram: Any, low: Any, cut: Any) -> Any:
    """Find the cut of counted places that `best_range` makes where it is to be even, without a list of them; return its worth.

    The smaller part grows up to the middle and shrinks from there on, so it is the last cut before the middle or the next one, and the first if they
    are alike.
    """
    below, at = np.int64(0), 0
    while 2 * (below + histogram[at]) < rows:
        below += histogram[at]
        at += 1
    above = rows - below - histogram[at]
    best = 0.0
    if below >= k:
        best, last = float(below), at - 1
        while histogram[last] == 0:
            last -= 1
        cut[1] = low + last
    if above >= k and above > best:
        best, cut[1] = float(above), low + at
    cut[0], cut[2], cut[3], cut[4] = low, cut[1], cut[1], -1
    return best


@loop()
def occupied(
    rows: Any, start: Any, stop: Any, column: Any, low: Any, high: Any, histogram: Any, places: Any, counts: Any
) -> Any:
    """List the places that occur, in order, with how many rows each has; return how many places they are."""
    found = 0
    if counted(rows, start, stop, column, low, high, histogram):
        for v in range(high - low + 1):
            if histogram[v] > 0:
                places[found], counts[found] = low + v, histogram[v]
                found += 1
        return found
    for i in range(start, stop):
        places[i - start] = rows[i, column]
    sort_in_place(places, stop - start)
    for i in range(stop - start):  # what is counted stands at the front of what is still to be read
        if found > 0 and places[i] == places[found - 1]:
            counts[found - 1] += 1
        else:
            places[found], counts[found] = places[i], 1
            found += 1
    return found


@loop()
def best_range(
    lines: Any, axis: Any, rows: Any, k: Any, places: Any, counts: Any, found: Any, relaxed: Any, gain: Any, cut: Any
) -> Any:
    """Find the best cut of a range into a lower and an upper part; return its worth, 0 where there is none.

    The worth is the loss that the cut saves, or the size of the smaller part. ``cut`` receives the stretch that goes to
    the front, the stretch of ties, and how many of these go to the front (-1: all).
    """
    best, below, low, high = 0.0, 0, places[0], places[found - 1]
    whole = rows * span(lines, axis, low, high)
    for t in range(found):
        here, tied = places[t], counts[t]
        if relaxed:
            least, most = max(1, k - below), min(tied - 1, rows - k - below)
            if least <= most:
                if gain:
                    take = most if high - here > here - low else least
                    front = below + take
                    worth = (
                        whole - front * span(lines, axis, low, here) - (rows - front) * span(lines, axis, here, high)
                    )
                else:
                    take = min(max(rows // 2 - below, least), most)
                    worth = float(min(below + take, rows - below - take))
                if worth > best:
                    best = worth
                    cut[0], cut[1], cut[2], cut[3], cut[4] = low, here, here, here, take
        below += tied
        if below < k:
            continue
        if t + 1 == found or rows - below < k:
            break
        if gain:
            worth = (
                whole - below * span(lines, axis, low, here) - (rows - below) * span(lines, axis, places[t + 1], high)
            )
        else:
            worth = float(min(below, rows - below))
        if worth > best:
            best = worth
            cut[0], cut[1], cut[2], cut[3], cut[4] = low, here, here, here, -1
    return best


@loop()
def best_child(
    lines: Any, axis: Any, rows: Any, k: Any, places: Any, counts: Any, found: Any, relaxed: Any, gain: Any, cut: Any
) -> Any:
    """Find the best label one level below to set apart from all others, which stay together; else as `best_range`.

    With ``relaxed`` some rows of the label may stay with the others where these are fewer than k.
    """
    best, low, high, free = 0.0, places[0], places[found - 1], lines.free[axis]
    level = lines.start[axis]
    while lines.first[level + low] != lines.first[level + high]:
        level += lines.size[axis]
    below = level - lines.size[axis]
    whole = rows * lines.cost[level + low]
    t = 0
    while t < found:
        begin, inside = t, 0
        label = lines.first[below + places[t]] if places[t] >= free else -1
        while t < found and (lines.first[below + places[t]] if places[t] >= free else -1) == label:
            inside += counts[t]
            t += 1
        take = min(inside, rows - k) if relaxed else inside
        if take < k or rows - take < k:
            continue
        front, back = places[begin], places[t - 1]
        if gain:
            rest_low = places[t] if begin == 0 and t < found and take == inside else low
            rest_high = places[begin - 1] if t == found and begin > 0 and take == inside else high
            worth = (
                whole - take * span(lines, axis, front, back) - (rows - take) * span(lines, axis, rest_low, rest_high)
            )
        else:
            worth = float(min(take, rows - take))
        if worth > best:
            best = worth
            cut[0], cut[1], cut[2], cut[3] = front, back, front, back
            cut[4] = take if take < inside else -1
    return best


@loop(forceinline=True)
def send(
    rows: Any, words: Any, order: Any, to_words: Any, to_order: Any, start: Any, stop: Any, column: Any, cut: Any
) -> Any:
    """Copy the rows inside the cut to the front and the others to the back; return where the back begins.

    A row's place is worked out without a branch, so there is nothing to guess.
    """
    front, last, width = np.uint64(start), np.uint64(stop - 1), np.uint64(words.shape[1])
    low, reach = np.int64(cut[0]), np.uint64(cut[1] - cut[0])
    tie, tied = np.int64(cut[2]), np.uint64(cut[3] - cut[2])
    left = cut[4]
    split_ties = left >= 0
    if not split_ties and width == 1:
        for i in range(np.uint64(start), np.uint64(stop)):
            inside = np.uint64(np.int64(rows[i, column]) - low) <= reach
            to = front if inside else last + front - i
            to_words[to, 0], to_order[to] = words[i, 0], order[i]
            front += np.uint64(inside)
        return np.int64(front)
    for i in range(np.uint64(start), np.uint64(stop)):
        place = np.int64(rows[i, column])
        inside = np.uint64(place - low) <= reach
        if split_ties and np.uint64(place - tie) <= tied:
            inside = left > 0
            left = left - 1
        to = front if inside else last + front - i
        for w in range(width):
            to_words[to, w] = words[i, w]
        to_order[to] = order[i]
        front += np.uint64(inside)
    return np.int64(front)


@njit(inline="always")
def widest(width: Any, axes: Any) -> Any:
    """Return the first axis of the largest width."""
    found: Any = np.int64(0)
    for axis in range(1, axes):
        if width[axis] > width[found]:
            found = axis
    return found


@loop(forceinline=True)
def split(
    lines: Any, rows: Any, words: Any, order: Any, to_words: Any, to_order: Any, start: Any, stop: Any, k: Any,
    relaxed: Any, gain: Any, banned: Any, lanes: Any, histogram: Any, places: Any, counts: Any, low: Any, high: Any,
    width: Any, cut: Any, best_cut: Any,
) -> Any:  # fmt: skip
    """Cut one group into the other buffer; return where its back begins and the axis, or -1 twice if it stays whole.

    Axes are tried from the widest on. An axis that is banned is left out.
    """
    n, axes = stop - start, lines.size.size
    if n < 2 * k:
        return -1, -1
    extremes(rows, start, stop, lanes, low, high)
    for j in range(axes):
        width[j] = 0.0 if banned[j] else span(lines, j, low[j], high[j])
    best, chosen = 0.0, -1
    for _ in range(axes):
        j = widest(width, axes)
        if width[j] <= 0.0 or (gain and n * width[j] <= best):
            break
        even = not gain and not relaxed and high[j] < lines.free[j]
        if even and counted(rows, start, stop, j, low[j], high[j], histogram):
            worth = middle(n, k, histogram, low[j], cut)
        else:
            found = occupied(rows, start, stop, j, low[j], high[j], histogram, places, counts)
            if high[j] < lines.free[j]:
                worth = best_range(lines, j, n, k, places, counts, found, relaxed, gain, cut)
            else:
                worth = best_child(lines, j, n, k, places, counts, found, relaxed, gain, cut)
        width[j] = 0.0
        if worth > best:
            best, chosen = worth, j
            for part in range(5):
                best_cut[part] = cut[part]
            if not gain:
                break
    if chosen < 0:
        return -1, -1
    return send(rows, words, order, to_words, to_order, start, stop, chosen, best_cut), chosen


@loop()
def split_each(
    lines: Any, rows: Any, words: Any, order: Any, rows2: Any, words2: Any, order2: Any, tasks: Any, banned: Any,
    k: Any, relaxed: Any, gain: Any, lanes: Any, room: Any, ends: Any, width: Any, parts: Any, axes: Any,
) -> None:  # fmt: skip
    """Cut each task (start, stop, buffer) once; fill in where its back begins, and the axis."""
    histogram, places, counts = room[0], room[1], room[2]
    low, high, cut, best_cut = ends[0], ends[1], ends[2], ends[3]
    for t in range(tasks.shape[0]):
        start, stop = tasks[t, 0], tasks[t, 1]
        side = tasks[t, 2]
        here, its_words, its_order = (rows, words, order) if side == 0 else (rows2, words2, order2)
        to_words, to_order = (words2, order2) if side == 0 else (words, order)
        parts[t], axes[t] = split(
            lines, here, its_words, its_order, to_words, to_order, start, stop, k, relaxed, gain, banned[t],
            lanes, histogram, places, counts, low, high, width, cut, best_cut,
        )  # fmt: skip


@loop()
def split_down(
    lines: Any, rows: Any, words: Any, order: Any, rows2: Any, words2: Any, order2: Any, start: Any, stop: Any,
    buffer: Any, k: Any, relaxed: Any, gain: Any, lanes: Any, room: Any, ends: Any, width: Any, banned: Any, stack: Any, begins: Any,
) -> None:  # fmt: skip
    """Cut a group until nothing can be cut; mark where each of its groups begins, and leave their order in ``order``.

    ``stack`` has room for 128 groups that wait; the smaller part is cut first, so 64 would do.
    """
    histogram, places, counts = room[0], room[1], room[2]
    low, high, cut, best_cut = ends[0], ends[1], ends[2], ends[3]
    stack[0, 0], stack[0, 1], stack[0, 2] = start, stop, buffer
    depth = 1
    while depth > 0:
        depth -= 1
        a, b, side = stack[depth, 0], stack[depth, 1], stack[depth, 2]
        here, its_words, its_order = (rows, words, order) if side == 0 else (rows2, words2, order2)
        to_words, to_order = (words2, order2) if side == 0 else (words, order)
        back, _ = split(
            lines, here, its_words, its_order, to_words, to_order, a, b, k, relaxed, gain, banned,
            lanes, histogram, places, counts, low, high, width, cut, best_cut,
        )  # fmt: skip
        if back < 0:
            begins[a] = True
            if side == 1:
                for at in range(a, b):
                    order[at] = order2[at]
            continue
        first, second = (a, back), (back, b)
        if back - a < b - back:
            first, second = second, first
        stack[depth, 0], stack[depth, 1], stack[depth, 2] = first[0], first[1], 1 - side
        stack[depth + 1, 0], stack[depth + 1, 1], stack[depth + 1, 2] = second[0], second[1], 1 - side
        depth += 2


@loop()
def number_parts(parts: Any, order: Any, order2: Any, labels: Any) -> None:
    """Give the rows of part p (start, stop, buffer) the label p."""
    for p in range(parts.shape[0]):
        for i in range(parts[p, 0], parts[p, 1]):
            labels[order[i] if parts[p, 2] == 0 else order2[i]] = p


@loop()
def let_stand(tasks: Any, order: Any, order2: Any, begins: Any) -> None:
    """Mark where groups begin that are cut no more, and leave their order in the first buffer."""
    for t in range(tasks.shape[0]):
        begins[tasks[t, 0]] = True
        if tasks[t, 2] == 1:
            for at in range(tasks[t, 0], tasks[t, 1]):
                order[at] = order2[at]


@njit(nogil=True, cache=True)
def cut_by_counts(  # noqa: PLR0912
    lines: Any, begin: Any, counts: Any, k: Any, gain: Any, best_cut: Any
) -> Any:
    """Find the cut that `split` makes of a strict group, from how many rows have each place; return the axis, or -1.

    The places of axis j begin at ``begin[j]`` of ``counts``.
    """
    axes = lines.size.size
    n = np.int64(0)
    for v in range(lines.size[0]):
        n += counts[begin[0] + v]
    if n < 2 * k:
        return -1
    low, high, width = np.empty(axes, np.int64), np.empty(axes, np.int64), np.empty(axes)
    longest = np.int64(1)
    for j in range(axes):
        low[j], high[j], longest = lines.size[j], -1, max(longest, lines.size[j])
        for v in range(lines.size[j]):
            if counts[begin[j] + v] > 0:
                low[j], high[j] = min(low[j], v), v
        width[j] = span(lines, j, low[j], high[j])
    cut, places, several = np.empty(5, np.int64), np.empty(longest, np.int64), np.empty(longest, np.int64)
    best, chosen = 0.0, -1
    for _ in range(axes):
        j = widest(width, axes)
        if width[j] <= 0.0 or (gain and n * width[j] <= best):
            break
        found = np.int64(0)
        for v in range(low[j], high[j] + 1):
            if counts[begin[j] + v] > 0:
                places[found], several[found] = v, counts[begin[j] + v]
                found += 1
        if high[j] < lines.free[j]:
            worth = best_range(lines, j, n, k, places, several, found, False, gain, cut)
        else:
            worth = best_child(lines, j, n, k, places, several, found, False, gain, cut)
        width[j] = 0.0
        if worth > best:
            best, chosen = worth, j
            for part in range(5):
                best_cut[part] = cut[part]
            if not gain:
                break
    return chosen


@loop()
def leaves_of(places: Any, axis: Any, low: Any, high: Any, front: Any, back: Any, found: Any) -> None:
    """Follow each row down a tree of cuts: inside a cut's stretch to the front, otherwise to the back."""
    for i in range(places.shape[0]):
        node = 0
        while axis[node] >= 0:
            place = places[i, axis[node]]
            node = front[node] if low[node] <= place <= high[node] else back[node]
        found[i] = node
