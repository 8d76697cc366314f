"""Which columns single people out: distinction, separation, and the smallest sets in which somebody is alone."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tokumei.errors import InvalidParameter
from tokumei.parallel import in_chunks
from tokumei.progress import stage
from tokumei.table.classes import joined

Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Combination:
    """What a set of columns tells apart.

    Attributes
    ----------
    columns
        The columns.
    rows
        How many rows are alone in them, and in no smaller set of them: their minimal uniques.
    unique
        How many rows are alone in them.
    distinction
        Their different values over the rows.
    separation
        The share of pairs of rows that differ in them.
    """

    columns: tuple[str, ...]
    rows: int
    unique: int
    distinction: float
    separation: float


@dataclass(frozen=True)
class ColumnRisk:
    """What one column adds.

    Attributes
    ----------
    name
        The column.
    distinction, separation
        As of a `Combination` of this column alone.
    minimal
        How many minimal uniques it is part of.
    contribution
        Its part in the scores of all rows: the score of the minimal uniques that it is part of, over that of all.
    spared
        How many rows fewer would be alone if the attacker did not know it.
    """

    name: str
    distinction: float
    separation: float
    minimal: int
    contribution: float
    spared: int


@dataclass(frozen=True)
class SinglingOut:
    """What makes people unique.

    Attributes
    ----------
    largest
        Up to how many columns were put together.
    attributes
        Each column, those that contribute most first.
    combinations
        Every set of up to ``largest`` columns, those with most minimal uniques first.
    singled_out
        How many rows are alone already in so many columns: for each number, those that are not in fewer.
    """

    largest: int
    attributes: tuple[ColumnRisk, ...]
    combinations: tuple[Combination, ...]
    singled_out: dict[int, int]

    @property
    def minimal(self) -> tuple[Combination, ...]:
        """The combinations that have minimal uniques."""
        return tuple(each for each in self.combinations if each.rows)


def singling_out(
    columns: Sequence[str], codes: Sequence[Any], labels: Whole, largest: int
) -> tuple[SinglingOut, npt.NDArray[np.float64]]:
    """Look at every set of up to ``largest`` columns; return what was found, and the score of each row.

    ``labels`` is the class of each row by all columns together.

    A row's score adds up its minimal uniques, each of s columns counting ``(m - s) (m - s - 1) ... (m - largest + 1)``,
    m being all columns: the fewer columns single a row out, the more (SUDA, Elliot, Manning and Ford 2002).

    A row that is alone in a set is alone in every larger one, so a set is minimal for a row if the row is alone in it and
    in none of the sets with one column less. Only the flags of these are kept, one bit for each row that is alone in all
    columns.
    """
    if largest < 1:
        raise InvalidParameter(f"largest must be at least 1. Got {largest}.")
    rows, most = len(codes[0]), min(largest, len(columns))
    counts = np.bincount(labels).astype(np.int64)
    examples = np.empty(len(counts), dtype=np.int64)
    examples[labels] = np.arange(rows)
    lonely = np.flatnonzero(counts == 1)
    place = np.full(len(counts), -1, dtype=np.int64)
    place[lonely] = np.arange(len(lonely))
    search = _Search([each[examples].astype(np.int64, copy=False) for each in codes], counts, place)
    found, singled_out = [], {}
    weight = {size: math.prod(len(columns) - at for at in range(size, most)) for size in range(1, most + 1)}
    scores, met = np.zeros(len(lonely)), np.zeros(len(lonely), dtype=np.bool_)
    share = np.zeros(len(columns))
    minimal = np.zeros(len(columns), dtype=np.int64)
    below: dict[tuple[int, ...], Flags] = {(): np.packbits(np.zeros(len(lonely), dtype=np.bool_))}
    work = sum(math.comb(len(columns), size) for size in range(1, most + 1))
    with stage("Looking for columns that single people out", total=work) as shown:
        for size in range(1, most + 1):
            here: dict[tuple[int, ...], Flags] = {}
            before = int(np.count_nonzero(met))
            for some in itertools.combinations(range(len(columns)), size):
                classes, pairs, alone = search.count(some)
                flags = np.zeros(len(lonely), dtype=np.bool_)
                flags[alone] = True
                packed = np.packbits(flags)
                if size < most:
                    here[some] = packed
                smaller = np.zeros_like(packed)
                for left in itertools.combinations(some, size - 1):
                    smaller |= below[left]
                new = alone[np.unpackbits(smaller, count=len(lonely))[alone] == 0]
                met[new] = True
                scores[new] += weight[size]
                share[list(some)] += weight[size] * len(new)
                minimal[list(some)] += len(new)
                separation = 1 - pairs / (0.5 * rows * (rows - 1)) if rows > 1 else 0.0
                names = tuple(columns[at] for at in some)
                found.append(Combination(names, len(new), len(alone), classes / rows, separation))
                shown.advance()
            singled_out[size] = int(np.count_nonzero(met)) - before
            below = here
    total = float(scores.sum())
    alone_without = search.alone_without()
    attributes = [
        ColumnRisk(
            name,
            found[at].distinction,
            found[at].separation,
            int(minimal[at]),
            float(share[at] / total) if total else 0.0,
            len(lonely) - alone_without[at],
        )
        for at, name in enumerate(columns)
    ]
    attributes.sort(key=lambda each: (-each.contribution, -each.separation, each.name))
    found.sort(key=lambda each: (-each.rows, len(each.columns), -each.separation, each.columns))
    every = np.zeros(len(counts))
    every[lonely] = scores
    return SinglingOut(most, tuple(attributes), tuple(found), singled_out), every[labels]


class _Search:
    """The distinct rows of a table, counted by any of its columns."""

    def __init__(self, codes: Sequence[Whole], counts: Whole, place: Whole) -> None:
        self._codes, self._counts, self._place = codes, counts, place
        self._rows = int(counts.sum())
        nothing = np.zeros(len(counts), dtype=np.int64)
        self._joined: dict[tuple[int, ...], tuple[Whole, int]] = {(): (nothing, 1)}

    def count(self, some: tuple[int, ...]) -> tuple[int, float, Whole]:
        """Return how many classes a set makes, how many pairs of rows it leaves together, and which rows it makes alone."""
        return self._count(*joined(*self._before(some[:-1]), self._codes[some[-1]]))

    def alone_without(self) -> list[int]:
        """Count for each column the rows that are alone in all the others."""
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
                found[column] = len(self._count(every - self._codes[column] * digit, width)[2])

        in_chunks(len(sizes), leave_out, size=1)
        return found

    def _count(self, keys: Whole, width: int) -> tuple[int, float, Whole]:
        from tokumei.risk.singling_out._kernels import count_large, count_small

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

    def _before(self, some: tuple[int, ...]) -> tuple[Whole, int]:
        """Join the columns that one set after the other begins with; only the latest are kept."""
        if some not in self._joined:
            found = joined(*self._before(some[:-1]), self._codes[some[-1]])
            kept = {some[:size]: self._joined[some[:size]] for size in range(len(some))}
            self._joined = {**kept, some: found}
        return self._joined[some]
