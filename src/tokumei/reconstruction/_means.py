"""The mean of a column of numbers, with an interval: the mean over rows of a function whose mean is the true value.

With K as in `_functionals` and v the values, ``h(y) = sum_c K[c, y] v_c`` has the mean v(x) for a row whose true value is x. Missing
cells have no value: the mean is the ratio of the sums over the others, and its chance is that of ``(v - mean) [not missing]``. Where
a released cell stands for several values, the smallest and the largest of them bound the mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import ndtri

from tokumei.arrays import Booleans, Floats, Integers
from tokumei.mechanism.channel import Conditional, Kept
from tokumei.mechanism.grid_laplace import FlaggedGridLaplace, GridLaplace
from tokumei.mechanism.retention import Retention
from tokumei.reconstruction._bounded import WIDEST
from tokumei.reconstruction._functionals import LARGEST_MATRIX, Functional, TwoValued, told
from tokumei.reconstruction._parts import weighed, weighing, weights_of
from tokumei.reconstruction._problems import LeftOpen, TooManyValues
from tokumei.reconstruction._recoded import Way
from tokumei.release.artifact import Release
from tokumei.table.classes import rows_of_classes
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute
from tokumei.words.statement import Statement

LONG = 128  # values, beyond which noise on a grid is undone without its matrix


class Pulling(Protocol):
    """Functions of the released value."""

    def pulled(self, values: Floats) -> Floats:
        """Return the function of the released value whose mean is this one of the true value."""


@dataclass(frozen=True)
class Undone:
    """Functions by noise on a grid that was undone."""

    channel: GridLaplace | FlaggedGridLaplace

    def pulled(self, values: Floats) -> Floats:
        """Return the function of the released value whose mean is this one of the true value."""
        made = self.channel.undone(values)
        return np.full(len(values), np.nan) if made is None else made


@dataclass(frozen=True)
class Seen:
    """Released cells of a column that went through the same channel.

    ``low`` and ``high`` are the smallest and the largest value that each true cell stands for, ``there`` says which are not
    missing; ``counts`` and ``squares`` count released cells by weights and by their squares.
    """

    functional: Pulling
    low: Floats
    high: Floats
    there: Floats
    counts: Floats
    squares: Floats
    share: float = 1.0

    @property
    def one(self) -> float:
        """The sum of the squared weights over the square of their sum."""
        return float(self.squares.sum() / self.counts.sum() ** 2)

    def mean(self, values: Floats) -> float:
        """Estimate the mean of a function of true cells."""
        return float(self.functional.pulled(values) @ self.counts / self.counts.sum())


@dataclass(frozen=True)
class Mean:
    """An estimate of the mean of a column, or a bound of it, and its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class Looked:
    """A column as the rows show it: through one channel, in groups, or in clusters (``apart``), and who was drawn."""

    seen: tuple[Seen, ...]
    apart: bool
    ones: tuple[float, ...]
    rates: tuple[float, ...]
    strata: tuple[tuple[Floats, Floats], ...] = ()  # counts and squares of each

    @property
    def exact(self) -> bool:
        """Whether every cell stands for one value."""
        return all(np.array_equal(each.low * each.there, each.high * each.there) for each in self.seen)


def values_of(attribute: Attribute) -> Floats:
    """Return the number that each code stands for, not a number for a missing cell."""
    assert attribute.domain is not None and not isinstance(attribute.domain, Categories)
    made = attribute.domain.values_of(np.arange(attribute.states)).to_numpy(zero_copy_only=False)
    return np.asarray(made, dtype=np.float64)


