"""Functions of a released value that say on average whether the true one is a certain one, or bound it.

For a channel T with ``P(y|x) = T[y, x]`` whose columns are independent there is a matrix K with ``K T = 1``: row c of it is a function of the
released value with the mean one where the true value is c, and zero where it is another. The mean over rows of a product over
columns is then an unbiased estimate of the share of a cell, and its variance follows from the same numbers. Where T
loses something for good, as labels do that stand for several values, there are only bounds: functions whose mean lies never
below (``upper``) or never above it (``lower``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tokumei.arrays import Booleans, Floats
from tokumei.errors import InvalidParameter
from tokumei.mechanism.channel import Conditional, Kept
from tokumei.mechanism.coarsening import Coarsened
from tokumei.mechanism.retention import Retention

LARGEST_MATRIX = 2**24  # numbers
ROUNDING = 1e-6
SMOOTH_STEPS = 30  # of EM, after which single values do not yet follow the noise


class Functional(ABC):
    """One function of the released value for each true one: a matrix with a row for each true, a column for each released."""

    @abstractmethod
    def along(self, array: Floats, axis: int, power: int = 1) -> Floats:
        """Multiply by the matrix of powers along an axis."""

    @abstractmethod
    def pulled(self, values: Floats) -> Floats:
        """Return the function of the released value whose mean is this one of the true value."""

    def likely(self, seen: Floats) -> Floats:
        """Return how released values go under a smooth distribution of true ones that makes these likely."""
        return seen

    @property
    def plain(self) -> bool:
        """Whether the true value is released."""
        return False

    @property
    @abstractmethod
    def largest(self) -> Floats:
        """The largest size that each function has."""

    @property
    @abstractmethod
    def own(self) -> Floats:
        """The mean of each function's square where the true value is its own."""


@dataclass(frozen=True)
class TwoValued(Functional):
    """Functions that have one value where the true value is released, and another everywhere else."""

    same: float
    other: float
    size: int
    kept: float  # the probability that the true value is released

    def pulled(self, values: Floats) -> Floats:
        """Return the function of the released value whose mean is this one of the true value."""
        return (self.same - self.other) * values + self.other * values.sum()

    @property
    def plain(self) -> bool:
        """Whether the true value is released."""
        return self.same == 1 and self.other == 0 and self.kept == 1

    def along(self, array: Floats, axis: int, power: int = 1) -> Floats:
        """Multiply by the matrix of powers along an axis."""
        same, other = self.same**power, self.other**power
        return (same - other) * array + other * array.sum(axis=axis, keepdims=True)

    @property
    def largest(self) -> Floats:
        """The largest size that each function has."""
        return np.full(self.size, max(abs(self.same), abs(self.other) if self.size > 1 else 0.0))

    @property
    def own(self) -> Floats:
        """The mean of each function's square where the true value is its own."""
        return np.full(self.size, self.kept * self.same**2 + (1 - self.kept) * self.other**2)


@dataclass(frozen=True, eq=False)
class Tabled(Functional):
    """Functions as a table."""

    table: Floats
    channel: Floats

    def along(self, array: Floats, axis: int, power: int = 1) -> Floats:
        """Multiply by the matrix of powers along an axis."""
        return np.moveaxis(np.moveaxis(array, axis, -1) @ (self.table**power).T, -1, axis)

    def pulled(self, values: Floats) -> Floats:
        """Return the function of the released value whose mean is this one of the true value."""
        return values @ self.table

    def likely(self, seen: Floats) -> Floats:
        """Return how released values go under a smooth distribution of true ones that makes these likely: a few steps of EM."""
        share = np.full(self.channel.shape[1], 1 / self.channel.shape[1])
        for _ in range(SMOOTH_STEPS):
            expected = self.channel @ share
            share = share * (np.divide(seen, expected, out=np.zeros(seen.shape), where=expected > 0) @ self.channel)
        return np.asarray(self.channel @ share, dtype=np.float64)

    @cached_property
    def largest(self) -> Floats:
        """The largest size that each function has."""
        return np.abs(self.table).max(axis=1)

    @cached_property
    def own(self) -> Floats:
        """The mean of each function's square where the true value is its own."""
        return np.einsum("cy,yc->c", self.table**2, self.channel)


@dataclass(frozen=True)
class Told:
    """What released values tell of the true ones.

    Attributes
    ----------
    lower, upper
        The functions; the same where the channel can be inverted.
    sharp
        Whether their means are zero or one for every true value.
    """

    lower: Functional
    upper: Functional
    sharp: bool

    @property
    def exact(self) -> bool:
        """Whether the share of a value can be estimated, and not only bounded."""
        return self.lower is self.upper

    @property
    def alike(self) -> Booleans:
        """Of which values the functions are the same, so that their shares can be estimated even where others cannot."""
        if self.exact:
            return np.ones(len(self.upper.own), dtype=np.bool_)
        if isinstance(self.lower, Tabled) and isinstance(self.upper, Tabled):
            return np.asarray(np.all(self.lower.table == self.upper.table, axis=1))
        return np.zeros(len(self.upper.own), dtype=np.bool_)


def told(conditional: Conditional, frequency: Floats) -> Told:
    """Find the functions for a column; of several with the same mean, those that vary least where released values go like this."""
    if isinstance(conditional, Kept):
        same = TwoValued(1.0, 0.0, conditional.size, 1.0)
        return Told(same, same, True)
    if isinstance(conditional, Retention) and conditional.size > 1:
        return _retention(conditional)
    if conditional.size * conditional.outputs > LARGEST_MATRIX:
        raise InvalidParameter(
            "A column of the table has too many values for intervals; ask for bins, or leave them out."
        )
    channel = conditional.matrix()
    weight = np.maximum(frequency / frequency.sum(), 1e-3 / len(frequency)) ** -0.5
    inverse = np.linalg.pinv(channel * weight[:, None], rcond=1e-10) * weight
    if np.abs(inverse @ channel - np.eye(conditional.size)).max() < ROUNDING:
        found = Tabled(np.asarray(inverse, dtype=np.float64), channel)
        return Told(found, found, True)
    possible = channel > 0
    surely = possible & (np.count_nonzero(possible, axis=1) == 1)[:, None]
    lower, upper = (Tabled(each.T.astype(np.float64), channel) for each in (surely, possible))
    return Told(lower, upper, bool(np.minimum(channel, np.abs(1 - channel)).max() < ROUNDING))


def _retention(channel: Retention) -> Told:
    other = channel.other / channel.total
    if not channel.keep:  # drawn anew in any case
        nothing, anything = (TwoValued(each, each, channel.size, other) for each in (0.0, 1.0))
        return Told(nothing, anything, True)
    kept = channel.keep / channel.total
    found = TwoValued((1 - other) / kept, -other / kept, channel.size, kept + other)
    return Told(found, found, True)


def uneven(conditional: Conditional, found: Told) -> Floats | None:
    """Return how far the mean of each function can be from what it should be in each bin, wherever in the bin values lie.

    Nothing where no value shares its bin, or only bounds are known, which hold wherever values lie.
    """
    finer = conditional.finer if isinstance(conditional, Coarsened) and found.exact else None
    if finer is None:
        return None
    channel, bins = finer
    off = np.abs(found.upper.along(channel.matrix(), 0) - np.eye(conditional.size)[:, bins])
    return np.asarray(np.maximum.reduceat(off, np.searchsorted(bins, np.arange(conditional.size)), axis=1))
