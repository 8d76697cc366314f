"""Constraints on equivalence classes: what must hold in every class for sensitive values, and in the population."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei import _EXPORTS
from tokumei.lazy import lazily

if TYPE_CHECKING:
    from tokumei.privacy.alpha_k_anonymity import AlphaKAnonymity as AlphaKAnonymity
    from tokumei.privacy.constraints import BetaLikeness as BetaLikeness
    from tokumei.privacy.constraints import DeltaDisclosure as DeltaDisclosure
    from tokumei.privacy.constraints import LDiversity as LDiversity
    from tokumei.privacy.constraints import TCloseness as TCloseness
    from tokumei.privacy.enhanced_beta_likeness import EnhancedBetaLikeness as EnhancedBetaLikeness
    from tokumei.privacy.population_constraints import DeltaPresence as DeltaPresence
    from tokumei.privacy.population_constraints import KMap as KMap
else:
    __all__, __getattr__, __dir__ = lazily(__name__, _EXPORTS)
