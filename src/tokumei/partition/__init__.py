"""Ways of making rows alike: partitions, which group rows, and schemes, which give labels to values."""

from __future__ import annotations

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
from tokumei.partition.partition import PARTITIONS, AnyPartition, register_partition
from tokumei.partition.published import Published
from tokumei.partition.scheme import SCHEMES, AnyArranging, register_scheme
from tokumei.partition.top_down import TopDown

__all__ = [
    "DBSCAN",
    "PARTITIONS",
    "SCHEMES",
    "AnyArranging",
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
    "register_partition",
    "register_scheme",
]
