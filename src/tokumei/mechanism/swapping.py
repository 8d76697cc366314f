"""Columns whose values were exchanged within groups of rows, each column by itself: true values, of other people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tokumei.arrays import Integers
from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.mechanism.averaging import HOW
from tokumei.mechanism.treatments import SwappedInGroups
from tokumei.randomness import Stream
from tokumei.randomness.within import permutation_within


@dataclass(frozen=True)
class SwappedColumns:
    """Which columns were swapped, and how many rows a group has at least. Which group a row is in stays with the data holder.

    In every group, the cells of each column are put into one of all orders, each equally likely, and independently of other columns and groups.
    """

    columns: tuple[str, ...]
    least: int

    def taken(self, groups: Integers, stream: Stream) -> Integers:
        """Draw for each row the row whose cell of a column it is given; the stream is that of the column."""
        return permutation_within(stream, groups)

    def refuse(self, name: str) -> InvalidParameter:
        """Return the error for callers that ask how columns go together, which swapping does not keep."""
        return InvalidParameter(SwappedInGroups(column=name))

    def describe(self) -> dict[str, Any]:
        """Return the swapping as it appears in a manifest."""
        return {"columns": list(self.columns), "groups_of_at_least": self.least, "how": HOW}

    @classmethod
    def from_description(cls, described: Mapping[str, Any]) -> SwappedColumns:
        """Make a swapping again from what `describe` gave."""
        columns, least = tuple(described["columns"]), described["groups_of_at_least"]
        if (
            described["how"] != HOW
            or not columns
            or len(set(columns)) < len(columns)
            or type(least) is not int
            or least < 2
        ):
            raise ReleaseError(
                "The release was swapped in a way that this version of tokumei does not know; upgrade tokumei."
            )
        return cls(columns, least)
