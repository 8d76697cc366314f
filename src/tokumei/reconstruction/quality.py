"""How good tables of a release will be once it is reconstructed, from public numbers alone: before anything is fitted."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, NamedTuple

import numpy as np

from tokumei.arrays import Floats
from tokumei.mechanism.expected_errors import (
    TYPICAL,
    Errors,
    Part,
    errors_of_channels,
    expected_errors,
    sampling_errors,
)
from tokumei.mechanism.recoding import Recoding
from tokumei.mechanism.retention import Retention
from tokumei.mechanism.telling import Telling
from tokumei.reconstruction._told import never_together
from tokumei.reconstruction._views import drawn_rate, view
from tokumei.reconstruction._worth import told
from tokumei.release.artifact import Release
from tokumei.results import Result
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute
from tokumei.words import Words

BINS = 20  # numbers and dates are looked at in as many intervals, unless they are told in fewer cells
DROWNED = 2.0  # times as much noise as two columns usually have to do with each other
HARDLY = 0.95  # of a column's cells suppressed, from which on hardly anything of it is left
NEXT_TO_NOTHING = 0.3  # the error of one column from which on hardly anything of it is left

How = Literal["told", "noise", "kept", "labels", "cells", "groups", "averaged", "swapped", "suppressed"]
Pair = tuple[str, str]


@dataclass(frozen=True)
class ColumnQuality(Result):
    """What to expect of a column.

    Attributes
    ----------
    name, how
        The column, and how it was released: ``"told"`` by some rows, with ``"noise"``, ``"kept"`` unchanged, as ``"labels"`` of
        several values, unchanged but for suppressed ``"cells"``, with noise in ``"groups"``, ``"averaged"``, ``"swapped"``, or ``"suppressed"`` everywhere.
    alone
        The total variation to expect between its estimated shares and the original's; ``None`` where no public number says it.
    paired
        The same for tables with another column, on average.
    covers
        Of labels: which share of the column's values the label of a cell stands for, on average.
    """

    name: str
    how: How
    alone: float | None = None
    paired: float | None = None
    covers: float | None = None


@dataclass(frozen=True)
class Quality(Result):
    """What to expect of a release after reconstruction.

    Attributes
    ----------
    columns
        Each column with a domain.
    pairs
        The total variation to expect of tables of two columns, where it can be said.
    never_together
        Pairs of columns that no row tells together.
    drowned
        Pairs of columns of which the noise hides how they go together.
    sampled
        Whether some of the error comes from the sample that was drawn.
    left_out
        How many rare records were left out; what that costs cannot be said from public numbers.
    """

    columns: tuple[ColumnQuality, ...]
    pairs: Mapping[Pair, float]
    never_together: tuple[Pair, ...]
    drowned: tuple[Pair, ...]
    sampled: bool
    left_out: int = 0

    def names(self, *how: How) -> tuple[str, ...]:
        """Name the columns that were released in one of these ways."""
        return tuple(each.name for each in self.columns if each.how in how)

    @property
    def uncertain(self) -> tuple[ColumnQuality, ...]:
        """The columns of whose tables an error is to be expected."""
        return tuple(each for each in self.columns if each.alone)

    @property
    def one(self) -> float | None:
        """The mean error of tables of one column, those without error left out; ``None`` where there is none."""
        return fmean(each.alone or 0.0 for each in self.uncertain) if self.uncertain else None

    @property
    def two(self) -> float | None:
        """The mean error of tables of two columns, those without error left out; ``None`` where there is none."""
        found = [error for error in self.pairs.values() if error]
        return fmean(found) if found else None

    @property
    def next_to_nothing(self) -> tuple[str, ...]:
        """The columns of which next to nothing is left."""
        return tuple(each.name for each in self.uncertain if (each.alone or 0.0) >= NEXT_TO_NOTHING)


def expected_quality(release: Release) -> Quality:
    """Say how far tables of a release will be from the original's once it is reconstructed, from public numbers alone.

    Examples
    --------
    >>> import tokumei as tk
    >>> rows, schema = tk.example_census(rows=5000), tk.example_schema()
    >>> few, many = (expected_quality(tk.anonymize(rows, schema, tk.PkPerturbation(k=k))) for k in (3, 30))
    >>> few.two < many.two
    True
    """
    mechanism = release.mechanism
    aside = {*mechanism.made_up, *release.pseudonyms}
    columns = [a for a in release.schema if a.domain is not None and a.name not in aside]
    how = {a.name: _how(release, a.name) for a in columns}
    known = [a for a in columns if how[a.name] in {"told", "noise", "kept"}]
    names = [a.name for a in known]
    errors = (
        _errors(release, known) if known and not mechanism.left_out else None
    )  # no public number says which rows are gone
    alone = {} if errors is None else dict(zip(names, errors.one.tolist(), strict=True))
    pairs: dict[Pair, float] = {}
    drowned: list[Pair] = []
    unknown = () if mechanism.telling is None else tuple(never_together(mechanism.telling, names))
    if errors is not None:
        for (i, one), (j, other) in itertools.combinations(enumerate(names), 2):
            pairs[one, other] = float(errors.two[i, j])
            if errors.together[i, j] > DROWNED * TYPICAL and (one, other) not in unknown:
                drowned.append((one, other))
    found = [
        ColumnQuality(
            a.name,
            how[a.name],
            alone.get(a.name),
            _mean([error for pair, error in pairs.items() if a.name in pair]),
            _covers(release, a.name),
        )
        for a in columns
    ]
    sampled = drawn_rate(release, release.rows) < 1
    return Quality(tuple(found), pairs, unknown, tuple(drowned), sampled, mechanism.left_out or 0)


def quality_lines(found: Quality, words: Words) -> list[str]:
    """Say in sentences how good tables will be."""
    said: list[str] = []
    if found.one is not None:
        one, two = found.one, found.two
        said.append(words("quality_one", one=one) if two is None else words("quality_two", one=one, two=two))
        if found.sampled:
            said.append(words("quality_sampled"))
    exact = [each.name for each in found.columns if each.how == "kept" and not each.alone]
    if exact:
        said.append(words("quality_left_out" if found.left_out else "quality_exact", columns=exact))
    if found.next_to_nothing:
        said.append(words("quality_nothing_left", columns=found.next_to_nothing))
    for key, pairs in (("quality_never", found.never_together), ("quality_drowned", found.drowned)):
        if pairs:
            said.append(words(key, pairs=len(pairs), of=len(found.pairs)))
    for how in ("labels", "cells", "groups", "averaged", "swapped", "suppressed"):
        if names := found.names(how):
            said.append(words(f"quality_{how}", columns=names))
    return said


def _mean(errors: list[float]) -> float | None:
    return fmean(errors) if errors else None


def _how(release: Release, name: str) -> How:
    mechanism = release.mechanism
    if mechanism.telling is not None and name in mechanism.telling.columns:
        return "told"
    if name in mechanism.channels:
        return "noise"
    if mechanism.grouping is not None and name in mechanism.grouping.columns:
        return "groups"
    if mechanism.averaging is not None and name in mechanism.averaging.columns:
        return "averaged"
    if mechanism.recoding is not None and name in mechanism.recoding.columns:
        return _recoded(mechanism.recoding, name)
    return "swapped" if name in mechanism.swapped else "kept"


def _recoded(recoding: Recoding, name: str) -> How:
    """Say what became of a column whose cells were replaced by labels, of which some may be what they were, or a star."""
    column = recoding.columns[name]
    if name in recoding.suppressed:
        return "suppressed"
    low, high = column.spans.T
    starred = column.starred[: len(low)]
    return "labels" if np.any((low < high) & ~starred) else "cells" if np.any(starred) else "kept"


def _errors(release: Release, columns: list[Attribute]) -> Errors:
    """Return the error to expect of columns that are told, have noise, or are unchanged."""
    telling, rows = release.mechanism.telling, max(release.rows, 1)
    cells = np.array([_cells(release, a) for a in columns], dtype=np.float64)
    if telling is None:
        shares = np.array([_share(release, a) for a in columns])
        found = errors_of_channels(cells, shares, rows)
    else:
        found = _told(telling, columns, cells, rows)
    one, two = sampling_errors(cells, rows, drawn_rate(release, rows))
    return Errors(np.hypot(found.one, one), np.hypot(found.two, two), found.worth, found.together)


def _cells(release: Release, attribute: Attribute) -> int:
    """Count the cells of a column's table: those that are told, or its values, long columns of numbers in intervals."""
    telling = release.mechanism.telling
    if telling is not None and attribute.name in telling.columns:
        column = telling.columns[attribute.name]
        return max(column.cells(grid) for grid in range(len(column.grids)))
    assert attribute.domain is not None
    if isinstance(attribute.domain, Categories):
        return attribute.states
    return min(attribute.domain.size, BINS) + int(attribute.missing)


