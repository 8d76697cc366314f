"""Pitman: the classes are those of a random partition with two parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import betaln, expit, gammaln, logit

from tokumei.arrays import Floats
from tokumei.table.sizes import ClassSizes

EDGE = 30.0  # alpha stays within expit(-30) and expit(30)
STARTS = (0.1, 0.5, 0.9)


@dataclass(frozen=True)
class Partition:
    """The parameters of Pitman's sampling formula: 0 < alpha < 1 and theta > -alpha."""

    alpha: float
    theta: float

    def uniques(self, people: int) -> float:
        """Return the expected number of classes of one among this many people.

        ``N Gamma(theta + 1) Gamma(theta + alpha + N - 1) / (Gamma(theta + alpha) Gamma(theta + N))``. For large N it is
        nearly ``Gamma(theta + 1) / Gamma(theta + alpha) N^alpha`` (Hoshino 2001).
        """
        if people == 1:
            return 1.0
        # Gamma(x + N - 1) / Gamma(x) is Gamma(N - 1) / B(x, N - 1), which is exact for large x too.
        log = betaln(self.theta + 1, people - 1) - betaln(self.theta + self.alpha, people - 1)
        return float(people * math.exp(min(log, 0.0)))


def fit(sample: ClassSizes) -> Partition:
    """Return the parameters under which the sample's classes are likeliest.

    The log-likelihood is ``sum_{i<u} ln(theta + i alpha) - sum_{i<n} ln(theta + i) + sum_j s_j sum_{i<j} ln(i - alpha)``
    for n rows in u classes, s_j of them of size j, with i from 1. It needs a class of one and a class of several.
    """
    from scipy.optimize import minimize

    sizes, classes = sample.arrays()
    n, u = sample.rows, float(classes.sum())

    def loss(at: Floats) -> float:
        alpha = float(expit(np.clip(at[0], -EDGE, EDGE)))
        theta = math.exp(min(at[1], 600.0)) - alpha
        # ln of (theta + alpha) ... (theta + (u - 1) alpha), and so on, each as a ratio of two gammas.
        new = (u - 1) * math.log(alpha) + gammaln(u - 1) - betaln(theta / alpha + 1, u - 1) if u > 1 else 0.0
        every = gammaln(n - 1) - betaln(theta + 1, n - 1)
        within = float(classes @ (gammaln(sizes - alpha) - gammaln(1 - alpha)))
        return -float(new - every + within) / n

    tries = [
        minimize(
            loss,
            [logit(alpha), math.log(max(u, 1.0))],
            method="Nelder-Mead",
            options={"xatol": 1e-9, "fatol": 1e-14, "maxiter": 4000, "maxfev": 4000},
        )
        for alpha in STARTS
    ]
    best = min(tries, key=lambda each: float(each.fun))
    alpha = float(expit(np.clip(best.x[0], -EDGE, EDGE)))
    return Partition(alpha, math.exp(min(float(best.x[1]), 600.0)) - alpha)


def pitman(sample: ClassSizes, population: int) -> float:
    """Return the estimated number of population uniques under Pitman's model (Hoshino 2001).

    Where every row is unique the likelihood has no maximum and nothing speaks against everyone being unique: the
    estimate is the whole population. Where nobody is unique it is zero.

    >>> 50 < pitman(ClassSizes((1, 2, 3), (50, 20, 30)), 200) < 100
    True
    """
    if not sample.unique:
        return 0.0
    if sample.unique == sample.rows:
        return float(population)
    return fit(sample).uniques(population)
