"""Inner loops of the attack on rows that tell one thing each: a person agrees with one tuple of each cluster, and with all others alike."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop
from tokumei.risk._beliefs_kernels import SMALL, link, solve_small


@loop()
def agreeing(person: Any, agreement: Any, places: Any, gains_of: Any) -> Any:
    """Find the tuples that tell what a person truly has, and what agreeing adds; return how many there are."""
    parts, column, cells, start, cell_of, rows, order, tuples, gains = agreement
    found = 0
    for c in range(gains.size):
        low, high = rows[c], rows[c + 1]
        mine = 0
        for part in range(parts[c], parts[c + 1]):
            mine = mine * cells[part] + cell_of[start[part] + person[column[part]]]
        end = high
        while low < high:
            middle = (low + high) // 2
            if tuples[middle] < mine:
                low = middle + 1
            else:
                high = middle
        if low < end and tuples[low] == mine:
            places[found], gains_of[found] = order[low], gains[c]
            found += 1
    return found


@loop()
def solve(
    found: Any, places: Any, gains: Any, counts: Any, scale: Any, powers: Any, top: Any, absent: Any, absent_count: Any
) -> Any:
    """Return the scale r at which Bethe's beliefs of one person sum to one.

    ``powers[q]`` is the sum over all rows of the q-th power of their scale, times their count; ``top`` is the largest scale. What
    agreeing adds is taken account of tuple by tuple.
    """
    m1, m2, m3, m4, m5 = powers[1], powers[2], powers[3], powers[4], powers[5]
    m1, m2, m3 = m1 + absent * absent_count, m2 + absent**2 * absent_count, m3 + absent**3 * absent_count
    m4, m5, most = m4 + absent**4 * absent_count, m5 + absent**5 * absent_count, max(top, absent)
    for h in range(found):
        s, count = scale[places[h]], counts[places[h]]
        w = s * gains[h]
        most = max(most, w)
        m1 += count * (w - s)
        m2 += count * (w**2 - s**2)
        m3 += count * (w**3 - s**3)
        m4 += count * (w**4 - s**4)
        m5 += count * (w**5 - s**5)
    if most <= SMALL * m1:
        return solve_small(m1, m2, m3, m4, m5, 1.0 / m1)
    limit = 0.25 / most
    r = min(1.0 / m1, limit)
    for _ in range(30):
        belief, slope = 0.0, 0.0
        for j in range(scale.size):
            root = np.sqrt(max(1.0 - 4.0 * scale[j] * r, 1e-12))
            belief += counts[j] * 0.5 * (1.0 - root)
            slope += counts[j] * scale[j] / root
        for h in range(found):
            s, count = scale[places[h]], counts[places[h]]
            low, high = np.sqrt(max(1.0 - 4.0 * s * r, 1e-12)), np.sqrt(max(1.0 - 4.0 * s * gains[h] * r, 1e-12))
            belief += count * 0.5 * (low - high)
            slope += count * (s * gains[h] / high - s / low)
        if absent_count > 0:
            root = np.sqrt(max(1.0 - 4.0 * absent * r, 1e-12))
            belief += absent_count * 0.5 * (1.0 - root)
            slope += absent_count * absent / root
        step = (1.0 - belief) / slope
        r = min(max(r + step, r * 0.25), limit)
        if abs(step) < 1e-7 * r:
            break
    return r


@njit(nogil=True, cache=True)
def told_sweep(
    people: Any, many: Any, agreement: Any, counts: Any, scale: Any, powers: Any, top: Any, absent: Any, absent_count: Any,
    bethe: Any, scales: Any, sums: Any, spread: Any, best: Any, belief: Any,
) -> Any:  # fmt: skip
    """Balance every person against the released tuples, as `sweep` does, at a cost of one look-up a cluster.

    ``sums`` receives what agreeing people add to each tuple, and ``spread[q]`` the sum of the q-th powers of people's scales, from which
    follows what all people add; where somebody's beliefs are too large for the series, all tuples are gone through.
    """
    places, gains = np.empty(agreement[8].size, dtype=np.int64), np.empty(agreement[8].size)
    first = np.argmax(scale)
    outside = 0.0
    for i in range(people.shape[0]):
        found = agreeing(people[i], agreement, places, gains)
        if bethe:
            r = solve(found, places, gains, counts, scale, powers, top, absent, absent_count)
        else:
            total = powers[1] + absent * absent_count
            for h in range(found):
                total += counts[places[h]] * scale[places[h]] * (gains[h] - 1.0)
            r = 1.0 / total
        scales[i] = r
        series = not bethe or top * r <= SMALL
        if not series:
            for j in range(scale.size):
                sums[j] += many[i] * link(scale[j] * r)
        else:
            power = many[i]
            for q in range(1, spread.size):
                power *= r
                spread[q] += power
        weight, best[i] = scale[first], first
        for h in range(found):
            j = places[h]
            w = scale[j] * gains[h]
            if w > weight or (w == weight and j < best[i]):
                weight, best[i] = w, j
            more = link(w * r) - link(scale[j] * r) if bethe else (w - scale[j]) * r
            sums[j] += many[i] * more
        belief[i] = link(weight * r) if bethe else weight * r
        outside += many[i] * (link(absent * r) if bethe else absent * r)
    return outside


@njit(nogil=True, cache=True)
def told_values(
    people: Any, agreement: Any, scale: Any, scales: Any, bethe: Any, top: Any, holds: Any, powers: Any, guess: Any
) -> None:  # fmt: skip
    """Find the value that each person's row most likely holds, where ``holds[j, v]`` rows of tuple j hold value v.

    ``powers[q, v]`` is the sum over tuples of ``holds`` times the q-th power of the scale, with its factor in the series of beliefs.
    """
    places, gains = np.empty(agreement[8].size, dtype=np.int64), np.empty(agreement[8].size)
    shares = np.empty(holds.shape[1])
    for i in range(people.shape[0]):
        found = agreeing(people[i], agreement, places, gains)
        r = scales[i]
        if not bethe or top * r <= SMALL:
            for v in range(shares.size):
                shares[v] = 0.0
                for q in range(powers.shape[0] - 1, 0, -1):
                    shares[v] = (shares[v] + powers[q, v]) * r
        else:
            shares[:] = 0.0
            for j in range(scale.size):
                p = link(scale[j] * r)
                for v in range(shares.size):
                    shares[v] += holds[j, v] * p
        for h in range(found):
            j = places[h]
            w = scale[j] * gains[h]
            more = link(w * r) - link(scale[j] * r) if bethe else (w - scale[j]) * r
            for v in range(shares.size):
                shares[v] += holds[j, v] * more
        guess[i] = np.argmax(shares)