def looked(release: Release, name: str, used: Booleans, way: Way, weights: str | None) -> Looked | Statement:
    """Look at a column, or say why its mean cannot be estimated."""
    attribute = release.original(name)
    rate, stratified, mine = weights_of(release, weights, used, release.rows)
    ones, rates = weighed(int(np.count_nonzero(used)), mine, None, None if stratified else rate)
    by = weighing(mine, None)
    codes, values = release.coded.codes(name).astype(np.int64)[used], values_of(attribute)
    telling, recoding = release.mechanism.telling, release.mechanism.recoding
    if telling is not None and name in telling.columns:
        return Looked(_told(release, name, values, by), True, ones, rates)
    if way == "groups":
        return Looked(_grouped(release, attribute, codes, values), False, ones, rates)
    if recoding is not None and name in recoding.columns:
        covers = recoding.columns[name].covers
        there = np.where(covers & ~np.isnan(values), 1.0, np.nan)
        low, high = (
            np.nanmin(there * values, axis=1, initial=np.inf),
            np.nanmax(there * values, axis=1, initial=-np.inf),
        )
        exists = np.isfinite(low).astype(np.float64)
        seen = _seen(_plain(len(low)), np.where(exists, low, 0), np.where(exists, high, 0), exists, codes, by)
        return Looked((seen,), False, ones, rates, _strata(codes, len(low), mine, stratified))
    conditional = release.mechanism.conditional(release.schema[name])
    if not isinstance(conditional, Kept | Retention) and conditional.size * conditional.outputs > LARGEST_MATRIX:
        return TooManyValues(column=name)
    found = told(conditional, np.bincount(codes, minlength=conditional.outputs).astype(np.float64))
    if not found.exact:
        return LeftOpen()
    seen = _seen(
        found.upper, np.nan_to_num(values), np.nan_to_num(values), (~np.isnan(values)).astype(np.float64), codes, by
    )
    return Looked((seen,), False, ones, rates, _strata(codes, conditional.outputs, mine, stratified))


def mean_of(found: Looked, of_table: bool, high: bool) -> Mean | None:
    """Estimate the mean, or bound it from below or from above; nothing where noise leaves open whether cells are missing."""
    pairs = [(each, each.high if high else each.low) for each in found.seen]
    there = sum(each.share * each.mean(each.there) for each, _ in pairs)
    if there < 0.05:
        return None
    value = sum(each.share * each.mean(v * each.there) for each, v in pairs) / there
    noise = spread = 0.0
    for each, v in pairs:
        off = (v - value) * each.there / there
        shown, squared = each.functional.pulled(off), each.functional.pulled(off**2)
        by = each.squares / each.squares.sum()
        noise += each.share**2 * each.one * max(float((shown**2 - squared) @ by), 0.0)
        spread += each.share * float(squared @ by)
    if found.apart:
        back = sum(one * rate for one, rate in zip(found.ones, found.rates, strict=True)) if of_table else 0.0
        drawn = max(sum(each.share**2 * each.one for each in found.seen) - back, 0.0) * spread
    elif len(found.strata) > 1:
        each, v = pairs[0]
        drawn = _stratified(found, each.functional, (v - value) * each.there / there, of_table)
    else:
        drawn = found.ones[0] * (1 - found.rates[0] if of_table else 1.0) * spread
    return Mean(float(value), float(np.sqrt(noise + max(drawn, 0.0))))


def ends(low: Mean, high: Mean, level: float, lowest: float, highest: float) -> tuple[float, float] | None:
    """Return the interval; nothing where noise leaves the mean open."""
    if max(low.error, high.error) > WIDEST * (highest - lowest):
        return None
    reach = float(ndtri((1 + level) / 2))
    made = np.clip([low.value - reach * low.error, high.value + reach * high.error], lowest, highest)
    return float(made[0]), float(made[1])


def _stratified(found: Looked, functional: Pulling, off: Floats, of_table: bool) -> float:
    shown, squared, drawn = functional.pulled(off), functional.pulled(off**2), 0.0
    for one, rate, (counts, squares) in zip(found.ones, found.rates, found.strata, strict=True):
        mean, square = float(shown @ counts / counts.sum()), float(squared @ squares / squares.sum())
        drawn += one * (1 - rate) * max(square - mean**2, 0.0) + (0.0 if of_table else one * rate * square)
    return drawn


def _seen(
    functional: Pulling,
    low: Floats,
    high: Floats,
    there: Floats,
    codes: Integers,
    by: tuple[Floats | None, Floats | None],
) -> Seen:
    counts, squares = (np.bincount(codes, weights=each, minlength=len(low)).astype(np.float64) for each in by)
    return Seen(functional, low, high, there, counts, squares)


