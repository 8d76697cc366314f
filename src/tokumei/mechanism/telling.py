"""Rows that tell one thing each: a cluster of columns, drawn for every row, is told with the whole budget, the rest is blank.

Which cluster s a row tells is drawn with public weights w_s, independently of the row. The cluster's cells, taken together as
one of A_s possible tuples, are then kept or replaced by retention (`Retention`), each cluster with its own integers:

    P(s, y | x) = w_s / W * (keep_s [y = x_s] + other_s) / (keep_s + A_s other_s)

Exchanging the origins of two released rows leaves s, and so the weights, as they are. It changes the likelihood by
``r_s r_s'`` at worst, with ``r_s = other_s / (keep_s + other_s)``: the swap is the square of the smallest r, that of one
column alone that had the whole budget.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from tokumei.arrays import AnyUnsigned, Booleans, Codes, Floats, Integers, Unsigned64
from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.mechanism.channel import Blanket, channel_from
from tokumei.mechanism.retention import Retention
from tokumei.mechanism.told_column import ToldColumn
from tokumei.mechanism.treatments import Told, ToldBySome, Treatment, WhatIsTold
from tokumei.parallel import in_chunks
from tokumei.randomness import Key, Stream
from tokumei.table.classes import rows_of_classes
from tokumei.table.domain import Categories, code_type
from tokumei.table.schema import Attribute

LABEL = "tells"  # the column that says which columns a row tells
MOST_CLUSTERS = 2**14
WORDS = 2**32  # which cluster a row tells is drawn from words of 32 bits


@dataclass(frozen=True)
class Cluster:
    """Columns that are told together, each on one of its grids, how likely relative to others, and by which retention."""

    columns: tuple[str, ...]
    grids: tuple[int, ...]
    weight: int
    channel: Retention


@dataclass(frozen=True)
class Telling:
    """Which columns rows tell, and how.

    Attributes
    ----------
    label
        The public column of the release that says which cluster each row tells.
    columns
        The columns.
    clusters
        The clusters; the codes of ``label`` are their places here.
    """

    label: str
    columns: Mapping[str, ToldColumn]
    clusters: tuple[Cluster, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.clusters) <= MOST_CLUSTERS:
            raise InvalidParameter(
                "rows can tell one of 1 to {most_clusters:,} clusters of columns.", most_clusters=MOST_CLUSTERS
            )
        weights = [cluster.weight for cluster in self.clusters]
        if any(weight < 1 for weight in weights) or sum(weights) > WORDS:
            raise InvalidParameter("the weights of clusters must be at least 1, and 2^32 together at most.")
        if {name for cluster in self.clusters for name in cluster.columns} != set(self.columns):
            raise InvalidParameter("every column must be told in some cluster, and no other.")
        for cluster in self.clusters:
            if not cluster.columns or len(set(cluster.columns)) < len(cluster.columns):
                raise InvalidParameter("a cluster needs at least one column, each once.")
            if any(not 0 <= grid < len(self.columns[n].grids) for n, grid in _each(cluster)):
                raise InvalidParameter("a cluster is told on a grid that its column does not have.")
            if cluster.channel.size != math.prod(self.shape(cluster)) or cluster.channel.bits != 64:
                raise InvalidParameter("a cluster has a channel that does not fit its columns.")

    def shape(self, cluster: Cluster) -> tuple[int, ...]:
        """Return how many cells each column of a cluster has."""
        return tuple(self.columns[name].cells(grid) for name, grid in _each(cluster))

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(cluster.weight for cluster in self.clusters)

    @property
    def ratio(self) -> Fraction:
        """The smallest factor by which the likelihood of a released row changes when its origin is another row."""
        return min(cluster.channel.ratio for cluster in self.clusters)

    @property
    def swap(self) -> Fraction:
        """The smallest factor by which exchanging the origins of two released rows changes their likelihood: ``ratio**2``."""
        return self.ratio**2

    @property
    def blanket(self) -> Blanket:
        """What all rows give in common: which cluster is told, and the replacement in it."""
        weights: dict[Retention, int] = {}
        for each in self.clusters:
            weights[each.channel] = weights.get(each.channel, 0) + each.weight
        mass = sum((weight * channel.blanket.mass for channel, weight in weights.items()), start=Fraction(0))
        return Blanket(mass / self.total, 1 / self.ratio)

    @property
    def epsilon(self) -> float:
        """The local differential privacy of a whole row: that of the cluster that tells the most."""
        return max(cluster.channel.epsilon for cluster in self.clusters)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What the public column says of each cluster: its columns, told apart where several clusters have the same."""
        return labels_of(
            [", ".join(each.columns) + (" (coarser)" if any(each.grids) else "") for each in self.clusters]
        )

    @cached_property
    def attribute(self) -> Attribute:
        """The public column that says which cluster a row tells."""
        return Attribute(self.label, "insensitive", self.domain)

    @property
    def domain(self) -> Categories:
        """The domain of that column."""
        return Categories(self.labels)

    def tells(self, which: Codes, *columns: str) -> Booleans:
        """Say for codes of the public column whether such rows tell all of these columns; other columns every row tells."""
        wanted = set(columns) & set(self.columns)
        return np.array([wanted <= set(cluster.columns) for cluster in self.clusters])[which]

    def clusters_of(self, *columns: str) -> list[int]:
        """Return the clusters in which all of these columns are told together."""
        return [place for place, cluster in enumerate(self.clusters) if set(columns) <= set(cluster.columns)]

    def sample(
        self,
        codes: Mapping[str, Codes],
        key: Key,
        start: int = 0,
        tags: Unsigned64 | None = None,
        purpose: tuple[str, ...] = (),
    ) -> dict[str, Codes]:
        """Draw what each row tells and releases; the first is row ``start`` of the table.

        The result has every column, and `label`. Both draws of a row have a word of their own, addressed by the row. Where draws repeat,
        they are addressed by the person's ``tags``: the cluster by these alone, what is told by the cluster and its true cells too.
        """
        rows = len(next(iter(codes.values())))
        kinds = [code_type(_domain(column.released)) for column in self.columns.values()]
        wide = max(
            (*kinds, *(codes[name].dtype.type for name in self.columns)), key=lambda kind: np.dtype(kind).itemsize
        )
        out = np.empty((len(self.columns), rows), dtype=wide)
        nothing = np.array([_null(column.released) for column in self.columns.values()], dtype=wide)[:, None]
        choice = np.empty(rows, dtype=code_type(self.domain))
        which, told = key.stream(*purpose, "tells"), key.stream(*purpose, "told")
        which = which if tags is None else which.addressed(tags, start)

        def chunk(low: int, high: int) -> None:
            out[:, low:high] = nothing
            self._choose(which, start + low, choice[low:high])
            true = np.empty((len(self.columns), high - low), dtype=wide)
            for place, name in enumerate(self.columns):
                true[place] = codes[name][low:high]
            words = told
            if tags is not None:
                words = told.addressed(tags[low:high] ^ self._true_cells(choice[low:high], true), start + low)
            self._tell(words, start + low, choice[low:high], true, out[:, low:high])

        in_chunks(rows, chunk)
        made: dict[str, Any] = {n: out[at].astype(kinds[at], copy=False) for at, n in enumerate(self.columns)}
        return {**made, self.label: choice}

    def _choose(self, stream: Stream, start: int, choice: Codes) -> None:
        """Draw a cluster for each row: a number that is uniform below the sum of the weights, looked up among them."""
        from tokumei.mechanism._telling_kernels import pick

        ends = np.cumsum([cluster.weight for cluster in self.clusters]).astype(np.uint64)
        first = (np.arange(256, dtype=np.uint64) << np.uint64(24)) * np.uint64(self.total) >> np.uint64(32)
        guide = np.searchsorted(ends, first, side="right")
        total, again = np.uint64(self.total), np.uint64(WORDS % self.total)

        def draw(words: AnyUnsigned, places: Integers) -> Integers:
            return places[: pick(words, places, total, again, ends, guide, choice)]

        places = draw(stream.words(start, len(choice), 32, scratch=True), np.arange(len(choice)))
        stream.redraw(start, places, draw, 32)

    def _tell(self, stream: Stream, start: int, choice: Codes, true: Codes, out: Codes) -> None:
        """Draw the cells of each row's cluster: true codes and released ones have a row for each column."""
        from tokumei.mechanism._telling_kernels import tell

        def draw(words: AnyUnsigned, places: Integers) -> Integers:
            return places[: tell(words, places, choice, *self._layout, true, out)]

        places = draw(stream.words(start, len(choice), scratch=True), np.arange(len(choice)))
        stream.redraw(start, places, draw)

    def _true_cells(self, choice: Codes, true: Codes) -> Unsigned64:
        """Return for each row its cluster and its true cells there as one number: two words that no other cluster or cells have."""
        from tokumei.mechanism._telling_kernels import true_tuples

        begin, column, cells, kept_at = self._layout[5:9]
        made = np.empty((len(choice), 2), dtype=np.uint64)
        made[:, 0] = choice
        true_tuples(choice, begin, column, cells, kept_at, self._cell_of, true, made[:, 1])
        return made

    @cached_property
    def _cell_of(self) -> Integers:
        """The cell of every true code of a column on a grid, lying as the released codes of the layout do."""
        every = [(shown.cell_of, shown.code_of) for each in self.columns.values() for shown in each.shown]
        return np.concatenate([part for pair in every for part in pair])

    @cached_property
    def _layout(self) -> tuple[Any, ...]:
        """What the loop needs of every cluster, see `tell`."""
        place = {name: at for at, name in enumerate(self.columns)}
        released: list[Integers] = []
        starts: dict[tuple[str, int], tuple[int, int]] = {}
        at = 0
        for name, column in self.columns.items():
            for grid, shown in enumerate(column.shown):
                starts[name, grid] = at, at + len(shown.cell_of)
                released += [shown.code_of[shown.cell_of], shown.code_of]
                at += len(shown.cell_of) + len(shown.code_of)
        told = [(name, grid) for cluster in self.clusters for name, grid in _each(cluster)]
        channels = [cluster.channel for cluster in self.clusters]
        return (
            np.array([channel.other for channel in channels], dtype=np.uint64),
            np.array([1 / channel.other for channel in channels]),
            np.array([channel.size - 1 for channel in channels], dtype=np.uint64),
            np.array([channel.size * channel.other - 1 for channel in channels], dtype=np.uint64),
            np.array([channel.total - 1 for channel in channels], dtype=np.uint64),
            np.cumsum([0, *(len(cluster.columns) for cluster in self.clusters)]),
            np.array([place[name] for name, _ in told]),
            np.array([self.columns[name].cells(grid) for name, grid in told], dtype=np.uint32),
            np.array([starts[each][0] for each in told]),
            np.array([starts[each][1] for each in told]),
            np.concatenate(released).astype(np.uint32),
        )

    def _rows(self, which: Integers) -> list[Integers]:
        """Return the rows of each cluster."""
        return rows_of_classes(which, len(self.clusters))

    def told(self, released: Mapping[str, Codes]) -> tuple[Integers, Integers]:
        """Return for each released row its cluster, and its tuple as a code of the cluster's channel; -1 where it has none."""
        which = released[self.label].astype(np.int64)
        joint = np.zeros(len(which), dtype=np.int64)
        for cluster, rows in zip(self.clusters, self._rows(which), strict=True):
            for (name, grid), cells in zip(_each(cluster), self.shape(cluster), strict=True):
                cell = self.columns[name].cell(grid, released[name][rows])
                joint[rows] = np.where((cell < 0) | (joint[rows] < 0), -1, joint[rows] * cells + cell)
        return which, joint

    def possible(self, released: Mapping[str, Codes]) -> bool:
        """Whether rows can have been drawn: they tell the cells of their cluster's grids, and are blank elsewhere."""
        which, joint = self.told(released)
        if np.any(joint < 0):
            return False
        for name, column in self.columns.items():
            if np.any(released[name][~self.tells(which, name)] != _null(column.released)):
                return False
        return True

    def of_cluster(self, place: int, true: Mapping[str, Codes]) -> Integers:
        """Return the tuple of each true row as a code of one cluster's channel."""
        cluster = self.clusters[place]
        joint = np.zeros(len(next(iter(true.values()))), dtype=np.int64)
        for (name, grid), cells in zip(_each(cluster), self.shape(cluster), strict=True):
            joint = joint * cells + self.columns[name].shown[grid].cell_of[true[name]]
        return joint

    def likelihoods(self, released: Mapping[str, Codes], true: Mapping[str, Codes]) -> Floats:
        """Return P(released row | true row) of every pair: one row per released row, one column per true row."""
        which, joint = self.told(released)
        made = np.empty((len(which), len(next(iter(true.values())))))
        for place, (cluster, rows) in enumerate(zip(self.clusters, self._rows(which), strict=True)):
            same = joint[rows, None] == self.of_cluster(place, true)[None, :]
            share = cluster.weight / self.total / cluster.channel.total
            kept, other = (cluster.channel.keep + cluster.channel.other) * share, cluster.channel.other * share
            made[rows] = np.where(same, kept, other)
        return made

    def treatment(self, name: str) -> Treatment:
        """Say what happens to a value of a column."""
        if name == self.label:
            return WhatIsTold()
        telling = [self.clusters[place] for place in self.clusters_of(name)]
        kept = [cluster.channel.retention for cluster in telling]
        coarser = any(starts is not None for starts in self.columns[name].grids)
        return Told(
            share=sum(cluster.weight for cluster in telling) / self.total,
            lowest=min(kept),
            highest=max(kept),
            coarser="coarser" if coarser else None,
            always="always" if min(kept) == max(kept) else None,
        )

    def refuse(self, name: str) -> InvalidParameter:
        """Return the error for callers that take each column to have a distribution of its own."""
        return InvalidParameter(ToldBySome(column=name))

    def describe(self) -> dict[str, Any]:
        """Return the telling as it appears in a manifest."""
        return {
            "label": self.label,
            "columns": {name: column.describe() for name, column in self.columns.items()},
            "clusters": [
                {
                    "columns": list(cluster.columns),
                    "grids": list(cluster.grids),
                    "weight": cluster.weight,
                    "channel": cluster.channel.describe(),
                }
                for cluster in self.clusters
            ],
        }

    @classmethod
    def from_description(cls, described: Mapping[str, Any]) -> Telling:
        """Make a telling again from what `describe` gave."""
        columns = {name: ToldColumn.from_description(name, each) for name, each in described["columns"].items()}
        return cls(described["label"], columns, tuple(_cluster(each) for each in described["clusters"]))


def _cluster(described: Mapping[str, Any]) -> Cluster:
    channel, weight, grids = channel_from(described["channel"]), described["weight"], described["grids"]
    if not isinstance(channel, Retention) or any(type(number) is not int for number in (weight, *grids)):
        raise ReleaseError("The release tells columns in a way that is not possible.")
    return Cluster(tuple(described["columns"]), tuple(grids), weight, channel)


def labels_of(plain: Sequence[str]) -> tuple[str, ...]:
    """Return the labels of clusters, told apart where several are called the same.

    >>> labels_of(["age", "sex", "age"])
    ('age', 'sex', 'age (2)')
    """
    found: dict[str, None] = {}  # in order
    for called in plain:
        number = 1
        while (name := called if number == 1 else f"{called} ({number})") in found:
            number += 1
        found[name] = None
    return tuple(found)


def _each(cluster: Cluster) -> zip[tuple[str, int]]:
    return zip(cluster.columns, cluster.grids, strict=True)


def _domain(attribute: Attribute) -> Any:
    return attribute.domain


def _null(attribute: Attribute) -> int:
    return attribute.states - 1
