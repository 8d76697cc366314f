"""Steps that release something in place of an identifier, which would be dropped otherwise."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from tokumei.errors import InvalidParameter
from tokumei.prepare.step import Step
from tokumei.table.coded import CodedTable
from tokumei.table.schema import Attribute, Schema


class IdentifierStep(Step):
    """A step that changes the cells of an identifier before identifiers are dropped, each by itself."""

    column: str
    keyed: bool = False  # whether what is released tells nothing to anyone without a key

    @abstractmethod
    def changed(self, texts: Any) -> Any:
        """Return what is released in place of some different cells, both as Arrow arrays of text without missing ones."""

    def apply(self, table: CodedTable) -> CodedTable:
        """Return the table: its cells were changed before it was checked."""
        return table

    def attribute(self, schema: Schema) -> Attribute:
        """Describe the column as it is released: text without a domain that methods keep as it is."""
        given = schema[self.column]
        if given.role != "identifier":
            raise InvalidParameter(
                "The step {step!r} is for identifiers, and {column!r} has the role "
                "{role!r}; give it the role 'identifier', or make it coarser with Recode or leave it out "
                "with Drop.",
                step=self.describe()["step"],
                column=self.column,
                role=given.role,
            )
        return Attribute(self.column, "insensitive", missing=given.missing)
