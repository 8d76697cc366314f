"""P(released row | person) of chosen pairs, looked up all at once: for blocks of people and rows that are small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from tokumei.arrays import Codes, Floats, Integers
from tokumei.mechanism.channel import Conditional
from tokumei.mechanism.grouping import Grouping
from tokumei.mechanism.telling import Telling
from tokumei.table.schema import Attribute

TABLED = 2**14  # the probabilities of a channel with at most this many are laid out as a table


class Pairs(Protocol):
    """What an attacker looks up."""

    @property
    def true(self) -> Sequence[Integers]:
        """What tells people apart, column by column."""

    @property
    def released(self) -> Sequence[Integers]:
        """What tells rows apart."""

    def likelihood(self, people: Integers, rows: Integers, blocks: Integers) -> Floats:
        """Return P(row | person) of pairs in blocks, up to a factor that a row has for all people."""


class ThroughChannels:
    """Rows whose columns were perturbed one by one, with the channels of their block.

    ``kinds[b, c]`` says which channel column c has in block b; true and drawn cells are numbered as that channel does.
    """

    def __init__(
        self, channels: Sequence[Conditional], kinds: Integers, true: Sequence[Integers], drawn: Sequence[Integers]
    ) -> None:
        self.true, self.released, self._channels, self._kinds = true, drawn, channels, kinds
        self._size = np.array([channel.size for channel in channels], dtype=np.int64)
        self._tabled = np.array([channel.size * channel.outputs <= TABLED for channel in channels])
        tables: list[Floats] = [
            channel.matrix().ravel() if kept else np.zeros(0)
            for channel, kept in zip(channels, self._tabled, strict=True)
        ]
        self._start = np.cumsum([0, *map(len, tables)])
        self._table = np.concatenate([np.ones(1), *tables])

    def likelihood(self, people: Integers, rows: Integers, blocks: Integers) -> Floats:
        """Multiply the probabilities of all columns."""
        made = np.ones(len(people))
        for column, (true, drawn) in enumerate(zip(self.true, self.released, strict=True)):
            kind, was, now = self._kinds[blocks, column], true[people], drawn[rows]
            at = 1 + self._start[kind] + now * self._size[kind] + was
            made *= self._table[np.where(self._tabled[kind], at, 0)]
            rest = np.flatnonzero(~self._tabled[kind])
            rest = rest[np.argsort(kind[rest], kind="stable")]
            ends = np.flatnonzero(np.diff(kind[rest], append=-1)) + 1
            for low, high in zip((0, *ends[:-1].tolist()), ends.tolist(), strict=False):
                mine = rest[low:high]
                made[mine] *= self._channels[kind[mine[0]]].probability(now[mine], was[mine])
        return made


class ThroughTelling:
    """Rows that tell one thing each, all of them by the same clusters."""

    def __init__(self, telling: Telling, original: Mapping[str, Codes], released: Mapping[str, Codes]) -> None:
        self._telling, self._original = telling, original
        which, told = telling.told(released)
        self.true = [original[name].astype(np.int64) for name in telling.columns]
        self.released = [which, told]

    def likelihood(self, people: Integers, rows: Integers, blocks: Integers) -> Floats:
        """Return what agreeing adds, and one elsewhere: the rest is common to all people of a row."""
        made, which = np.ones(len(people)), self.released[0][rows]
        for place, cluster in enumerate(self._telling.clusters):
            mine = np.flatnonzero(which == place)
            true = {name: self._original[name][people[mine]] for name in cluster.columns}
            same = self._telling.of_cluster(place, true) == self.released[1][rows[mine]]
            made[mine[same]] = 1 / float(cluster.channel.ratio)
        return made


class ThroughGroupTelling:
    """Rows that tell one thing each, by the clusters of their group; a block is the part of a group."""

    def __init__(
        self,
        grouping: Grouping,
        attributes: Mapping[str, Attribute],
        original: Mapping[str, Codes],
        released: Mapping[str, Codes],
        of_person: Integers,
        of_row: Integers,
        group_of_block: Integers,
    ) -> None:
        assert grouping.telling is not None
        self._telling, self._group = grouping.telling, group_of_block
        columns = [grouping.column(attributes[name]) for name in grouping.columns]
        self._local = np.stack(
            [each.local(original[name], of_person) for each, name in zip(columns, grouping.columns, strict=True)]
        )
        self._which = released[self._telling.label].astype(np.int64)
        self._gains = np.array([1 / float(channel.ratio) for channel in self._telling.channels()])
        part, told = grouping.told(attributes, released, of_row)
        self.true, self.released = list(self._local), [part, told]

    def likelihood(self, people: Integers, rows: Integers, blocks: Integers) -> Floats:
        """Return what agreeing adds, and one elsewhere: the rest is common to all people of a row."""
        groups, which = self._group[blocks], self._which[rows]
        local = self._local[:, people]
        for place, name in enumerate(self._telling.columns):
            local[place] = np.where(self._telling.tells(which, groups, name), local[place], -1)
        part, mine = self._telling.joint(which, groups, local)
        same = (part == self.released[0][rows]) & (mine == self.released[1][rows])
        return np.where(same, self._gains[part], 1.0)
