"""Leave columns out."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

from tokumei.prepare.step import Step, register_step
from tokumei.table.coded import CodedTable
from tokumei.values import value


@register_step
@value
class Drop(Step):
    """Leave a column out of the release."""

    column: str
    step: Literal["drop"] = field(default="drop", kw_only=True, repr=False)

    def apply(self, table: CodedTable) -> CodedTable:
        """Return the table without the column."""
        return table.without(self.column)

    def describe(self) -> dict[str, Any]:
        """Return the step as it appears in a manifest."""
        return {"step": self.step, "column": self.column}
