"""Groups of rows that lie close together as points: what microaggregation replaces by one row."""

from __future__ import annotations

from tokumei.partition.microaggregation.farthest_first import FarthestFirst
from tokumei.partition.microaggregation.local_search import LocalSearch
from tokumei.partition.microaggregation.mdav import MDAV
from tokumei.partition.microaggregation.near_exact import NearExact
from tokumei.partition.microaggregation.path.flex_dice import FlexDice
from tokumei.partition.microaggregation.path.grid_blocks import GridBlocks
from tokumei.partition.microaggregation.path.nearest_point_next import NearestPointNext
from tokumei.partition.microaggregation.points import POINT_PARTITIONS, AnyPointPartition, register_point_partition
from tokumei.partition.microaggregation.vmdav import VMDAV

__all__ = [
    "MDAV",
    "POINT_PARTITIONS",
    "VMDAV",
    "AnyPointPartition",
    "FarthestFirst",
    "FlexDice",
    "GridBlocks",
    "LocalSearch",
    "NearExact",
    "NearestPointNext",
    "register_point_partition",
]
