"""The kernel model: weights are sums of bumps around centers, ``w(z) = sum_r alpha_r exp(-|z - z_r|^2 / scale)``.

With all rows as centers there is a bump for every pair of rows. A narrow kernel is zero, to six digits, for nearly every
pair, and only the others are stored. Of a wide one up to `DENSE_PAIRS` are. Where these are too many, fewer centers are needed, or
every product computes its bumps anew.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.parallel import in_chunks, threads
from tokumei.reconstruction._arrays import Arrays

DENSE_PAIRS = 3 * 10**8  # as single floats, 1.2 GB
NEAR_PAIRS = 1.5 * 10**8  # with their places, 1.2 GB
TRIED_PAIRS = 5 * 10**10  # distances that are worth computing to find those near
FEW_PAIRS = 10**6  # stored without a second thought
SPARSE = 20  # pairs to one near pair from which it pays to store only those
LEAST = 1e-6  # of a bump's height
ASKED = 200  # rows by which the number of near pairs is estimated


@dataclass(frozen=True)
class Features:
    """Rows as a kernel compares them: numbers by their difference, labels by whether they agree.

    A label stands for the dummies 0 and 1 of its categories: two rows that differ in it are at a squared distance of two.
    """

    numbers: Floats
    labels: Integers

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, which: Any) -> Features:
        return Features(np.ascontiguousarray(self.numbers[which]), np.ascontiguousarray(self.labels[which]))

    def usual(self) -> float:
        """Return the mean squared distance of two rows."""
        spread = float(np.sum(np.var(self.numbers, axis=0)))
        for column in self.labels.T:
            shares = np.bincount(column) / max(len(column), 1)
            spread += 1 - float(np.sum(shares**2))
        return max(2 * spread, 1e-12)


class Bumps(ABC):
    """The matrix of bumps, one row per row and one column per center, as two products."""

    way: str

    @abstractmethod
    def weights(self, alpha: Any) -> Any:
        """Return for each row the sum of its bumps times their coefficients."""

    @abstractmethod
    def added(self, masses: Any) -> Any:
        """Return for each center the sum of its bump over the rows, by mass."""


def bumps(rows: Features, centers: Features, scale: float, where: Arrays, *, whatever: bool) -> Bumps:
    """Choose how to multiply with the bumps; ``whatever`` says that products may take as long as they do."""
    pairs = len(rows) * len(centers)
    fits = pairs <= DENSE_PAIRS
    if fits and (pairs <= FEW_PAIRS or not where.on_this_machine):
        return Stored(rows, centers, scale, where)
    order = Ordered.of(rows, centers, scale)
    if order.tried() <= TRIED_PAIRS and order.near() <= min(NEAR_PAIRS, pairs / SPARSE):
        return Near(order, scale, where)
    if fits:
        return Stored(rows, centers, scale, where)
    if whatever:
        return Anew(order, Ordered.of(centers, rows, scale), scale, where)
    raise InvalidParameter(
        "All {rows:,} rows as centers would be too many for kernels of this width; give n_centers, such as {fewer:,}.",
        rows=len(rows),
        fewer=DENSE_PAIRS // len(rows),
    )


class Stored(Bumps):
    """Every pair, in single floats."""

    way = "dense"

    def __init__(self, rows: Features, centers: Features, scale: float, where: Arrays) -> None:
        self._xp = where.xp
        self._pairs = where.put(whole(rows, centers, scale), "float32")

    def weights(self, alpha: Any) -> Any:
        """Multiply with the matrix."""
        xp = self._xp
        return xp.astype(xp.matmul(self._pairs, xp.astype(alpha, xp.float32)), xp.float64)

    def added(self, masses: Any) -> Any:
        """Multiply with its transpose."""
        xp = self._xp
        return xp.astype(xp.matmul(xp.matrix_transpose(self._pairs), xp.astype(masses, xp.float32)), xp.float64)


def whole(rows: Features, centers: Features, scale: float) -> Any:
    """Return the bumps of all pairs."""
    from tokumei.reconstruction._bumps_kernels import fill_bumps

    made = np.empty((len(rows), len(centers)), dtype=np.float32)

    def part(start: int, stop: int) -> None:
        here = rows[start:stop]
        fill_bumps(here.numbers, here.labels, centers.numbers, centers.labels, scale, made[start:stop])

    in_chunks(len(rows), part, _chunk(len(rows)))
    return made


@dataclass(frozen=True)
class Ordered:
    """Rows, and others in the order of the number that tells most of them apart: near ones stand between two places."""

    rows: Features
    others: Features
    back: Integers  # the place of each of the others before they were put in order
    starts: Integers
    stops: Integers
    most: float  # the squared distance beyond which a bump is nothing

    @classmethod
    def of(cls, rows: Features, others: Features, scale: float) -> Ordered:
        """Put the others in order, and find where the near ones of each row begin and end."""
        most = -scale * math.log(LEAST)
        if not others.numbers.shape[1]:
            everyone = np.full(len(rows), len(others), dtype=np.int64)
            return cls(rows, others, np.arange(len(others)), np.zeros_like(everyone), everyone, most)
        column = int(np.argmax(np.std(others.numbers, axis=0)))
        back = np.argsort(others.numbers[:, column], kind="stable")
        sorted_ = others[back]
        along, mine, reach = sorted_.numbers[:, column], rows.numbers[:, column], math.sqrt(most)
        starts = np.searchsorted(along, mine - reach, side="left")
        stops = np.searchsorted(along, mine + reach, side="right")
        return cls(rows, sorted_, back, starts, stops, most)

    def between(self, start: int, stop: int) -> tuple[Any, ...]:
        """Return what the loops take for some of the rows."""
        here = self.rows[start:stop]
        return (
            here.numbers,
            here.labels,
            self.others.numbers,
            self.others.labels,
            self.starts[start:stop],
            self.stops[start:stop],
        )

    def tried(self) -> float:
        """Return how many distances have to be computed."""
        return float((self.stops - self.starts).sum())

    def counts(self, which: Integers | slice) -> Integers:
        """Count the near ones of some rows."""
        from tokumei.reconstruction._bumps_kernels import count_near

        some = Ordered(self.rows[which], self.others, self.back, self.starts[which], self.stops[which], self.most)
        found = np.zeros(len(some.rows), dtype=np.int64)

        def part(start: int, stop: int) -> None:
            count_near(*some.between(start, stop), self.most, found[start:stop])

        in_chunks(len(found), part, _chunk(len(found)))
        return found

    def near(self) -> float:
        """Estimate how many pairs are near, from some of the rows."""
        every = max(1, len(self.rows) // ASKED)
        return float(self.counts(slice(None, None, every)).mean() * len(self.rows))


class Near(Bumps):
    """Only the pairs whose bump is not nothing, with their places."""

    way = "near"

    def __init__(self, order: Ordered, scale: float, where: Arrays) -> None:
        from scipy.sparse import csr_array

        from tokumei.reconstruction._bumps_kernels import fill_near

        counts = order.counts(slice(None))
        bounds = np.concatenate([[0], np.cumsum(counts)])
        places, values = np.empty(bounds[-1], dtype=np.int32), np.empty(bounds[-1], dtype=np.float32)

        def part(start: int, stop: int) -> None:
            fill_near(*order.between(start, stop), scale, order.most, bounds[start:stop], places, values)

        in_chunks(len(order.rows), part, _chunk(len(order.rows)))
        self._pairs = csr_array((values, places, bounds), shape=(len(order.rows), len(order.others)))
        self._back, self._where = order.back, where

    def weights(self, alpha: Any) -> Any:
        """Multiply with the pairs there are."""
        there = self._where.get(alpha)[self._back]
        return self._where.put(self._pairs @ there)

    def added(self, masses: Any) -> Any:
        """Multiply with their transpose."""
        made = np.empty(len(self._back))
        made[self._back] = self._pairs.T @ self._where.get(masses)
        return self._where.put(made)


class Anew(Bumps):
    """Bumps that every product computes anew: slow, but they need no memory."""

    way = "blocks"

    def __init__(self, rows: Ordered, centers: Ordered, scale: float, where: Arrays) -> None:
        self._rows, self._centers, self._scale, self._where = rows, centers, scale, where

    def weights(self, alpha: Any) -> Any:
        """Add up the bumps around each row."""
        return self._through(self._rows, alpha)

    def added(self, masses: Any) -> Any:
        """Add up the rows around each center."""
        return self._through(self._centers, masses)

    def _through(self, order: Ordered, values: Any) -> Any:
        from tokumei.reconstruction._bumps_kernels import add_bumps

        given, made = self._where.get(values)[order.back], np.empty(len(order.rows))

        def part(start: int, stop: int) -> None:
            add_bumps(*order.between(start, stop), self._scale, order.most, given, made[start:stop])

        in_chunks(len(made), part, _chunk(len(made)))
        return self._where.put(made)


def _chunk(rows: int) -> int:
    return max(1, -(-rows // (4 * threads())))
