"""Constraints on equivalence classes: what must hold for sensitive values in every class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei import _EXPORTS
from tokumei.lazy import lazily

if TYPE_CHECKING:
    from tokumei.privacy.constraints import BetaLikeness as BetaLikeness
    from tokumei.privacy.constraints import DeltaDisclosure as DeltaDisclosure
    from tokumei.privacy.constraints import LDiversity as LDiversity
    from tokumei.privacy.constraints import TCloseness as TCloseness
else:
    __all__, __getattr__, __dir__ = lazily(__name__, _EXPORTS)
