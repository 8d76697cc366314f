"""Columns that a method recodes as it goes through the rows."""

from __future__ import annotations

from typing import Protocol

from tokumei.arrays import Codes
from tokumei.engines.stream.spool import Chunk


class Treated(Protocol):
    """The released codes of recoded columns, chunk by chunk."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The recoded columns."""

    def codes(self, chunk: Chunk) -> dict[str, Codes]:
        """Return the released codes of a chunk's rows."""
