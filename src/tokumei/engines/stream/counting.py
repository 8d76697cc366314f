"""Counting classes of rows in bounded memory: a table of hashes, and as many passes as its share of the memory needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tokumei.arrays import Integers, Unsigned64
from tokumei.errors import InvalidParameter

SHARE = 7  # the first table takes at most one part in this many of the memory
MOST_PASSES = 2**12
COMMON = 4096  # counts below it are counted by themselves, the others sorted


class Tally:
    """The keys of one part of all hashes, each with its counts; half of its places stay empty."""

    def __init__(self, words: int, columns: int, told: int, part: int, part_bits: int, memory: int) -> None:
        self.words, self.told, self.part, self.part_bits = words, told, part, part_bits
        places = max(16, memory // SHARE // (8 * (words + columns)))
        self.table = np.zeros((2 ** (places.bit_length() - 1), words + columns), dtype=np.uint64)
        self.used = 0

    def add(self, keys: Unsigned64, add: Integers | None, most: int) -> bool:
        """Count rows, each for as much as ``add`` says or for one; return whether at most ``most`` bytes sufficed."""
        at = 0
        while at < len(keys):
            at, self.used = self._tally(keys, add, at)
            if at < len(keys) and not self._grow(most):
                return False
        return True

    @property
    def _simple(self) -> bool:
        """Whether keys are one word and counts one number."""
        return self.words == self.told == 1 and self.table.shape[1] == 2

    def _tally(self, keys: Unsigned64, add: Integers | None, at: int) -> tuple[int, int]:
        from tokumei.engines.stream._kernels import AHEAD, tally, tally_one

        if add is None and self._simple:
            places = np.empty(AHEAD + 1, dtype=np.uint64)
            return tally_one(keys, at, self.part, self.part_bits, self.table, self.used, places)
        each = np.ones((len(keys), 1), dtype=np.uint64) if add is None else add.astype(np.uint64)
        return tally(keys, each, at, self.told, self.part, self.part_bits, self.table, self.used)

    def _grow(self, most: int) -> bool:
        """Make the table larger; return whether old and new one fit into this many bytes."""
        from tokumei.engines.stream._kernels import tally

        growth = 4 if len(self.table) < 2**18 else 2
        if (1 + growth) * self.table.nbytes > most:
            return False
        old = self.table[self.table[:, self.words] > 0]
        self.table = np.zeros((growth * len(self.table), old.shape[1]), dtype=np.uint64)
        keys, counts = np.ascontiguousarray(old[:, : self.words]), np.ascontiguousarray(old[:, self.words :])
        _, self.used = tally(keys, counts, 0, self.told, self.part, self.part_bits, self.table, 0)
        return True

    def result(self) -> tuple[Unsigned64, Integers]:
        """Return the different keys and their counts."""
        there = self.table[self.table[:, self.words] > 0]
        return there[:, : self.words], there[:, self.words :].astype(np.int64)

    def sizes(self) -> dict[int, int]:
        """Return how many keys have each first count."""
        from tokumei.engines.stream._kernels import count_counts

        counts, few = self.table[:, self.words], np.zeros(COMMON + 1, dtype=np.int64)
        count_counts(counts, few)
        sizes, many = np.unique(counts[counts >= COMMON], return_counts=True) if few[COMMON] else ((), ())
        found = {size: int(few[size]) for size in range(1, COMMON) if few[size]}
        return found | {int(size): int(keys) for size, keys in zip(sizes, many, strict=True)}

    def first_counts(self, keys: Unsigned64) -> Integers:
        """Return the first count of each row's key, 0 for a key of another part."""
        from tokumei.engines.stream._kernels import look_up

        found = np.zeros(len(keys), dtype=np.int64)
        look_up(keys, self.told, self.part, self.part_bits, self.table, found)
        return found


def tallies(
    rows: Callable[[], Iterator[tuple[Unsigned64, Integers | None]]],
    words: int,
    columns: int,
    memory: int,
    told: int | None = None,
) -> Iterator[Tally]:
    """Count the keys of all rows, part by part: each part is a pass over the rows, and its table fits the memory.

    ``rows`` begins a pass. Keys that agree in their first ``told`` words are in the same part.
    """
    parts = 1
    done = 0.0  # the share of hashes that has been counted
    while done < 1.0:
        part, bits = round(done * parts), (parts - 1).bit_length()
        tally = Tally(words, columns, words if told is None else told, part, bits, memory)
        fits = all(tally.add(keys, add, memory) for keys, add in rows())
        if not fits and parts < MOST_PASSES:
            parts *= 2
            continue
        if not fits:
            raise InvalidParameter("There are too many different rows to count in this memory; allow more.")
        yield tally
        done += 1 / parts


def as_words(packed: Any) -> Unsigned64:
    """Read rows of bytes, a multiple of eight each, as words."""
    return np.ascontiguousarray(packed).view(np.uint64).reshape(len(packed), -1)
