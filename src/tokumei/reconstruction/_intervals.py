"""Confidence intervals of the shares of a joint table, and where there is none, why.

The likeliest table is no normal estimate: shares cannot be negative, so under strong noise many come out as zero and others as
too much, and drawing rows again repeats it. The intervals therefore belong to another estimate of the same shares, the mean
over rows of functions whose mean each share is (`_functionals`, `_looks`): it is unbiased, its variance is known, and it may well be
negative (`_bounded`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from tokumei.arrays import Booleans, Floats
from tokumei.errors import InvalidParameter
from tokumei.reconstruction._bounded import WIDEST, Variance, between, beyond
from tokumei.reconstruction._functionals import Told, told, uneven
from tokumei.reconstruction._joint import Part
from tokumei.reconstruction._looks import Drawn, Estimate, Look, along, look, together
from tokumei.reconstruction._parts import Counted
from tokumei.reconstruction._problems import FewRowsThere, LeftOpen, OnlyBoxes, OnlyLabels, UnknownRows, WiderThanBins
from tokumei.reconstruction._told import ToldPart, told_looks
from tokumei.words.statement import Statement

Kind = Literal["interval", "exact", "bounds", "none"]
KINDS: tuple[Kind, ...] = ("interval", "exact", "bounds", "none")
INTERVAL, EXACT, BOUNDS, NONE = range(4)
MOST_CELLS = 10**7  # several numbers are kept for each
WITHIN = 0.5  # of half an interval's width that an estimate may be off for where values lie in their bins
FEW = 0.45  # of a standard error that one row may move a share: about five rows there
BOUNDING = (OnlyLabels, OnlyBoxes, UnknownRows, FewRowsThere)  # reasons for bounds
SURE, ROUNDING = 1e-9, 1e-14  # standard errors, and their change with the share, that are only rounding


@dataclass(frozen=True)
class Intervals:
    """What the released rows leave open about some figures.

    Attributes
    ----------
    low, high
        The interval of each figure; not a number where there is none.
    kinds
        ``"interval"``: it covers the truth with the stated probability. ``"exact"``: the release tells the figure itself. ``"bounds"``: it
        covers the truth at least that often, whatever the release does not tell. ``"none"``: there is no honest interval.
    estimates, standard_errors
        The unbiased estimates that intervals belong to, which may lie outside what is possible, and their standard errors.
    reasons
        Why there are only bounds or no interval, for some or all figures.
    """

    low: Floats
    high: Floats
    kinds: npt.NDArray[np.str_]
    estimates: Floats
    standard_errors: Floats
    reasons: tuple[Statement, ...]

    @property
    def honest(self) -> Booleans:
        """Where there is an interval."""
        return np.asarray(self.kinds != "none")

    @property
    def reasons_for_none(self) -> tuple[Statement, ...]:
        """Those of the reasons for which there is no interval at all, of some figures or of any."""
        return tuple(each for each in self.reasons if not isinstance(each, BOUNDING))


def no_intervals(shape: tuple[int, ...], reasons: Sequence[Statement]) -> Intervals:
    """Say that there is none, and why."""
    nothing = np.full(shape, np.nan)
    return Intervals(nothing, nothing, np.full(shape, "none"), nothing, nothing, tuple(reasons))


@dataclass(frozen=True)
class _Sides:
    """Estimates from below and above, the same where ``exact``; how far they can be off for where values lie in their bins."""

    lower: Estimate
    upper: Estimate
    exact: Booleans
    farthest: Floats
    why: Statement | None = None


def intervals_of(counted: Counted, shape: tuple[int, ...], level: float, of_table: bool) -> Intervals:
    """Return the intervals of all cells, of the population's shares or of the original table's."""
    if int(np.prod(shape)) > MOST_CELLS:
        raise InvalidParameter(
            "Intervals are for tables of up to {most_cells:,} cells; use fewer columns or bins.", most_cells=MOST_CELLS
        )
    sides = _sides(counted, shape, of_table)
    reach = float(ndtri((1 + level) / 2))
    low, high = between(sides.upper.mean, sides.upper.variance, level)
    step, errors = sides.upper.step, sides.upper.errors
    noise = np.sqrt(sides.upper.variance.at(np.zeros(shape)))
    few = sides.exact & (step > FEW * errors) & (step > noise)
    kinds = np.full(shape, INTERVAL)
    kinds[~sides.exact | few] = BOUNDS
    rough = kinds == BOUNDS
    half = np.where(few, step / 2, 0.0)  # one row more or less is no evidence
    low = np.where(rough, beyond(sides.lower.mean - half, sides.lower.variance, (1 + level) / 2, -1.0), low)
    high = np.where(rough, beyond(sides.upper.mean + half, sides.upper.variance, (1 + level) / 2, 1.0), high)
    sure = sides.exact & (errors < SURE) & (np.abs(sides.upper.variance.linear) < ROUNDING)
    kinds[sure] = EXACT
    low, high = (np.where(sure, np.clip(sides.upper.mean, 0.0, 1.0), each) for each in (low, high))
    reasons: list[Statement] = []
    if (~sides.exact).any() and sides.why is not None:
        reasons.append(sides.why)
    if (few & ~sure).any():
        reasons.append(FewRowsThere())
    binned = sides.farthest > np.maximum(WITHIN * reach * errors, 1e-12)
    opened = (noise > WIDEST) & sides.exact & ~binned
    if counted.gone:
        known = 1 - counted.gone / counted.of
        low, high = low * known, high * known + 1 - known
        kinds[kinds != NONE] = BOUNDS
        reasons.append(UnknownRows(gone=counted.gone))
    for which, reason in ((binned, WiderThanBins()), (opened, LeftOpen())):
        if which.any():
            kinds[which] = NONE
            low, high = (np.where(which, np.nan, each) for each in (low, high))
            reasons.append(reason)
    return Intervals(low, high, np.array(KINDS)[kinds], sides.upper.mean, errors, tuple(reasons))


def _sides(counted: Counted, shape: tuple[int, ...], of_table: bool) -> _Sides:
    nothing, everywhere = np.zeros(shape), np.ones(shape, dtype=np.bool_)
    drawn = [Drawn(one, rate) for one, rate in zip(counted.ones, counted.rates, strict=True)]
    first = counted.parts[0]
    if isinstance(first, ToldPart):
        found = together(shape, told_looks(first), drawn, of_table, apart=True)
        return _Sides(found, found, everywhere, nothing)
    parts = [each for each in counted.parts if isinstance(each, Part)]
    if first.bounds is not None:
        rows = first.strata[0].counts.sum()
        lower, upper = (_bound(counts / rows, drawn, of_table) for counts in first.bounds())
        return _Sides(lower, upper, lower.mean == upper.mean, nothing, OnlyBoxes())
    sides: tuple[list[Look], list[Look]] = ([], [])
    exact, farthest, sharp = everywhere.copy(), nothing.copy(), True
    for part in parts:
        place = tuple(slice(None) for _ in shape) if part.places is None else np.ix_(*part.places)
        squares = part.strata[0].squares
        for stratum in part.strata[1:]:
            squares = squares + stratum.squares
        functions = [told(c, _alone(part.seen, axis)) for axis, c in enumerate(part.conditionals)]
        sharp &= all(each.sharp for each in functions)
        even = None if part.even is None else _forward(part, part.even)
        looks = [look([each.upper for each in functions], part.seen, squares, part.share, place, even)]
        if all(each.exact for each in functions):
            looks = looks * 2
        else:
            looks = [look([each.lower for each in functions], part.seen, squares, part.share, place, even), *looks]
            exact[place] &= reduce(np.logical_and.outer, [each.alike for each in functions])
        for side, each in zip(sides, looks, strict=True):
            side.append(each)
        farthest[place] += part.share * _farthest(part, functions, np.clip(looks[1].mean, 0.0, 1.0))
        if len(parts) == 1 and squares is not part.seen:
            drawn = [
                Drawn(
                    one,
                    rate,
                    along([each.upper for each in functions], stratum.counts) / stratum.counts.sum(),
                    along([each.upper for each in functions], stratum.squares) / stratum.squares.sum(),
                )
                for one, rate, stratum in zip(counted.ones, counted.rates, part.strata, strict=True)
            ]
    lower, upper = (together(shape, side, drawn, of_table and sharp) for side in sides)
    return _Sides(lower, upper, exact, farthest, OnlyLabels())


def _forward(part: Part, shares: Floats) -> Floats:
    for axis, conditional in enumerate(part.conditionals):
        shares = conditional.forward(shares, axis)
    return shares


def _bound(shares: Floats, drawn: Sequence[Drawn], of_table: bool) -> Estimate:
    """Take shares of rows that surely or possibly lie in each cell: only who was drawn is left to chance."""
    left = np.full(shares.shape, sum(each.one * (1 - each.rate if of_table else 1.0) for each in drawn))
    nothing = np.zeros(shares.shape)
    return Estimate(shares, Variance(nothing, left, -left), nothing)


def _farthest(part: Part, found: Sequence[Told], at: Floats) -> Floats:
    """Return how far estimates can be off, wherever values lie within their bins."""
    whole = at
    for axis, (conditional, each) in enumerate(zip(part.conditionals, found, strict=True)):
        moved = uneven(conditional, each)
        if moved is not None:
            whole = whole + _times(moved, whole, axis)
    return whole - at


def _times(matrix: Floats, array: Floats, axis: int) -> Floats:
    return np.moveaxis(np.moveaxis(array, axis, -1) @ matrix.T, -1, axis)


def _alone(seen: Floats, axis: int) -> Floats:
    return seen.sum(axis=tuple(other for other in range(seen.ndim) if other != axis))
