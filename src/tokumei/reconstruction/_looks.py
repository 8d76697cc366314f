"""Looks at the shares of a table: rows that went through the same channels, and what their released cells say without bias.

For each cell c of the table there is a function s of the released row with ``E[s | true row] = 1`` in c and 0 elsewhere
(`_functionals`). Its mean over rows is an unbiased estimate of the share p of c; the variance that noise gives to it is the mean of
``E[s^2 | x] - [x in c]``, a line in p. Looks are added up: groups of rows by their shares, and what several kinds of rows say
of the same table by their precision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from tokumei.arrays import Floats
from tokumei.reconstruction._bounded import Variance
from tokumei.reconstruction._functionals import Functional, TwoValued

IMAGINED = 3.0  # rows in a group
CLEAR = 0.1  # of the variance that may come from where the estimate lies, for the rows themselves to tell it


@dataclass(frozen=True)
class Look:
    """What some rows say of all cells that they can be in.

    Attributes
    ----------
    mean
        The mean of the functions, by the rows' weights.
    square, slope, at
        The mean square of the functions, by the rows' squared weights, where the shares are ``at``, and how it changes with them.
    largest
        The largest size of each function.
    one
        The sum of the squared weights over the square of their sum: one over the number of rows where all weigh the same.
    share
        How much of the whole estimate it is.
    place
        Where its cells lie in the whole table.
    """

    mean: Floats
    square: Floats
    slope: Floats
    at: Floats
    largest: Floats
    one: float
    share: float = 1.0
    place: Any = ...


@dataclass(frozen=True)
class Drawn:
    """Rows drawn together.

    ``one`` is as in `Look`, over the weights of all rows, ``rate`` their share of those they were drawn from; ``mean`` and ``first`` are the
    means of the functions among them, by weights and by squared weights, where these differ.
    """

    one: float
    rate: float
    mean: Floats | None = None
    first: Floats | None = None


def look(
    functionals: Sequence[Functional],
    seen: Floats,
    squares: Floats,
    share: float = 1.0,
    place: Any = ...,
    even: Floats | None = None,
) -> Look:
    """Look through products of functions of the columns at released cells, counted by weights and by squared weights.

    The mean square is that of the rows where they are many. Where noise is strong or rows are few, chance moves it together with the
    mean, and an interval would be short just when it is off; there it is taken as if columns with noise were independent, given the others. The few
    rows of a group say little of it: a few more are imagined that go as ``even`` does.
    """
    total, square = float(seen.sum()), float(squares.sum())
    mean = along(functionals, seen) / total
    if even is not None:
        squares = (squares + IMAGINED * even) * (square / (square + IMAGINED))
    one, noisy = square / total**2, [axis for axis, each in enumerate(functionals) if not each.plain]
    slope: Floats = np.ones(())
    for axis, each in enumerate(functionals):
        alone = squares.sum(axis=tuple(other for other in range(squares.ndim) if other != axis)) / square
        slope = np.multiply.outer(slope, _slope(each, alone))
    found, second = (along(functionals, squares, power) / square for power in (1, 2))
    rough = [axis for axis in noisy if not isinstance(functionals[axis], TwoValued)]
    if even is None and (rough or len(noisy) > 1):
        smooth = _independent(squares / square, noisy, {axis: functionals[axis] for axis in rough})
        at, there = (along(functionals, smooth, power) for power in (1, 2))
        clear = (slope - 1) ** 2 * one < CLEAR**2 * np.maximum(second - found, 0.0)
        found, second = np.where(clear, found, at), np.where(clear, second, there)
    largest = reduce(np.multiply.outer, [each.largest for each in functionals])
    return Look(mean, second, slope, found, largest, one, share, place)


def _slope(functional: Functional, alone: Floats) -> Floats:
    """Return by how much larger the mean square of each function of a column is for rows of its own value than for others."""
    if functional.plain:
        return np.ones(len(functional.own))
    first, second = (np.asarray(functional.along(alone, 0, power)) for power in (1, 2))
    share = np.clip(first, 0.0, 0.95)
    return functional.own - np.maximum(second - share * functional.own, 0.0) / (1 - share)


def _independent(released: Floats, noisy: Sequence[int], rough: Mapping[int, Functional]) -> Floats:
    """Return how released cells would go if the columns with noise were independent, given the columns without.

    ``rough`` are those whose released values say little of single true ones: they go as the likeliest smooth distribution lets them.
    """
    total = released.sum(axis=tuple(noisy), keepdims=True)
    made = total
    for axis in noisy:
        alone = released.sum(axis=tuple(other for other in noisy if other != axis), keepdims=True)
        if axis in rough:
            seen = released.sum(axis=tuple(other for other in range(released.ndim) if other != axis))
            ratio = np.divide(rough[axis].likely(seen), seen, out=np.ones(seen.shape), where=seen > 0)
            alone = alone * ratio.reshape([-1 if other == axis else 1 for other in range(released.ndim)])
            scale = alone.sum(axis=axis, keepdims=True)
            alone = alone * np.divide(total, scale, out=np.zeros(total.shape), where=scale > 0)
        made = made * np.divide(alone, total, out=np.zeros(alone.shape), where=total > 0)
    return made


def along(functionals: Sequence[Functional], array: Floats, power: int = 1) -> Floats:
    """Apply the functions of each column, or their powers, along its axis."""
    for axis, functional in enumerate(functionals):
        array = functional.along(array, axis, power)
    return array


@dataclass(frozen=True)
class Estimate:
    """An unbiased estimate of all shares, how its variance goes with them, and how far one row can move it."""

    mean: Floats
    variance: Variance
    step: Floats

    @property
    def errors(self) -> Floats:
        """The standard errors, where the shares are the nearest possible ones to the estimates."""
        return np.sqrt(self.variance.at(np.clip(self.mean, 0.0, 1.0)))


def together(
    shape: tuple[int, ...], looks: Sequence[Look], drawn: Sequence[Drawn], of_table: bool, apart: bool = False
) -> Estimate:
    """Add up the looks.

    ``apart`` says that the looks are at different rows that were assigned to them at random (each sees all cells), which is
    chance too; otherwise they are groups, whose rows are as they are. Of the shares in the original table (``of_table``) only the noise, that
    assignment, and who was drawn from it are left to chance; of the population's, who is in the table also.
    """
    mean, constant, slope, step = (np.zeros(shape) for _ in range(4))
    lines = apart or len(looks) == 1
    for each in looks:
        mean[each.place] += each.share * each.mean
        own = each.slope - 1 if lines else 0.0  # of groups it is not known where the share would be another
        constant[each.place] += each.share**2 * each.one * (each.square - each.at - own * each.at)
        slope[each.place] += each.share**2 * each.one * own
        step[each.place] = np.maximum(step[each.place], each.share * each.one * each.largest)
    sampled = _sampled(mean, looks, drawn, of_table, apart)
    linear, square = slope + sampled, -sampled
    return Estimate(mean, Variance(constant, linear, square), step)


def _sampled(mean: Floats, looks: Sequence[Look], drawn: Sequence[Drawn], of_table: bool, apart: bool) -> Floats:
    """Return the variance that comes from who was drawn, as a multiple of ``p (1 - p)``."""
    if apart:
        back = sum(each.rate * each.one for each in drawn) if of_table else 0.0
        return np.full(mean.shape, max(sum(each.share**2 * each.one for each in looks) - back, 0.0))
    if len(drawn) == 1 and drawn[0].mean is None:
        (all_rows,) = drawn
        return np.full(mean.shape, all_rows.one * (1 - all_rows.rate if of_table else 1.0))
    one = sum(each.one for each in drawn)
    share = _within(mean, mean, one)
    made = np.zeros(mean.shape)
    for each in drawn:
        assert each.mean is not None and each.first is not None
        mine, squared = _within(each.mean, share, each.one), _within(each.first, share, each.one)
        made += (1 - each.rate) * each.one * (squared * (1 - 2 * mine) + mine**2)
        if not of_table:
            made += each.rate * each.one * (squared * (1 - 2 * share) + share**2)
    return np.maximum(made, 0.0) / (share * (1 - share))


def _within(mean: Floats, towards: Floats, one: float) -> Floats:
    """Move estimates into (0, 1): half a row is imagined where they lie outside."""
    found = np.clip(mean, 0.0, 1.0)
    return (found + one * np.clip(towards, 0.5 * one, 1 - 0.5 * one)) / (1 + one)
