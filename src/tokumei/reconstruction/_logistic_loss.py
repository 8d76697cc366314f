"""The logistic loss of the original rows, estimated from released ones.

The loss of a row is ``log(1 + exp(eta)) - y eta`` with ``eta`` the sum of what its columns add to the log-odds. As a sum of waves
(`Harmonics`) its mean over the original rows is estimated from the released ones (`CorrectedWaves`), for every ``beta``: its
minimum estimates the coefficients that maximum likelihood gives on the original rows, whether or not the log-odds
really are such a sum.
"""

from __future__ import annotations

import numpy as np

from tokumei.arrays import Booleans, Floats
from tokumei.reconstruction._corrected import Regressors
from tokumei.reconstruction._harmonics import Harmonics
from tokumei.reconstruction._inference import check_determined
from tokumei.reconstruction._waves import CorrectedWaves, Waves

USUAL = 8.0  # log-odds that most models stay within
FURTHER = 1.5
STILL = Waves(np.zeros(1), np.ones(1, dtype=np.complex128))  # the function that is one


class LogisticLoss:
    """The mean loss over the original rows with its derivatives, and what each kind of released row adds to them.

    Parameters
    ----------
    found
        The columns.
    second
        Whether each released row is in the second class.
    shares
        How much each released row counts, with mean one.
    """

    def __init__(self, found: Regressors, second: Booleans, shares: Floats) -> None:
        self.waves = CorrectedWaves(found.terms, shares, [second.astype(np.int64)])
        self.counts, self.squares = self.waves.counts, self.waves.squares
        self.signs = np.where(second[self.waves.example], 1.0, -1.0)
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

    def hessian(self, beta: Floats) -> Floats:
        """Return the matrix of second derivatives, the mean of ``sigma'`` times products of two features."""
        return self.waves.moments(beta, self._reaching(beta).derivative, self.counts)

    def scores(self, beta: Floats, weights: Floats) -> Floats:
        """Return the sum of outer products of the original rows' own gradients; ``weights`` are those of the kinds.

        The square of ``sigma - y`` is ``1/2 - s (sigma - 1/2) - sigma'``, with s = 1 in the second class and -1 in the first:
        a sum of the same waves.
        """
        found = self._reaching(beta)
        made = 0.5 * self.waves.moments(beta, STILL, weights)
        made -= self.waves.moments(beta, found.centred, weights * self.signs)
        return made - self.waves.moments(beta, found.derivative, weights)

    def check(self, beta: Floats | None, clear: float) -> None:
        """Refuse a loss that is not known to bend upwards at beta; without beta, where all features count nothing.

        There it bends most clearly, and that is quickly told.
        """
        at = np.zeros(self.waves.size) if beta is None else beta
        function = STILL if beta is None else self._reaching(at).derivative

        def error(direction: Floats) -> float:
            rows = self.waves.along(at, function, direction)
            spread = float(self.squares @ rows**2) - float(self.counts @ rows) ** 2
            return float((max(spread, 0.0) / self.waves.rows) ** 0.5)

        check_determined(self.waves.moments(at, function, self.counts), error, clear)

    def _reaching(self, beta: Floats) -> Harmonics:
        """Return waves that reach as far as needed: the same ones as long as they do, so that losses can be compared."""
        reach = self.waves.reach(beta)
        if reach > self._harmonics.reach:
            self._harmonics = Harmonics.over(FURTHER * reach)
        return self._harmonics
