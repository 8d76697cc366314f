"""Columns that were perturbed group by group: every group of rows has its own box, and channels inside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tokumei.arrays import Codes, Integers, Places
from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.mechanism.boxes import Box, ColumnBoxes, Inside, place_of
from tokumei.mechanism.channel import Channel, channel_from
from tokumei.mechanism.group_draws import draw_through
from tokumei.randomness import Stream
from tokumei.table.overlap import disjoint
from tokumei.table.schema import Attribute


class Group(NamedTuple):
    """One group: its rows, among how many of them a person hides at least, and box and channel of each column.

    Channels are kept as their public integers, since the tables that one draws from would fill the memory.
    """

    rows: int
    among: int
    boxes: tuple[Box, ...]
    channels: tuple[Mapping[str, Any], ...]
    most: int = 1  # of its rows one person has this many at most


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
    """

    columns: tuple[str, ...]
    groups: tuple[Group, ...]
    label: str | None

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
        out, rows = codes.copy(), np.flatnonzero(labels >= 0)
        groups, boxes = labels[rows].astype(np.int64), self.column(attribute)
        channels, which = self.kinds
        true = boxes.local(codes[rows], groups)
        used = which[groups, self.columns.index(attribute.name)]
        out[rows] = boxes.codes(draw_through(channels, used, true, rows, stream), groups)
        return out

    def group_of(self, attributes: Mapping[str, Attribute], codes: Mapping[str, Codes]) -> Integers:
        """Return the group whose box each row lies in, for groups whose boxes do not overlap; -1 for none."""
        from tokumei.mechanism._kernels import locate

        places = np.stack([place_of(attributes[name])[codes[name]] for name in self.columns], axis=1)
        low, high = self.edges
        widths = [
            float(np.mean(high[:, j] - low[:, j] + 1)) / max(1, places[:, j].max() + 1) for j in range(low.shape[1])
        ]
        along = int(np.argmin(widths))  # the axis along which boxes are narrowest sorts most of them out
        order = np.argsort(low[:, along], kind="stable")
        reach = np.maximum.accumulate(high[order, along])
        found: Integers = locate(places, low[order], high[order], reach, along)
        return np.where(found < 0, -1, order[found])

    @cached_property
    def edges(self) -> tuple[Places, Places]:
        """The low and the high ends of all boxes: one row per group, one column per column."""
        boxes = np.array([[(box.low, box.high) for box in group.boxes] for group in self.groups], dtype=np.int32)
        return boxes[:, :, 0], boxes[:, :, 1]

    @property
    def apart(self) -> bool:
        """Whether every record can be in one group only, so that no label is needed."""
        missing = any(box.missing for group in self.groups for box in group.boxes)
        same = len({group.boxes for group in self.groups}) < len(self.groups)
        return not missing and not same and disjoint(*self.edges)

    def refuse(self, name: str) -> InvalidParameter:
        """Return the error for callers that ask for one channel of a column that has one in each group."""
        return InvalidParameter(
            "{name!r} was perturbed with different noise in each group of rows, which this cannot handle; fit a "
            "model to the released rows directly, since they stay within the bounds of their groups, or estimate "
            "tables with IterativeBayes.",
            name=name,
        )

    def describe(self) -> dict[str, Any]:
        """Return the grouping as it appears in a manifest."""
        return {
            "columns": list(self.columns),
            "label": self.label,
            "groups": [
                {
                    "rows": group.rows,
                    "among": group.among,
                    **({"most": group.most} if group.most > 1 else {}),
                    "boxes": [box.describe() for box in group.boxes],
                    "channels": [dict(channel) for channel in group.channels],
                }
                for group in self.groups
            ],
        }

    @classmethod
    def from_description(cls, described: Mapping[str, Any]) -> Grouping:
        """Make a grouping again from what `describe` gave."""
        columns, label = tuple(described["columns"]), described["label"]
        groups = tuple(_group(each, len(columns)) for each in described["groups"])
        if not groups or not columns or len(set(columns)) < len(columns) or not isinstance(label, str | None):
            raise ReleaseError("The release was perturbed in groups that it does not describe.")
        made = cls(columns, groups, label)
        if any(tuple(box.labels is None for box in group.boxes) != made._stretches for group in groups):
            raise ReleaseError("The release has sets of labels in some groups and stretches in others of one column.")
        channels, which = made.kinds
        fits = np.array([channel.size for channel in channels])[which]
        if np.any(fits != [[box.size for box in group.boxes] for group in groups]):
            raise ReleaseError("A group of the release has a channel that does not fit its box.")
        return made

    @property
    def _stretches(self) -> tuple[bool, ...]:
        return tuple(box.labels is None for box in self.groups[0].boxes)


def _group(described: Mapping[str, Any], columns: int) -> Group:
    numbers = rows, among, most = described["rows"], described["among"], described.get("most", 1)
    if any(isinstance(number, bool) or not isinstance(number, int) for number in numbers):
        raise ReleaseError("The release describes its groups by numbers that are not whole.")
    boxes = tuple(Box.from_description(box) for box in described["boxes"])
    if not 1 <= most <= among <= rows or len(boxes) != columns or len(described["channels"]) != columns:
        raise ReleaseError("The release has a group that is not possible.")
    return Group(rows, among, boxes, tuple(described["channels"]), most)
