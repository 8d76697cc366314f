"""Inner loops: counting the classes of many sets of columns, each in one pass over the distinct rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def count_small(keys: Any, counts: Any, width: Any) -> Any:
    """Return the classes, the pairs of rows in the same class, and the row of each class of one; keys below ``width``."""
    totals = np.zeros(width, np.int64)
    last = np.empty(width, np.int64)
    for row in range(keys.size):
        totals[keys[row]] += counts[row]
        last[keys[row]] = row
    return summed(totals, last)


@njit(nogil=True, cache=True)
def count_large(keys: Any, counts: Any) -> Any:
    """Do the same with any keys that are not negative, by a table that is looked up by their hash."""
    bits = 4
    while (1 << bits) < 2 * keys.size:
        bits += 1
    slots = np.zeros((1 << bits, 3), np.int64)  # key, total and row side by side: one look into memory
    mask = (1 << bits) - 1
    shift = np.uint64(64 - bits)
    for row in range(keys.size):
        key = keys[row]
        place = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> shift)
        while slots[place, 1] != 0 and slots[place, 0] != key:
            place = (place + 1) & mask
        slots[place, 0] = key
        slots[place, 1] += counts[row]
        slots[place, 2] = row
    return summed(slots[:, 1], slots[:, 2])


@njit(nogil=True, cache=True)
def summed(totals: Any, last: Any) -> Any:
    """Sum up the classes, where a total of zero is none."""
    classes, pairs, alone = 0, 0.0, 0
    for place in range(totals.size):
        if totals[place] > 0:
            classes += 1
            pairs += 0.5 * totals[place] * (totals[place] - 1)
            alone += totals[place] == 1
    rows = np.empty(alone, np.int64)
    alone = 0
    for place in range(totals.size):
        if totals[place] == 1:
            rows[alone] = last[place]
            alone += 1
    return classes, pairs, rows
