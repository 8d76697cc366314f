"""Inner loops of the linking attack: the likelihoods of one person at a time, never all at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop
from tokumei.mechanism._kernels import likelihoods

SMALL = 0.02  # up to this p (1 - p), five terms of the series of p are right to 1e-7


@loop()
def link(x: Any) -> Any:
    """Return the smaller p with ``p (1 - p) = x``."""
    return 2.0 * x / (1.0 + np.sqrt(max(1.0 - 4.0 * x, 0.0)))


@loop()
def small_link(x: Any) -> Any:
    """Return what `link` does, for small x, by the first terms of its series: their factors are Catalan's numbers."""
    return x * (1.0 + x * (1.0 + x * (2.0 + x * (5.0 + x * 14.0))))


@loop()
def solve_small(m1: Any, m2: Any, m3: Any, m4: Any, m5: Any, r: Any) -> Any:
    """Return the scale r at which the series of all links sums to one; ``mq`` is the sum of the q-th powers of the weights."""
    for _ in range(30):
        belief = r * (m1 + r * (m2 + r * (2.0 * m3 + r * (5.0 * m4 + r * 14.0 * m5))))
        slope = m1 + r * (2.0 * m2 + r * (6.0 * m3 + r * (20.0 * m4 + r * 70.0 * m5)))
        step = (1.0 - belief) / slope
        r += step
        if abs(step) < 1e-9 * r:
            break
    return r


@loop(fastmath=True)
def balance_row(weights: Any, counts: Any, absent: Any, absent_count: Any, bethe: Any, guess: Any) -> Any:
    """Return the scale r at which the beliefs of one person sum to one.

    Plain beliefs are ``p = r w``. Bethe's satisfy ``p (1 - p) = r w``, which takes account of a row being another
    person's if it is not this one's. Where all of them are small, sums of powers of the weights are enough.
    """
    m1, m2, m3, m4, m5, top = 0.0, 0.0, 0.0, 0.0, 0.0, absent
    if not bethe:
        for j in range(weights.size):
            m1 += weights[j] * counts[j]
        m1 += absent * absent_count
        return 1.0 / m1 if m1 > 0.0 else 0.0
    for j in range(weights.size):
        w = weights[j]
        first = w * counts[j]
        second = w * first
        third = w * second
        fourth = w * third
        m1 += first
        m2 += second
        m3 += third
        m4 += fourth
        m5 += w * fourth
        top = max(top, w)
    m1 += absent * absent_count
    m2 += absent**2 * absent_count
    m3 += absent**3 * absent_count
    m4 += absent**4 * absent_count
    m5 += absent**5 * absent_count
    if m1 == 0.0:
        return 0.0
    if top <= SMALL * m1:  # r is at most one over their sum
        return solve_small(m1, m2, m3, m4, m5, 1.0 / m1)
    limit = 0.25 / top
    r = min(guess if guess > 0.0 else 1.0 / m1, limit)
    for _ in range(30):
        belief, slope = 0.0, 0.0
        for j in range(weights.size):
            root = np.sqrt(max(1.0 - 4.0 * weights[j] * r, 1e-12))
            belief += counts[j] * 0.5 * (1.0 - root)
            slope += counts[j] * weights[j] / root
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
def raise_agreeing(person: Any, agreement: Any, weights: Any) -> None:
    """Multiply the weights of the rows that tell what a person truly has by what agreeing adds in their cluster."""
    parts, column, cells, start, cell_of, rows, order, tuples, gains = agreement
    for c in range(gains.size):
        low, high = rows[c], rows[c + 1]
        if low == high:
            continue
        mine = 0
        for part in range(parts[c], parts[c + 1]):
            mine = mine * cells[part] + cell_of[start[part] + person[column[part]]]
        place = low + np.searchsorted(tuples[low:high], mine)
        while place < high and tuples[place] == mine:
            weights[order[place]] *= gains[c]
            place += 1


