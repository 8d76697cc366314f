"""Groups around the rows that lie farthest out."""

from __future__ import annotations

from dataclasses import field
from itertools import pairwise
from typing import Literal

import numpy as np

from tokumei.arrays import Floats, Integers, Labels
from tokumei.memory import hand_back
from tokumei.parallel import in_chunks
from tokumei.partition.microaggregation.points import PointPartition, Points, numbered, register_point_partition
from tokumei.partition.microaggregation.tree import blocks_of, tree_of
from tokumei.progress import stage
from tokumei.values import value

LEAF = 16  # rows of a leaf: fewer make a deeper tree, more make more comparisons
PIECE = 2**14  # rows whose distances are added up at a time
BLOCK = 2**17  # rows that are grouped together: what is larger does not stay in the processor's memory


@register_point_partition
@value
class FarthestFirst(PointPartition):
    """Take the row farthest from the mean with its k - 1 nearest rows, and again among those that are left.

    It loses about as much as MDAV does. Neighbours are found in a tree that rows are taken out of, so time hardly grows
    faster than the rows. More than 131,072 rows are halved first, until no part has more.
    """

    kind: Literal["farthest_first"] = field(default="farthest_first", kw_only=True, repr=False)

    def group(self, points: Points) -> Labels:
        """Number the groups from zero and return each row's."""
        with stage("Grouping the farthest rows first"):
            if len(points.rows) <= max(BLOCK, 4 * points.k):
                return numbered(_within(points.rows.copy(), points.k))
            order, cuts = blocks_of(points.rows, max(BLOCK, 4 * points.k))
            hand_back(points.rows.size)
            labels = np.empty(len(order), dtype=np.int32)

            def work(first: int, stop: int) -> None:
                for start, end in pairwise(cuts[first : stop + 1]):
                    inside = np.sort(order[start:end])
                    # Fewer groups than rows: its own numbers.
                    labels[inside] = _within(points.rows[inside], points.k) + start

            in_chunks(len(cuts) - 1, work, size=1)
            return numbered(labels)


def far_out(rows: Floats) -> Floats:
    """Return the squared distance of each row from the mean of all."""
    mean, far = rows.mean(axis=0, dtype=np.float64), np.empty(len(rows))
    for low in range(0, len(rows), PIECE):
        np.square(rows[low : low + PIECE] - mean).sum(axis=1, out=far[low : low + PIECE])
    return far


def _within(rows: Floats, k: int) -> Integers:
    """Group the rows of one block, which are put into another order."""
    from tokumei.partition.microaggregation._farthest_first_kernels import DEPTH, farthest_first

    far = far_out(rows)
    tree, found = tree_of(rows, LEAF), np.empty(len(rows), dtype=np.int64)
    for column in rows.T:  # one at a time, in place: a second copy of the rows would be as large as all the rest
        column[:] = column[tree.order]
    by_row, left = np.empty((3, len(rows)), dtype=np.int64), np.empty(len(tree.start), dtype=np.int64)
    few = np.empty((3, max(2 * k, DEPTH)), dtype=np.int64)
    farthest_first(
        rows, np.argsort(-far, kind="stable"), k, *tree, by_row, left, np.empty(2 * k), few, np.empty(DEPTH), found,
    )  # fmt: skip
    return found
