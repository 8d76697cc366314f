"""Everything that the studio does, without a browser: one person's work on one table."""

from __future__ import annotations

from tokumei.studio.desk.desk import Desk
from tokumei.studio.desk.state import State

__all__ = ["Desk", "State"]
