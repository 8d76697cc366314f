"""Confidence intervals of the shares of a joint table.

The likeliest table is no normal estimate: shares cannot be negative, so under strong noise many come out as zero and others as
too much, and drawing rows again repeats it. The intervals therefore belong to another estimate of the same shares, the mean
over rows of functions whose mean each share is (`_functionals`): it is unbiased, its variance is known, and it may well be
negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from scipy.stats import norm

from tokumei.arrays import Booleans, Floats
from tokumei.errors import InvalidParameter
from tokumei.reconstruction._functionals import Functional, Told, told, uneven
from tokumei.reconstruction._joint import Part, Stratum

MOST_CELLS = 10**7  # several numbers are kept for each


@dataclass(frozen=True)
class Intervals:
    """What the released rows leave open about the shares.

    Attributes
    ----------
    low, high
        The intervals.
    errors
        Standard errors of the unbiased estimates.
    trusted
        Whether the intervals hold wherever values lie within their bins, or nearly so: their place cannot move an estimate by more
        than chance does.
    """

    low: Floats
    high: Floats
    errors: Floats
    trusted: Booleans


@dataclass
class _Side:
    """An estimate of all cells, or a bound: mean, and the variance as a line in the share, around ``at``."""

    mean: Floats
    at: Floats
    variance: Floats
    slope: Floats
    step: Floats  # how far one row can move it
    bias: Floats  # how far it is off if values lie within their bins as is likeliest,
    farthest: Floats  # and wherever they lie

    @classmethod
    def together(cls, shape: tuple[int, ...], sides: Sequence[tuple[float, Any, _Side]]) -> _Side:
        """Add up estimates from several parts of the rows: the share of each, where its cells lie in the whole, and it."""
        made = cls(*(np.zeros(shape) for _ in range(7)))
        steepest = np.zeros(shape)
        for share, place, side in sides:
            made.mean[place] += share * side.mean
            made.at[place] += share * side.at
            made.variance[place] += share**2 * side.variance
            made.slope[place] += share * side.at * share * side.slope  # a share grows where it is
            steepest[place] = np.maximum(steepest[place], share * side.slope)
            made.step[place] = np.maximum(made.step[place], share * side.step)
            made.bias[place] += share * side.bias
            made.farthest[place] += share * side.farthest
        made.slope = np.where(made.at > 0, made.slope / np.maximum(made.at, 1e-300), steepest)
        return made

    def limit(self, sign: float, reach: float) -> Floats:
        """Return the share that lies this many standard errors off, each share having its own standard error (Wilson)."""
        from_here = self.mean + sign * self.step / 2  # one row more or less is no evidence
        middle = from_here + reach**2 * self.slope / 2
        rest = from_here**2 - reach**2 * (self.variance - self.slope * self.at)
        return middle + sign * np.sqrt(np.maximum(middle**2 - rest, 0.0)) + sign * self.bias


def intervals_of(
    parts: Sequence[Part], estimates: Sequence[Floats], pmf: Floats, level: float, of_table: bool
) -> Intervals:
    """Return the intervals of all cells, of the population's shares or of the original table's.

    ``estimates`` are the likeliest tables of the parts, ``pmf`` that of the whole.
    """
    if pmf.size > MOST_CELLS:
        raise InvalidParameter(
            "Intervals are for tables of up to {most_cells:,} cells; use fewer columns or bins.", most_cells=MOST_CELLS
        )
    made = []
    for part, estimate in zip(parts, estimates, strict=True):
        place = tuple(slice(None) for _ in pmf.shape) if part.places is None else np.ix_(*part.places)
        made.append([(part.share, place, side) for side in _sides(part, estimate, of_table)])
    lower, upper = (_Side.together(pmf.shape, sides) for sides in zip(*made, strict=True))
    reach = float(norm.ppf((1 + level) / 2))
    low = np.clip(np.minimum(lower.limit(-1.0, reach), pmf), 0.0, 1.0)
    high = np.clip(np.maximum(upper.limit(1.0, reach), pmf), 0.0, 1.0)
    errors = np.sqrt(upper.variance)
    return Intervals(low, high, errors, upper.farthest <= reach * errors)


def _sides(part: Part, estimate: Floats, of_table: bool) -> tuple[_Side, _Side]:
    """Estimate the shares in a part of the rows, or bound them from below and from above."""
    if part.bounds is not None:
        surely, possibly = (_bound(part, counts, of_table) for counts in part.bounds())
        return surely, possibly
    found = [told(c, _alone(part.seen, axis)) for axis, c in enumerate(part.conditionals)]
    released = estimate  # as they would go if the likeliest table were the true one
    for axis, conditional in enumerate(part.conditionals):
        released = conditional.forward(released, axis)
    lower = _estimate(part, [each.lower for each in found], found, released, of_table)
    if all(each.exact for each in found):
        return lower, lower
    return lower, _estimate(part, [each.upper for each in found], found, released, of_table)


def _bound(part: Part, counts: Floats, of_table: bool) -> _Side:
    """Take counts of rows that surely or possibly lie in each cell: only who was drawn is left to chance."""
    rows = part.strata[0].counts.sum()
    share, nothing = counts / rows, np.zeros(counts.shape)
    left = 1.0 - (part.strata[0].rate if of_table else 0.0)
    variance, slope = left * share * (1 - share) / rows, left * (1 - 2 * share) / rows
    return _Side(share, share, variance, slope, np.full(counts.shape, left / rows), nothing, nothing)


def _estimate(
    part: Part, functionals: Sequence[Functional], found: Sequence[Told], released: Floats, of_table: bool
) -> _Side:
    """Estimate the shares by products of functions of the columns, stratum by stratum."""
    total = float(part.seen.sum())
    sharp = all(each.sharp for each in found)
    everywhere = tuple(slice(None) for _ in part.shape)
    made = []
    for stratum in part.strata:
        # The rows themselves say too little of cells that are rare among them and weigh much; but only they tell their weights.
        alike = len(part.strata) == 1 and stratum.squares is stratum.counts
        weighted = released if alike else stratum.squares / stratum.squares.sum()
        side = _of_stratum(stratum, released, weighted, functionals, stratum.rate if of_table and sharp else 0.0)
        made.append((float(stratum.counts.sum()) / total, everywhere, side))
    whole = _Side.together(part.shape, made)
    whole.bias, whole.farthest = _biases(part, found, whole.at)
    return whole


def _of_stratum(
    stratum: Stratum, released: Floats, weighted: Floats, functionals: Sequence[Functional], known: float
) -> _Side:
    """Estimate the shares in a stratum, a share of whose rows is known to be drawn.

    ``released`` and ``weighted`` say how released cells go, in all rows and by the squared weights of these.
    """
    rows, squares = float(stratum.counts.sum()), float(stratum.squares.sum())
    own = reduce(np.multiply.outer, [each.own for each in functionals])
    largest = reduce(np.multiply.outer, [each.largest for each in functionals])
    at = np.clip(_along(functionals, released), 0.0, 1.0)
    first = np.clip(_along(functionals, weighted), 0.0, 1.0)
    second = _along(functionals, weighted, 2)
    around = second - 2 * at * first + at**2 - known * (first - 2 * at * first + at**2)
    others = np.maximum(second - at * own, 0.0) / np.maximum(1 - at, 1e-9)
    slope = own - others - 2 * at - known * (1 - 2 * at)
    one = squares / rows**2
    step = largest * one if known < 1 or largest.max() > 1 else np.zeros(at.shape)
    mean = _along(functionals, stratum.counts) / rows
    nothing = np.zeros(at.shape)
    return _Side(mean, at, one * np.maximum(around, 0.0), one * slope, step, nothing, nothing)


def _biases(part: Part, found: Sequence[Told], at: Floats) -> tuple[Floats, Floats]:
    """Return how far estimates are off where values lie within their bins as is likeliest, and wherever they may lie."""
    likely, farthest = at, at
    for axis, (conditional, each) in enumerate(zip(part.conditionals, found, strict=True)):
        moved = uneven(conditional, each, _alone(part.seen, axis))
        if moved is not None:
            likely = _times(moved.likeliest, likely, axis)
            farthest = farthest + _times(moved.farthest, farthest, axis)
    return np.abs(likely - at), farthest - at


def _times(matrix: Floats, array: Floats, axis: int) -> Floats:
    return np.moveaxis(np.moveaxis(array, axis, -1) @ matrix.T, -1, axis)


def _alone(seen: Floats, axis: int) -> Floats:
    return seen.sum(axis=tuple(other for other in range(seen.ndim) if other != axis))


def _along(functionals: Sequence[Functional], array: Floats, power: int = 1) -> Floats:
    for axis, functional in enumerate(functionals):
        array = functional.along(array, axis, power)
    return array