def _share(release: Release, attribute: Attribute) -> float:
    """Return the share of what a true value tells that a released one still does, all values being as likely."""
    channel = release.mechanism.channels.get(attribute.name)
    if channel is None:
        return 1.0
    if isinstance(channel, Retention):  # the same in closed form: there may be many labels
        return channel.retention**2
    matrix = view(release, attribute, BINS).conditional.matrix()
    size = matrix.shape[1]
    return told(matrix, np.full(size, 1 / size), np.eye(size))


def _told(telling: Telling, columns: list[Attribute], cells: Floats, rows: int) -> Errors:
    """Return the error to expect of columns that some rows tell, beside columns that all rows have."""
    names = list(telling.columns)
    grids = {name: column.cells for name, column in telling.columns.items()}
    finest = np.array([max(map(grids[name], range(len(telling.columns[name].grids)))) for name in names], dtype=float)
    told_ones = expected_errors(_parts(telling, names), rows, float(telling.swap))
    place = {name: at for at, name in enumerate(names)}
    at = [place.get(a.name, -1) for a in columns]
    inside = np.array([each >= 0 for each in at])
    size = len(columns)
    one, two, worth = np.zeros(size), np.zeros((size, size)), np.full(size, float(rows))
    together = np.zeros((size, size))
    mine = np.array([each for each in at if each >= 0], dtype=np.int64)
    one[inside], worth[inside] = told_ones.one[mine], told_ones.worth[mine]
    two[np.ix_(inside, inside)] = told_ones.two[np.ix_(mine, mine)]
    together[np.ix_(inside, inside)] = told_ones.together[np.ix_(mine, mine)]
    for kept in np.flatnonzero(~inside):
        beside = told_ones.with_kept(int(cells[kept]), finest)
        two[kept, inside] = two[inside, kept] = beside[mine]
    return Errors(one, two, worth, together)


