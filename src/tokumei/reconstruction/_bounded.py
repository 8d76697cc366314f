"""Confidence intervals of a share, from an unbiased estimate that may lie outside [0, 1].

A share cannot be negative, but an unbiased estimate of it after much noise can. Cutting the usual interval at 0 would cover small
shares more often than it says, and leave nothing where the estimate lies far below. Feldman and Cousins (Phys. Rev. D 57, 1998)
order the estimates x that a share p may lead to by how much likelier they are under p than under the best share possible,
``b = min(max(x, 0), 1)``: p is in the interval of x if

    T = ((x - p)^2 - (x - b)^2) / V(p)

is at most the number that T exceeds with probability ``1 - level`` where the share is p and x is normal with variance V(p). The
interval covers every share, 0 and 1 included, with the stated probability, and is never empty. The variance is that which the
share would have, not the one estimated (Wilson).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.special import ndtr, ndtri

from tokumei.arrays import Booleans, Floats

STEPS = 40  # of a bisection
GRID = 257  # distances to a bound for which critical values are kept
WIDEST = 0.3  # standard error beyond which a share is open: no interval is narrower than the shares there are


@dataclass(frozen=True)
class Variance:
    """How the variance of an estimate goes with the share: ``constant + linear p + square p^2``."""

    constant: Floats
    linear: Floats
    square: Floats

    def at(self, share: Floats) -> Floats:
        """Return the variance where the share is this."""
        return np.maximum(self.constant + share * (self.linear + share * self.square), 1e-300)


def between(estimate: Floats, variance: Variance, level: float) -> tuple[Floats, Floats]:
    """Return the intervals of shares."""
    best = np.clip(estimate, 0.0, 1.0)
    ends = []
    for bound in (0.0, 1.0):
        outside = np.full(best.shape, bound)
        inside = np.where(_holds(outside, estimate, best, variance, level), bound, best)
        for _ in range(STEPS):
            middle = (inside + outside) / 2
            holds = _holds(middle, estimate, best, variance, level)
            inside, outside = np.where(holds, middle, inside), np.where(holds, outside, middle)
        ends.append(inside)
    return ends[0], ends[1]


def beyond(estimate: Floats, variance: Variance, level: float, sign: float) -> Floats:
    """Return a one-sided limit: the share whose estimate is this far off, in its own standard error, with this probability."""
    reach = float(ndtri(level))
    square = 1 - reach**2 * variance.square
    middle = (estimate + reach**2 * variance.linear / 2) / square
    rest = (estimate**2 - reach**2 * variance.constant) / square
    found = np.clip(middle + sign * np.sqrt(np.maximum(middle**2 - rest, 0.0)), 0.0, 1.0)
    bound = np.full(estimate.shape, 1.0 if sign > 0 else 0.0)
    open_ = sign * (bound - estimate) <= reach * np.sqrt(variance.at(bound))  # the bound itself is not too far off
    return np.where(open_, bound, found)


def _holds(share: Floats, estimate: Floats, best: Floats, variance: Variance, level: float) -> Booleans:
    at = variance.at(share)
    distance = np.minimum(share, 1 - share) / np.sqrt(at)
    reach, critical = _critical(level)
    statistic = ((estimate - share) ** 2 - (estimate - best) ** 2) / at
    return np.asarray(statistic <= np.interp(distance, reach, critical) + 1e-12)


@cache
def _critical(level: float) -> tuple[Floats, Floats]:
    """Return for distances to the nearer bound, in standard errors, the value that T exceeds with probability ``1 - level``.

    Beyond the bound T grows linearly, so with z the deviation, a the distance and c the value, ``T <= c`` is
    ``-(c + a^2) / (2 a) <= z <= sqrt(c)`` where a is less than ``sqrt(c)``, and ``|z| <= sqrt(c)`` elsewhere.
    """
    widest = float(ndtri((1 + level) / 2))
    distance = np.linspace(0.0, widest, GRID)
    low, high = np.zeros(GRID), np.full(GRID, widest**2)
    for _ in range(60):
        middle = (low + high) / 2
        root = np.sqrt(middle)
        below = np.where(distance < root, (middle + distance**2) / (2 * np.maximum(distance, 1e-300)), root)
        covered = ndtr(root) - ndtr(-below)
        low, high = np.where(covered < level, middle, low), np.where(covered < level, high, middle)
    return distance, high
