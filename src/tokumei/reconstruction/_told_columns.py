"""One column of rows that tell some columns each, as a channel of its own: what is seen is a cluster and a cell.

Of a row that tells the column in cluster s, the column's cell is kept with the cluster's retention rho, and otherwise uniform
over the A cells of the cluster's grid. With W the weights of all clusters that tell the column,

    P(s, y | x) = w_s / W (rho_s [y = cell of x] + (1 - rho_s) / A_s)

Clusters of one grid whose retentions are alike may be looked at as one: that loses information but no correctness.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Codes, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.channel import Conditional
from tokumei.mechanism.coarsening import Tabulated
from tokumei.mechanism.telling import Telling
from tokumei.mechanism.told_column import ToldColumn
from tokumei.mechanism.treatments import ToldByNone
from tokumei.reconstruction._views import POINTS, RELEASED_BINS, view
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute

MOST_KINDS = 16  # of clusters that are told apart on one grid
MOST_CELLS = 1000  # of all kinds of one grid together, where there are several kinds


@dataclass(frozen=True)
class Seen:
    """What the released rows show of a column.

    Attributes
    ----------
    conditional
        P(shown | true bin).
    true_bin
        The bin of each true code.
    shown
        What each row shows, of those that show something.
    rows
        Which rows these are; ``None`` where all do.
    spread
        How many of the rows have each true code as released, those of a coarser cell being spread evenly over it.
    """

    conditional: Conditional
    true_bin: Integers
    shown: Integers
    rows: Integers | None
    spread: Floats


@dataclass(frozen=True)
class _Kind:
    """Clusters that are looked at as one: their grid, their places, their weight, and their mean retention."""

    grid: int
    clusters: tuple[int, ...]
    weight: int
    retention: float


def seen_of(release: Release, attribute: Attribute, points: int = POINTS, many: Floats | None = None) -> Seen:
    """Look at one column of a release, in ``points`` bins where it is a long one of numbers or dates; each row stands for ``many``."""
    telling = release.mechanism.telling
    codes = release.coded.codes(attribute.name)
    if telling is not None and attribute.name in telling.columns:
        return _told(telling, attribute.name, codes, release.coded.codes(telling.label), points, many)
    found = view(release, attribute, points)
    spread = np.bincount(codes, many, minlength=attribute.states).astype(np.float64)
    return Seen(found.conditional, found.true_bin, found.released_bin[codes], None, spread)


def finest(column: ToldColumn) -> Integers:
    """Return a number for each true code: the same for codes that no grid of the column tells apart."""
    cells = np.stack([each.cell_of for each in column.shown])
    return np.unique(cells, axis=1, return_inverse=True)[1].reshape(-1)


def cell_shares(cell_of: Integers, true_bin: Integers, cells: int) -> Floats:
    """Return how much of each bin lies in each cell, values being evenly spread in a bin."""
    made = np.zeros((cells, int(true_bin.max()) + 1))
    np.add.at(made, (cell_of, true_bin), 1.0)
    return made / made.sum(axis=0, keepdims=True)


def _told(telling: Telling, name: str, codes: Codes, which: Codes, points: int, many: Floats | None) -> Seen:
    column = telling.columns[name]
    true_bin = _true_bins(column, points)
    kinds = list(_kinds(telling, name))
    total = sum(kind.weight for kind in kinds)
    shown = np.full(len(codes), -1)
    spread = np.zeros(column.original.states)
    matrices: list[Floats] = []
    start = 0
    for kind in kinds:
        cell_of, cells = column.shown[kind.grid].cell_of, column.cells(kind.grid)
        rows = np.flatnonzero(np.isin(which, kind.clusters))
        cell, bins = column.cell(kind.grid, codes[rows]), _released_bins(column, cells)
        shown[rows] = start + bins[cell]
        here = None if many is None else many[rows]
        spread += (np.bincount(cell, here, minlength=cells) / np.bincount(cell_of, minlength=cells))[cell_of]
        matrix = kind.retention * cell_shares(cell_of, true_bin, cells) + (1 - kind.retention) / cells
        together = np.zeros((int(bins.max()) + 1, matrix.shape[1]))
        np.add.at(together, bins, matrix * (kind.weight / total))
        matrices.append(together)
        start += len(together)
    rows = np.flatnonzero(shown >= 0)
    if not len(rows):
        raise InvalidParameter(ToldByNone(column=name))
    return Seen(Tabulated(np.concatenate(matrices)), true_bin, shown[rows], rows, spread)


def _kinds(telling: Telling, name: str) -> Iterator[_Kind]:
    """Put the clusters that tell a column together by grid and retention."""
    found: dict[int, dict[float, list[int]]] = {}
    for place in telling.clusters_of(name):
        cluster = telling.clusters[place]
        grid = cluster.grids[cluster.columns.index(name)]
        found.setdefault(grid, {}).setdefault(cluster.channel.retention, []).append(place)
    for grid, by_retention in sorted(found.items()):
        retentions = sorted(by_retention)
        most = int(np.clip(MOST_CELLS // telling.columns[name].cells(grid), 1, MOST_KINDS))
        for part in np.array_split(retentions, min(most, len(retentions))):
            places = tuple(place for retention in part.tolist() for place in by_retention[retention])
            weights = [telling.clusters[place].weight for place in places]
            kept = [telling.clusters[place].channel.retention for place in places]
            yield _Kind(grid, places, sum(weights), float(np.average(kept, weights=weights)))


def _true_bins(column: ToldColumn, points: int) -> Integers:
    """Return the bin of each true code: what can be told apart, or fewer where that is long and has an order."""
    bins, original = finest(column), column.original
    assert original.domain is not None
    if isinstance(original.domain, Categories) or int(bins.max()) + 1 <= points + int(original.missing):
        return bins
    made = np.arange(original.domain.size) * points // original.domain.size
    return np.append(made, np.full(int(original.missing), points))


def _released_bins(column: ToldColumn, cells: int) -> Integers:
    """Return the bin that each told cell is looked at in, a missing one by itself."""
    there = cells - int(column.original.missing)
    if isinstance(column.original.domain, Categories) or there <= RELEASED_BINS:
        return np.arange(cells)
    made = np.arange(there) * RELEASED_BINS // there
    return np.append(made, np.full(cells - there, RELEASED_BINS))
