"""The loss of a Poisson regression of the original rows, estimated from released ones.

The loss of a row is ``exp(eta) - y eta`` with ``eta`` the sum of what its columns add to the logarithm of the rate. An exponential of
a sum is a product over columns, a wave of the frequency -i (`CorrectedWaves`), and y is replaced by the function of its released value
that has the same mean: the loss over the original rows is estimated for every ``beta``.
"""

from __future__ import annotations

import numpy as np

from tokumei.arrays import Floats
from tokumei.reconstruction._corrected import Regressors, Term
from tokumei.reconstruction._minimum import STILL, CorrectedLoss
from tokumei.reconstruction._waves import CorrectedWaves, Waves

RATE = Waves(np.array([-1j]), np.ones(1, dtype=np.complex128))  # the function exp(eta)
SQUARE = Waves(np.array([-2j]), np.ones(1, dtype=np.complex128))


class PoissonLoss(CorrectedLoss):
    """The mean loss over the original rows with its derivatives, and what each kind of released row adds to them.

    Parameters
    ----------
    found
        The columns.
    aim
        The target.
    shares
        How much each released row counts, with mean one.
    """

    def __init__(self, found: Regressors, aim: Term, shares: Floats) -> None:
        self.waves = CorrectedWaves(found.terms, shares, [aim.released])
        self.counts, self.squares = self.waves.counts, self.waves.squares
        own = aim.binned * aim.scale + aim.shift
        made = aim.corrected(np.concatenate([own, own**2], axis=1))[aim.released[self.waves.example]]
        self.answers, self.squared = made[:, 0], made[:, 1]
        self._features = self.waves.slopes(np.zeros(self.waves.size), STILL)

    def value(self, beta: Floats) -> float:
        """Return the loss."""
        return float(self.counts @ (self.waves.values(beta, RATE) - self.answers * (self._features @ beta)))

    def gradients(self, beta: Floats) -> Floats:
        """Return what each kind of row adds to the gradient, ``(rate - y)`` times the features, one row per kind."""
        return self.waves.slopes(beta, RATE) - self.answers[:, None] * self._features

    def scores(self, beta: Floats, weights: Floats) -> Floats:
        """Return the sum of outer products of the original rows' own gradients: their weights are ``rate^2 - 2 y rate + y^2``."""
        made = self.waves.moments(beta, SQUARE, weights)
        made -= 2 * self.waves.moments(beta, RATE, weights * self.answers)
        return made + self.waves.moments(beta, STILL, weights * self.squared)

    def bend(self, beta: Floats) -> Waves:
        """Return the second derivative of the loss by the sum."""
        return RATE

    def start(self) -> Floats:
        """Return coefficients of zero, and the constant that the mean of the target gives."""
        beta: Floats = np.zeros(self.waves.size)
        beta[0] = np.log(max(float(self.counts @ self.answers), 1e-3))
        return beta
