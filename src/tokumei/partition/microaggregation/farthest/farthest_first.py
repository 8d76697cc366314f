"""Groups around the rows that lie farthest out."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

import numpy as np

from tokumei.partition.microaggregation.points import PointPartition, Points, numbered
from tokumei.partition.microaggregation.tree import tree_of
from tokumei.partition.partition import Labels
from tokumei.progress import stage
from tokumei.values import value

LEAF = 16  # rows of a leaf: fewer make a deeper tree, more make more comparisons


@value
class FarthestFirst(PointPartition):
    """Take the row farthest from the mean with its k - 1 nearest rows, and again among those that are left.

    It loses about as much as MDAV does. Neighbours are found in a tree that rows are taken out of, so time hardly grows
    faster than the rows.
    """

    kind: Literal["farthest_first"] = field(default="farthest_first", kw_only=True, repr=False)

    def group(self, points: Points) -> Labels:
        """Number the groups from zero and return each row's."""
        from tokumei.partition.microaggregation.farthest._kernels import farthest_first

        rows = points.rows
        with stage("Grouping the farthest rows first"):
            far = np.square(rows - rows.mean(axis=0)).sum(axis=1)
            return numbered(farthest_first(rows, np.argsort(-far, kind="stable"), points.k, *tree_of(rows, LEAF)))
