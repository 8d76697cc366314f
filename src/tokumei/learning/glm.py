"""Linear, logistic and Poisson regression on complete rows, with standard errors that assume nothing about how rows vary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import expit

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter

Family = Literal["linear", "logistic", "poisson"]

STEPS = 60
ENOUGH = 1e-10  # of the deviance, that another step could gain
FARTHEST = 30.0  # odds, or rates, of e^30 are no estimate
HALVINGS = 20
NOTHING = 0.01  # rows whose target varies


@dataclass(frozen=True)
class Fitted:
    """Coefficients and their covariance about the population that the rows were drawn from."""

    coefficients: Floats
    covariance: Floats


def mean_and_slope(family: Family, eta: Floats) -> tuple[Floats, Floats]:
    """Return the mean of the target, and its derivative, where the sum over the columns is ``eta``.

    >>> mean_and_slope("logistic", np.zeros(1))
    (array([0.5]), array([0.25]))
    """
    if family == "linear":
        return eta, np.ones_like(eta)
    if family == "logistic":
        mean: Floats = expit(eta)
        return mean, mean * (1 - mean)
    rate: Floats = np.exp(np.minimum(eta, 2 * FARTHEST))
    return rate, rate


def losses(family: Family, eta: Floats, answers: Floats) -> Floats:
    """Return the loss of each row: minus the logarithm of its likelihood, without what does not depend on ``eta``."""
    if family == "linear":
        return (answers - eta) ** 2 / 2
    if family == "logistic":
        return np.logaddexp(0, eta) - answers * eta
    return mean_and_slope(family, eta)[0] - answers * eta


def start(family: Family, size: int, mean: float) -> Floats:
    """Return coefficients of zero, and the constant that the mean of the target gives."""
    made: Floats = np.zeros(size)
    if family == "linear":
        made[0] = mean
    elif family == "logistic":
        share = min(max(mean, 0.01), 0.99)
        made[0] = np.log(share / (1 - share))
    else:
        made[0] = np.log(max(mean, 1e-3))
    return made


def fit(family: Family, design: Floats, answers: Floats, weights: Floats) -> Fitted:
    """Fit a regression by maximum likelihood, each row counting by its weight.

    The covariance is the sandwich ``H^-1 (sum of w_i^2 g_i g_i') H^-1`` with g the gradient of a row's loss, H their derivative: it holds
    whether or not the model is right about how rows vary.
    """
    beta = start(family, design.shape[1], float(np.average(answers, weights=weights)))
    value = float(weights @ losses(family, design @ beta, answers))
    for _ in range(STEPS):
        mean, slope = mean_and_slope(family, design @ beta)
        gradient, hessian = design.T @ (weights * (mean - answers)), _hessian(design, weights * slope)
        step = np.linalg.solve(hessian, gradient)
        size = 1.0
        for _ in range(HALVINGS):
            tried = beta - size * step
            new = float(weights @ losses(family, design @ tried, answers))
            if new <= value + 1e-12 * abs(value):
                break
            size /= 2
        gain, beta, value = value - new, tried, new
        if np.abs(beta).max() > FARTHEST and family != "linear":
            raise _undetermined()
        if gain <= ENOUGH * max(abs(value), 1.0):
            if family != "linear" and _separated(family, design, weights, beta):
                raise _undetermined()
            return Fitted(beta, _sandwich(family, design, answers, weights, beta))
    raise _undetermined()


def _separated(family: Family, design: Floats, weights: Floats, beta: Floats) -> bool:
    """Whether nothing varies where a column is not zero: its coefficient is on its way to infinity, and stopped since nothing is to be gained."""
    vary = (weights * mean_and_slope(family, design @ beta)[1]) @ design**2
    return bool(np.any(vary < NOTHING * (design**2).max(axis=0)))


def penalized(family: Family, design: Floats, answers: Floats, weights: Floats) -> Fitted:
    """Fit a logistic or Poisson regression with Jeffreys' prior, which has a maximum where the likelihood has none (Firth 1993).

    Where a label has rows of one class only (separation), or no count above zero, the likelihood rises for ever. The loss less half the logarithm of the
    determinant of the information does not: its gradient has the rows' leverages h times (1 - 2p)/2, or h/2 for counts.

    >>> design = np.column_stack([np.ones(8), np.repeat([0.0, 1.0], 4)])
    >>> found = penalized("logistic", design, np.array([0, 1, 0, 1, 1, 1, 1, 1.0]), np.ones(8))
    >>> bool(np.isclose(found.coefficients.sum(), np.log(4.5 / 0.5)))  # as if half a row of each class were added to each label
    True
    """
    if family == "linear":
        raise _undetermined()
    beta = start(family, design.shape[1], float(np.average(answers, weights=weights)))
    value = _penalized_loss(family, design, answers, weights, beta)
    for _ in range(STEPS):
        mean, slope = mean_and_slope(family, design @ beta)
        information = _hessian(design, weights * slope)
        leverages = weights * slope * np.einsum("ij,ji->i", design, np.linalg.solve(information, design.T))
        bend = leverages * (0.5 - mean if family == "logistic" else 0.5)
        step = np.linalg.solve(information, design.T @ (weights * (mean - answers) - bend))
        size = min(1.0, FARTHEST / 6 / max(float(np.abs(step).max()), 1e-300))
        for _ in range(HALVINGS):
            tried = beta - size * step
            new = _penalized_loss(family, design, answers, weights, tried)
            if new <= value + 1e-12 * abs(value):
                break
            size /= 2
        gain, beta, value = value - new, tried, new
        if gain <= ENOUGH * max(abs(value), 1.0):
            return Fitted(beta, _sandwich(family, design, answers, weights, beta))
    raise _undetermined()


def _penalized_loss(family: Family, design: Floats, answers: Floats, weights: Floats, beta: Floats) -> float:
    """Return the loss of all rows less half the logarithm of the determinant of the information."""
    eta = design @ beta
    sign, size = np.linalg.slogdet(design.T @ (design * (weights * mean_and_slope(family, eta)[1])[:, None]))
    return float(weights @ losses(family, eta, answers) - size / 2) if sign > 0 else np.inf


def _hessian(design: Floats, weights: Floats) -> Floats:
    made: Floats = design.T @ (design * weights[:, None])
    scale = 1 / np.sqrt(np.maximum(np.diag(made), 1e-300))
    if not np.isfinite(made).all() or np.linalg.eigvalsh(made * np.outer(scale, scale))[0] < 1e-10:
        raise _undetermined()
    return made


def _sandwich(family: Family, design: Floats, answers: Floats, weights: Floats, beta: Floats) -> Floats:
    mean, slope = mean_and_slope(family, design @ beta)
    inverse = np.linalg.inv(_hessian(design, weights * slope))
    gradients = design * (weights * (mean - answers))[:, None]
    rows, size = gradients.shape
    spare = rows / max(rows - size, 1)  # as many coefficients were fitted to these rows
    return np.asarray(inverse @ (gradients.T @ gradients * spare) @ inverse, dtype=np.float64)


def _undetermined() -> InvalidParameter:
    return InvalidParameter(
        "The rows do not determine the coefficients: columns say the same as others, or a label has rows of only one class. Leave "
        "out a column."
    )
