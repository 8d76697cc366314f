"""The distinct rows of a table, counted by one set of columns after the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei.arrays import Codes, Integers
from tokumei.parallel import in_chunks
from tokumei.table.classes import joined


class Search:
    """The distinct rows of a table, how many rows each stands for, and the place of each among those that are unique."""

    def __init__(self, codes: Sequence[Codes], counts: Integers, place: Integers) -> None:
        self._codes, self._counts, self._place = codes, counts, place
        self._rows = int(counts.sum())
        nothing = np.zeros(len(counts), dtype=np.int64)
        self._joined: dict[tuple[int, ...], tuple[Integers, int]] = {(): (nothing, 1)}

    def count(self, some: tuple[int, ...]) -> tuple[int, float, Integers]:
        """Return how many classes a set makes, how many pairs of rows it leaves together, and which rows it makes unique."""
        return self._count(*joined(*self._before(some[:-1]), self._codes[some[-1]]))

    def alone_without(self) -> list[int]:
        """Count for each column the rows that are unique in all the others."""
        sizes = [int(each.max()) + 1 for each in self._codes]
        if math.prod(sizes) >= 2**62:
            places = range(len(self._codes))
            return [len(self.count(tuple(at for at in places if at != column))[2]) for column in places]
        every, width = np.zeros(len(self._counts), dtype=np.int64), 1
        for codes in self._codes:
            every, width = joined(every, width, codes)
        found = [0] * len(sizes)

        def leave_out(first: int, last: int) -> None:
            for column in range(first, last):  # the code of a column is a digit of the joined number
                digit = math.prod(sizes[column + 1 :])
                own = self._codes[column].astype(np.int64)
                own *= -digit
                own += every
                found[column] = len(self._count(own, width)[2])

        in_chunks(len(sizes), leave_out, size=1)
        return found

    def _count(self, keys: Integers, width: int) -> tuple[int, float, Integers]:
        from tokumei.risk.singling_out._search_kernels import count_large, count_small

        if width <= 4 * len(keys) + 1024:
            classes, pairs, rows = count_small(keys, self._counts, width)
        else:
            classes, pairs, rows = count_large(keys, self._counts, *self._empty())
        return classes, pairs, self._place[rows]

    def _empty(self) -> tuple[Any, Any]:
        """Return a table to count in, at least twice as large as needed."""
        size = 1 << (2 * len(self._counts)).bit_length()
        kind = np.int32 if self._rows < 2**31 else np.int64
        return np.zeros(size, dtype=kind), np.zeros(size, dtype=kind)

    def _before(self, some: tuple[int, ...]) -> tuple[Integers, int]:
        """Join the columns that one set after the other begins with; only the latest are kept."""
        if some not in self._joined:
            found = joined(*self._before(some[:-1]), self._codes[some[-1]])
            kept = {some[:size]: self._joined[some[:size]] for size in range(len(some))}
            self._joined = {**kept, some: found}
        return self._joined[some]
