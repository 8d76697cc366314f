"""Slide negative binomial: a class has one member and a negative binomial number more."""

from __future__ import annotations

import math

import numpy as np

from tokumei.arrays import Floats
from tokumei.table.sizes import ClassSizes

SOLVED = 1e-6  # how far the expected counts may be off, relatively
LIMIT = 18.0  # of the logarithm of a and of the logit of b
STARTS = ((-2.0, -2.0), (0.0, 0.0), (-5.0, -5.0), (2.0, 2.0), (-1.0, 2.0))


def slide_negative_binomial(sample: ClassSizes, population: int) -> float | None:
    """Return the estimated number of population uniques (Chen and Keller-McNulty 1998), or none where there is none.

    A class of the population has F members, where F - 1 is negative binomial: ``E z^F = z (b / (1 - (1 - b) z))^a``.
    Of K classes ``K b^a`` are of one then. A member is in the sample with the probability p = n / N, so that
    classes of one and of two are expected in the sample to the number of ``K p G'(1 - p)`` and ``K p^2 G''(1 - p) / 2``,
    G being that generating function. a and b are those for which they come to what was counted.
    """
    from scipy.optimize import least_squares

    ones, twos = sample.unique, sample.having(2) / 2
    if not ones:
        return 0.0
    if not twos:
        return None
    rate = sample.rows / population
    classes = population_classes(sample, rate)

    def off(at: Floats) -> list[float]:
        a, b = _parameters(at)
        more = (1 - b) * (1 - rate)
        base = math.log(classes * rate) + a * (math.log(b) - math.log1p(-more))
        first = base + math.log1p(a * more / (1 - more))
        second = base + math.log(rate / 2 * a * (1 - b) / (1 - more) ** 2) + math.log(2 + (a - 1) * more)
        return [first - math.log(ones), second - math.log(twos)]

    for start in STARTS:
        found = least_squares(off, start, bounds=(-LIMIT, LIMIT), xtol=1e-14, ftol=1e-14).x
        if max(abs(each) for each in off(found)) < SOLVED:
            a, b = _parameters(found)
            return float(min(classes * b**a, population))
    return None


def _parameters(at: Floats) -> tuple[float, float]:
    """Return a > 0 and 0 < b < 1 from two numbers of any size."""
    return math.exp(at[0]), 1 / (1 + math.exp(-at[1]))


def population_classes(sample: ClassSizes, rate: float) -> float:
    """Return the estimated number of classes in the population: Shlosser's estimator as modified by Haas and Stokes (1998).

    ``u + s1 A / B (C / D)^2`` with ``A = sum_i i q^2 (1 - q^2)^(i-1) s_i``, ``B = sum_i (1-q)^i ((1+q)^i - 1) s_i``,
    ``C = sum_i (1-q)^i s_i`` and ``D = sum_i i q (1-q)^(i-1) s_i``, q being the sampled share.

    >>> population_classes(ClassSizes((1, 2), (4, 6)), 1.0)
    7.0
    """
    if rate >= 1:
        return sample.classes
    i, s = sample.arrays()
    away = math.log1p(-rate)
    a = float(np.sum(i * rate**2 * np.exp((i - 1) * math.log1p(-(rate**2))) * s))
    b = float(np.sum((np.exp(i * math.log1p(-(rate**2))) - np.exp(i * away)) * s))
    c = float(np.sum(np.exp(i * away) * s))
    d = float(np.sum(i * rate * np.exp((i - 1) * away) * s))
    return sample.classes + sample.unique * a / b * (c / d) ** 2
