"""A path through blocks that are smaller where rows are many, cut into groups."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

import numpy as np
from pydantic import StrictInt

from tokumei.arrays import Floats, Labels
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

    The box around the rows is halved along every column, and again each block with more than ``columns · k · parts`` rows.
    A block with fewer is halved further while it falls into at most ``parts`` blocks that have rows. Blocks without rows are
    not kept. A block has at most two neighbours a column; when it has no rows left, the path looks at its neighbours, then
    at theirs, ring by ring.

    Parameters
    ----------
    parts
        Into how many blocks one that is small enough may still fall.
    """

    parts: StrictInt = 4
    kind: Literal["flex_dice"] = field(default="flex_dice", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if self.parts < 1:
            raise InvalidParameter("parts must be a whole number of at least 1. Got {parts}.", parts=self.parts)

    def group(self, points: Points) -> Labels:
        """Number the groups from zero and return each row's."""
        with stage("Grouping along a path through blocks"):
            most = points.rows.shape[1] * points.k * self.parts
            return cut_through_blocks(points, diced(points.rows, most, self.parts), None)


def diced(rows: Floats, most: int, parts: int) -> Labels:
    """Number the blocks: those of more than ``most`` rows are halved, others while they fall into at most ``parts``."""
    shares = within_range(rows)
    block = np.zeros(len(rows), dtype=np.int64)
    origin = block.copy()  # the block itself while it is large, then the small one that it is a part of
    open_ = np.arange(len(rows))
    for level in range(1, LEVELS + 1):
        upper = np.floor(shares[open_] * 2.0**level) % 2 == 1
        child = class_of([block[open_], *upper.T], len(open_))
        family = numbered(origin[open_])
        large = np.bincount(family) > most
        children = np.bincount(family[np.unique(child, return_index=True)[1]], minlength=len(large))
        split = (large | (children <= parts))[family]
        fresh = child + level * len(rows)  # no more blocks than rows: a level's own numbers
        block[open_[split]] = fresh[split]
        renewed = split & large[family]
        origin[open_[renewed]] = fresh[renewed]
        open_ = open_[split]
        if not len(open_):
            break
    return numbered(block)
