"""What every step before the method offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from tokumei.table.coded import CodedTable


class Step(ABC):
    """A deterministic change of the table that depends on declared facts only, never on the rows."""

    @abstractmethod
    def apply(self, table: CodedTable) -> CodedTable:
        """Return the changed table, with the changed schema in it."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the step as it stands in a manifest."""
