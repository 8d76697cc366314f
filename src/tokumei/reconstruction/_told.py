"""Joint tables from rows that tell some columns each: every cluster shows a part of the table, through its own channel.

A row of cluster s tells the cells of some columns of the table, and nothing of the others. Seen by itself, a part of a
cluster's tuple is kept with the cluster's retention rho and otherwise uniform over the part's A cells:

    P(y | x) = rho [y = x] + (1 - rho) / A

Columns of the table that are released unchanged are told by every row.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.diagnostics import warn
from tokumei.errors import AssumptionWarning, InvalidParameter
from tokumei.mechanism.channel import Kept
from tokumei.mechanism.telling import Telling
from tokumei.reconstruction._em import Fit, maximise
from tokumei.reconstruction._joint import TableAxis, places_of
from tokumei.reconstruction._looks import Look
from tokumei.reconstruction._told_columns import cell_shares
from tokumei.release.artifact import Release
from tokumei.table.classes import rows_of_classes


@dataclass(frozen=True)
class View:
    """What the rows of one cluster show of the table: counts of released cells, and how a distribution becomes theirs.

    ``maps`` has for each axis of the table the share of each place that lies in each cell, none where the axis is not told;
    ``exact`` says which axes are released unchanged; ``share`` is the share of all rows. ``squares`` counts by squared weights.
    """

    seen: Floats
    squares: Floats
    maps: tuple[Floats | None, ...]
    exact: tuple[bool, ...]
    retention: float
    share: float

    @property
    def noisy(self) -> tuple[int, ...]:
        """The axes of ``seen`` that noise was put on."""
        told = [place for place, each in enumerate(self.maps) if each is not None]
        return tuple(at for at, place in enumerate(told) if not self.exact[place])

    @property
    def spread(self) -> float:
        """The probability of each cell where the tuple is replaced."""
        return (1 - self.retention) / math.prod(self.seen.shape[axis] for axis in self.noisy)

    def forward(self, p: Floats) -> Floats:
        """Return how likely each released cell is, were the table p."""
        for place in reversed(range(p.ndim)):
            each = self.maps[place]
            p = p.sum(axis=place) if each is None else np.moveaxis(np.tensordot(each, p, (1, place)), 0, place)
        if self.noisy:
            p = self.retention * p + self.spread * p.sum(axis=self.noisy, keepdims=True)
        return p * self.share

    def backward(self, weights: Floats, shape: Sequence[int]) -> Floats:
        """Apply the transpose."""
        if self.noisy:
            weights = self.retention * weights + self.spread * weights.sum(axis=self.noisy, keepdims=True)
        for place, each in enumerate(self.maps):
            if each is None:
                weights = np.expand_dims(weights, place)
            else:
                weights = np.moveaxis(np.tensordot(each.T, weights, (1, place)), 0, place)
        return np.broadcast_to(weights, shape) * self.share


@dataclass(frozen=True)
class ToldPart:
    """The whole table, as all clusters together show it; it stands where a `Part` does."""

    shape: tuple[int, ...]
    views: tuple[View, ...]
    share: float = 1.0
    even: None = None
    bounds: None = None

    def fitted(self, tolerance: float, limit: int, prior: Floats | None) -> Fit:
        """Find the table that makes what all rows told most likely."""
        sizes = [view.seen.size for view in self.views]
        cuts = np.cumsum(sizes)[:-1]

        def forward(p: Floats) -> Floats:
            return np.concatenate([view.forward(p).ravel() for view in self.views])

        def backward(weights: Floats) -> Floats:
            total = np.zeros(self.shape)
            for view, part in zip(self.views, np.split(weights, cuts), strict=True):
                total += view.backward(part.reshape(view.seen.shape), self.shape)
            return total

        seen = np.concatenate([view.seen.ravel() for view in self.views])
        return maximise(seen, forward, backward, np.ones(self.shape), tolerance, limit, prior)

    def alone(self, place: int) -> ToldPart:
        """Look at one column by itself."""
        views = []
        for view in self.views:
            if view.maps[place] is None:
                continue
            told = [at for at, each in enumerate(view.maps) if each is not None]
            others = tuple(at for at, axis in enumerate(told) if axis != place)
            views.append(
                replace(
                    view,
                    seen=view.seen.sum(axis=others),
                    squares=view.squares.sum(axis=others),
                    maps=(view.maps[place],),
                    exact=(view.exact[place],),
                )
            )
        total = sum(view.share for view in views)
        return ToldPart((self.shape[place],), tuple(replace(v, share=v.share / total) for v in views))

    def added(self, whole: Floats, estimate: Floats) -> None:
        """Add the estimated shares to the whole table."""
        whole += estimate


def told_looks(part: ToldPart) -> list[Look]:
    """Look at the shares through the rows that tell all columns of the table together, and in cells as fine as its own.

    With f the share of such rows of one cluster that show a cell, ``(f - (1 - rho) c / A f0) / rho`` is unbiased, c of the A cells
    being those of the place and f0 the share of rows that agree with it in the columns released unchanged. It is the mean over rows of a
    function with three values. Clusters are averaged by ``rows * rho^2``, which does not depend on what the rows tell.
    """
    whole = [view for view in part.views if all(_nested(each) for each in view.maps)]
    power = [view.seen.sum() ** 2 / view.squares.sum() * view.retention**2 for view in whole]
    return [_look(view, strength / sum(power)) for view, strength in zip(whole, power, strict=True)]


def _look(view: View, share: float) -> Look:
    total, square = float(view.seen.sum()), float(view.squares.sum())
    shares, squared = _onto(view, view.seen / total), _onto(view, view.squares / square)
    if not view.noisy:
        return Look(shares, squared, np.ones(shares.shape), squared, np.ones(shares.shape), square / total**2, share)
    rho, free = view.retention, view.spread * _onto(view, np.ones(view.seen.shape))
    among, among_squared = (each.sum(axis=view.noisy, keepdims=True) for each in (shares, squared))
    same, other = (1 - free) / rho, free / rho
    return Look(
        (shares - free * among) / rho,
        squared * same**2 + (among_squared - squared) * other**2,
        same - other,
        (squared - free * among_squared) / rho,
        same,
        square / total**2,
        share,
    )


def _onto(view: View, array: Floats) -> Floats:
    """Add up cells by the places that they lie in."""
    for place, each in enumerate(view.maps):
        assert each is not None
        array = np.moveaxis(np.tensordot((each > 0).astype(np.float64).T, array, (1, place)), 0, place)
    return array


def _nested(shares: Floats | None) -> bool:
    """Whether every cell lies in one place of the table."""
    return shares is not None and bool(np.all(np.count_nonzero(shares, axis=1) == 1))


def told_axis(release: Release, name: str, bins: Any) -> TableAxis:
    """Make the axis of a column that some rows tell, or that is released unchanged."""
    attribute = release.original(name)
    labels, true_bin = places_of(attribute, bins)
    codes = release.coded.codes(name).astype(np.int64)
    return TableAxis(attribute, Kept(len(labels)), codes, labels, None, true_bin)


def told_part(
    release: Release,
    telling: Telling,
    axes: Sequence[TableAxis],
    weights: Floats | None = None,
    squared: Floats | None = None,
) -> ToldPart:
    """Count what the rows of every cluster tell of the table, by what each row weighs, and by the squares of that."""
    names = [axis.attribute.name for axis in axes]
    which = release.coded.codes(telling.label).astype(np.int64)
    views = []
    for cluster, rows in zip(telling.clusters, rows_of_classes(which, len(telling.clusters)), strict=True):
        told = dict(zip(cluster.columns, cluster.grids, strict=True))
        if not len(rows) or not any(n in told or n not in telling.columns for n in names):
            continue
        maps: list[Floats | None] = []
        cells: list[Integers] = []
        for axis in axes:
            name = axis.attribute.name
            assert axis.true_bin is not None
            if name in told:
                column = telling.columns[name]
                maps.append(cell_shares(column.shown[told[name]].cell_of, axis.true_bin, column.cells(told[name])))
                cells.append(column.cell(told[name], axis.released[rows]))
            elif name in telling.columns:
                maps.append(None)
            else:
                maps.append(np.eye(int(axis.true_bin.max()) + 1))
                cells.append(axis.true_bin[axis.released[rows]])
        shape = [len(each) for each in maps if each is not None]
        flat = np.ravel_multi_index(cells, shape)
        seen = _counts(flat, shape, None if weights is None else weights[rows])
        squares = seen if squared is None else _counts(flat, shape, squared[rows])
        exact = tuple(name not in telling.columns for name in names)
        views.append(View(seen, squares, tuple(maps), exact, cluster.channel.retention, cluster.weight / telling.total))
    if not views:
        raise InvalidParameter("No row of the release tells any of these columns.")
    total = sum(view.share for view in views)
    whole = tuple(axis.conditional.size for axis in axes)
    return ToldPart(whole, tuple(replace(view, share=view.share / total) for view in views))


def _counts(flat: Integers, shape: Sequence[int], weights: Floats | None) -> Floats:
    return np.bincount(flat, weights=weights, minlength=math.prod(shape)).reshape(shape).astype(np.float64)


def warn_of_pairs_apart(telling: Telling, names: Sequence[str]) -> None:
    """Warn of columns that no row tells together."""
    for one, other in never_together(telling, names):
        warn(
            "No row tells {one!r} and {other!r} together, so the estimate takes them as independent, given the other "
            "columns of the table.",
            AssumptionWarning,
            one=one,
            other=other,
        )


def never_together(telling: Telling, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of columns that no row tells together: how they go together is then a guess."""
    asked = [name for name in names if name in telling.columns]
    return [pair for pair in combinations(asked, 2) if not telling.clusters_of(*pair)]
