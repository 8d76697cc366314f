"""Which columns single people out: distinction, separation, and the smallest sets in which somebody is unique."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.arrays import Bytes, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.progress import stage
from tokumei.results import Result
from tokumei.risk.singling_out.search import Search


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
    attributes
        Each column, those with the largest share first.
    combinations
        Every set of up to ``largest`` columns, those with most minimal uniques first.
    singled_out
        How many rows are already unique in some set of this many columns: for each number, those that are not in fewer.
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
    columns: Sequence[str], codes: Sequence[Any], labels: Integers, largest: int
) -> tuple[SinglingOut, Floats]:
    """Look at every set of up to ``largest`` columns; return what was found, and the score of each row.

    ``labels`` is the class of each row by all columns together.

    A row's score adds up its minimal uniques, each of s columns counting ``(m - s) (m - s - 1) ... (m - largest + 1)``,
    m being all columns: the fewer columns single a row out, the more (SUDA, Elliot, Manning and Ford 2002).

    A row that is unique in a set is unique in every larger one, so a set is minimal for a row if the row is unique in it and
    in none of the sets with one column less. Only the flags of these are kept, one bit for each row that is unique in all
    columns.
    """
    if isinstance(largest, bool) or not isinstance(largest, int) or largest < 1:
        raise InvalidParameter("largest must be a whole number of at least 1. Got {largest!r}.", largest=largest)
    rows, most = len(codes[0]), min(largest, len(columns))
    counts = np.bincount(labels).astype(np.int64)
    examples = np.empty(len(counts), dtype=np.int64)
    examples[labels] = np.arange(rows)
    lonely = np.flatnonzero(counts == 1)
    place = np.full(len(counts), -1, dtype=np.int64)
    place[lonely] = np.arange(len(lonely))
    search = Search([each[examples].astype(np.int64, copy=False) for each in codes], counts, place)
    found, singled_out = [], {}
    weight = {size: math.prod(len(columns) - at for at in range(size, most)) for size in range(1, most + 1)}
    scores, met = np.zeros(len(lonely)), np.zeros(len(lonely), dtype=np.bool_)
    part, share = np.zeros(len(columns)), np.zeros(len(columns))
    minimal = np.zeros(len(columns), dtype=np.int64)
    below: dict[tuple[int, ...], Bytes] = {(): _packed(np.array([], dtype=np.int64), len(lonely))}
    work = sum(math.comb(len(columns), size) for size in range(1, most + 1))
    with stage("Looking for columns that single people out", total=work) as shown:
        for size in range(1, most + 1):
            here: dict[tuple[int, ...], Bytes] = {}
            before = int(np.count_nonzero(met))
            for some in itertools.combinations(range(len(columns)), size):
                classes, pairs, alone = search.count(some)
                if size < most:
                    here[some] = _packed(alone, len(lonely))
                smaller = below[some[1:]].copy()
                for left in itertools.combinations(some, size - 1):
                    smaller |= below[left]
                new = alone[np.unpackbits(smaller, count=len(lonely))[alone] == 0]
                met[new] = True
                scores[new] += weight[size]
                part[list(some)] += weight[size] * len(new)
                share[list(some)] += weight[size] * len(new) / size
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
            float(part[at] / total) if total else 0.0,
            float(share[at] / total) if total else 0.0,
            len(lonely) - alone_without[at],
        )
        for at, name in enumerate(columns)
    ]
    attributes.sort(key=lambda each: (-each.share, -each.separation, each.name))
    found.sort(key=lambda each: (-each.rows, len(each.columns), -each.separation, each.columns))
    every = np.zeros(len(counts))
    every[lonely] = scores
    return SinglingOut(most, tuple(attributes), tuple(found), singled_out), every[labels]


def _packed(places: Integers, size: int) -> Bytes:
    """Set bits at some places."""
    flags = np.zeros(size, dtype=np.bool_)
    flags[places] = True
    return np.packbits(flags)
