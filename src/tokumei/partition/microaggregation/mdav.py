"""MDAV as a partition."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from tokumei.arrays import Labels
from tokumei.partition.microaggregation.points import PointPartition, Points, numbered, register_point_partition
from tokumei.progress import stage
from tokumei.values import value


@register_point_partition
@value
class MDAV(PointPartition):
    """Maximum distance to average vector: groups of exactly k around the rows that lie farthest out, two at a time.

    Time grows with the square of the rows. It is here to compare with.
    """

    kind: Literal["mdav"] = field(default="mdav", kw_only=True, repr=False)

    def group(self, points: Points) -> Labels:
        """Number the groups from zero and return each row's."""
        from tokumei.partition.microaggregation._mdav_kernels import mdav

        with stage("Grouping by MDAV"):
            return numbered(mdav(points.rows, points.k))
