"""Partitions: how rows are put into groups, and what the best grouping would lose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei import _EXPORTS
from tokumei.lazy import lazily

if TYPE_CHECKING:
    from tokumei.partition.automatic import Automatic as Automatic
    from tokumei.partition.dbscan import DBSCAN as DBSCAN
    from tokumei.partition.full_domain.fixed import FixedLevels as FixedLevels
    from tokumei.partition.full_domain.frontier import frontier as frontier
    from tokumei.partition.full_domain.optimal import Optimal as Optimal
    from tokumei.partition.local_recoding.bound import lattice_bound as lattice_bound
    from tokumei.partition.local_recoding.lattice import Lattice as Lattice
    from tokumei.partition.microaggregation.farthest_first import FarthestFirst as FarthestFirst
    from tokumei.partition.microaggregation.local_search import LocalSearch as LocalSearch
    from tokumei.partition.microaggregation.mdav import MDAV as MDAV
    from tokumei.partition.microaggregation.near_exact import NearExact as NearExact
    from tokumei.partition.microaggregation.path.flex_dice import FlexDice as FlexDice
    from tokumei.partition.microaggregation.path.grid_blocks import GridBlocks as GridBlocks
    from tokumei.partition.microaggregation.path.nearest_point_next import NearestPointNext as NearestPointNext
    from tokumei.partition.microaggregation.vmdav import VMDAV as VMDAV
    from tokumei.partition.mondrian import Mondrian as Mondrian
    from tokumei.partition.nearest import NearestGroups as NearestGroups
    from tokumei.partition.noise_aware import NoiseAware as NoiseAware
    from tokumei.partition.published import Published as Published
    from tokumei.partition.top_down import TopDown as TopDown
else:
    __all__, __getattr__, __dir__ = lazily(__name__, _EXPORTS)
