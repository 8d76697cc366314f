"""Counting classes of rows in bounded memory: a table of hashes, and as many passes as its share of the memory needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from tokumei.errors import InvalidParameter

Keys = npt.NDArray[np.uint64]  # one row a row, one column a word
Counts = npt.NDArray[np.int64]

FIRST = 2**16  # places of the first table
MOST_PASSES = 2**12


class Tally:
    """The keys of one part of all hashes, each with its counts; half of its places stay empty."""

    def __init__(self, words: int, columns: int, told: int, part: int, part_bits: int) -> None:
        self.told, self.part, self.part_bits = told, part, part_bits
        self.table = np.zeros((FIRST, words), dtype=np.uint64)
        self.counts = np.zeros((FIRST, columns), dtype=np.int64)
        self.used = 0

    def add(self, keys: Keys, add: Counts | None, most: int) -> bool:
        """Count rows, each for as much as ``add`` says or for one; return whether at most ``most`` bytes sufficed."""
        from tokumei.engines.stream._kernels import tally, tally_one

        simple = add is None and keys.shape[1] == self.told == 1
        each = np.ones((len(keys), 1), dtype=np.int64) if add is None and not simple else add
        at = 0
        while at < len(keys):
            if simple:
                at, self.used = tally_one(
                    keys[:, 0], at, self.part, self.part_bits, self.table[:, 0], self.counts[:, 0], self.used
                )
            else:
                at, self.used = tally(
                    keys, each, at, self.told, self.part, self.part_bits, self.table, self.counts, self.used
                )
            if at < len(keys):
                if 2 * (self.table.nbytes + self.counts.nbytes) > most:
                    return False
                self._grow()
        return True

    def _grow(self) -> None:
        from tokumei.engines.stream._kernels import tally

        keys, counts = self.found()
        room = 4 * len(self.table) if len(self.table) < 2**20 else 2 * len(self.table)
        self.table = np.zeros((room, keys.shape[1]), dtype=np.uint64)
        self.counts = np.zeros((room, counts.shape[1]), dtype=np.int64)
        _, self.used = tally(keys, counts, 0, self.told, self.part, self.part_bits, self.table, self.counts, 0)

    def found(self) -> tuple[Keys, Counts]:
        """Return the different keys and their counts."""
        there = self.counts[:, 0] > 0
        return self.table[there], self.counts[there]

    def first_counts(self, keys: Keys) -> Counts:
        """Return the first count of each row's key, 0 for a key of another part."""
        from tokumei.engines.stream._kernels import look_up

        found = np.zeros(len(keys), dtype=np.int64)
        look_up(keys, self.told, self.part, self.part_bits, self.table, self.counts, found)
        return found


def tallies(
    rows: Callable[[], Iterator[tuple[Keys, Counts | None]]],
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
        tally = Tally(words, columns, words if told is None else told, part, bits)
        fits = all(tally.add(keys, add, memory) for keys, add in rows())
        if not fits and parts < MOST_PASSES:
            parts *= 2
            continue
        if not fits:
            raise InvalidParameter("There are too many different rows to be counted in this memory; allow more.")
        yield tally
        done += 1 / parts


def as_words(packed: Any) -> Keys:
    """Read rows of bytes, a multiple of eight each, as words."""
    return np.ascontiguousarray(packed).view(np.uint64).reshape(len(packed), -1)
