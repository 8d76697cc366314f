"""How the privacy budget is split between columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei import _EXPORTS
from tokumei.lazy import lazily

if TYPE_CHECKING:
    from tokumei.anonymizers.suggest import OptimisedSplit as OptimisedSplit
    from tokumei.anonymizers.suggest import suggest_split as suggest_split
else:
    __all__, __getattr__, __dir__ = lazily(__name__, _EXPORTS)
