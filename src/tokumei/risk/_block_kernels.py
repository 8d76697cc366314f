"""Inner loops of the attack on many small blocks of people and rows, whose likelihoods lie one block behind the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop
from tokumei.risk._beliefs_kernels import balance_row, link


@njit(nogil=True, cache=True)
def settle(
    block: Any, scale: Any, scales: Any, made: Any, count: Any, times: Any, absent: Any, absent_count: Any, way: Any,
    sweeps: Any, tolerance: Any,
) -> Any:  # fmt: skip
    """Balance one block from where it is; return its largest belief, and the scale of those who were not drawn."""
    n, m = block.shape
    sums = np.empty(m)
    largest = 0.0
    for _ in range(sweeps):
        sums[:] = 0.0
        outside, largest = 0.0, 0.0
        for i in range(n):
            for j in range(m):
                made[i, j] = block[i, j] * scale[j]
            r = balance_row(made[i], count, absent, absent_count, way, scales[i])
            scales[i] = r
            for j in range(m):
                p = link(made[i, j] * r) if way else made[i, j] * r
                made[i, j] = p
                sums[j] += times[i] * p
                largest = max(largest, p)
            outside += times[i] * (link(absent * r) if way else absent * r)
        if np.abs(sums - 1.0).max() < tolerance:
            break
        scale /= np.maximum(sums, 1e-300)
        if absent_count > 0:
            absent /= max(outside, 1e-300)
        norm = scale.max()
        absent /= norm
        scale /= norm
    return largest, absent


@njit(nogil=True, cache=True)
def balance_blocks(
    blocks: Any, people: Any, rows: Any, pairs: Any, weights: Any, many: Any, counts: Any, absent_counts: Any,
    sweeps: Any, tolerance: Any, certain: Any, bethe: Any,
) -> None:  # fmt: skip
    """Turn the likelihoods of blocks into beliefs: Sinkhorn's and, where no link is nearly certain, Bethe's.

    Block b has the distinct people ``people[b]`` to ``people[b + 1]``, the distinct rows ``rows[b]`` to ``rows[b + 1]``, and
    its likelihoods from ``pairs[b]`` on, person by person. ``bethe[b]`` receives whether its beliefs are Bethe's.
    """
    for b in blocks:
        n, m = people[b + 1] - people[b], rows[b + 1] - rows[b]
        if n == 0 or m == 0:
            continue
        count, times = counts[rows[b] : rows[b + 1]], many[people[b] : people[b + 1]]
        block = weights[pairs[b] : pairs[b] + n * m].reshape(n, m)
        top = 0.0
        for i in range(n):
            for j in range(m):
                top = max(top, block[i, j])
        scale, scales, made = np.ones(m), np.zeros(n), np.empty((n, m))
        absent = top if top > 0.0 else 1.0
        largest, absent = settle(
            block, scale, scales, made, count, times, absent, absent_counts[b], False, sweeps, tolerance
        )
        way = largest <= certain
        if way:
            settle(block, scale, scales, made, count, times, absent, absent_counts[b], True, sweeps, tolerance)
        bethe[b] = way
        for i in range(n):
            for j in range(m):
                block[i, j] = made[i, j]


@loop()
def strongest(low: Any, high: Any, pairs: Any, row: Any, wide: Any, beliefs: Any, best: Any, belief: Any) -> None:
    """Find the likeliest row of people ``low`` to ``high``: person i's beliefs begin at ``pairs[i]``, in ``wide[i]`` rows from ``row[i]`` on."""
    for i in range(low, high):
        best[i], belief[i] = -1, 0.0
        for j in range(wide[i]):
            if best[i] < 0 or beliefs[pairs[i] + j] > belief[i]:
                best[i], belief[i] = row[i] + j, beliefs[pairs[i] + j]


@njit(nogil=True, cache=True)
def likeliest_value(
    low: Any, high: Any, pairs: Any, row: Any, wide: Any, beliefs: Any, counts: Any, values: Any, states: Any, guess: Any
) -> None:  # fmt: skip
    """Find the value that each person's row most likely holds; ``values`` gives that of each distinct row."""
    shares = np.empty(states)
    for i in range(low, high):
        shares[:] = 0.0
        for j in range(wide[i]):
            shares[values[row[i] + j]] += counts[row[i] + j] * beliefs[pairs[i] + j]
        guess[i] = np.argmax(shares)
