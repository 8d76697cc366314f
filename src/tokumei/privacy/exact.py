"""The exact adversary for small tables: they compute every posterior by permanents. The oracle of the tests.

The attacker knows the original table and the mechanism. Every assignment of released rows to people is as likely as
the product of its probabilities (the shuffle being uniform), so the posterior of one link is a ratio of permanents.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from tokumei.arrays import Floats


def permanent(matrices: Floats) -> Floats:
    """Return the permanents of a stack of n × n matrices (the last two axes), by dynamic programming over subsets.

    >>> float(permanent(np.ones((3, 3))))
    6.0
    """
    n = matrices.shape[-1]
    sums = {0: np.ones(matrices.shape[:-2])}
    for subset in sorted(range(1, 2**n), key=int.bit_count):
        row = subset.bit_count() - 1
        sums[subset] = sum(
            (sums[subset & ~(1 << c)] * matrices[..., row, c] for c in range(n) if subset >> c & 1),
            start=np.zeros(matrices.shape[:-2]),
        )
    return sums[2**n - 1]


def link_posteriors(likelihood: Floats) -> Floats:
    """Return P(row j is of person i) for a stack of n × n tables of ``likelihood[i, j] = P(released j | person i)``.

    Releases that cannot happen have no posterior and give zeros.
    """
    n = likelihood.shape[-1]
    total = permanent(likelihood)
    posterior = np.zeros_like(likelihood)
    for i, j in itertools.product(range(n), repeat=2):
        rest = np.delete(np.delete(likelihood, i, axis=-2), j, axis=-1)
        favourable = likelihood[..., i, j] * (permanent(rest) if n > 1 else 1.0)
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
    total, linked = 0.0, np.zeros((people, rows))
    for drawn in itertools.permutations(range(people), rows):
        counts = [0] * len(taken)
        for person in drawn:
            counts[strata[person]] += 1
        if counts != list(taken):
            continue
        if labels is not None and any(strata[person] != label for person, label in zip(drawn, labels, strict=True)):
            continue
        weight = math.prod(float(likelihood[person, row]) for row, person in enumerate(drawn))
        total += weight
        linked[list(drawn), range(rows)] += weight
    return linked / total if total else linked


def product_matrix(matrices: Sequence[Floats]) -> Floats:
    """Return P(released record | true record) of independent columns, as one matrix over whole records."""
    joint: Floats = np.ones((1, 1))
    for matrix in matrices:
        joint = np.kron(joint, matrix).astype(np.float64)
    return joint
