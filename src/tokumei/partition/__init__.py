"""Rows into groups: partitions that any anonymizer takes."""

from __future__ import annotations

from typing import Annotated

import pydantic

from tokumei.partition.automatic import Automatic
from tokumei.partition.dbscan import DBSCAN
from tokumei.partition.full_domain.fixed import FixedLevels
from tokumei.partition.full_domain.optimal import Optimal
from tokumei.partition.full_domain.recoding import FullDomain
from tokumei.partition.local_recoding.bound import lattice_bound
from tokumei.partition.local_recoding.lattice import Lattice
from tokumei.partition.mondrian import Mondrian
from tokumei.partition.nearest import NearestGroups
from tokumei.partition.noise_aware import NoiseAware
from tokumei.partition.published import Published
from tokumei.partition.top_down import TopDown
from tokumei.values import by_kind

# In a plan a name alone will do: partition = "mondrian".
AnyPartition = Annotated[
    Annotated[
        Automatic
        | DBSCAN
        | FixedLevels
        | Lattice
        | Mondrian
        | NearestGroups
        | NoiseAware
        | Optimal
        | Published
        | TopDown,
        pydantic.Field(discriminator="kind"),
    ],
    pydantic.BeforeValidator(by_kind),
]
PARTITIONS = (Automatic, DBSCAN, FixedLevels, Lattice, Mondrian, NearestGroups, NoiseAware, Optimal, Published, TopDown)

__all__ = [
    "DBSCAN",
    "PARTITIONS",
    "AnyPartition",
    "Automatic",
    "FixedLevels",
    "FullDomain",
    "Lattice",
    "Mondrian",
    "NearestGroups",
    "NoiseAware",
    "Optimal",
    "Published",
    "TopDown",
    "lattice_bound",
]
