"""A release as a mixture of products sees it: which columns it has, and what each row shows of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Codes, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.grouping import Grouping
from tokumei.mechanism.likelihood import distinct
from tokumei.mechanism.telling import Telling
from tokumei.reconstruction._columns import check_count
from tokumei.reconstruction._mixture import Observed, Products
from tokumei.reconstruction._told_columns import finest
from tokumei.reconstruction._told_in_groups import BoxedColumn, told_in_groups
from tokumei.reconstruction._views import shares_of
from tokumei.release.artifact import Release
from tokumei.table.classes import rows_of_classes
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute

KEPT = 50  # a column released unchanged with more values is looked at in bins
KEPT_BINS = 20


@dataclass(frozen=True)
class ModelColumn:
    """A column of the model.

    Attributes
    ----------
    attribute
        What the column was before.
    bins
        The value of the model that each code belongs to.
    within
        Which share of its value's people each code has.
    kept
        Whether it was released unchanged.
    """

    attribute: Attribute
    bins: Integers
    within: Floats
    kept: bool

    @property
    def name(self) -> str:
        """The column's name."""
        return self.attribute.name

    @property
    def size(self) -> int:
        """How many values the model tells apart."""
        return int(self.bins.max()) + 1

    def codes(self, drawn: Integers, rng: np.random.Generator) -> Integers:
        """Draw a code for each value."""
        order = np.argsort(self.bins, kind="stable")
        sums = np.cumsum(self.within[order]) - self.within[order]
        ends = np.searchsorted(self.bins[order], np.arange(self.size + 1))
        if len(order) == self.size:
            return order[drawn]
        wanted = sums[ends[drawn]] + rng.random(len(drawn))  # the shares of each value's codes add up to one
        found = np.searchsorted(sums, wanted, side="right") - 1
        return order[np.clip(found, ends[drawn], ends[drawn + 1] - 1)]

    def onto(self, places: Integers, count: int) -> Floats:
        """Return the matrix from values of the model to places of its codes."""
        made = np.zeros((self.size, count))
        np.add.at(made, (self.bins, places), self.within)
        return made


@dataclass(frozen=True)
class Modelled:
    """The columns of a model, and what the rows show."""

    columns: tuple[ModelColumn, ...]
    observed: Observed


class _Things:
    """The things seen, one kind after the other."""

    def __init__(self) -> None:
        self.count = 0
        self._made: list[tuple[Floats, Floats, Integers, Integers]] = []

    def add(self, second: float, first: float, entries: Integers) -> Integers:
        """Add things with the masses ``entries``, one row each, and return their numbers."""
        many, wide = entries.shape
        self._made.append((np.full(many, first), np.full(many, second), np.full(many, wide), entries.ravel()))
        self.count += many
        return np.arange(self.count - many, self.count)

    def products(self) -> tuple[Products, Products]:
        first, second, wide, entries = (np.concatenate(each) for each in zip(*self._made, strict=True))
        starts = np.concatenate([[0], np.cumsum(wide)])
        nothing = np.zeros(0, dtype=np.int64)
        return Products(first, starts, entries), Products(second, np.zeros_like(starts), nothing)


def modelled(release: Release, weights: str | None = None) -> Modelled:
    """Look at all columns of a release that have a domain, but the one of survey weights."""
    telling, grouping = release.mechanism.telling, release.mechanism.grouping
    if grouping is not None and grouping.telling is not None:
        return _modelled_in_groups(release, grouping, shares_of(release, weights))
    if telling is None:
        raise InvalidParameter(
            "The whole table is modelled only where each row tells some columns; estimate tables of this release with "
            "IterativeBayes, or name a target to predict."
        )
    aside = {weights, telling.label, *release.pseudonyms}
    names = [a.name for a in release.schema if a.domain is not None and a.name not in aside]
    shares = shares_of(release, weights)
    columns = [_column(release, release.original(name), telling, shares) for name in names]
    starts = dict(zip(names, np.cumsum([0, *(len(_matrix(each, telling)) for each in columns)]), strict=False))
    things, seen = _Things(), []
    for column in columns:
        if column.kept:
            numbers = things.add(0.0, 1.0, starts[column.name] + np.arange(column.size)[:, None])
            seen.append(numbers[column.bins[release.coded.codes(column.name)]])
    seen.append(_told(release, telling, starts, things))
    rows, which, _ = distinct(seen, release.rows)
    first, second = things.products()
    matrices = tuple(_matrix(each, telling) for each in columns)
    return Modelled(tuple(columns), Observed(matrices, first, second, rows, which, shares))


