"""The smallest value of a loss that is estimated from released rows, if the noise leaves it a clear one."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from tokumei.arrays import Floats
from tokumei.reconstruction._inference import check_determined, covariances, too_noisy
from tokumei.reconstruction._waves import CorrectedWaves, Waves

ENOUGH = 1e-12  # of the loss, that another step could gain
STEPS = 60
FARTHEST = 30.0  # odds, or rates, of e^30 are no estimate
CLEAR = 3.0  # standard errors that the loss must bend upwards by, in the direction in which it bends least
HOPELESS = 1.0  # ... and where nothing counts, before the first step
STILL = Waves(np.zeros(1), np.ones(1, dtype=np.complex128))  # the function that is one


class CorrectedLoss(ABC):
    """The mean loss over the original rows, a function of a sum over columns, as released rows estimate it.

    ``counts`` and ``squares`` are those of the kinds of rows, as in `CorrectedWaves`.
    """

    waves: CorrectedWaves
    counts: Floats
    squares: Floats

    @abstractmethod
    def value(self, beta: Floats) -> float:
        """Return the loss."""

    @abstractmethod
    def gradients(self, beta: Floats) -> Floats:
        """Return what each kind of row adds to the gradient, one row per kind."""

    @abstractmethod
    def scores(self, beta: Floats, weights: Floats) -> Floats:
        """Return the sum of outer products of the original rows' own gradients; ``weights`` are those of the kinds."""

    @abstractmethod
    def bend(self, beta: Floats) -> Waves:
        """Return the second derivative of the loss by the sum."""

    @abstractmethod
    def start(self) -> Floats:
        """Return coefficients to begin with."""

    def hessian(self, beta: Floats) -> Floats:
        """Return the matrix of second derivatives, the mean of `bend` times products of two features."""
        return self.waves.moments(beta, self.bend(beta), self.counts)

    def check(self, beta: Floats | None, clear: float) -> None:
        """Refuse a loss that is not known to bend upwards at beta; without beta, where all features count nothing.

        There it bends most clearly, and that is quickly told.
        """
        at = np.zeros(self.waves.size) if beta is None else beta
        function = STILL if beta is None else self.bend(at)

        def error(direction: Floats) -> float:
            rows = self.waves.along(at, function, direction)
            spread = float(self.squares @ rows**2) - float(self.counts @ rows) ** 2
            return float((max(spread, 0.0) / self.waves.rows) ** 0.5)

        check_determined(self.waves.moments(at, function, self.counts), error, clear)


def minimum(loss: CorrectedLoss) -> Floats:
    """Minimise the loss by damped steps of Newton's; refuse where noise leaves no clear minimum."""
    loss.check(None, HOPELESS)
    beta, damping = loss.start(), 1e-8
    for _ in range(STEPS):
        gradient, hessian = loss.counts @ loss.gradients(beta), loss.hessian(beta)
        scale = np.diag(np.maximum(np.abs(np.diag(hessian)), 1e-12))
        while True:
            bent = hessian + damping * scale
            if np.linalg.eigvalsh(bent).min() > 0:
                step = np.linalg.solve(bent, gradient)
                gain = float(gradient @ step)
                near = np.abs(beta - step).max() <= FARTHEST and loss.waves.reach(beta - step) <= 2 * FARTHEST
                if near and (gain < ENOUGH or loss.value(beta - step) <= loss.value(beta)):
                    break
            damping *= 10
            if damping > 1e8:
                raise too_noisy()
        beta = beta - step
        if gain < ENOUGH and damping < 1e-4:
            loss.check(beta, CLEAR)
            return beta
        damping = max(damping / 10, 1e-8)
    raise too_noisy()


def least(loss: CorrectedLoss, drawn: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the coefficients with the least loss and their two `covariances`; ``drawn`` are the rows' squared shares times their chances to be drawn."""
    beta = minimum(loss)
    scores = loss.scores(beta, loss.waves.sums(drawn))
    return beta, *covariances(loss.hessian(beta), loss.gradients(beta), loss.squares, scores, loss.waves.rows)
