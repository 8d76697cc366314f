"""Which columns single people out: distinction, separation, and the smallest sets in which somebody is unique."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.arrays import Bytes, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.messages import phrase
from tokumei.progress import stage
from tokumei.results import Result
from tokumei.risk.singling_out.search import Search

MOST_SETS = 20_000  # up to this many sets are looked at one by one; among more of them, the best are searched for
EXTENDED = 50  # how many sets the search goes on from, in every round


@dataclass(frozen=True)
class Combination(Result):
    """What a set of columns tells apart.

    Attributes
    ----------
    columns
        The columns.
    rows
        How many rows are unique in them, and in no smaller set of them: their minimal uniques.
    unique
        How many rows are unique in them.
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
class ColumnRisk(Result):
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
        The score of the minimal uniques that it is part of, over that of all (SUDA). A minimal unique of several columns counts
        for each of them, so contributions add up to more than one.
    share
        Its share of the score: each minimal unique is divided evenly among its columns, so shares add up to one.
    spared
        How many rows fewer would be unique if the attacker did not know it.
    """

    name: str
    distinction: float
    separation: float
    minimal: int
    contribution: float
    share: float
    spared: int


@dataclass(frozen=True)
class SinglingOut:
    """What makes people unique.

    Attributes
    ----------
    largest
        Up to how many columns were put together.
    complete
        Up to how many columns every set was looked at. Larger ones were searched for.
    attributes
        Each column, those with the largest share first, by sets of up to ``complete`` columns.
    combinations
        The sets that were looked at, those with most minimal uniques first: every one of up to ``complete`` columns.
    singled_out
        How many rows are already unique in some set of this many columns: for each number, those that are not in fewer.
        Beyond ``complete`` columns there may be more.
    """

    largest: int
    complete: int
    attributes: tuple[ColumnRisk, ...]
    combinations: tuple[Combination, ...]
    singled_out: dict[int, int]

    @property
    def minimal(self) -> tuple[Combination, ...]:
        """The combinations that have minimal uniques."""
        return tuple(each for each in self.combinations if each.rows)


def singling_out(
    columns: Sequence[str], codes: Sequence[Any], labels: Integers, largest: int
) -> tuple[SinglingOut, Floats]:
    """Look for sets of up to ``largest`` columns that make rows unique; return what was found, and the score of each row.

    ``labels`` is the class of each row by all columns together.

    Every set is looked at as long as they are at most ``MOST_SETS``. Larger ones are searched for: those sets that leave most classes of
    several rows, which one more column can split, are extended by every other column, and so on, until all rows that can be
    unique are.

    A row's score adds up its minimal uniques, each of s columns counting ``(m - s) (m - s - 1) ... (m - complete + 1)``,
    m being all columns: the fewer columns single a row out, the more (SUDA, Elliot, Manning and Ford 2002).

    A row that is unique in a set is unique in every larger one, so a set is minimal for a row if the row is unique in it and
    in none of the sets with one column less. Only the flags of these are kept, one bit for each row that is unique in all
    columns.
    """
    if isinstance(largest, bool) or not isinstance(largest, int) or largest < 1:
        raise InvalidParameter("largest must be a whole number of at least 1. Got {largest!r}.", largest=largest)
    rows, most = len(codes[0]), min(largest, len(columns))
    complete = _complete(len(columns), most)
    counts = np.bincount(labels).astype(np.int64)
    examples = np.empty(len(counts), dtype=np.int64)
    examples[labels] = np.arange(rows)
    lonely = np.flatnonzero(counts == 1)
    place = np.full(len(counts), -1, dtype=np.int64)
    place[lonely] = np.arange(len(lonely))
    search = Search([each[examples] for each in codes], counts, place)
    tally = _Tally(columns, rows, len(lonely), complete)
    work = [math.comb(len(columns), size) for size in range(1, most + 1)]
    work[complete:] = [min(each, EXTENDED * (len(columns) - at)) for at, each in enumerate(work)][complete:]
    singled_out: dict[int, int] = {}
    below: dict[tuple[int, ...], Bytes] = {(): _packed(np.array([], dtype=np.int64), len(lonely))}
    several: dict[tuple[int, ...], int] = {}
    with stage("Looking for columns that single people out", total=sum(work)) as shown:
        for size in range(1, most + 1):
            if size > complete and tally.met.all():
                break
            here: dict[tuple[int, ...], Bytes] = {}
            every = itertools.combinations(range(len(columns)), size)
            before, sets = tally.met.sum(), every if size <= complete else _extended(several, len(columns))
            several = {}
            for some in sets:
                classes, pairs, alone = search.count(some)
                several[some] = classes - len(alone)
                if size < most:
                    here[some] = _packed(alone, len(lonely))
                smaller = np.zeros_like(next(iter(below.values())))
                for left in itertools.combinations(some, size - 1):
                    if left not in below:
                        below[left] = _packed(search.count(left)[2], len(lonely))
                    smaller |= below[left]
                tally.add(some, classes, pairs, alone, np.unpackbits(smaller, count=len(lonely)))
                shown.advance()
            singled_out[size] = int(tally.met.sum() - before)
            below = here
    attributes = tally.attributes([len(lonely) - each for each in search.alone_without()])
    tally.found.sort(key=lambda each: (-each.rows, len(each.columns), -each.separation, each.columns))
    score = np.zeros(len(counts))
    score[lonely] = tally.scores
    return SinglingOut(most, complete, attributes, tuple(tally.found), singled_out), score[labels]


class _Tally:
    """What was found in one set after the other."""

    def __init__(self, columns: Sequence[str], rows: int, lonely: int, complete: int) -> None:
        self.columns, self.rows = columns, rows
        self.found: list[Combination] = []
        self.scores, self.met = np.zeros(lonely), np.zeros(lonely, dtype=np.bool_)
        self._part, self._share = np.zeros(len(columns)), np.zeros(len(columns))
        self._minimal = np.zeros(len(columns), dtype=np.int64)
        self._weight = {
            size: math.prod(len(columns) - at for at in range(size, complete)) for size in range(1, complete + 1)
        }

    def add(self, some: tuple[int, ...], classes: int, pairs: float, alone: Integers, smaller: Bytes) -> None:
        """Add a set: its classes, the pairs of rows it leaves together, the rows it makes unique, and whether fewer columns do."""
        new = alone[smaller[alone] == 0]
        self.met[new] = True
        weight = self._weight.get(len(some), 0)
        self.scores[new] += weight
        self._part[list(some)] += weight * len(new)
        self._share[list(some)] += weight * len(new) / len(some)
        self._minimal[list(some)] += len(new) if weight else 0
        separation = 1 - pairs / (0.5 * self.rows * (self.rows - 1)) if self.rows > 1 else 0.0
        names = tuple(self.columns[at] for at in some)
        self.found.append(Combination(names, len(new), len(alone), classes / self.rows, separation))

    def attributes(self, spared: Sequence[int]) -> tuple[ColumnRisk, ...]:
        """Return what each column adds; the first sets were those of one column."""
        total = float(self.scores.sum()) or 1.0
        made = [
            ColumnRisk(
                name,
                self.found[at].distinction,
                self.found[at].separation,
                int(self._minimal[at]),
                float(self._part[at] / total),
                float(self._share[at] / total),
                spared[at],
            )
            for at, name in enumerate(self.columns)
        ]
        return tuple(sorted(made, key=lambda each: (-each.share, -each.separation, each.name)))


def searched(complete: int, singled_out: Mapping[int, int]) -> list[str]:
    """Say from how many columns on sets were searched for; nothing where every one was looked at."""
    if max(singled_out) <= complete:
        return []
    return [
        phrase(
            "Sets of more than {complete:column|columns} were searched for, not all looked at: they may single out more rows.",
            complete=complete,
        )
    ]


def _complete(columns: int, most: int) -> int:
    """Return up to how many columns every set can be looked at.

    >>> _complete(8, 8), _complete(30, 3), _complete(30, 6)
    (8, 3, 3)
    """
    sets = itertools.accumulate(math.comb(columns, size) for size in range(1, most + 1))
    return max(1, sum(each <= MOST_SETS for each in sets))


def _extended(several: Mapping[tuple[int, ...], int], columns: int) -> list[tuple[int, ...]]:
    """Return the sets that have one column more than those which leave most classes of several rows.

    >>> _extended({(0,): 1, (1,): 2}, 3)
    [(0, 1), (0, 2), (1, 2)]
    """
    best = sorted(several, key=lambda some: (-several[some], some))[:EXTENDED]
    made = {tuple(sorted((*some, more))) for some in best for more in range(columns) if more not in some}
    return sorted(made)


def _packed(places: Integers, size: int) -> Bytes:
    """Set bits at some places."""
    flags = np.zeros(size, dtype=np.bool_)
    flags[places] = True
    return np.packbits(flags)
