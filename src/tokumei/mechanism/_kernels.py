"""Inner loops over channels, drawing from them and multiplying their probabilities out: arrays in, array out."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.loops import inner, loop, maker
from tokumei.randomness._kernels import below


@maker()
def replace_32(words: Any, codes: Any, out: Any, other: Any, limit: Any, last: Any) -> Any:
    """Replace or keep; words above ``last`` are counted and must be drawn again.

    The quotient by ``other`` is taken with a reciprocal rounded up. It is exact: for a word below 2^32 the product
    never falls below the true quotient, and stays under the next whole number by a margin of 1/other, which is far
    wider than the rounding of doubles.
    """
    inverse = np.nextafter(1.0 / np.float64(other), 1.0)
    half = np.uint32(2**31)
    rejected = 0
    for i in range(codes.size):
        word = words[i]
        code = codes[i]  # read whether it is kept or not, and
        whole = np.float64(np.int32(word ^ half)) + 2147483648.0  # numbers with a sign: AVX2 vectorises nothing else
        drawn = np.int32(whole * inverse)
        out[i] = out.dtype.type(drawn) if word <= limit else code
        rejected += word > last
    return rejected


@maker()
def replace_64(words: Any, codes: Any, out: Any, other: Any, limit: Any, last: Any) -> Any:
    """Replace or keep, as `replace_32`, with words of 64 bits.

    If each value owns at least 2^33 words, the upper half of a word tells its quotient but for one. The reciprocal is made too small by
    2^-50 of itself, more than the three roundings of doubles (of ``other``, of the reciprocal, of the product, 2^-53 each) can add, so the product never
    exceeds the true quotient; with the lower half, which adds less than 1/2, it falls short by less than 1. The remainder then decides. So no
    word is divided, which costs tens of cycles on some processors and cannot be vectorised on any.
    """
    rejected = 0
    if other < np.uint64(2**33):
        for i in range(codes.size):
            word = words[i]
            out[i] = word // other if word <= limit else codes[i]
            rejected += word > last
        return rejected
    scale = 4294967296.0 / np.float64(other) * (1.0 - 2.0**-50)
    half, lower = np.uint32(2**31), np.uint64(32)
    for i in range(codes.size):
        word = words[i]
        code = codes[i]
        top = np.float64(np.int32(np.uint32(word >> lower) ^ half)) + 2147483648.0
        drawn = np.uint64(np.uint32(np.int32(top * scale)))
        drawn += np.uint64(word - drawn * other >= other)
        out[i] = out.dtype.type(drawn) if word <= limit else code
        rejected += word > last
    return rejected


@maker()
def step_away(
    words: Any, codes: Any, out: Any, quotients: Any, cumulative: Any, guide: Any, shift: Any, top: Any
) -> Any:
    """Draw grid points at a distance from their codes; return which rows must be drawn again.

    A number uniform below Z(v) falls first on the ``top`` units of staying, then on the steps down, then on the steps
    up. The distance is looked up in the cumulative weights, starting where the guide says that its bucket begins.
    """
    last = cumulative.size - 1
    rejected = np.zeros(codes.size, dtype=np.bool_)
    for i in range(codes.size):
        here = np.int64(codes[i])
        down = cumulative[here]
        up = cumulative[last - here]
        drawn = words[i] // quotients[here]
        if drawn >= top + down + up:
            rejected[i] = True
            continue
        if drawn < top:
            out[i] = here
            continue
        drawn -= top
        below_here = drawn < down
        if not below_here:
            drawn -= down
        distance = np.int64(guide[drawn >> shift])
        while cumulative[distance] <= drawn:
            distance += 1
        out[i] = here - distance if below_here else here + distance
    return rejected


@maker()
def anywhere(words: Any, out: Any, bound: Any) -> Any:
    """Draw uniformly below ``bound``; return which rows must be drawn again."""
    rejected = np.zeros(words.size, dtype=np.bool_)
    for i in range(words.size):
        drawn = below(words[i], bound)
        rejected[i] = drawn >= bound
        out[i] = drawn
    return rejected


@loop(inline="always")
def high_product(a: Any, b: Any) -> Any:
    """Return the upper 64 bits of the product of two 64-bit numbers."""
    mask = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    a_low, a_high, b_low, b_high = a & mask, a >> half, b & mask, b >> half
    low = a_low * b_low
    middle = a_high * b_low + (low >> half)
    other = a_low * b_high + (middle & mask)
    return a_high * b_high + (middle >> half) + (other >> half)


@maker()
def geometric(count: Any, ratio: Any, shift: Any) -> Any:
    """Return whole numbers that fall by ``ratio / 2^64`` a step, from 2^63, shifted down and at least one.

    Only integers are used, so every machine gets the same numbers from the same ratio.
    """
    weights = np.empty(count, dtype=np.uint64)
    exact = np.uint64(2**63)
    for d in range(count):
        weights[d] = max(exact >> shift, np.uint64(1))
        exact = high_product(exact, ratio)
    return weights


@loop()
def last_weight(count: Any, ratio: Any, shift: Any) -> Any:
    """Return the last of the numbers that `geometric` returns."""
    exact = np.uint64(2**63)
    for _ in range(count - 1):
        exact = high_product(exact, ratio)
    return max(exact >> shift, np.uint64(1))


@maker()
def by_alias(words: Any, codes: Any, out: Any, stays: Any, others: Any, quotient: Any) -> Any:
    """Draw from alias tables: the upper half of a word picks the column, the lower half whether its own value stays."""
    columns = np.uint64(others.shape[1])
    rejected = np.zeros(codes.size, dtype=np.bool_)
    for i in range(codes.size):
        column = (words[i] >> np.uint64(32)) // quotient
        if column >= columns:
            rejected[i] = True
            continue
        coin = words[i] & np.uint64(0xFFFFFFFF)
        out[i] = column if coin < stays[codes[i], column] else others[codes[i], column]
    return rejected


@maker()
def likelihoods(true: Any, tables: Any, starts: Any, widths: Any, groups: Any, rows: Any, scale: Any, out: Any) -> None:
    """Fill ``out[j]`` with P(released row j | true row) times ``scale[j]``.

    The columns come in groups. For each group the probabilities of all its joint released codes are multiplied out
    once for this true row; a released row then needs one look-up a group.
    """
    for j in range(out.size):
        out[j] = scale[j]
    column = 0
    for g in range(groups.size):
        joint = np.ones(1)
        for _ in range(groups[g]):
            width = widths[column]
            source = starts[column] + true[column] * width
            wider = np.empty(joint.size * width)
            for a in range(joint.size):
                for b in range(width):
                    wider[a * width + b] = joint[a] * tables[source + b]
            joint = wider
            column += 1
        codes = rows[g]
        for j in range(out.size):
            out[j] *= joint[codes[j]]


@maker()
def spread_masses(
    true: Any, masses: Any, tables: Any, starts: Any, widths: Any, groups: Any, rows: Any, sums: Any
) -> None:
    """Add to ``sums[j]`` the probabilities of released row j given each true row, times the true row's mass."""
    ones, made = np.ones(sums.size), np.empty(sums.size)
    for i in range(true.shape[0]):
        if masses[i] > 0.0:
            likelihoods(true[i], tables, starts, widths, groups, rows, ones, made)
            for j in range(sums.size):
                sums[j] += made[j] * masses[i]


