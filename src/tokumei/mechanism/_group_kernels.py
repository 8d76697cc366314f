"""Inner loops of draws through many channels: each row has its own, and the rows of one stand together."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.loops import inner, loop
from tokumei.mechanism._kernels import high_product
from tokumei.randomness._kernels import below


@loop()
def replace_each(
    words: Any, true: Any, which: Any, other: Any, limit: Any, last: Any, unused: Any, out: Any, again: Any
) -> None:
    """Replace or keep each cell by its own channel, whose words are the upper ones without ``unused`` bits; say which to draw again."""
    for i in range(true.size):
        c = which[i]
        word = words[i] >> unused[c]
        out[i] = np.int64(word // other[c]) if word <= limit[c] else true[i]
        again[i] = word > last[c]


@loop()
def step_each(
    words: Any,
    flipped: Any,
    true: Any,
    which: Any,
    points: Any,
    decay: Any,
    shift: Any,
    sums: Any,
    out: Any,
    again: Any,
) -> None:
    """Move each cell along its channel's grid, or say that it is missing or not after all; say which to draw again.

    The sums of a channel's weights, of the distances 1 .. d, are made when its first row comes. Weights, normalizers and quotients are
    those of `GridLaplace`. ``again`` is false at first.
    """
    full, made, top = np.uint64(2**64 - 1), -1, np.uint64(0)
    for i in range(true.size):
        c = which[i]
        count = points[c]
        if c != made:
            made, top = c, _sums(count, decay[c], shift[c], sums)
        here = true[i]
        if here == count:  # a missing cell
            out[i] = count
            if flipped[i]:
                drawn = below(words[i], np.uint64(count))
                again[i] = drawn >= np.uint64(count)
                out[i] = np.int64(drawn)
            continue
        if flipped[i]:
            out[i] = count
            continue
        down, up = sums[here], sums[count - 1 - here]
        total = top + down + up
        drawn = words[i] // (full // total)
        if drawn >= total:
            again[i] = True
        elif drawn < top:
            out[i] = here
        else:
            drawn -= top
            low = drawn < down
            if not low:
                drawn -= down
            distance, end = np.int64(0), count  # the first whose sum is more than what was drawn
            while distance < end:
                middle = (distance + end) >> 1
                if sums[middle] <= drawn:
                    distance = middle + 1
                else:
                    end = middle
            out[i] = here - distance if low else here + distance


@inner()
def _sums(count: Any, decay: Any, shift: Any, sums: Any) -> Any:
    """Fill in the sums of a channel's weights, as `geometric` makes them, and return the weight of staying."""
    exact, total = np.uint64(2**63), np.uint64(0)
    sums[0] = 0
    for d in range(1, count):
        if decay:  # 0 stands for 2^64: all weights are equal
            exact = high_product(exact, decay)
        total += max(exact >> shift, np.uint64(1))
        sums[d] = total
    return max(np.uint64(2**63) >> shift, np.uint64(1))


@loop()
def pick_each(words: Any, places: Any, groups: Any, starts: Any, ends: Any, totals: Any, again: Any, out: Any) -> Any:
    """Draw a cluster of its group for each place from a word of 32 bits; return how many of the places, put first, must be drawn again.

    The clusters of group g are those from ``starts[g]`` on, up to ``starts[g + 1]``, and ``ends`` the sums of their weights. As in `pick`,
    ``again = 2^32 mod total`` words are left out, so that all numbers below ``total`` are equally likely.
    """
    rejected = 0
    shift = np.uint64(32)
    for i in range(places.size):
        place = places[i]
        group = groups[place]
        product = np.uint64(words[i]) * totals[group]
        if product & np.uint64(0xFFFFFFFF) < again[group]:
            places[rejected] = place
            rejected += 1
            continue
        drawn = product >> shift
        part = starts[group]
        while ends[part] <= drawn:
            part += 1
        out[place] = part
    return rejected


@loop()
def tell_each(
    words: Any,
    places: Any,
    groups: Any,
    part: Any,
    cluster: Any,
    other: Any,
    limit: Any,
    last: Any,
    begin: Any,
    column: Any,
    sizes: Any,
    true: Any,
    out: Any,
) -> Any:
    """Draw what each place tells of its cluster; return how many of the places, put first, must be drawn again.

    ``part`` is the cluster of its group that each place tells. The columns of cluster s are ``column[begin[s]:begin[s + 1]]``;
    ``true`` and ``out`` have numbers of cells in the boxes, one row for each column, and ``sizes`` how many there are.
    """
    rejected = 0
    for i in range(places.size):
        place = places[i]
        p, g = part[place], groups[place]
        word = words[i]
        if word > last[p]:
            places[rejected] = place
            rejected += 1
            continue
        s = cluster[p]
        if word > limit[p]:
            for j in range(begin[s], begin[s + 1]):
                out[column[j], place] = true[column[j], place]
            continue
        drawn = np.int64(word // other[p])
        for j in range(begin[s + 1] - 1, begin[s] - 1, -1):
            size = sizes[g, column[j]]
            out[column[j], place] = drawn % size
            drawn //= size
    return rejected