def _parts(telling: Telling, names: list[str]) -> list[Part]:
    """Put the clusters into parts: as many columns each, and each column on one grid."""
    place = {name: at for at, name in enumerate(names)}
    made: list[_Clusters] = []
    for cluster in telling.clusters:
        grids = dict(zip(cluster.columns, cluster.grids, strict=True))
        fitting = (
            each
            for each in made
            if each.wide == len(grids) and all(each.grids.get(name, grid) == grid for name, grid in grids.items())
        )
        part = next(fitting, None)
        if part is None:
            part = _Clusters(len(grids), {}, [], [])
            made.append(part)
        part.grids.update(grids)
        part.clusters.append([place[name] for name in cluster.columns])
        part.weights.append(float(cluster.weight))
    return [
        Part(
            np.array(part.clusters),
            np.array(part.weights),
            np.array([telling.columns[name].cells(part.grids.get(name, 0)) for name in names], dtype=np.float64),
        )
        for part in made
    ]


class _Clusters(NamedTuple):
    """Clusters of as many columns each, by their places, with the grid of each column that they have."""

    wide: int
    grids: dict[str, int]
    clusters: list[list[int]]
    weights: list[float]


def _covers(release: Release, name: str) -> float | None:
    """Return which share of a column's values the label of a cell, or the box of its group, stands for, on average."""
    mechanism = release.mechanism
    if mechanism.recoding is not None and name in mechanism.recoding.columns:
        column = mechanism.recoding.columns[name]
        low, high = column.spans[release.coded.codes(name)].T
        return float(np.mean(high - low + 1) / column.original.states)
    if mechanism.grouping is not None and name in mechanism.grouping.columns:
        at = mechanism.grouping.columns.index(name)
        groups = mechanism.grouping.groups
        wide = np.average([group.boxes[at].size for group in groups], weights=[group.rows for group in groups])
        return float(wide / release.schema[name].states)
    return None


def hardly_left(release: Release) -> tuple[str, ...]:
    """Name the columns of which nearly every cell is suppressed: their tables are guesses, however near a flat guess may come."""
    recoding = release.mechanism.recoding
    if recoding is None:
        return ()
    made = []
    for name, column in recoding.columns.items():
        codes = release.coded.codes(name)
        there = codes[codes < len(column.starred) - column.missing]  # a cell that was missing is no loss
        if name in recoding.suppressed or (len(there) and np.mean(column.starred[there]) >= HARDLY):
            made.append(name)
    return tuple(made)
