"""What each row of a randomized release tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei import _EXPORTS
from tokumei.lazy import lazily

if TYPE_CHECKING:
    from tokumei.anonymizers.auto_tells import Auto as Auto
    from tokumei.anonymizers.tells import Subsets as Subsets
else:
    __all__, __getattr__, __dir__ = lazily(__name__, _EXPORTS)
