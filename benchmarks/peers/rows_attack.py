"""The measured attack: quadratic in the rows by nature, so its ratio to one plain pass over all pairs is what counts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numba import njit

import tokumei as tk
from benchmarks.row import Row

ROWS = 20_000


@njit(nogil=True, cache=True)
def all_pairs(first, second):
    total = 0.0
    for i in range(first.size):
        for j in range(second.size):
            total += first[i] * second[j]
    return total


def rows() -> Iterator[Row]:
    frame, schema, method = tk.example_census(rows=ROWS), tk.example_schema(), tk.PkPerturbation(k=3, tells="all")
    numbers = np.random.default_rng(0).random(ROWS)
    yield Row(
        f"attack on {ROWS:,} rows × 7 columns",
        "one multiplication for each pair",
        lambda: tk.attack(frame, method, schema, random_state=1),
        lambda: all_pairs(numbers, numbers),
        rounds=1,
    )