def _strata(codes: Integers, size: int, weights: Floats | None, stratified: bool) -> tuple[tuple[Floats, Floats], ...]:
    if not stratified or weights is None:
        return ()
    made = [np.bincount(codes[weights == each], minlength=size).astype(np.float64) for each in np.unique(weights)]
    return tuple((each, each) for each in made)


def _plain(size: int) -> Functional:
    return TwoValued(1.0, 0.0, size, 1.0)


def _grouped(release: Release, attribute: Attribute, codes: Integers, values: Floats) -> tuple[Seen, ...]:
    """Look at a column group by group, each through the channel of its own box."""
    grouping = release.mechanism.grouping
    assert grouping is not None
    made, views, labels = [], grouping.inside(attribute), release.group_of
    for group, rows in enumerate(rows_of_classes(labels, len(grouping.groups))):
        inside, channel = views[group], grouping.channel(group, attribute.name)
        mine = values[inside.members]
        there, share = (~np.isnan(mine)).astype(np.float64), float(grouping.sizes[group]) / grouping.people
        counts = np.bincount(inside.local(codes[rows]), minlength=channel.outputs).astype(np.float64)
        filled, functions = np.nan_to_num(mine), _functions(channel, counts, np.nan_to_num(mine))
        if functions is not None:
            made.append(Seen(functions, filled, filled, there, counts, counts, share))
        elif there.any():  # the noise tells nothing here: a value may be any of the box
            least, most = (np.array([each]) for each in (np.nanmin(mine), np.nanmax(mine)))
            many = np.array([counts.sum()])
            made.append(Seen(_plain(1), least, most, np.ones(1), many, many, share))
    return tuple(made)


def _functions(channel: Conditional, counts: Floats, values: Floats) -> Pulling | None:
    """Return the functions that undo a channel, where there are any: a long one with noise on a grid has no use for its matrix."""
    if isinstance(channel, GridLaplace | FlaggedGridLaplace) and channel.size > LONG:
        undone = all(channel.undone(each) is not None for each in (values, values**2))
        return Undone(channel) if undone else None
    if not isinstance(channel, Kept | Retention) and channel.size * channel.outputs > LARGEST_MATRIX:
        return None
    found = told(channel, counts)
    return found.upper if found.exact else None


def _told(release: Release, name: str, values: Floats, by: tuple[Floats | None, Floats | None]) -> tuple[Seen, ...]:
    telling = release.mechanism.telling
    assert telling is not None
    column, which = telling.columns[name], release.coded.codes(telling.label).astype(np.int64)
    made, power = [], []
    for place, rows in enumerate(rows_of_classes(which, len(telling.clusters))):
        cluster = telling.clusters[place]
        if name not in cluster.columns or not len(rows):
            continue
        grid = cluster.grids[cluster.columns.index(name)]
        cells, cell_of = column.cells(grid), column.shown[grid].cell_of
        low, high = np.full(cells, np.inf), np.full(cells, -np.inf)
        known = ~np.isnan(values)
        np.minimum.at(low, cell_of[known], values[known])
        np.maximum.at(high, cell_of[known], values[known])
        there = np.isfinite(low).astype(np.float64)
        rho = cluster.channel.retention
        free = (1 - rho) / cells
        mine = (None if each is None else each[rows] for each in by)
        codes = column.cell(grid, release.coded.codes(name)[rows])
        functional = TwoValued((1 - free) / rho, -free / rho, cells, rho + free)
        low, high = (np.where(there > 0, each, 0.0) for each in (low, high))
        made.append(_seen(functional, low, high, there, codes, (next(mine), next(mine))))
        power.append(rho**2 / made[-1].one)
    total = sum(power)
    shares = [each / total for each in power]
    return tuple(
        Seen(s.functional, s.low, s.high, s.there, s.counts, s.squares, share)
        for s, share in zip(made, shares, strict=True)
    )
