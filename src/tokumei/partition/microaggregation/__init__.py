"""Groups of rows that lie close together as points: what microaggregation replaces by one row."""

from __future__ import annotations

from typing import Annotated

import pydantic

from tokumei.partition.microaggregation.farthest_first import FarthestFirst
from tokumei.partition.microaggregation.local_search import LocalSearch
from tokumei.partition.microaggregation.mdav import MDAV
from tokumei.partition.microaggregation.near_exact import NearExact
from tokumei.partition.microaggregation.path.flex_dice import FlexDice
from tokumei.partition.microaggregation.path.grid_blocks import GridBlocks
from tokumei.partition.microaggregation.path.nearest_point_next import NearestPointNext
from tokumei.partition.microaggregation.vmdav import VMDAV
from tokumei.values import by_kind

# In a plan a name alone will do: partition = "mdav".
AnyPointPartition = Annotated[
    Annotated[
        FarthestFirst | FlexDice | GridBlocks | LocalSearch | MDAV | NearExact | NearestPointNext | VMDAV,
        pydantic.Field(discriminator="kind"),
    ],
    pydantic.BeforeValidator(by_kind),
]
POINT_PARTITIONS = (FarthestFirst, FlexDice, GridBlocks, LocalSearch, MDAV, NearExact, NearestPointNext, VMDAV)

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
]
