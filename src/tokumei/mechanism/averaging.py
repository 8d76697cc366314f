"""Columns whose cells were replaced by one cell for each group of rows: no distribution of a record by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from tokumei.errors import InvalidParameter, ReleaseError

Average = Literal["mean", "median", "mode"]
HOW = "private: which rows were put together depends on all rows, and is not published"
WORDS: Mapping[Average, str] = {
    "mean": "the mean of a group of rows",
    "median": "the median of a group of rows",
    "mode": "the most frequent value of a group of rows",
}


@dataclass(frozen=True)
class Averaging:
    """Which columns were averaged over groups of rows, and how. Which group a row was in stays with the holder."""

    columns: Mapping[str, Average]

    def refuse(self, name: str) -> InvalidParameter:
        """Return the error for whoever asks how a released cell follows from the true one."""
        return InvalidParameter(
            f"{name!r} was averaged over groups of rows that only the holder knows, so it cannot be undone; use the "
            "released cells as they are, or ask the holder for a release by PkPerturbation or Generalization."
        )

    def describe(self) -> dict[str, Any]:
        """Return the averaging as it stands in a manifest."""
        return {"columns": dict(self.columns), "how": HOW}

    @classmethod
    def from_description(cls, described: Mapping[str, Any]) -> Averaging:
        """Make an averaging again from what `describe` gave."""
        columns = dict(described["columns"])
        if described["how"] != HOW or not columns or not set(columns.values()) <= set(get_args(Average)):
            raise ReleaseError(
                "The release was averaged in a way that this version of tokumei does not know; upgrade it."
            )
        return cls(columns)
