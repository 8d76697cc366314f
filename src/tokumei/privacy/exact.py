"""The exact adversary for small tables: they compute every posterior by permanents. The oracle of the tests.

The attacker knows the original table and the mechanism. Every assignment of released rows to people is as likely as
the product of its probabilities (the shuffle being uniform), so the posterior of one link is a ratio of permanents.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import numpy as np

from tokumei.arrays import Floats, Integers


def permanent(matrices: Floats) -> Floats:
    """Return the permanents of a stack of n × n matrices (the last two axes), by dynamic programming over subsets.

    >>> float(permanent(np.ones((3, 3))))
    6.0
    """
    made: Floats = _over_subsets(matrices)[-1]
    return made


def _over_subsets(matrices: Floats) -> Floats:
    """Return for every set S of columns, as a number in binary, the permanents of the first ``len(S)`` rows in these columns."""
    n = matrices.shape[-1]
    sums = np.zeros((2**n, *matrices.shape[:-2]))
    sums[0] = 1.0
    for row, smaller in enumerate(_by_size(n)[:-1]):
        for column in range(n):
            without = smaller[smaller >> column & 1 == 0]
            sums[without | 1 << column] += sums[without] * matrices[..., row, column]
    return sums


@cache
def _by_size(n: int) -> list[Integers]:
    """Return the subsets of n things, by how many they have."""
    sizes = np.array([subset.bit_count() for subset in range(2**n)])
    return [np.flatnonzero(sizes == size) for size in range(n + 1)]


def link_posteriors(likelihood: Floats) -> Floats:
    """Return P(row j is of person i) for a stack of n × n tables of ``likelihood[i, j] = P(released j | person i)``.

    If row j is of person i, those before i have some of the other rows and those behind i have the rest: the sum over all such
    sets is the permanent of what is left. Releases that cannot happen have no posterior and give zeros.
    """
    n = likelihood.shape[-1]
    before, behind = _over_subsets(likelihood), _over_subsets(likelihood[..., ::-1, :])
    total = before[-1]
    posterior = np.zeros_like(likelihood)
    for i, taken in enumerate(_by_size(n)[:-1]):
        for j in range(n):
            free = taken[taken >> j & 1 == 0]
            rest = np.sum(before[free] * behind[2**n - 1 - free - (1 << j)], axis=0)
            favourable = likelihood[..., i, j] * rest
            posterior[..., i, j] = np.divide(favourable, total, out=np.zeros_like(total), where=total > 0)
    return posterior


def tables(records: int, rows: int) -> Iterator[tuple[int, ...]]:
    """Enumerate every table of ``rows`` rows over ``records`` possible records, up to the order of the rows."""
    return itertools.combinations_with_replacement(range(records), rows)


def worst_posterior(matrix: Floats, rows: int) -> float:
    """Return the largest posterior of any link, over every table and every release of this many rows.

    ``matrix[y, x]`` is P(released record y | true record x) over whole records.
    """
    releases = np.array(list(tables(matrix.shape[0], rows)))
    worst = 0.0
    for table in tables(matrix.shape[1], rows):
        likelihood = matrix[releases[:, None, :], np.array(table)[None, :, None]]
        worst = max(worst, float(link_posteriors(likelihood).max()))
    return worst


def sampled_posteriors(
    likelihood: Floats, strata: Sequence[int], taken: Sequence[int], labels: Sequence[int] | None = None
) -> Floats:
    """Return P(row j is of person i) where only a sample was released and the attacker does not know who was drawn.

    ``likelihood[i, j] = P(released j | person i)`` has a row for each person and a column for each released row.
    ``strata[i]`` is the stratum of a person, ``taken[h]`` how many were drawn from each, ``labels[j]`` the stratum of a
    released row where labels are released. Enumerates every assignment of people to rows that the design allows.
    """
    people, rows = likelihood.shape
    told = None if labels is None else tuple(labels)
    drawn = _assignments(people, rows, tuple(strata), tuple(taken), told)
    weights = np.prod(likelihood[drawn, np.arange(rows)], axis=1)
    linked = np.zeros((people, rows))
    for row in range(rows):
        linked[:, row] = np.bincount(drawn[:, row], weights, people)
    total = float(weights.sum())
    return linked / total if total else linked


@lru_cache(maxsize=64)
def _assignments(
    people: int, rows: int, strata: tuple[int, ...], taken: tuple[int, ...], labels: tuple[int, ...] | None
) -> Integers:
    """Return who every row may be of, one assignment after the other."""
    every = list(itertools.permutations(range(people), rows))
    drawn = np.array(every, dtype=np.int64).reshape(len(every), rows)
    stratum = np.array(strata, dtype=np.int64)[drawn]
    fits = np.ones(len(drawn), dtype=np.bool_)
    for place, count in enumerate(taken):
        fits &= np.count_nonzero(stratum == place, axis=1) == count
    if labels is not None:
        fits &= np.all(stratum == np.array(labels, dtype=np.int64), axis=1)
    made = drawn[fits]
    made.flags.writeable = False
    return made


def product_matrix(matrices: Sequence[Floats]) -> Floats:
    """Return P(released record | true record) of independent columns, as one matrix over whole records."""
    joint: Floats = np.ones((1, 1))
    for matrix in matrices:
        joint = np.kron(joint, matrix).astype(np.float64)
    return joint
