"""The logistic loss of the original rows, estimated from released ones.

The loss of a row is ``log(1 + exp(eta)) - y eta`` with ``eta`` the sum of what its columns add to the log-odds. As a sum of waves
(`Harmonics`) its mean over the original rows is estimated from the released ones (`CorrectedWaves`), for every ``beta``: its
minimum estimates the coefficients that maximum likelihood gives on the original rows, whether or not the log-odds
really are such a sum.
"""

from __future__ import annotations

import numpy as np

from tokumei.arrays import Floats
from tokumei.reconstruction._corrected import Regressors
from tokumei.reconstruction._harmonics import Harmonics
from tokumei.reconstruction._minimum import STILL, CorrectedLoss
from tokumei.reconstruction._waves import CorrectedWaves, Waves

USUAL = 8.0  # log-odds that most models stay within
FURTHER = 1.5


class LogisticLoss(CorrectedLoss):
    """The mean loss over the original rows with its derivatives, and what each kind of released row adds to them.

    Parameters
    ----------
    found
        The columns.
    signs
        For each released row 1 if it is in the second class and -1 if it is in the first; where the class was perturbed, a function of the released
        one whose mean is that of the true one.
    shares
        How much each released row counts, with mean one.
    """

    def __init__(self, found: Regressors, signs: Floats, shares: Floats) -> None:
        self.waves = CorrectedWaves(found.terms, shares, [np.unique(signs, return_inverse=True)[1]])
        self.counts, self.squares = self.waves.counts, self.waves.squares
        self.signs = signs[self.waves.example]
        features = self.waves.slopes(np.zeros(self.waves.size), STILL)
        self._at_rest = -0.5 * self.signs[:, None] * features  # 1/2 - y times the features, which no wave moves
        self._harmonics = Harmonics.over(USUAL)

    def value(self, beta: Floats) -> float:
        """Return the loss."""
        rows = self.waves.values(beta, self._reaching(beta).integral) + self._at_rest @ beta
        return float(self.counts @ rows)

    def gradients(self, beta: Floats) -> Floats:
        """Return what each kind of row adds to the gradient, ``(sigma - y)`` times the features, one row per kind."""
        return self._at_rest + self.waves.slopes(beta, self._reaching(beta).centred)

    def scores(self, beta: Floats, weights: Floats) -> Floats:
        """Return the sum of outer products of the original rows' own gradients; ``weights`` are those of the kinds.

        The square of ``sigma - y`` is ``1/2 - s (sigma - 1/2) - sigma'``, with s = 1 in the second class and -1 in the first:
        a sum of the same waves.
        """
        found = self._reaching(beta)
        made = 0.5 * self.waves.moments(beta, STILL, weights)
        made -= self.waves.moments(beta, found.centred, weights * self.signs)
        return made - self.waves.moments(beta, found.derivative, weights)

    def start(self) -> Floats:
        """Return coefficients of zero, and the constant that the share of the second class gives."""
        share = float(np.clip((1 + self.counts @ self.signs) / 2, 0.01, 0.99))
        beta: Floats = np.zeros(self.waves.size)
        beta[0] = np.log(share / (1 - share))
        return beta

    def bend(self, beta: Floats) -> Waves:
        """Return the second derivative of the loss by the sum."""
        return self._reaching(beta).derivative

    def _reaching(self, beta: Floats) -> Harmonics:
        """Return waves that reach as far as needed: the same ones as long as they do, so that losses can be compared."""
        reach = self.waves.reach(beta)
        if reach > self._harmonics.reach:
            self._harmonics = Harmonics.over(FURTHER * reach)
        return self._harmonics
