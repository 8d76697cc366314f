"""Central differential privacy of several releases about the same people: their privacy losses add up.

Every release i has a curve delta_i(epsilon), known for all epsilon >= 0 (`Shuffled`). Neighbors are symmetric, so below zero
``delta_i(-epsilon) <= 1 - e^-epsilon + e^-epsilon delta_i(epsilon)``. In ``alpha = e^epsilon`` the true curve is convex; the lower hull of bounds at some
points is convex too, and nowhere below it. A convex curve that falls from 1 belongs to a pair of distributions that dominates the release (Zhu, Dong, Wang 2022):
``P = alpha_j Q_j``, where Q_j is the change of the slope at the point alpha_j. Pairs that dominate each release dominate their
composition as products, also where one release is made after looking at the others. Points that are equally far apart in epsilon make the loss ln(P/Q) of the product a sum of
whole numbers of steps: its law is a convolution ("connecting the dots", Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022). So

    delta(epsilon) = 1 - product of (1 - P_i(infinite)) + sum over losses above epsilon of P (1 - e^(epsilon - loss))

The last point is where delta_i is a small part of the delta asked for; beyond it the loss counts as infinite. All convolutions are of numbers that are not negative, summed directly. The
masses are differences of slopes; what rounding can do to a slope, at most 2^-49 of the curve's height over the distance of two points, is added to each.

**Basic composition** (sums of epsilons, each at its part of delta) is always a bound, and is stated where it is smaller.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Floats
from tokumei.privacy.central import CLOSE, Shuffled

POINTS = 192  # at which a curve is bounded
NEGLIGIBLE = 2.0**-7  # of the share of delta that a release has: from where its loss counts as infinite


@dataclass(frozen=True)
class Losses:
    """A law of privacy losses: the probability under P of every whole number of steps from ``first`` on, and of an infinite loss."""

    masses: Floats
    first: int
    infinite: float

    def plus(self, other: Losses) -> Losses:
        """Return the law of the sum of two independent losses."""
        masses = np.convolve(self.masses, other.masses) * (1 + 1e-12)
        infinite = self.infinite + other.infinite
        return Losses(masses, self.first + other.first, min(1.0, infinite))

    def delta(self, epsilon: float, step: float) -> float:
        """Return delta(epsilon)."""
        losses = step * (self.first + np.arange(len(self.masses)))
        above = losses > epsilon
        found = -np.expm1((epsilon - losses[above]) * (1 + 1e-12)) * self.masses[above]
        return float(found.sum()) * (1 + 1e-9) + self.infinite


def losses_of(curve: Sequence[float], step: float) -> Losses:
    """Return the law of losses that dominates a curve, given at 0, step, 2 step, ... and infinite after its last point.

    >>> found = losses_of([0.1, 0.06, 0.03], 0.1)
    >>> found.infinite, bool(np.isclose(found.masses.sum(), 0.97)), bool(np.isclose(found.delta(0.1, 0.1), 0.06))
    (0.03, True, True)
    """
    falling = np.minimum.accumulate(np.asarray(curve, dtype=np.float64))
    count = len(falling) - 1
    epsilons = step * np.arange(-count, count + 1)
    alphas = np.exp(epsilons)
    negative = -np.expm1(epsilons[:count]) + alphas[:count] * falling[:0:-1]
    places, heights = _hull(alphas, np.concatenate([negative, falling]))
    # Below the first point the curve goes on to 1 at alpha = 0, after the last one it stays level.
    alphas, heights = np.concatenate([[0.0], alphas[places]]), np.concatenate([[1.0], heights])
    slopes = np.concatenate([np.diff(heights) / np.diff(alphas), [0.0]])
    changes = np.maximum(0.0, np.diff(slopes)) + 2.0**-49 * heights[:-1] / np.diff(alphas)
    masses = np.zeros(2 * count + 1)
    masses[places] = alphas[1:] * changes
    return Losses(masses, -count, float(falling[-1]))


def _hull(x: Floats, y: Floats) -> tuple[list[int], Floats]:
    """Return the points of the lower convex hull."""
    kept: list[int] = []
    for at in range(len(x)):
        while len(kept) > 1:
            one, two = kept[-2], kept[-1]
            if (y[two] - y[one]) * (x[at] - x[one]) < (y[at] - y[one]) * (x[two] - x[one]):
                break
            kept.pop()
        kept.append(at)
    return kept, y[kept]


def composed_epsilon(releases: Sequence[Shuffled], delta: float) -> float:
    """Return an epsilon that holds with delta for all releases together; infinite where one promises nothing.

    >>> from fractions import Fraction
    >>> from tokumei.mechanism.record import Mechanism
    >>> from tokumei.mechanism.retention import Retention
    >>> one = Shuffled(Mechanism({"sex": Retention.solve(3, Fraction(1, 16))}), 1000)
    >>> round(one.epsilon(1e-6), 2), round(composed_epsilon([one] * 4, 1e-6), 2)
    (0.22, 0.45)
    """
    share = delta / len(releases)
    kinds: list[Shuffled] = []  # releases that are alike are reckoned once
    for each in releases:
        if each not in kinds:
            kinds.append(each)
    which = [kinds.index(each) for each in releases]
    alone = [each.epsilon(share) for each in kinds]
    basic = math.fsum(alone[at] for at in which) * (1 + 1e-12)
    if math.isinf(basic) or not basic:
        return basic
    ends = [each.epsilon(share * NEGLIGIBLE) for each in kinds]
    step = max(ends) / POINTS
    laws = [
        losses_of([each.delta(step * at, share * NEGLIGIBLE) for at in range(math.ceil(end / step) + 1)], step)
        for each, end in zip(kinds, ends, strict=True)
    ]
    total = laws[which[0]]
    for at in which[1:]:
        total = total.plus(laws[at])
    low, high = 0.0, basic
    if total.delta(high, step) > delta:
        return basic
    while high - low > CLOSE * high:
        middle = (low + high) / 2
        low, high = (low, middle) if total.delta(middle, step) <= delta else (middle, high)
    return high
