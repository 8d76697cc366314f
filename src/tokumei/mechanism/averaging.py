"""Columns whose cells were replaced by one cell for each group of rows: no distribution of a record by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.mechanism.treatments import AveragedOverGroups

Average = Literal["mean", "median", "mode"]
HOW = "private_groups"  # which rows were put together depends on all rows, and is not published


@dataclass(frozen=True)
class Averaging:
    """Which columns were averaged over groups of rows, and how. Which group a row was in stays with the data holder."""

    columns: Mapping[str, Average]

    def refuse(self, name: str) -> InvalidParameter:
        """Return the error for callers that ask how a released cell follows from the true one."""
        return InvalidParameter(AveragedOverGroups(column=name))

    def describe(self) -> dict[str, Any]:
        """Return the averaging as it appears in a manifest."""
        return {"columns": dict(self.columns), "how": HOW}

    @classmethod
    def from_description(cls, described: Mapping[str, Any]) -> Averaging:
        """Make an averaging again from what `describe` gave."""
        columns = dict(described["columns"])
        if described["how"] != HOW or not columns or not set(columns.values()) <= set(get_args(Average)):
            raise ReleaseError(
                "The release was averaged in a way that this version of tokumei does not know; upgrade tokumei."
            )
        return cls(columns)
