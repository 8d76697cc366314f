"""Columns that were perturbed group by group: every group of rows has its own box, and channels inside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tokumei.arrays import Codes, Integers, Places
from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.mechanism.boxes import Box, ColumnBoxes, Inside, place_of
from tokumei.mechanism.channel import Channel, channel_from
from tokumei.mechanism.group_draws import draw_through
from tokumei.mechanism.group_packing import (
    boxes_from,
    channels_from,
    packed_boxes,
    packed_channels,
    packed_parts,
    parts_from,
    whole,
)
from tokumei.mechanism.group_telling import GroupTelling
from tokumei.mechanism.treatments import GroupNumber, PerturbedInGroup, ToldBySome, ToldInGroup, Treatment, WhatIsTold
from tokumei.randomness import Key, Stream
from tokumei.table.domain import code_type
from tokumei.table.laid import ABOVE, BLOCK, Laid, bounds
from tokumei.table.overlap import disjoint
from tokumei.table.schema import Attribute

PIECE = 2**18  # rows that are drawn at a time: a dozen words for each of them are held meanwhile


class Group(NamedTuple):
    """One group: its released rows, among how many a person hides at least, and box and channel of each column.

    Of a sample a person hides among all ``of`` rows of the group, which the released ones were drawn from.

    Channels are kept as their public integers, since the tables that one draws from would fill the memory. There are none where
    rows tell one thing each (`Grouping.telling`).
    """

    rows: int
    among: int
    boxes: tuple[Box, ...]
    channels: tuple[Mapping[str, Any], ...]
    most: int = 1  # of its rows one person has this many at most
    of: int | None = None  # how many rows the released ones were drawn from, where they are a sample


@dataclass(frozen=True)
class Grouping:
    """How the columns of a release were perturbed in groups.

    Attributes
    ----------
    columns
        The columns that were perturbed, in the order in which boxes and channels stand in a group.
    groups
        The groups; their numbers are their places here.
    label
        The column of the release that says which group a row is in; none where boxes do not overlap, so that the row
        says it itself.
    telling
        What the rows of each group tell, where they tell one thing each; none where every row tells every column.
    """

    columns: tuple[str, ...]
    groups: tuple[Group, ...]
    label: str | None
    telling: GroupTelling | None = None

    def channel(self, group: int, name: str) -> Channel:
        """Return the channel of a column in one group; its codes count from the low end of the box."""
        return channel_from(self.groups[group].channels[self.columns.index(name)])

    def box(self, group: int, name: str) -> Box:
        """Return the box of a column in one group."""
        return self.groups[group].boxes[self.columns.index(name)]

    def column(self, attribute: Attribute) -> ColumnBoxes:
        """Return the boxes of a column in all groups."""
        at = self.columns.index(attribute.name)
        return ColumnBoxes(attribute, [group.boxes[at] for group in self.groups])

    def inside(self, attribute: Attribute) -> list[Inside]:
        """Look at a column from inside each group's box."""
        boxes = self.column(attribute)
        return [boxes.inside(group) for group in range(len(self.groups))]

    @cached_property
    def kinds(self) -> tuple[tuple[Channel, ...], Integers]:
        """The different channels, and which of them each group (row) has in each column: most groups have the same few."""
        every = [channel for group in self.groups for channel in group.channels]
        _, first, same = np.unique([id(channel) for channel in every], return_index=True, return_inverse=True)
        number: dict[str, int] = {}  # objects that differ may say the same
        found = np.array([number.setdefault(repr(every[at]), len(number)) for at in first.tolist()], dtype=np.int64)
        made = dict(zip(found.tolist(), (every[at] for at in first.tolist()), strict=True))
        channels = tuple(channel_from(made[each]) for each in range(len(number)))
        return channels, found[same].reshape(len(self.groups), len(self.columns))

    @property
    def sets(self) -> tuple[str, ...]:
        """The columns whose boxes are the sets of the labels that occur."""
        return tuple(
            name for name, box in zip(self.columns, self.groups[0].boxes, strict=True) if box.labels is not None
        )

    def sample(self, attribute: Attribute, codes: Codes, labels: Integers, stream: Stream) -> Codes:
        """Draw one released code for each row with a group; the others stay as they are.

        A row is in one group, and its words are those with its own number: no two rows share one, whatever channels their groups have.
        """
        out, everyone = codes.copy(), np.flatnonzero(labels >= 0)
        boxes, (channels, which) = self.column(attribute), self.kinds
        used = which[:, self.columns.index(attribute.name)]
        for low in range(0, len(everyone), PIECE):
            rows = everyone[low : low + PIECE]
            groups = labels[rows].astype(np.int64)
            true = boxes.local(codes[rows], groups)
            out[rows] = boxes.codes(draw_through(channels, used[groups], true, rows, stream), groups)
        return out

    def sample_told(
        self, attributes: Mapping[str, Attribute], codes: Mapping[str, Codes], labels: Integers, key: Key
    ) -> dict[str, Codes]:
        """Draw what each row with a group tells and releases: the columns, a cell that is not told being null, and what it tells."""
        assert self.telling is not None
        rows = np.flatnonzero(labels >= 0)
        groups = labels.astype(np.int64)
        boxes = {name: self.column(attributes[name]) for name in self.columns}
        local = np.full((len(self.columns), len(labels)), -1, dtype=np.int64)
        for place, (name, column) in enumerate(boxes.items()):
            local[place, rows] = column.local(codes[name][rows], groups[rows])
        which, drawn = self.telling.sample(local, groups, key)
        made: dict[str, Codes] = {self.telling.label: which.astype(code_type(self.telling.domain))}
        for place, (name, column) in enumerate(boxes.items()):
            domain = attributes[name].domain
            assert domain is not None
            out = np.full(len(labels), domain.size, dtype=code_type(domain))
            told = np.flatnonzero((labels >= 0) & (drawn[place] >= 0))
            out[told] = column.codes(drawn[place, told], groups[told])
            made[name] = out
        return made

    def told(
        self, attributes: Mapping[str, Attribute], released: Mapping[str, Codes], labels: Integers
    ) -> tuple[Integers, Integers]:
        """Return for released rows of groups what `GroupTelling.joint` does; a row with a cell outside of its group's box cannot be."""
        assert self.telling is not None
        local = np.stack([self.column(attributes[name]).local(released[name], labels) for name in self.columns])
        blank = ~np.stack([self.telling.tells(released[self.telling.label], labels, name) for name in self.columns])
        nulls = np.stack([released[name] == attributes[name].states - 1 for name in self.columns])
        part, joint = self.telling.joint(released[self.telling.label], labels, np.where(blank & nulls, -1, local))
        outside = np.any((local < 0) & ~nulls, axis=0)
        return np.where(outside, -1, part), np.where(outside, -1, joint)

    def group_of(self, attributes: Mapping[str, Attribute], codes: Mapping[str, Codes]) -> Integers:
        """Return the group whose box each row lies in, for groups whose boxes do not overlap; -1 for none."""
        from tokumei.mechanism._kernels import locate

        places = np.stack([place_of(attributes[name])[codes[name]] for name in self.columns], axis=1)
        low, high = self.edges
        order = Laid.of((low + high) // 2).order
        low, high = low[order], high[order]
        near = bounds(low, high, BLOCK)
        rows = Laid.of(places.astype(np.int32))
        found, groups = np.empty(len(places), dtype=np.int64), np.empty(len(places), dtype=np.int64)
        locate(rows.rows, low, high, *near, *bounds(*near, ABOVE), BLOCK, ABOVE, found)
        groups[rows.order] = np.where(found < 0, -1, order[found])
        return groups

    @cached_property
    def edges(self) -> tuple[Places, Places]:
        """The low and the high ends of all boxes: one row per group, one column per column."""
        boxes = np.array([[(box.low, box.high) for box in group.boxes] for group in self.groups], dtype=np.int32)
        return boxes[:, :, 0], boxes[:, :, 1]

    @property
    def sampled(self) -> bool:
        """Whether only some rows of each group were released."""
        return self.groups[0].of is not None

    @property
    def sizes(self) -> Integers:
        """How many rows each group has in the original table."""
        return np.array([group.rows if group.of is None else group.of for group in self.groups], dtype=np.int64)

    @property
    def people(self) -> int:
        """How many rows the groups have in the original table together."""
        return sum(self.sizes.tolist())  # which may be more than 64 bits hold, in a forged manifest

    @cached_property
    def apart(self) -> bool:
        """Whether every record can be in one group only, so that no label is needed."""
        missing = any(box.missing for group in self.groups for box in group.boxes)
        same = len({group.boxes for group in self.groups}) < len(self.groups)
        return not missing and not same and disjoint(*self.edges)

    @property
    def made_up(self) -> tuple[str, ...]:
        """The columns that were added: which group a row is in, and what it tells."""
        label = () if self.label is None else (self.label,)
        return label if self.telling is None else (*label, self.telling.label)

    def treatment(self, name: str) -> Treatment:
        """Say what happens to a value of a column."""
        if name == self.label:
            return GroupNumber()
        if self.telling is None:
            return PerturbedInGroup()
        return WhatIsTold() if name == self.telling.label else ToldInGroup()

    def refuse(self, name: str) -> InvalidParameter:
        """Return the error for callers that ask for one channel of a column that has one in each group."""
        if self.telling is not None:
            return InvalidParameter(ToldBySome(column=name))
        return InvalidParameter(
            "{name!r} was perturbed with different noise in each group of rows, which this cannot handle; fit a "
            "model to the released rows directly, since they stay within the bounds of their groups, or estimate "
            "tables with IterativeBayes.",
            name=name,
        )

    def describe(self) -> dict[str, Any]:
        """Return the grouping as it appears in a manifest."""
        groups: dict[str, Any] = {
            "rows": [group.rows for group in self.groups],
            "among": [group.among for group in self.groups],
        }
        if any(group.most > 1 for group in self.groups):
            groups["most"] = [group.most for group in self.groups]
        if self.sampled:
            groups["of"] = [group.of for group in self.groups]
        groups["boxes"] = [packed_boxes(boxes) for boxes in zip(*(group.boxes for group in self.groups), strict=True)]
        if self.telling is None:
            groups["channels"], groups["channel"] = packed_channels([group.channels for group in self.groups])
        else:
            groups["channels"], groups["tells"] = packed_parts(self.telling.parts)
        told = {} if self.telling is None else {"telling": self.telling.describe()}
        return {"columns": list(self.columns), "label": self.label, **told, "groups": groups}

    @classmethod
    def from_description(cls, described: Mapping[str, Any]) -> Grouping:
        """Make a grouping again from what `describe` gave."""
        columns, label = tuple(described["columns"]), described["label"]
        told, given = described.get("telling"), described["groups"]
        if isinstance(given, list):
            raise ReleaseError(
                "The release describes its groups one by one, as earlier development versions wrote them, and this version does not read that; "
                "read it with the version that wrote it, or make it again."
            )
        wrong = ReleaseError("The release was perturbed in groups that it does not describe.")
        if not columns or len(set(columns)) < len(columns) or not isinstance(label, str | None) or not given["rows"]:
            raise wrong
        if (told is None) != ("channel" in given) or (told is None) == ("tells" in given):
            raise ReleaseError("The release has a group that is not possible.")
        if len(given["boxes"]) != len(columns):
            raise wrong
        groups = _groups(given, len(columns))
        made = cls(columns, groups, label, None if told is None else _telling(columns, groups, told, given))
        if made.telling is not None:
            if label is None:
                raise ReleaseError(
                    "The rows of the release are blank in part, and it does not say which group a row is in."
                )
            made.telling.check()
        else:
            channels, which = made.kinds
            fits = np.array([channel.size for channel in channels])[which]
            if np.any(fits != _sizes(groups)):
                raise ReleaseError("A group of the release has a channel that does not fit its box.")
        if made.describe()["groups"] != given:
            raise ReleaseError("The release says more about its groups than it means.")
        return made


def _groups(given: Mapping[str, Any], columns: int) -> tuple[Group, ...]:
    """Make the groups again, without what their rows tell."""
    rows = whole(given["rows"])
    among = whole(given["among"], len(rows))
    most = whole(given["most"], len(rows)) if "most" in given else np.ones(len(rows), dtype=np.int64)
    of = whole(given["of"], len(rows)) if "of" in given else None
    people = rows if of is None else of
    possible = (rows >= 1) & (rows <= people) & (most >= 1) & (most <= among) & (among <= people)
    if not np.all(possible) or (of is not None and np.any(among != of)):
        raise ReleaseError("The release has a group that is not possible.")
    boxes = zip(*(boxes_from(each, len(rows)) for each in given["boxes"]), strict=True)
    channels: list[tuple[Mapping[str, Any], ...]] = [()] * len(rows)
    if "channel" in given:
        channels = channels_from(given["channels"], given["channel"], columns, len(rows))
    drawn_of = [None] * len(rows) if of is None else of.tolist()
    numbers = zip(rows.tolist(), among.tolist(), boxes, channels, most.tolist(), drawn_of, strict=True)
    return tuple(Group(*each) for each in numbers)


def _telling(
    columns: tuple[str, ...], groups: tuple[Group, ...], told: Mapping[str, Any], given: Mapping[str, Any]
) -> GroupTelling:
    """Make again what the rows of each group tell."""
    return GroupTelling(
        str(told["label"]),
        columns,
        tuple(tuple(each) for each in told["clusters"]),
        parts_from(given["channels"], given["tells"], len(groups)),
        _sizes(groups),
        tuple(told["missing"]),
    )


def _sizes(groups: Sequence[Group]) -> Integers:
    """Return how many different cells each group (row) can have in each column."""
    boxes = {id(box): box for group in groups for box in group.boxes}  # many groups have the same few
    size = {each: box.size for each, box in boxes.items()}
    return np.array([[size[id(box)] for box in group.boxes] for group in groups], dtype=np.int64)
