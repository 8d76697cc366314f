"""Encoders: generalized cells as features for scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei import _EXPORTS
from tokumei.lazy import lazily

if TYPE_CHECKING:
    from tokumei.learning.encoders.ancestor import AncestorEncoder as AncestorEncoder
    from tokumei.learning.encoders.choice import encoder_for as encoder_for
    from tokumei.learning.encoders.group_statistics import GroupStatisticsEncoder as GroupStatisticsEncoder
    from tokumei.learning.encoders.leaf import LeafEncoder as LeafEncoder
    from tokumei.learning.encoders.rate import RateEncoder as RateEncoder
    from tokumei.learning.encoders.statistics import GroupStatistics as GroupStatistics
    from tokumei.learning.weighted_cells import WeightedCells as WeightedCells
else:
    __all__, __getattr__, __dir__ = lazily(__name__, _EXPORTS)
