"""Rows into groups: partitions that any anonymizer takes."""

from __future__ import annotations

from typing import Annotated

import pydantic

from tokumei.partition.automatic import Automatic
from tokumei.partition.lattice.bound import lattice_bound
from tokumei.partition.lattice.lattice import Lattice
from tokumei.partition.mondrian.mondrian import Mondrian
from tokumei.partition.nearest.nearest import NearestGroups
from tokumei.partition.top_down.top_down import TopDown

AnyPartition = Annotated[Mondrian | TopDown | Lattice | NearestGroups | Automatic, pydantic.Field(discriminator="kind")]
PARTITIONS = (Automatic, Lattice, Mondrian, NearestGroups, TopDown)

__all__ = [
    "PARTITIONS",
    "AnyPartition",
    "Automatic",
    "Lattice",
    "Mondrian",
    "NearestGroups",
    "TopDown",
    "lattice_bound",
]
