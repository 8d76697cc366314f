"""Released rows counted by the cells of a joint table: all together, group by group, or cluster by cluster, with their weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tokumei.arrays import Booleans, Floats
from tokumei.reconstruction._joint import Part, Stratum, TableAxis, cells_of, grouped_parts, histogram, table_axis
from tokumei.reconstruction._recoded import Way, bound_counts, spread_counts
from tokumei.reconstruction._told import ToldPart, told_axis, told_part
from tokumei.reconstruction._views import drawn_rate, shares_of
from tokumei.release.artifact import Release


@dataclass(frozen=True)
class Counted:
    """The rows of a table, counted.

    Attributes
    ----------
    parts
        Rows that went through the same channels.
    ones, rates
        For each kind of rows that were drawn together the sum of their squared weights over the square of the sum of all weights, and the share
        that they are of those they were drawn from.
    gone, of
        How many rows nothing is known of because they were suppressed, of how many.
    """

    parts: Sequence[Part | ToldPart]
    ones: tuple[float, ...]
    rates: tuple[float, ...]
    gone: int = 0
    of: int = 1


def axes_of(
    release: Release, columns: Sequence[str], bins: Mapping[str, Any], used: Booleans, way: Way
) -> list[TableAxis]:
    """Make the axes of a table."""
    if way == "told":
        return [told_axis(release, name, bins.get(name)) for name in columns]
    return [table_axis(release, name, bins.get(name), used, way) for name in columns]


def counted(
    release: Release,
    axes: Sequence[TableAxis],
    used: Booleans,
    way: Way,
    weights: str | None = None,
    many: Floats | None = None,
    everyone: int | None = None,
) -> Counted:
    """Count the released rows; with ``many`` each stands for this number of equal ones, of ``everyone``."""
    rows = release.rows if everyone is None else everyone
    rate, drawn, mine = weights_of(release, weights, used, rows)
    ones, rates = weighed(len(axes[0].released), mine, many, None if drawn else rate)
    gone = int(np.count_nonzero(~used)) + release.mechanism.left_out
    parts: Sequence[Part | ToldPart]
    if way == "told":
        assert release.mechanism.telling is not None
        parts = [told_part(release, release.mechanism.telling, axes, *weighing(mine, many))]
    elif way == "groups":
        assert release.mechanism.grouping is not None
        parts = grouped_parts(release, release.mechanism.grouping, axes)
    elif weights is not None or (mine is not None and not drawn):
        assert mine is not None
        parts = [_weighted(axes, way, mine, rate)]
    elif mine is None or way == "spread":
        parts = [_together(axes, way, many, rate)]
    else:
        parts = [_stratified(axes, way, mine, many)]
    return Counted(parts, ones, rates, gone, rows + release.mechanism.left_out)


def weights_of(release: Release, weights: str | None, used: Booleans, rows: int) -> tuple[float, bool, Floats | None]:
    """Return the share of the original rows that was drawn, whether this differs by strata, and what each used row weighs."""
    rate = drawn_rate(release, rows)
    if weights is not None:
        return rate, False, shares_of(release, weights)[used]
    drawn = release.row_weights()
    if drawn is not None and release.mechanism.grouping is not None:
        # Groups as if their rows had been drawn together, at the smallest of their rates: no estimate seems better than it is.
        return 1 / float(drawn.max()), False, drawn[used]
    return rate, drawn is not None, None if drawn is None else drawn[used]


def weighed(
    rows: int, weights: Floats | None, many: Floats | None, rate: float | None
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return what the rows that were drawn together weigh; without a rate, their weight says at which they were drawn."""
    times = np.ones(rows) if many is None else many
    if weights is None:
        assert rate is not None
        return (1 / float(times.sum()),), (rate,)
    total = float(weights @ times) ** 2
    if rate is not None:
        return (float(weights**2 @ times) / total,), (rate,)
    kinds = np.unique(weights)
    return tuple(float(w**2 * times[weights == w].sum()) / total for w in kinds), tuple(1 / float(w) for w in kinds)


def weighing(weights: Floats | None, many: Floats | None) -> tuple[Floats | None, Floats | None]:
    """Return what each row counts for and the square of that, scaled to the number of rows."""
    if weights is None:
        return many, many
    times = np.ones(len(weights)) if many is None else many
    scaled = weights * (times.sum() / (weights @ times))
    return scaled * times, scaled**2 * times


def _weighted(axes: Sequence[TableAxis], way: Way, shares: Floats, rate: float) -> Part:
    """Count released rows by their survey weights."""
    conditionals = tuple(axis.conditional for axis in axes)
    scaled = shares * (len(shares) / shares.sum())
    if way == "spread":
        both = [spread_counts(axes, each) for each in (scaled, scaled**2)]
    else:
        cells, shape = cells_of(axes), tuple(conditional.outputs for conditional in conditionals)
        flat = [np.bincount(cells, weights=each, minlength=math.prod(shape)) for each in (scaled, scaled**2)]
        both = [each.reshape(shape).astype(np.float64) for each in flat]
    bounds = partial(bound_counts, axes, scaled) if way in {"spread", "boxes"} else None
    return Part(both[0], conditionals, (Stratum(both[0], both[1], rate),), bounds=bounds)


def _together(axes: Sequence[TableAxis], way: Way, many: Floats | None, rate: float) -> Part:
    """Count released rows that all weigh the same."""
    seen = spread_counts(axes) if way == "spread" else histogram(axes, None, many=many)
    bounds = partial(bound_counts, axes) if way in {"spread", "boxes"} else None
    return Part(seen, tuple(axis.conditional for axis in axes), (Stratum(seen, seen, rate),), bounds=bounds)


def _stratified(axes: Sequence[TableAxis], way: Way, weights: Floats, many: Floats | None) -> Part:
    """Count the rows of a stratified sample, stratum by stratum."""
    scale = len(weights) / weights.sum() if many is None else many.sum() / (weights @ many)
    strata = []
    for each in np.unique(weights):
        counts, weight = histogram(axes, None, weights == each, many), float(each) * scale
        strata.append(Stratum(weight * counts, weight**2 * counts, 1 / float(each)))
    bounds = partial(bound_counts, axes, weights * scale) if way in {"spread", "boxes"} else None
    conditionals = tuple(axis.conditional for axis in axes)
    return Part(histogram(axes, weights, many=many), conditionals, tuple(strata), bounds=bounds)
