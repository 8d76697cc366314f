"""Transition matrices for `tk.PRAM`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei import _EXPORTS
from tokumei.lazy import lazily

if TYPE_CHECKING:
    from tokumei.anonymizers.transitions import Banded as Banded
    from tokumei.anonymizers.transitions import Invariant as Invariant
    from tokumei.anonymizers.transitions import KeepOrReplace as KeepOrReplace
    from tokumei.anonymizers.transitions import Matrix as Matrix
else:
    __all__, __getattr__, __dir__ = lazily(__name__, _EXPORTS)
