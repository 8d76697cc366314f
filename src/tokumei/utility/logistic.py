"""Logistic regression on counted rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from tokumei.arrays import Floats
from tokumei.utility.features import Features

STEPS = 60
ENOUGH = 1e-9


@dataclass(frozen=True, eq=False)
class Fitted:
    """Coefficients, the constant first, the matrix whose inverse is their covariance, and the fitted probabilities."""

    coefficients: Floats
    information: Floats
    probabilities: Floats


def logistic(features: Features, yes: Floats, no: Floats, penalty: float) -> Fitted:
    """Fit the probability of yes to rows that this many said yes and no of, by Newton's steps.

    ``penalty`` times half the sum of squared coefficients, the constant left out, is taken off the log-likelihood: a little
    of it keeps coefficients finite where features tell yes from no without fail.
    """
    width = features.width + 1
    beta = np.zeros(width)
    share = float(yes.sum() / (yes.sum() + no.sum()))
    beta[0] = np.log(share / (1 - share))
    held = np.append(0.0, np.full(width - 1, penalty))
    value, gradient, information = _look(features, yes, no, beta, held)
    for _ in range(STEPS):
        step = _solved(information, gradient)
        length, gain = 1.0, float(gradient @ step)
        while True:
            tried = _look(features, yes, no, beta + length * step, held)
            if tried[0] >= value - ENOUGH * abs(value) or length < 1e-6:
                break
            length /= 2
        beta = beta + length * step
        value, gradient, information = tried
        if gain <= ENOUGH * (abs(value) + 1):
            break
    return Fitted(beta, information, probabilities(features, beta))


def _solved(information: Floats, gradient: Floats) -> Floats:
    """Solve for Newton's step: by Cholesky's factors, or by least squares where features repeat each other and no penalty tells them apart."""
    try:
        factors = scipy.linalg.cho_factor(information, check_finite=False)
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.lstsq(information, gradient, rcond=1e-12)[0])
    return np.asarray(scipy.linalg.cho_solve(factors, gradient, check_finite=False))


def probabilities(features: Features, beta: Floats) -> Floats:
    """Return the fitted probability of every row."""
    return _inverse(beta[0] + features.times(beta[1:]))


def _inverse(odds: Floats) -> Floats:
    made = odds / 2
    np.tanh(made, out=made)
    made += 1
    made *= 0.5
    return made


def _look(features: Features, yes: Floats, no: Floats, beta: Floats, held: Floats) -> tuple[float, Floats, Floats]:
    """Return the penalised log-likelihood with its gradient and information."""
    odds = features.times(beta[1:])
    odds += beta[0]
    p, room = _inverse(odds), -odds  # a few arrays of all rows, used over and over
    told = yes @ np.logaddexp(0.0, room, out=room) + no @ np.logaddexp(0.0, odds, out=odds)
    value = -float(held @ beta**2) / 2 - float(told)
    rest = np.subtract(1, p, out=odds)
    p *= np.add(yes, no, out=room)
    off, weights = np.subtract(yes, p, out=room), np.multiply(p, rest, out=p)
    gradient = np.append(off.sum(), features.sums(off)) - held * beta
    information = np.diag(held)
    information[0, 0] += weights.sum()
    information[0, 1:] = information[1:, 0] = features.sums(weights)
    information[1:, 1:] += features.gram(weights)
    return value, gradient, information
