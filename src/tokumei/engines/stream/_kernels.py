"""Inner loops of counting classes in a table of hashes, and of dealing rows out to buckets."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

ODD = np.uint64(0x9E3779B97F4A7C15)
MIX = np.uint64(0xBF58476D1CE4E5B9)


@njit(inline="always")
def hashed(keys: Any, i: Any, told: Any) -> Any:
    """Hash the first ``told`` words of a key."""
    h = np.uint64(0)
    for w in range(told):
        h = (h ^ keys[i, w]) * ODD
        h = (h ^ (h >> np.uint64(29))) * MIX
    return h ^ (h >> np.uint64(32))


@njit(nogil=True, cache=True)
def tally(
    keys: Any, add: Any, first: Any, told: Any, part: Any, part_bits: Any, table: Any, counts: Any, used: Any
) -> Any:
    """Add rows to the counts of their keys, from row ``first`` on; only keys of one part, by their hash, are looked at.

    A key is all its words, its part and place follow from the first ``told`` of them. ``counts[:, 0]`` is zero where the
    table is empty. Returns how far it came (it stops when the table is half full) and how many keys there are.
    """
    room = table.shape[0]
    mask, words, columns = np.uint64(room - 1), keys.shape[1], counts.shape[1]
    for i in range(first, keys.shape[0]):
        h = hashed(keys, i, told)
        if part_bits and (h >> np.uint64(64 - part_bits)) != np.uint64(part):
            continue
        p = np.int64((h * ODD >> np.uint64(20)) & mask)
        while True:
            if counts[p, 0] == 0:
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
            counts[p, c] += add[i, c]
    return keys.shape[0], used


@njit(nogil=True, cache=True)
def tally_one(keys: Any, first: Any, part: Any, part_bits: Any, table: Any, counts: Any, used: Any) -> Any:
    """Do as `tally`, for keys of one word that each count one."""
    room = table.shape[0]
    mask = np.uint64(room - 1)
    for i in range(first, keys.size):
        x = keys[i]
        h = x * ODD
        h = (h ^ (h >> np.uint64(29))) * MIX
        h = h ^ (h >> np.uint64(32))
        if part_bits and (h >> np.uint64(64 - part_bits)) != np.uint64(part):
            continue
        p = np.int64((h * ODD >> np.uint64(20)) & mask)
        while True:
            c = counts[p]
            if c == 0:
                if 2 * (used + 1) > room:
                    return i, used
                table[p] = x
                counts[p] = 1
                used += 1
                break
            if table[p] == x:
                counts[p] = c + 1
                break
            p = np.int64((np.uint64(p) + np.uint64(1)) & mask)
    return keys.size, used


@njit(nogil=True, cache=True)
def look_up(keys: Any, told: Any, part: Any, part_bits: Any, table: Any, counts: Any, found: Any) -> None:
    """Write the first count of each row's key, where the key is of the part; every such key is in the table."""
    mask, words = np.uint64(table.shape[0] - 1), keys.shape[1]
    for i in range(keys.shape[0]):
        h = hashed(keys, i, told)
        if part_bits and (h >> np.uint64(64 - part_bits)) != np.uint64(part):
            continue
        p = np.int64((h * ODD >> np.uint64(20)) & mask)
        while True:
            same = True
            for w in range(words):
                same &= table[p, w] == keys[i, w]
            if same and counts[p, 0] > 0:
                found[i] = counts[p, 0]
                break
            p = np.int64((np.uint64(p) + np.uint64(1)) & mask)


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
