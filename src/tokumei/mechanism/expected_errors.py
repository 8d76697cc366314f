"""The error to expect of tables after reconstruction, in closed form and from public numbers alone.

Where rows tell one thing each, with ``t = 1/sqrt(swap) - 1``, a cluster s of A_s tuples that is told by the share w_s of n rows keeps a tuple with probability
``rho_s = t / (t + A_s)``, and tells as much as ``m_s = n w_s rho_s^2`` rows without noise. Errors are in total variation: a
table of A cells that M such rows tell is off by ``.5 sqrt(2/pi) sqrt((A - 1)/M)`` if it is inverted cell by cell, and by less
after reconstruction, which smooths. So, with M_i the rows that tell column i, c_i its cells, and M_ij those that tell i and j,

    noise_i     = NOISE  .4 sqrt((c_i - 1) / M_i)
    noise_ij    = PAIRED .4 sqrt((c_i - 1)(c_j - 1) / M_ij)
    one-way_i   = noise_i, and at most EMPTY
    two-way_ij^2 = one-way_i^2 + one-way_j^2 + (noise_ij, and at most TYPICAL)^2

where "x and at most y" is ``1 / sqrt(1/x^2 + 1/y^2)``. TYPICAL is how far two columns are from independent: the error of a pair
that no row tells together. A column that is told in several grids has one term for each: what the coarser one tells apart, it
tells apart in all rows.

The four constants were fitted to 108 reconstructions of three tables (Adult, the example census, a Gaussian copula; 2,000 to
200,000 rows, k = 3, 10 and 50, rows that tell one, two or three columns), which they describe to 15 % (root mean square);
``python -m benchmarks.telling`` measures them again.

Where every row tells every column, column i of n rows keeps the share s_i of what its values tell: rho_i^2 for retention. Then
``1/M_i = (1/s_i - 1)/n`` and ``1/M_ij = (1/(s_i s_j) - 1)/n``, so that columns without noise have no error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Floats, Integers

FOLDED = 0.5 * math.sqrt(2 / math.pi)  # half the mean of |z|, z standard normal
NOISE, PAIRED = 0.8, 0.6
TYPICAL, EMPTY = 0.1, 0.6


@dataclass(frozen=True)
class Part:
    """Clusters of as many columns each.

    Attributes
    ----------
    clusters
        The columns of each cluster, by number: one row per cluster.
    weights
        How many rows tell each cluster, relative to all others.
    cells
        How many cells each column has here, a missing one included.
    """

    clusters: Integers
    weights: Floats
    cells: Floats


@dataclass(frozen=True)
class Errors:
    """What to expect of each column, and of each two of them (a symmetric matrix, whose diagonal means nothing)."""

    one: Floats
    two: Floats
    worth: Floats  # how many rows without noise tell as much about each column
    together: (
        Floats  # the noise on how each two columns go together; `TYPICAL` is how far they usually are from independent
    )

    @property
    def mean_one(self) -> float:
        """The mean over tables of one column."""
        return float(self.one.mean())

    @property
    def mean_two(self) -> float | None:
        """The mean over tables of two columns; none where there is one column."""
        if len(self.one) < 2:
            return None
        return float(self.two[np.triu_indices(len(self.one), 1)].mean())

    def with_kept(self, states: int, cells: Floats) -> Floats:
        """Return the error of each column's table with a column that every row has unchanged, and that has ``states`` values."""
        noise = PAIRED * FOLDED * np.sqrt(_spread(cells) * max(states - 1, 0) / np.maximum(self.worth, 1e-300))
        return np.asarray(np.hypot(self.one, _at_most(noise, TYPICAL)))


def expected_errors(parts: Sequence[Part], rows: int, swap: float, blur: Floats | None = None) -> Errors:
    """Return the error to expect; ``blur`` is what a column loses by its coarseness, where that is to count."""
    t = 1 / math.sqrt(swap) - 1
    columns = len(parts[0].cells)
    total = sum(float(part.weights.sum()) for part in parts)
    about, informs = np.zeros((len(parts), columns)), np.zeros((columns, columns))
    for number, part in enumerate(parts):
        tuples = part.cells[part.clusters].prod(axis=1)
        worth = rows * part.weights / total * (t / (t + tuples)) ** 2
        spread = _spread(part.cells)
        for place in range(part.clusters.shape[1]):
            first = part.clusters[:, place]
            about[number] += np.bincount(first, worth, columns)
            for other in range(part.clusters.shape[1]):
                if other != place:
                    second = part.clusters[:, other]
                    each = worth / (spread[first] * spread[second])
                    informs += np.bincount(first * columns + second, each, columns**2).reshape(columns, columns)
    noise = NOISE * FOLDED * np.sqrt(_variance(parts, about))  # a column that no row tells has none: it is refused
    one = _at_most(noise, EMPTY) if blur is None else np.hypot(_at_most(noise, EMPTY), blur)
    with np.errstate(divide="ignore"):
        together = PAIRED * FOLDED / np.sqrt(informs)
    return Errors(one, _of_two(one, together), about.sum(axis=0), together)


def errors_of_channels(cells: Floats, shares: Floats, rows: float) -> Errors:
    """Return the error to expect where every row tells every column, which keeps a share of what its values tell."""
    spread, shares = _spread(cells), np.maximum(shares, 1e-12)
    one = _at_most(NOISE * FOLDED * np.sqrt(spread * (1 / shares - 1) / rows), EMPTY)
    lost = 1 / np.multiply.outer(shares, shares) - 1
    together = PAIRED * FOLDED * np.sqrt(np.multiply.outer(spread, spread) * lost / rows)
    return Errors(one, _of_two(one, together), rows * shares, together)


def sampling_errors(cells: Floats, rows: float, rate: float) -> tuple[Floats, Floats]:
    """Return the error of tables of one column, and of two, because only this share of the rows was drawn."""
    left = max(1 - rate, 0.0) / rows
    two = FOLDED * np.sqrt(np.maximum(np.multiply.outer(cells, cells) - 1, 0) * left)
    return _at_most(FOLDED * np.sqrt(np.maximum(cells - 1, 0) * left), EMPTY), _at_most(two, EMPTY)


def _of_two(one: Floats, together: Floats) -> Floats:
    """Return the error of tables of two columns from that of each, and from the noise on how they go together."""
    return np.asarray(np.sqrt(one[:, None] ** 2 + one[None, :] ** 2 + _at_most(together, TYPICAL) ** 2))


def _variance(parts: Sequence[Part], worth: Floats) -> Floats:
    """Return the sum of (cells - 1) / rows, grid by grid: each tells apart what no coarser one does, in rows as fine or finer."""
    columns = np.arange(worth.shape[1])
    used = np.array([np.where(np.isin(columns, part.clusters), part.cells, np.nan) for part in parts])
    found, before = np.zeros(len(columns)), np.ones(len(columns))
    for level in np.sort(used, axis=0):  # what is not used is last
        more = np.where(np.isnan(level), 0, level - before)
        tell = np.where(used >= level, worth, 0).sum(axis=0)
        found += np.where(more > 0, more / np.maximum(tell, 1e-300), 0)
        before = np.where(np.isnan(level), before, level)
    return found


def _spread(cells: Floats) -> Floats:
    return np.maximum(cells - 1, 1e-12)  # a column with one value depends on nothing


def _at_most(error: Floats, most: float) -> Floats:
    """Return ``1 / sqrt(1/error^2 + 1/most^2)``: nearly the error where that is small, and never above the most."""
    error = np.minimum(error, 1e9)
    return np.asarray(error * most / np.hypot(error, most))
