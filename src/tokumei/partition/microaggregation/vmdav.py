"""V-MDAV as a partition."""

from __future__ import annotations

import math
from dataclasses import field
from typing import Literal

import numpy as np
from pydantic import StrictFloat, StrictInt
from scipy.spatial import cKDTree

from tokumei.arrays import Labels
from tokumei.errors import InvalidParameter
from tokumei.partition.microaggregation.points import (
    PointPartition,
    Points,
    centroids,
    numbered,
    register_point_partition,
)
from tokumei.progress import stage
from tokumei.values import value


@register_point_partition
@value
class VMDAV(PointPartition):
    """MDAV with groups of k to 2k - 1 rows: a group takes in a row that is nearer to it than to the rows that are left.

    Time grows with the square of the rows. It is here to compare with.

    Parameters
    ----------
    gamma
        A row is taken in if it is nearer to the group than ``gamma`` times its distance to the rows that are left: 0.2
        where rows are scattered, 1.1 where they lie in clusters.
    """

    gamma: StrictInt | StrictFloat = 0.2
    kind: Literal["v_mdav"] = field(default="v_mdav", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if not (math.isfinite(self.gamma) and self.gamma >= 0):
            raise InvalidParameter("gamma must be a finite number of at least 0. Got {gamma}.", gamma=self.gamma)

    def group(self, points: Points) -> Labels:
        """Number the groups from zero and return each row's."""
        from tokumei.partition.microaggregation._vmdav_kernels import variable_mdav

        rows = points.rows
        with stage("Grouping by V-MDAV"):
            far = np.square(rows - rows.mean(axis=0)).sum(axis=1)
            labels = variable_mdav(rows, np.argsort(-far, kind="stable"), points.k, float(self.gamma))
            rest = np.flatnonzero(labels < 0)
            if len(rest):
                inside = np.flatnonzero(labels >= 0)
                means, _ = centroids(rows[inside], labels[inside])
                labels[rest] = cKDTree(means).query(rows[rest])[1]
            return numbered(labels)
