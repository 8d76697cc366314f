"""A path that goes to the nearest point next, cut into groups."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from tokumei.arrays import Labels
from tokumei.partition.microaggregation.path.cut import cut
from tokumei.partition.microaggregation.points import PointPartition, Points, register_point_partition
from tokumei.progress import stage
from tokumei.values import value


@register_point_partition
@value
class NearestPointNext(PointPartition):
    """Order rows by going from each to the nearest that is left, and cut the order where that loses least.

    Time grows with the square of the rows. The last rows of the path are those that it passed by, so it loses more than
    grouping around rows does.
    """

    kind: Literal["nearest_point_next"] = field(default="nearest_point_next", kw_only=True, repr=False)

    def group(self, points: Points) -> Labels:
        """Number the groups from zero and return each row's."""
        from tokumei.partition.microaggregation.path._kernels import nearest_point_next

        with stage("Grouping along a path"):
            return cut(points, nearest_point_next(points.rows))
