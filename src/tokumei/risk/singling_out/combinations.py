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
from tokumei.risk.singling_out.search import NONE_KNOWN, Counted, Search, set_bits

MOST_SETS = 20_000  # up to this many sets are looked at one by one; among more of them, the best are searched for
AT_ONCE = 16  # sets are counted by several threads
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
    columns, and only the rows without a flag are counted.
    """
    if isinstance(largest, bool) or not isinstance(largest, int) or largest < 1:
        raise InvalidParameter("largest must be a whole number of at least 1. Got {largest!r}.", largest=largest)
    rows, most = len(codes[0]), min(largest, len(columns))
    complete = _complete(len(columns), most)
    counts = np.bincount(labels).astype(np.int64)
    lonely = np.flatnonzero(counts == 1)
    search = Search.of(codes, labels, counts)
    tally = _Tally(columns, rows, len(lonely), complete)
    work = [math.comb(len(columns), size) for size in range(1, most + 1)]
    work[complete:] = [min(each, EXTENDED * (len(columns) - at)) for at, each in enumerate(work)][complete:]
    singled_out: dict[int, int] = {}
    below: dict[tuple[int, ...], Bytes] = {(): np.zeros((len(lonely) + 7) // 8, dtype=np.uint8)}
    several: dict[tuple[int, ...], int] = {}
    with stage("Looking for columns that single people out", total=sum(work)) as shown:
        for size in range(1, most + 1):
            if size > complete and tally.met.all():
                break
            every = itertools.combinations(range(len(columns)), size)
            before, sets = tally.met.sum(), iter(every if size <= complete else _extended(several, len(columns)))
            here: dict[tuple[int, ...], Bytes] = {}
            several = {}
            while together := list(itertools.islice(sets, AT_ONCE)):
                for some, found in zip(together, _counted(search, together, below), strict=True):
                    unique = tally.add(some, found)
                    several[some] = found.classes - unique
                    if size < most:
                        here[some] = found.flags
                    shown.advance()
            singled_out[size] = int(tally.met.sum() - before)
            below = here
    attributes = tally.attributes(len(lonely), search)
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

    def add(self, some: tuple[int, ...], counted: Counted) -> int:
        """Add a set: what fewer columns make unique is known of it. Return how many rows are unique in it."""
        new, unique = counted.new, set_bits(counted.flags)
        self.met[new] = True
        weight = self._weight.get(len(some), 0)
        self.scores[new] += weight
        self._part[list(some)] += weight * len(new)
        self._share[list(some)] += weight * len(new) / len(some)
        self._minimal[list(some)] += len(new) if weight else 0
        separation = 1 - counted.pairs / (0.5 * self.rows * (self.rows - 1)) if self.rows > 1 else 0.0
        names = tuple(self.columns[at] for at in some)
        self.found.append(Combination(names, len(new), unique, counted.classes / self.rows, separation))
        return unique

    def attributes(self, unique: int, search: Search) -> tuple[ColumnRisk, ...]:
        """Return what each column adds; the first sets were those of one column. ``unique`` rows are by all columns."""
        spared = self._spared(unique, search)
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

    def _spared(self, unique: int, search: Search) -> list[int]:
        """Count for each column how many rows fewer are unique without it; sets that were looked at are known."""
        looked_at = {each.columns: each.unique for each in self.found}
        without = [tuple(name for name in self.columns if name != left) for left in self.columns]
        open_ones = [at for at, some in enumerate(without) if some not in looked_at]
        alone = dict(zip(open_ones, search.alone_without(open_ones), strict=True))
        return [unique - (alone[at] if at in alone else looked_at[some]) for at, some in enumerate(without)]


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


def _counted(search: Search, sets: Sequence[tuple[int, ...]], below: dict[tuple[int, ...], Bytes]) -> Sequence[Counted]:
    """Count some sets of as many columns each, by the rows that are unique with one column less."""
    smaller = [list(itertools.combinations(some, len(some) - 1)) for some in sets]
    unknown = sorted({left for each in smaller for left in each if left not in below})
    below.update(
        zip(unknown, (each.flags for each in search.count_all([(left, NONE_KNOWN) for left in unknown])), strict=True)
    )
    return search.count_all(
        [(some, np.bitwise_or.reduce([below[left] for left in each])) for some, each in zip(sets, smaller, strict=True)]
    )
