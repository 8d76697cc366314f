"""Inner loops of the linking attack: the likelihoods of one person at a time, never all at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop
from tokumei.mechanism._kernels import likelihoods


@loop()
def balance_row(weights: Any, counts: Any, absent: Any, absent_count: Any, bethe: Any, guess: Any) -> Any:
    """Return the scale r at which the beliefs of one person sum to one.

    Plain beliefs are ``p = r w``. Bethe's satisfy ``p (1 - p) = r w``, which takes account of a row being another
    person's if it is not this one's.
    """
    total, top = absent * absent_count, absent
    for j in range(weights.size):
        total += weights[j] * counts[j]
        top = max(top, weights[j])
    if not bethe or total == 0.0:
        return 1.0 / total if total > 0.0 else 0.0
    limit = 0.25 / top
    r = min(guess if guess > 0.0 else 1.0 / total, limit)
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


@njit(nogil=True, cache=True)
def sweep(
    people: Any, many: Any, tables: Any, starts: Any, widths: Any, groups: Any, rows: Any, counts: Any, scale: Any,
    absent: Any, absent_count: Any, bethe: Any, scales: Any, sums: Any, best: Any, belief: Any, values: Any, shares: Any,
    agreement: Any,
) -> Any:  # fmt: skip
    """Balance every person against the released rows; add up the beliefs of each row, and remember each best guess.

    ``many[i]`` people have the same record i, ``counts[j]`` released rows the same record j. ``shares[i, v]`` receives
    the belief that the person's row holds value v of a column, where ``values`` gives the value of each row.
    """
    weights = np.empty(counts.size)
    outside = 0.0
    for i in range(people.shape[0]):
        likelihoods(people[i], tables, starts, widths, groups, rows, scale, weights)
        raise_agreeing(people[i], agreement, weights)
        r = balance_row(weights, counts, absent, absent_count, bethe, scales[i])
        scales[i] = r
        best[i], belief[i] = -1, -1.0
        for j in range(weights.size):
            p = weights[j] * r
            if bethe:
                p = 0.5 * (1.0 - np.sqrt(max(1.0 - 4.0 * p, 0.0)))
            sums[j] += many[i] * p
            if p > belief[i]:
                best[i], belief[i] = j, p
            if shares.shape[1] > 0:
                shares[i, values[j]] += counts[j] * p
        left = absent * r
        outside += many[i] * (0.5 * (1.0 - np.sqrt(max(1.0 - 4.0 * left, 0.0))) if bethe else left)
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
