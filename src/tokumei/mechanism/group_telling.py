"""Rows in groups that tell one thing each: a cluster of the columns that vary in the group's box, the rest being blank.

In group g a row tells cluster s with public weights w_gs, independently of the row. The cluster's cells, taken together as one of
the A_gs tuples that the box allows, are kept or replaced by retention:

    P(s, y | x) = w_gs / W_g * (keep_gs [y = x_s] + other_gs) / (keep_gs + A_gs other_gs)

Exchanges happen within a group, and change the likelihood by the square of the smallest ``other / (keep + other)`` of the group's
clusters at worst (see `telling`). A column with one value in the box is told by every row of the group: the box says it already.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tokumei.arrays import AnyUnsigned, Booleans, Codes, Integers
from tokumei.errors import ReleaseError
from tokumei.mechanism.retention import Retention
from tokumei.mechanism.telling import MOST_CLUSTERS, WORDS, Cluster, Telling, labels_of
from tokumei.mechanism.told_column import ToldColumn
from tokumei.randomness import Key
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute

NOTHING = "nothing more"  # what a row tells in whose group no column varies


class Part(NamedTuple):
    """A cluster as one group has it: its number, how likely it is relative to the group's others, and its retention."""

    cluster: int
    weight: int
    channel: Retention


@dataclass(frozen=True)
class GroupTelling:
    """What rows in groups tell.

    Attributes
    ----------
    label
        The public column of the release that says which cluster each row tells.
    columns
        The columns, in the order of the grouping.
    clusters
        The clusters of any group; the codes of ``label`` are their places here. One without columns is for groups in which none varies.
    parts
        For each group its clusters.
    sizes
        How many different cells the box of each group (row) and column allows.
    missing
        The columns whose cells could be missing before; as released any cell can be blank.
    """

    label: str
    columns: tuple[str, ...]
    clusters: tuple[tuple[str, ...], ...]
    parts: tuple[tuple[Part, ...], ...]
    sizes: Integers = field(compare=False)  # it follows from the boxes
    missing: tuple[str, ...] = ()

    def check(self) -> None:
        """Refuse clusters that groups cannot have: of columns that do not vary there, or that no group has."""
        known = set(self.columns)
        wrong = ReleaseError("The rows of a group tell something that its box does not allow; the release is damaged.")
        if not 1 <= len(self.clusters) <= MOST_CLUSTERS or len(set(self.clusters)) < len(self.clusters):
            raise wrong
        if any(len(set(each)) < len(each) or set(each) - known for each in self.clusters):
            raise wrong
        if set(self.missing) - known or {part.cluster for group in self.parts for part in group} != set(
            range(len(self.clusters))
        ):
            raise wrong
        place = {name: at for at, name in enumerate(self.columns)}
        for sizes, parts in zip(self.sizes.tolist(), self.parts, strict=True):
            weights = [part.weight for part in parts]
            if not parts or min(weights) < 1 or sum(weights) > WORDS:
                raise wrong
            varying = {name for name in self.columns if sizes[place[name]] > 1}
            told = {name for part in parts for name in self.clusters[part.cluster]}
            if told != varying or len({part.cluster for part in parts}) < len(parts):
                raise wrong
            for part in parts:
                size = 1
                for name in self.clusters[part.cluster]:
                    size *= sizes[place[name]]
                if part.channel.size != size or part.channel.bits != 64 or (varying and size == 1):
                    raise wrong

    def ratio(self, group: int) -> Fraction:
        """Return the smallest factor by which the likelihood of a row of a group changes when its origin is another."""
        return min(part.channel.ratio for part in self.parts[group])

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What the public column says of each cluster."""
        return labels_of([", ".join(each) or NOTHING for each in self.clusters])

    @property
    def domain(self) -> Categories:
        """The domain of that column."""
        return Categories(self.labels)

    @property
    def attribute(self) -> Attribute:
        """The public column; which clusters there are follows from the boxes, and so from the rows."""
        return Attribute(self.label, "insensitive", self.domain, observed=True)

    @cached_property
    def _tells(self) -> Booleans:
        """Whether each cluster (row) has each column."""
        return np.array([[name in each for name in self.columns] for each in self.clusters])

    def tells(self, which: Codes, groups: Integers, *columns: str) -> Booleans:
        """Say for rows of groups, by the codes of `label`, whether they tell all of these columns; other columns every row tells."""
        places = [self.columns.index(name) for name in columns if name in self.columns]
        return np.asarray((self._tells[which][:, places] | (self.sizes[groups][:, places] == 1)).all(axis=1))

    @cached_property
    def _layout(self) -> tuple[Any, ...]:
        """What the loops need of the groups' clusters, one behind the other: see `pick_each` and `tell_each`."""
        flat = [part for parts in self.parts for part in parts]
        counts = [len(parts) for parts in self.parts]
        sums = [np.cumsum([part.weight for part in parts]) for parts in self.parts]
        totals = np.array([int(each[-1]) for each in sums], dtype=np.uint64)
        place = {name: at for at, name in enumerate(self.columns)}
        told = [[place[name] for name in each] for each in self.clusters]
        return (
            np.cumsum([0, *counts]),
            np.concatenate(sums).astype(np.uint64),
            totals,
            np.array([WORDS % int(total) for total in totals], dtype=np.uint64),
            np.array([part.cluster for part in flat]),
            np.array([part.channel.other for part in flat], dtype=np.uint64),
            np.array([part.channel.size * part.channel.other - 1 for part in flat], dtype=np.uint64),
            np.array([part.channel.total - 1 for part in flat], dtype=np.uint64),
            np.cumsum([0, *map(len, told)]),
            np.array([at for each in told for at in each], dtype=np.int64),
        )

    def sample(self, local: Integers, groups: Integers, key: Key) -> tuple[Integers, Integers]:
        """Draw for each row with a group which cluster it tells, and the numbers of its cells in the group's boxes.

        ``local`` has the true numbers, one row for each column. A cell that is not told is -1, unless its column has one value in the
        box. Both draws of a row have a word of their own, addressed by the row.
        """
        from tokumei.mechanism._group_kernels import pick_each, tell_each

        starts, ends, totals, again, cluster, other, limit, last, begin, column = self._layout
        rows = np.flatnonzero(groups >= 0)
        part = np.full(len(groups), -1, dtype=np.int64)
        out = np.where(self.sizes[groups].T == 1, 0, -1)

        def choose(words: AnyUnsigned, places: Integers) -> Integers:
            return places[: pick_each(words, places, groups, starts, ends, totals, again, part)]

        def tell(words: AnyUnsigned, places: Integers) -> Integers:
            kept = tell_each(
                words, places, groups, part, cluster, other, limit, last, begin, column, self.sizes, local, out
            )
            return places[:kept]

        for name, draw, bits in (("tells", choose, 32), ("told", tell, 64)):
            stream = key.stream(name)
            places = draw(stream.words(0, len(groups), bits)[rows], rows.copy())
            stream.redraw(0, places, draw, bits)
        return np.where(part >= 0, cluster[part], 0), out

    def joint(self, which: Codes, groups: Integers, local: Integers) -> tuple[Integers, Integers]:
        """Return for rows of groups the part of their group that they tell, and their tuple as a code of its channel.

        Parts are numbered one group behind the other. Where a row cannot be, both are -1: its group does not have the cluster,
        or it is blank where it tells, or not blank where it does not. ``local`` has the numbers of cells in the boxes, -1 for none.
        """
        starts, _, _, _, cluster, *_ = self._layout
        wide = len(self.clusters)
        keys = np.repeat(np.arange(len(self.parts)), np.diff(starts)) * wide + cluster
        order = np.argsort(keys, kind="stable")
        wanted = groups * wide + which
        at = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
        part = np.where(keys[order][at] == wanted, order[at], -1)
        joint = np.zeros(len(which), dtype=np.int64)
        for place in range(len(self.columns)):
            told, size = self._tells[which, place], self.sizes[groups, place]
            part = np.where((local[place] >= 0) == (told | (size == 1)), part, -1)
            joint = np.where(told, joint * size + local[place], joint)
        return part, np.where(part >= 0, joint, -1)

    def channels(self) -> list[Retention]:
        """Return the channels of all parts, one group behind the other."""
        return [part.channel for parts in self.parts for part in parts]

    def of_group(self, group: int) -> Telling | None:
        """Return what the rows of one group tell, its columns having the numbers of the group's boxes; none if no column varies."""
        sizes = dict(zip(self.columns, self.sizes[group].tolist(), strict=True))
        columns = {
            name: ToldColumn(Attribute(name, domain=Categories(tuple(range(size)))), (None,))
            for name, size in sizes.items()
            if size > 1
        }
        if not columns:
            return None
        told = [(self.clusters[part.cluster], part) for part in self.parts[group]]
        clusters = (Cluster(each, (0,) * len(each), part.weight, part.channel) for each, part in told)
        return Telling(self.label, columns, tuple(clusters))

    def describe(self) -> dict[str, Any]:
        """Return what is the same for all groups, as it appears in a manifest."""
        return {"label": self.label, "clusters": [list(each) for each in self.clusters], "missing": list(self.missing)}
