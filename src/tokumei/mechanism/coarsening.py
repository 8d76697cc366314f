"""Likelihoods as tables: a channel seen through coarser eyes, true values in bins, released values in bins."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tokumei.mechanism.channel import Codes, Conditional, Floats

Mapped = npt.NDArray[np.int64]


class Tabulated(Conditional):
    """A likelihood given as a table: one row a released value, one column a true value."""

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

    def __init__(self, channel: Conditional, true_bin: Mapped, released_bin: Mapped) -> None:
        matrix = np.empty((int(released_bin.max()) + 1, int(true_bin.max()) + 1))
        for place in range(matrix.shape[1]):
            inside = (true_bin == place).astype(np.float64)
            released = channel.forward(inside / inside.sum())
            matrix[:, place] = np.bincount(released_bin, weights=released, minlength=len(matrix))
        super().__init__(matrix)
