"""The distinct rows of a table, counted by one set of columns after the other."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.arrays import Bytes, Codes, Integers, Unsigned64
from tokumei.parallel import in_chunks
from tokumei.table.classes import joined

ROOM = 4  # keys per row, up to which each is counted at a place of its own
FEWER = 4  # times as few keys as there are distinct rows make a table of their own worth while,
MOST = 2**18  # up to this many: more do not stay in the cache
HELD = 16  # such tables
NONE_KNOWN = np.empty(0, dtype=np.uint8)


@dataclass(frozen=True)
class Counted:
    """The classes of a set of columns.

    Attributes
    ----------
    classes, pairs
        How many there are, and how many pairs of rows they leave together.
    new
        The places of the rows that are unique and were not known to be.
    flags
        A bit for the place of each row that is unique.
    """

    classes: int
    pairs: float
    new: Integers
    flags: Bytes


class Search:
    """The distinct rows of a table, how many rows each stands for, and the place of each among those that are unique."""

    def __init__(self, matrix: Any, held: Unsigned64, bits: int, unique: int) -> None:
        self._sizes = [int(codes.max(initial=0)) + 1 for codes in matrix]
        self._matrix, self._held, self._bits, self._unique = matrix, held, bits, unique
        nothing = np.zeros(len(held), dtype=np.int64)
        self._joined: dict[tuple[int, ...], tuple[Integers, int]] = {(): (nothing, 1)}
        self._smaller: list[tuple[tuple[int, ...], Search]] = []
        self._lock = threading.Lock()  # sets are counted by several threads

    @classmethod
    def of(cls, codes: Sequence[Codes], labels: Integers, counts: Integers) -> Search:
        """Look at one row of each class; those that are a class of their own have places in their order."""
        example = np.empty(len(counts), dtype=np.int64)
        example[labels] = np.arange(len(labels))
        matrix = np.empty((len(codes), len(counts)), dtype=np.int32 if len(labels) < 2**31 else np.int64)

        def take(first: int, last: int) -> None:
            for at in range(first, last):
                matrix[at] = codes[at][example]

        in_chunks(len(codes), take, size=1)
        alone = counts == 1
        bits, unique = len(labels).bit_length(), int(np.count_nonzero(alone))
        assert bits + unique.bit_length() <= 64  # more than four billion rows would not be here
        held = counts.astype(np.uint64)
        held[alone] |= np.arange(unique, dtype=np.uint64) << np.uint64(bits)
        return cls(matrix, held, bits, unique)

    def count_all(self, sets: Sequence[tuple[tuple[int, ...], Bytes]]) -> list[Counted]:
        """Count the classes of some sets, each with a bit for every row that is known to be unique in it, or no bits at all."""
        found: dict[int, Counted] = {}

        def count(first: int, last: int) -> None:
            for at in range(first, last):
                found[at] = self._count(*sets[at])

        in_chunks(len(sets), count, size=1)
        return [found[at] for at in range(len(sets))]

    def alone_without(self, columns: Sequence[int]) -> list[int]:
        """Count for each of some columns the rows that are unique in all the others."""
        every = range(len(self._sizes))
        sets = [tuple(at for at in every if at != column) for column in columns]
        return [len(each.new) for each in self.count_all([(some, NONE_KNOWN) for some in sets])]

    def _count(self, some: tuple[int, ...], known: Bytes) -> Counted:
        smaller = self._with_fewer_rows(some)
        if smaller is not None:
            columns, search = smaller
            classes, pairs, alone = search._classes(tuple(columns.index(at) for at in some), NONE_KNOWN)
            new = alone[(known[alone >> 3] >> (7 - (alone & 7))) & 1 == 0] if len(known) else alone
        else:
            classes, pairs, new = self._classes(some, known)
            classes += set_bits(known)
        flags = np.zeros(self._unique, dtype=np.bool_)
        flags[new] = True
        packed = np.packbits(flags)
        return Counted(classes, pairs, new, known | packed if len(known) else packed)

    def _width(self, some: tuple[int, ...]) -> int:
        return math.prod(self._sizes[at] for at in some)

    def _classes(self, some: tuple[int, ...], known: Bytes) -> tuple[int, float, Integers]:
        """Count the classes of the rows that are not known to be unique, and find those of them that are."""
        from tokumei.risk.singling_out._search_kernels import count_keys, summed

        left = len(self._held) - set_bits(known)
        if left == 0:
            return 0, 0.0, np.empty(0, dtype=np.int64)
        if self._width(some) <= ROOM * left:
            found = self._at_places(some, known)
        else:
            found = count_keys(*self._given(some, known), left)
        classes, pairs, alone = summed(found, np.uint64(self._bits))
        return int(classes), float(pairs), alone

    def _at_places(self, some: tuple[int, ...], known: Bytes) -> Unsigned64:
        """Count the classes of a set, each at the place of its key."""
        from tokumei.risk.singling_out._search_kernels import count_places

        found = np.zeros(self._width(some), dtype=np.uint64)
        count_places(*self._given(some, known), found)
        return found

    def _given(self, some: tuple[int, ...], known: Bytes) -> tuple[Any, ...]:
        """Return what the loops are given, with room for a block of keys and rows."""
        from tokumei.risk.singling_out._search_kernels import BLOCK

        keys, values = np.empty(BLOCK, dtype=np.int64), np.empty(BLOCK, dtype=np.uint64)
        return *self._digits(some), self._held, np.uint64(self._bits), known, keys, values

    def _digits(self, some: tuple[int, ...]) -> tuple[Any, Integers, Integers]:
        """Return codes, which of them make a key, and the factor of each: those of the columns, or one where they would not do."""
        if self._width(some) < 2**62:
            factors = [self._width(some[at + 1 :]) for at in range(len(some))]
            return self._matrix, np.array(some, dtype=np.int64), np.array(factors, dtype=np.int64)
        with self._lock:
            before = self._before(some[:-1])
        keys = joined(*before, self._matrix[some[-1]])[0]
        return keys[None], np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)

    def _before(self, some: tuple[int, ...]) -> tuple[Integers, int]:
        """Join the columns that one set after the other begins with; only the latest are kept."""
        if some not in self._joined:
            found = joined(*self._before(some[:-1]), self._matrix[some[-1]])
            kept = {some[:size]: self._joined[some[:size]] for size in range(len(some))}
            self._joined = {**kept, some: found}
        return self._joined[some]

    def _with_fewer_rows(self, some: tuple[int, ...]) -> tuple[tuple[int, ...], Search] | None:
        """Return a table of far fewer distinct rows that has the columns, if there can be one: it is made for many sets of columns."""
        most = min(MOST, len(self._held) // FEWER)
        if not some or self._width(some) > most:
            return None
        with self._lock:
            for at, (columns, _) in enumerate(self._smaller):
                if set(some) <= set(columns):
                    self._smaller.append(self._smaller.pop(at))
                    return self._smaller[-1]
            columns = some
            for more in sorted(set(range(len(self._sizes))) - set(some), key=lambda at: (at < some[-1], at)):
                if self._width((*columns, more)) <= most:
                    columns = (*columns, more)
            found = self._at_places(columns, NONE_KNOWN)
            different = np.flatnonzero(found)
            codes = np.stack(np.unravel_index(different, [self._sizes[at] for at in columns])).astype(np.int32)
            self._smaller.append((columns, Search(codes, found[different], self._bits, self._unique)))
            del self._smaller[:-HELD]
            return self._smaller[-1]


def set_bits(bits: Bytes) -> int:
    """Count the bits that are set."""
    return int(np.count_nonzero(np.unpackbits(bits)))
