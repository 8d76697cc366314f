"""Inner loops: counting the classes of many sets of columns over the distinct rows, without those that fewer columns made unique.

A class is held as one number, and so is a distinct row: how many rows it has in the lowest ``bits``, and above them the place among the unique
rows. Numbers of rows that agree are added up. What is above ``bits`` then means something where the class has a single row, and only there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.loops import inner, loop, maker

BLOCK = 1024  # rows whose keys are made together, a column at a time
BUCKET = 11  # bits of the rows that are looked up together: their table stays in the cache
MOST = 10  # bits of the number of buckets: more are slower to fill than to look up in


@inner()
def put_together(
    matrix: Any, columns: Any, factors: Any, held: Any, bits: Any, known: Any, start: Any, keys: Any, values: Any
) -> Any:
    """Make the keys of a block of rows, the codes of the columns being digits; return how many rows are not known to be unique.

    Their keys and numbers are the first. Which they are is hard to foresee, so all are written and the known ones are written over.
    """
    rows = min(BLOCK, held.size - start)
    for row in range(rows):
        keys[row] = 0
    for at in range(columns.size):
        codes, factor = matrix[columns[at]][start : start + rows], factors[at]
        for row in range(rows):
            keys[row] += factor * codes[row]
    several = held[start : start + rows]
    if known.size == 0:
        for row in range(rows):
            values[row] = several[row]
        return rows
    mask, left = (np.uint64(1) << bits) - np.uint64(1), np.int64(0)
    for row in range(rows):
        value = several[row]
        alone = (value & mask) == 1
        place = (value >> bits) if alone else np.uint64(0)
        flag = known[place >> np.uint64(3)] >> (np.uint64(7) - (place & np.uint64(7))) & np.uint64(1)
        keys[left], values[left] = keys[row], value
        left += 1 - np.int64(alone & (flag == 1))
    return left


@inner()
def hashed(key: Any) -> Any:
    """Spread keys over all numbers of 64 bits: the highest of these are the most mixed."""
    return np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)


@loop()
def count_places(
    matrix: Any,
    columns: Any,
    factors: Any,
    held: Any,
    bits: Any,
    known: Any,
    keys: Any,
    values: Any,
    found: Any,
) -> None:
    """Count the classes of few keys into an empty ``found``, a class at the place of its key."""
    for start in range(0, held.size, BLOCK):
        rows = put_together(matrix, columns, factors, held, bits, known, start, keys, values)
        for row in range(rows):
            found[keys[row]] += values[row]


@inner()
def bits_for(rows: Any) -> Any:
    """Return the bits of a table that is at least half empty."""
    bits = np.uint64(1)
    while 1 << np.int64(bits) < 2 * rows:
        bits += np.uint64(1)
    return bits


@inner()
def look_up(dealt: Any, counted: Any, ends: Any, buckets: Any, table: Any, found: Any) -> None:
    """Add up the rows of each key, one bucket after the other; ``table`` holds the number of a class and one, each at the hash of its key."""
    classes, first = np.int64(0), np.int64(0)
    for bucket in range(ends.size - 1):
        bits = bits_for(ends[bucket] - first)
        mask = (1 << np.int64(bits)) - 1
        for at in range(mask + 1):
            table[at] = 0
        for row in range(first, ends[bucket]):
            key = dealt[row]
            place = np.int64((hashed(key) << buckets) >> (np.uint64(64) - bits))
            while table[place] != 0 and dealt[table[place] - 1] != key:
                place = (place + 1) & mask
            if table[place] == 0:  # the classes so far take the room of rows that have been read
                dealt[classes] = key
                classes += 1
                table[place] = classes
            found[table[place] - 1] += counted[row]
        first = ends[bucket]


@maker()
def count_keys(
    matrix: Any, columns: Any, factors: Any, held: Any, bits: Any, known: Any, keys: Any, values: Any, left: Any
) -> Any:
    """Return the classes of any keys and, at the end, zeros. ``left`` rows are not known.

    The rows are first dealt out into buckets by the hash of their key, and those of a bucket then looked up in a table that is small.
    """
    buckets = np.uint64(1)
    while buckets < MOST and left >> (np.int64(buckets) + BUCKET) > 0:
        buckets += np.uint64(1)
    ends = np.zeros((1 << np.int64(buckets)) + 1, np.int64)
    for start in range(0, held.size, BLOCK):
        rows = put_together(matrix, columns, factors, held, bits, known, start, keys, values)
        for row in range(rows):
            ends[np.int64(hashed(keys[row]) >> (np.uint64(64) - buckets)) + 1] += 1
    for bucket in range(ends.size - 1):
        ends[bucket + 1] += ends[bucket]
    dealt, counted = np.empty(left, np.int64), np.empty(left, np.uint64)
    for start in range(0, held.size, BLOCK):
        rows = put_together(matrix, columns, factors, held, bits, known, start, keys, values)
        for row in range(rows):
            into = np.int64(hashed(keys[row]) >> (np.uint64(64) - buckets))
            dealt[ends[into]], counted[ends[into]] = keys[row], values[row]
            ends[into] += 1
    most, first = np.int64(0), np.int64(0)
    for bucket in range(ends.size - 1):
        most, first = max(most, ends[bucket] - first), ends[bucket]
    found, table = np.zeros(left, np.uint64), np.empty(1 << np.int64(bits_for(most)), np.int64)
    look_up(dealt, counted, ends, buckets, table, found)
    return found


@maker()
def summed(found: Any, bits: Any) -> Any:
    """Return the classes, the pairs of rows in the same class, and the places of the rows that are classes of their own."""
    mask = (np.uint64(1) << bits) - np.uint64(1)
    classes, pairs, alone = np.int64(0), np.int64(0), np.int64(0)
    for at in range(found.size):
        rows = np.int64(found[at] & mask)
        classes += rows > 0
        alone += rows == 1
        pairs += rows * (rows - 1) // 2
    places = np.empty(alone, np.int64)
    alone = np.int64(0)
    for at in range(found.size):
        if found[at] & mask == 1:
            places[alone] = found[at] >> bits
            alone += 1
    return classes, pairs, places
