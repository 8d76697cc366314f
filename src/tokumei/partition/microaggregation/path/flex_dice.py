"""A path through blocks that are smaller where rows are many, cut into groups."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

import numpy as np
from pydantic import StrictInt

from tokumei.arrays import Floats, Integers, Labels
from tokumei.errors import InvalidParameter
from tokumei.partition.microaggregation.path.blocks import cut_through_blocks, within_range
from tokumei.partition.microaggregation.points import PointPartition, Points, numbered, register_point_partition
from tokumei.progress import stage
from tokumei.table.classes import class_of
from tokumei.values import value

LEVELS = 40  # times that a block is halved at most: rows that are still together are alike


@register_point_partition
@value
class FlexDice(PointPartition):
    """Order rows by going to the nearest that is left in blocks of different sizes, and cut the order where that loses least.

    Every block with more than ``max_rows`` rows is halved. A block with fewer is halved further while it falls into at most
    ``parts`` blocks. Blocks without rows are not kept. The neighbours of a block are those across its faces, at most two for each
    column. When a block has no rows left, the path looks at its neighbours, then at theirs, ring by ring; where no neighbour
    leads any further, at all rows that are left.

    ``halve="every"`` is how Suzaki, Hashimoto, Kamidoi and Wakabayashi publish it: the box around the rows is halved along every
    column at once, so that a block may fall into 2^columns others. In many columns nearly every row then has a block of its own, and few
    blocks have neighbours. ``halve="widest"`` halves a block along one column, the one in which its rows reach farthest: the
    number of blocks stays near rows / (columns · k), and the path is fast in many columns too. It loses more there.

    Parameters
    ----------
    parts
        Into how many blocks one that is small enough may still fall (C2 in the paper).
    max_rows
        How many rows make a block large (C1 in the paper); by default columns · k · ``parts``, as the paper takes it.
    halve
        Whether blocks are halved along ``"every"`` column at once, or along the ``"widest"``.
    """

    parts: StrictInt = 4
    max_rows: StrictInt | None = None
    halve: Literal["every", "widest"] = "every"
    kind: Literal["flex_dice"] = field(default="flex_dice", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if self.parts < 1:
            raise InvalidParameter("parts must be a whole number of at least 1. Got {parts}.", parts=self.parts)
        if self.max_rows is not None and self.max_rows < 1:
            raise InvalidParameter(
                "max_rows must be a whole number of at least 1. Got {max_rows}.", max_rows=self.max_rows
            )

    def group(self, points: Points) -> Labels:
        """Number the groups from zero and return each row's."""
        with stage("Grouping along a path through blocks"):
            blocks, neighbours = self.blocks(points)
            return cut_through_blocks(points, blocks, neighbours=neighbours)

    def blocks(self, points: Points) -> tuple[Labels, Integers]:
        """Return the block of each row, and the neighbours of each block: two for each column, -1 where there is none."""
        most = self.max_rows or points.rows.shape[1] * points.k * self.parts
        return (diced if self.halve == "every" else halved)(points.rows, most, self.parts)


def diced(rows: Floats, most: int, parts: int) -> tuple[Labels, Integers]:
    """Halve blocks along every column at once: those of more than ``most`` rows, others while they fall into at most ``parts``."""
    from tokumei.partition.microaggregation.path._dice_kernels import sharing_faces

    shares = within_range(rows)
    block, levels = np.zeros(len(rows), dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
    origin = block.copy()  # the block itself while it is large, then the small one that it is a part of
    open_ = np.arange(len(rows))
    for level in range(1, LEVELS + 1):
        if not len(open_):
            break
        upper = (shares[open_] * 2.0**level).astype(np.int64) & 1
        parent = numbered(block[open_])
        child = class_of([parent, *upper.T], len(open_))
        family = numbered(origin[open_])
        large = np.bincount(family) > most
        first = np.unique(child, return_index=True)[1]  # a row of each child
        children = np.bincount(family[first], minlength=len(large))
        split = (large | (children <= parts))[family]
        fresh = child + level * len(rows)  # no more blocks than rows: a level's own numbers
        block[open_[split]] = fresh[split]
        # Rows that stay together do not make their block smaller: a block is the largest box that holds its rows and no others.
        apart = np.bincount(parent[first])[parent] > 1
        levels[open_[split & apart]] = level
        renewed = split & large[family]
        origin[open_[renewed]] = fresh[renewed]
        open_ = open_[split]
        several = np.unique(block[open_], return_inverse=True, return_counts=True)
        held = numbered(origin[open_])
        open_ = open_[
            (np.bincount(held, weights=several[2][several[1]] > 1) > 0)[held]
        ]  # others are single rows by now
    labels = numbered(block)
    first = np.unique(labels, return_index=True)[1]
    cells = np.floor(shares[first] * 2.0 ** levels[first, None]).astype(np.int64)
    return labels, sharing_faces(cells, levels[first])


def halved(rows: Floats, most: int, parts: int) -> tuple[Labels, Integers]:
    """Halve blocks along their widest column: those of more than ``most`` rows, others while they fall into at most ``parts``."""
    from tokumei.partition.microaggregation.path._dice_kernels import across_faces, halved_along_widest

    labels, tree = halved_along_widest(rows, most, parts)
    reach = np.full((2, labels.max() + 1, rows.shape[1]), np.inf)
    for at, sign in enumerate((1.0, -1.0)):
        np.minimum.at(reach[at], labels, sign * rows)
    return labels.astype(np.int32), across_faces((reach[0] - reach[1]) / 2, *tree)