@maker()
def gather_weights(
    true: Any, weights: Any, tables: Any, starts: Any, widths: Any, groups: Any, rows: Any, out: Any
) -> None:
    """Fill ``out[i]`` with the weights of the released rows, times their probabilities given true row i."""
    made = np.empty(weights.size)
    for i in range(true.shape[0]):
        likelihoods(true[i], tables, starts, widths, groups, rows, weights, made)
        total = 0.0
        for j in range(weights.size):
            total += made[j]
        out[i] = total


@maker()
def fill_pairs(true: Any, tables: Any, starts: Any, widths: Any, groups: Any, rows: Any, out: Any) -> None:
    """Fill ``out[i, j]`` with P(released row j | true row i)."""
    ones, made = np.ones(out.shape[1]), np.empty(out.shape[1])
    for i in range(true.shape[0]):
        likelihoods(true[i], tables, starts, widths, groups, rows, ones, made)
        for j in range(made.size):
            out[i, j] = made[j]


@inner()
def outside(place: Any, low: Any, high: Any) -> bool:
    """Whether a row lies outside of a box."""
    found = False
    for axis in range(place.size):
        if place[axis] < low[axis] or place[axis] > high[axis]:
            found = True
            break
    return found


@inner()
def search(place: Any, low: Any, high: Any, first: Any, last: Any) -> Any:
    """Return which of the boxes from ``first`` to before ``last`` a row lies in, -1 for none."""
    found = -1
    for box in range(first, last):
        if not outside(place, low[box], high[box]):
            found = box
            break
    return found


@loop()
def locate(
    places: Any, low: Any, high: Any, lows: Any, highs: Any, lowest: Any, highest: Any, block: Any, above: Any, found: Any
) -> None:  # fmt: skip
    """Fill in the box that each row lies in, -1 for none; boxes do not overlap, and lie in blocks with bounds as in `Laid`.

    Rows that follow each other are best near each other: the block of the row before is looked at first.
    """
    before = 0
    for row in range(places.shape[0]):
        place = places[row]
        box = search(place, low, high, before * block, min((before + 1) * block, low.shape[0]))
        far = 0
        while box < 0 and far < lowest.shape[0]:
            if not outside(place, lowest[far], highest[far]):
                near, end = far * above, min((far + 1) * above, lows.shape[0])
                while box < 0 and near < end:
                    if not outside(place, lows[near], highs[near]):
                        box = search(place, low, high, near * block, min((near + 1) * block, low.shape[0]))
                        before = near if box >= 0 else before
                    near += 1
            far += 1
        found[row] = box
