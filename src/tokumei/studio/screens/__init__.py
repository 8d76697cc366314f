"""The screens, one file each; each is loaded when it is looked at, so that the first page comes quickly."""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokumei.studio.frame import View


def screen(name: str) -> Callable[[View], Awaitable[None]]:
    """Return the screen of a name."""
    found: Callable[[View], Awaitable[None]] = getattr(importlib.import_module(f"tokumei.studio.screens.{name}"), name)
    return found