def _modelled_in_groups(release: Release, grouping: Grouping, shares: Floats) -> Modelled:
    """Look at a release whose rows tell one thing each inside the boxes of their groups."""
    aside = {*release.mechanism.made_up, *release.pseudonyms}
    names = [a.name for a in release.schema if a.domain is not None and a.name not in aside]
    boxed = {
        name: BoxedColumn.of(release.original(name), grouping.column(release.schema[name]), len(grouping.groups))
        for name in grouping.columns
    }
    columns = [
        _even(release.original(name), boxed[name].bins) if name in boxed else _kept_column(release, name, shares)
        for name in names
    ]
    matrices = [boxed[each.name].matrix if each.name in boxed else np.eye(each.size) for each in columns]
    starts = dict(zip(names, np.cumsum([0, *map(len, matrices)]).tolist(), strict=False))
    things, seen = _Things(), []
    for column in columns:
        if column.kept:
            numbers = things.add(0.0, 1.0, starts[column.name] + np.arange(column.size)[:, None])
            seen.append(numbers[column.bins[release.coded.codes(column.name)]])
    *told, which = told_in_groups(release, grouping, boxed, starts)
    seen.append(things.count + which)
    rows, each, _ = distinct(seen, release.rows)
    parts = zip(things.products(), told, strict=True) if things.count else ((one,) for one in told)
    first, second = (Products.together(*part) for part in parts)
    return Modelled(tuple(columns), Observed(tuple(matrices), first, second, rows, each, shares))


def _even(attribute: Attribute, bins: Integers) -> ModelColumn:
    """Make a column whose values are evenly spread in their bins."""
    check_count(attribute.name, int(bins.max()) + 1)
    return ModelColumn(attribute, bins, (1 / np.bincount(bins))[bins], kept=False)


def _column(release: Release, attribute: Attribute, telling: Telling, shares: Floats) -> ModelColumn:
    """Make a column: told ones are as fine as the finest of their grids tell them."""
    if attribute.name in telling.columns:
        return _even(attribute, finest(telling.columns[attribute.name]))
    return _kept_column(release, attribute.name, shares)


def _kept_column(release: Release, name: str, shares: Floats) -> ModelColumn:
    """Make a column that was released unchanged."""
    attribute = release.schema[name]
    codes = release.coded.codes(attribute.name)
    counts: Floats = np.bincount(codes, weights=shares, minlength=attribute.states).astype(np.float64)
    bins = _kept_bins(attribute, counts)
    total = np.bincount(bins, weights=counts)[bins]
    even = 1 / np.bincount(bins)[bins]
    return ModelColumn(attribute, bins, np.where(total > 0, counts / np.where(total > 0, total, 1), even), kept=True)


def _kept_bins(attribute: Attribute, counts: Floats) -> Integers:
    """Put the codes of a long column into bins: numbers by equal counts, the rarest labels into one."""
    assert attribute.domain is not None
    if attribute.states <= KEPT:
        return np.arange(attribute.states)
    if isinstance(attribute.domain, Categories) and not attribute.domain.ordered:
        order = np.argsort(-counts, kind="stable")
        bins = np.full(attribute.states, KEPT - 1)
        bins[order[: KEPT - 1]] = np.arange(KEPT - 1)
        return bins
    size = attribute.domain.size
    share = (np.cumsum(counts[:size]) - counts[:size] / 2) / max(counts[:size].sum(), 1e-300)
    bins = np.unique(np.minimum((share * KEPT_BINS).astype(np.int64), KEPT_BINS - 1), return_inverse=True)[1]
    return np.append(bins, np.full(int(attribute.missing), bins.max() + 1))


def _matrix(column: ModelColumn, telling: Telling) -> Floats:
    """Return P(seen | value) of everything that can be seen of a column: its values, or the cells of its grids."""
    if column.kept:
        return np.eye(column.size)
    grids = []
    for each in telling.columns[column.name].shown:
        cell_of = np.empty(column.size, dtype=np.int64)
        cell_of[column.bins] = each.cell_of
        grids.append((np.arange(len(each.code_of))[:, None] == cell_of).astype(np.float64))
    return np.concatenate(grids)


def _told(release: Release, telling: Telling, starts: dict[str, int], things: _Things) -> Integers:
    """Add the tuples that rows tell, and return which one each row does."""
    released: dict[str, Codes] = {name: release.coded.codes(name) for name in (*telling.columns, telling.label)}
    which, joint = telling.told(released)
    found = np.empty(release.rows, dtype=np.int64)
    for cluster, rows in zip(telling.clusters, rows_of_classes(which, len(telling.clusters)), strict=True):
        if not len(rows):
            continue
        tuples, mine = np.unique(joint[rows], return_inverse=True)
        cells = np.unravel_index(tuples, telling.shape(cluster))
        entries = [
            starts[name] + _before(telling, name, grid) + cell
            for name, grid, cell in zip(cluster.columns, cluster.grids, cells, strict=True)
        ]
        channel = cluster.channel
        numbers = things.add(channel.other / channel.total, channel.retention, np.stack(entries, axis=1))
        found[rows] = numbers[mine.reshape(-1)]
    return found


def _before(telling: Telling, name: str, grid: int) -> int:
    """Count the cells of a column's grids before one of them."""
    column = telling.columns[name]
    return sum(column.cells(each) for each in range(grid))