@loop(fastmath=True)
def to_beliefs(weights: Any, r: Any, bethe: Any, top: Any) -> None:
    """Turn the weights of one person, the largest of which is ``top``, into beliefs at their scale r."""
    if bethe and top * r <= SMALL:
        for j in range(weights.size):
            weights[j] = small_link(weights[j] * r)
    elif bethe:
        for j in range(weights.size):
            weights[j] = link(weights[j] * r)
    else:
        for j in range(weights.size):
            weights[j] *= r


@loop(fastmath=True)
def add_own(weights: Any, r: Any, bethe: Any) -> None:
    """Divide what is common to all people of a row by what they believe of it, counting this person's own belief, too."""
    if not bethe:
        for j in range(weights.size):
            weights[j] /= 1.0 + weights[j] * r
        return
    top = 0.0
    for j in range(weights.size):
        top = max(top, weights[j])
    if top * r <= SMALL:
        for j in range(weights.size):
            weights[j] /= 1.0 + small_link(weights[j] * r)
    else:
        for j in range(weights.size):
            weights[j] /= 1.0 + link(weights[j] * r)


@njit(nogil=True, cache=True)
def sweep(
    people: Any, many: Any, tables: Any, starts: Any, widths: Any, groups: Any, rows: Any, counts: Any, scale: Any,
    absent: Any, absent_count: Any, bethe: Any, alone: Any, scales: Any, sums: Any, best: Any, belief: Any, values: Any,
    shares: Any, agreement: Any,
) -> Any:  # fmt: skip
    """Balance every person against the released rows; add up the beliefs of each row, and remember each best guess.

    ``many[i]`` people have the same record i, ``counts[j]`` released rows the same record j. ``shares[i, v]`` receives
    the belief that the person's row holds value v of a column, where ``values`` gives the value of each row. People who stand
    ``alone`` are not among those by whom rows were balanced: what they believe of a row themselves comes on top.
    """
    weights = np.empty(counts.size)
    outside = 0.0
    for i in range(people.shape[0]):
        likelihoods(people[i], tables, starts, widths, groups, rows, scale, weights)
        raise_agreeing(people[i], agreement, weights)
        r = balance_row(weights, counts, absent, absent_count, bethe, scales[i])
        if alone:
            add_own(weights, r, bethe)
            r = balance_row(weights, counts, absent, absent_count, bethe, r)
        scales[i] = r
        top, place = -1.0, -1
        for j in range(weights.size):
            if weights[j] > top:
                top, place = weights[j], j
        to_beliefs(weights, r, bethe, top)
        best[i], belief[i] = place, weights[place]
        for j in range(weights.size):
            sums[j] += many[i] * weights[j]
        if shares.shape[1] > 0:
            for j in range(weights.size):
                shares[i, values[j]] += counts[j] * weights[j]
        outside += many[i] * (link(absent * r) if bethe else absent * r)
    return outside


@njit(nogil=True, cache=True)
def sweep_people(
    first: Any, records: Any, times: Any, people: Any, tables: Any, starts: Any, widths: Any, groups: Any, rows: Any,
    scale: Any, bethe: Any, scales: Any, best: Any, belief: Any, agreement: Any,
) -> None:  # fmt: skip
    """Add up what is believed of all rows of a person, and remember the released row that is likeliest one of them.

    Person p has ``times[i]`` rows with the record ``records[i]``, for i from ``first[p]`` to ``first[p + 1]``.
    """
    weights, together = np.empty(scale.size), np.empty(scale.size)
    for p in range(first.size - 1):
        together[:] = 0.0
        for i in range(first[p], first[p + 1]):
            record = records[i]
            likelihoods(people[record], tables, starts, widths, groups, rows, scale, weights)
            raise_agreeing(people[record], agreement, weights)
            for j in range(weights.size):
                b = weights[j] * scales[record]
                if bethe:
                    b = 0.5 * (1.0 - np.sqrt(max(1.0 - 4.0 * b, 0.0)))
                together[j] += times[i] * b
        best[p] = np.argmax(together)
        belief[p] = together[best[p]]
