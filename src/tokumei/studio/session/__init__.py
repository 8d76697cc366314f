"""Everything that the studio does, without a browser: one person's work on one table."""

from __future__ import annotations

from tokumei.studio.session.core import Session
from tokumei.studio.session.state import State

__all__ = ["Session", "State"]
