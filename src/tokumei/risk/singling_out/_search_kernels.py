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
def count_large(keys: Any, counts: Any, rows: Any, totals: Any) -> Any:
    """Do the same with any keys, by a table that is looked up by their hash.

    ``rows`` and ``totals`` are the empty table, 2^b zeros each, more than keys. A place holds one more than a row of its
    key.
    """
    mask = rows.size - 1
    shift = 64
    while rows.size >> (64 - shift) > 1:
        shift -= 1
    for row in range(keys.size):
        place = np.int64((np.uint64(keys[row]) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(shift))
        while rows[place] != 0 and keys[rows[place] - 1] != keys[row]:
            place = (place + 1) & mask
        rows[place] = row + 1
        totals[place] += counts[row]
    classes, pairs, alone = summed(totals, rows)
    return classes, pairs, alone - 1


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
