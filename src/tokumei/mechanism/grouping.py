"""Columns that were perturbed group by group: every group of rows has its own box, and channels inside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tokumei.arrays import Codes, Integers, Places
from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.mechanism.channel import Channel, channel_from
from tokumei.mechanism.grid_laplace import FlaggedGridLaplace, GridLaplace
from tokumei.progress import stage
from tokumei.randomness import Stream
from tokumei.table.axis import axis_of
from tokumei.table.classes import rows_of_classes
from tokumei.table.overlap import disjoint
from tokumei.table.schema import Attribute


class Box(NamedTuple):
    """What a cell of a group can be in one column: a stretch of the column's line, and missing or not.

    An empty stretch (``high = low - 1``) is that of a group in which every cell is missing.
    """

    low: int
    high: int
    missing: bool

    @property
    def size(self) -> int:
        """How many different cells there can be."""
        return self.high - self.low + 1 + int(self.missing)


class Group(NamedTuple):
    """One group: its rows, among how many of them a person hides at least, and box and channel of each column.

    Channels are kept as their public integers, since the tables that one draws from would fill the memory.
    """

    rows: int
    among: int
    boxes: tuple[Box, ...]
    channels: tuple[Mapping[str, Any], ...]
    most: int = 1  # of its rows one person has this many at most


class Inside(NamedTuple):
    """One column as a group sees it: the codes that its box holds, in the order in which its channel numbers them."""

    members: Integers
    place: Integers  # of each code along the column's line
    low: int

    def local(self, codes: Codes) -> Integers:
        """Return the channel's number of each code; a missing cell lies behind all places, and has the last one."""
        return np.minimum(self.place[codes] - self.low, len(self.members) - 1)


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

    def inside(self, attribute: Attribute) -> list[Inside]:
        """Look at a column from inside each group's box."""
        assert attribute.domain is not None
        size, place = attribute.domain.size, place_of(attribute)
        along = np.argsort(place[:size], kind="stable")
        at, found = self.columns.index(attribute.name), []
        for group in self.groups:
            box = group.boxes[at]
            members = along[box.low : box.high + 1]
            found.append(Inside(np.append(members, size) if box.missing else members, place, box.low))
        return found

    def sample(self, attribute: Attribute, codes: Codes, labels: Integers, stream: Stream) -> Codes:
        """Draw one released code for each row with a group; the others stay as they are.

        Every group draws from a stream of its own, so that no two people share a word whatever channels their groups have.
        """
        out = codes.copy()
        with stage(f"Drawing {attribute.name}", total=len(self.groups)) as shown:
            parts = zip(self.inside(attribute), rows_of_classes(labels, len(self.groups)), strict=True)
            for group, (inside, rows) in enumerate(parts):
                true = inside.local(codes[rows])
                drawn = np.empty_like(true)
                self.channel(group, attribute.name).draw(true, drawn, stream.sub("group", group), 0)
                out[rows] = inside.members[drawn]
                shown.advance()
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
                    "boxes": [[box.low, box.high, int(box.missing)] for box in group.boxes],
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
        for number, group in enumerate(groups):
            for name, box in zip(columns, group.boxes, strict=True):
                if made.channel(number, name).size != box.size:
                    raise ReleaseError("A group of the release has a channel that does not fit its box.")
        return made


def _group(described: Mapping[str, Any], columns: int) -> Group:
    rows, among, most = described["rows"], described["among"], described.get("most", 1)
    boxes = tuple(Box(low, high, bool(missing)) for low, high, missing in described["boxes"])
    numbers = [rows, among, most, *(part for box in boxes for part in box[:2])]
    if any(isinstance(number, bool) or not isinstance(number, int) for number in numbers):
        raise ReleaseError("The release describes its groups by numbers that are not whole.")
    fits = all(0 <= box.low <= box.high + 1 and box.size > 0 for box in boxes)
    fits = fits and all(missing in (0, 1) for *_, missing in described["boxes"])
    fits = fits and 1 <= most <= among <= rows
    if not fits or len(boxes) != columns or len(described["channels"]) != columns:
        raise ReleaseError("The release has a group that is not possible.")
    return Group(rows, among, boxes, tuple(described["channels"]), most)


def place_of(attribute: Attribute) -> Integers:
    """Return the place of each code along the column's line; a missing cell is behind all of them."""
    assert attribute.domain is not None
    along: Integers = axis_of(replace(attribute, missing=False)).place.astype(np.int64)
    return np.append(along, attribute.domain.size) if attribute.missing else along


def noise_of(channel: Channel) -> float:
    """Return how much noise a channel has: the scale phi on a grid, in its steps, else the chance of being changed."""
    if isinstance(channel, FlaggedGridLaplace):
        channel = channel.grid
    if channel.size == 1:
        return 0.0
    if isinstance(channel, GridLaplace):
        return channel.scale
    return 1.0 - float(channel.probability(np.array(0), np.array(0)))
