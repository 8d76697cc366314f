"""Likelihoods as tables: a channel seen through coarser eyes, true values in bins, released values in bins."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from tokumei.arrays import Codes, Floats, Integers
from tokumei.mechanism.channel import Conditional

FINER = 128  # bins of true values, all together, where it is asked what lies in them
AT_ONCE = 16  # bins that go through a channel together


class Tabulated(Conditional):
    """A likelihood given as a table: one row per released value, one column per true value."""

    def __init__(self, matrix: Floats) -> None:
        self.outputs, self.size = matrix.shape
        self._matrix = matrix

    def probability(self, released: Codes, true: Codes) -> Floats:
        """Return what the table says."""
        return self._matrix[released, true]

    def forward(self, distribution: Floats, axis: int = -1) -> Floats:
        """Return the distribution of released values."""
        return np.moveaxis(np.moveaxis(distribution, axis, -1) @ self._matrix.T, -1, axis)

    def backward(self, weights: Floats, axis: int = -1) -> Floats:
        """Apply the transpose."""
        return np.moveaxis(np.moveaxis(weights, axis, -1) @ self._matrix, -1, axis)


class Coarsened(Tabulated):
    """P(released bin | true bin) of a channel, with the true values of a bin taken as evenly spread in it.

    ``true_bin`` and ``released_bin`` give the bin of each code. The smaller the bins of true values, the less the even
    spread matters; bins of released values lose information but no correctness.
    """

    def __init__(self, channel: Conditional, true_bin: Integers, released_bin: Integers) -> None:
        self._made_of = channel, true_bin, released_bin
        super().__init__(_table(channel, true_bin, released_bin))

    @cached_property
    def finer(self) -> tuple[Tabulated, Integers] | None:
        """The same channel with smaller bins of true values, and the bin that each of them lies in; none if there are none."""
        channel, true_bin, released_bin = self._made_of
        sizes = np.bincount(true_bin)
        if sizes.max() <= 1:
            return None
        parts = np.minimum(sizes, -(-FINER // len(sizes)))  # this many parts of each bin
        order = np.argsort(true_bin, kind="stable")
        since = np.arange(len(true_bin)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        part = np.empty_like(true_bin)
        part[order] = (np.cumsum(parts) - parts)[true_bin[order]] + since * parts[true_bin[order]] // sizes[
            true_bin[order]
        ]
        return Tabulated(_table(channel, part, released_bin)), np.repeat(np.arange(len(sizes)), parts)


def _table(channel: Conditional, true_bin: Integers, released_bin: Integers) -> Floats:
    """Return P(released bin | true bin), by the channel or by its transpose: through whichever of them fewer bins have to go."""
    sizes, outputs = np.bincount(true_bin), int(released_bin.max()) + 1
    if outputs < len(sizes):
        return np.maximum(_through(channel.backward, released_bin, true_bin) / sizes, 0.0)
    made = _through(channel.forward, true_bin, released_bin)
    return np.ascontiguousarray(made.T) / sizes


def _through(way: Callable[[Floats], Floats], start: Integers, end: Integers) -> Floats:
    """Send every bin through a channel, some at a time, and count what comes out by bins; one row for each bin that went in."""
    made = np.empty((int(start.max()) + 1, int(end.max()) + 1))
    for low in range(0, len(made), AT_ONCE):
        bins = np.arange(low, min(low + AT_ONCE, len(made)))
        for place, came in zip(bins, way((start == bins[:, None]).astype(np.float64)), strict=True):
            made[place] = np.bincount(end, weights=came, minlength=made.shape[1])
    return made
