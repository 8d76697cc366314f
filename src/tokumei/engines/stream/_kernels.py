"""Inner loops of counting classes in a table of hashes, and of dealing rows out to buckets.

Where a loop does little else, places are numbers without a sign: one with a sign could be meant from the end, which costs a choice each time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

ODD = np.uint64(0x9E3779B97F4A7C15)
MIX = np.uint64(0xBF58476D1CE4E5B9)
AHEAD = 256  # rows whose places in a table are fetched together


@njit(inline="always")
def hashed(keys: Any, i: Any, told: Any) -> Any:
    """Hash the first ``told`` words of a key."""
    h = np.uint64(0)
    for w in range(told):
        h = (h ^ keys[i, w]) * ODD
        h = (h ^ (h >> np.uint64(29))) * MIX
    return h ^ (h >> np.uint64(32))


@njit(inline="always")
def width_of(room: Any) -> Any:
    """Return the b of a table of 2^b places."""
    bits = np.uint64(0)
    while (1 << bits) < room:
        bits += np.uint64(1)
    return bits


@njit(nogil=True, cache=True)
def tally(keys: Any, add: Any, first: Any, told: Any, part: Any, part_bits: Any, table: Any, used: Any) -> Any:
    """Add rows to the counts of their keys, from row ``first`` on; only keys of one part, by their hash, are looked at.

    A key is all its words, its part and place follow from the first ``told`` of them. A place of the table holds the words of a
    key and then its counts, of which the first is zero where the place is empty. Returns how far it came (it stops when the
    table is half full) and how many keys there are.
    """
    room, words = table.shape[0], keys.shape[1]
    mask, columns, shift = np.uint64(room - 1), table.shape[1] - words, np.uint64(64) - width_of(room)
    for i in range(first, keys.shape[0]):
        h = hashed(keys, i, told)
        if part_bits and (h >> np.uint64(64 - part_bits)) != np.uint64(part):
            continue
        p = np.int64(h * ODD >> shift)
        while True:
            if table[p, words] == 0:
                if 2 * (used + 1) > room:
                    return i, used
                for w in range(words):
                    table[p, w] = keys[i, w]
                used += 1
                break
            same = True
            for w in range(words):
                same &= table[p, w] == keys[i, w]
            if same:
                break
            p = np.int64((np.uint64(p) + np.uint64(1)) & mask)
        for c in range(columns):
            table[p, words + c] += add[i, c]
    return keys.shape[0], used


@njit(nogil=True, cache=True)
def tally_one(keys: Any, first: Any, part: Any, part_bits: Any, table: Any, used: Any, places: Any) -> Any:
    """Do as `tally`, for keys of one word that each count one.

    The places of `AHEAD` rows are looked up before any of these rows is counted: a processor waits for many of them at once, but
    would wait for one after the other where it has to choose what to do with each. ``places`` is room for them, and for one word more.
    """
    room, none = table.shape[0], np.uint64(table.shape[0])
    mask, shift = np.uint64(room - 1), np.uint64(64) - width_of(room)
    low, rows, ahead = np.uint64(first), np.uint64(keys.shape[0]), np.uint64(places.size - 1)
    while low < rows:
        count = min(ahead, rows - low)
        for j in range(count):
            h = hashed(keys, low + j, 1)
            other = part_bits and (h >> np.uint64(64 - part_bits)) != np.uint64(part)
            places[j] = none if other else h * ODD >> shift
        looked = np.uint64(0)
        for j in range(count):
            if places[j] != none:
                looked |= table[places[j], 1]
        places[ahead] = looked  # nothing reads it, but looking may not be left out
        for j in range(count):
            p, x = places[j], keys[low + j, 0]
            while p != none:
                c = table[p, 1]
                if c == 0:
                    if 2 * (used + 1) > room:
                        return np.int64(low + j), used
                    table[p, 0] = x
                    table[p, 1] = np.uint64(1)
                    used += 1
                    break
                if table[p, 0] == x:
                    table[p, 1] = c + np.uint64(1)
                    break
                p = (p + np.uint64(1)) & mask
        low += count
    return keys.shape[0], used


@njit(nogil=True, cache=True)
def count_counts(counts: Any, few: Any) -> None:
    """Count how often each count occurs, those from the last place on together."""
    most = np.uint64(few.size - 1)
    for i in range(np.uint64(counts.size)):
        few[min(counts[i], most)] += 1


@njit(nogil=True, cache=True)
def look_up(keys: Any, told: Any, part: Any, part_bits: Any, table: Any, found: Any) -> None:
    """Write the first count of each row's key, where the key is of the part; every such key is in the table."""
    mask, words, shift = np.uint64(table.shape[0] - 1), keys.shape[1], np.uint64(64) - width_of(table.shape[0])
    for i in range(keys.shape[0]):
        h = hashed(keys, i, told)
        if part_bits and (h >> np.uint64(64 - part_bits)) != np.uint64(part):
            continue
        p = np.int64(h * ODD >> shift)
        while True:
            same = True
            for w in range(words):
                same &= table[p, w] == keys[i, w]
            if same and table[p, words] > 0:
                found[i] = np.int64(table[p, words])
                break
            p = np.int64((np.uint64(p) + np.uint64(1)) & mask)


@njit(nogil=True, cache=True)
def looked_up(table: Any, indices: Any, out: Any) -> None:
    """Write what a table holds at each index, none of which is below zero."""
    for i in range(np.uint64(indices.shape[0])):
        out[i] = table[np.uint64(indices[i])]


@njit(nogil=True, cache=True)
def lowered(cells: Any, low: Any, out: Any) -> None:
    """Write how far above ``low`` each number is."""
    for i in range(cells.shape[0]):
        out[i] = cells[i] - low


@njit(nogil=True, cache=True)
def dealt(rows: Any, bucket: Any, starts: Any, out: Any, order: Any) -> None:
    """Copy rows so that those of a bucket lie together; ``starts`` moves on to where each bucket ends."""
    width = rows.shape[1]
    for i in range(rows.shape[0]):
        at = starts[bucket[i]]
        starts[bucket[i]] = at + 1
        order[at] = i
        for w in range(width):
            out[at, w] = rows[i, w]


@njit(nogil=True, cache=True)
def count_places(places: Any, leaf: Any, slot: Any, begin: Any, counts: Any) -> None:
    """Count the places of each axis in each open leaf; ``slot`` is -1 for a leaf that is not open."""
    for i in range(places.shape[0]):
        row = slot[leaf[i]]
        if row >= 0:
            for j in range(places.shape[1]):
                counts[row, begin[j] + places[i, j]] += 1
