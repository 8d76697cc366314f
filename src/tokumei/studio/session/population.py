"""The people from whom a table was drawn: how many there are, as far as somebody has said so."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.arrays import Floats
from tokumei.errors import DataError, InvalidParameter
from tokumei.text import nearest
from tokumei.values import value

Told = Literal["size", "share", "weights", "table"]
SMALLEST = 1e-9  # a smaller share of a population is of no people


@value
class Population:
    """What is known of the population of a table. It is kept in projects; a table of the population itself is not.

    Parameters
    ----------
    told
        By what: its ``"size"``, the sampled ``"share"`` of it, the ``"weights"`` of the rows, or a ``"table"`` of it.
    people
        How many people it has.
    share
        Which share of them is in the table.
    column
        The column with the survey weights: how many people each row stands for.
    name
        What the table of the population is called.

    Examples
    --------
    >>> Population("share", share=0.1).size(500)
    5000
    """

    told: Told
    people: int | None = None
    share: float | None = None
    column: str | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        if self.told == "size" and (self.people is None or self.people < 1):
            raise InvalidParameter("A population has at least one person.")
        if self.told == "share" and not (self.share is not None and SMALLEST <= self.share <= 1):
            raise InvalidParameter("The sampled share must be over 0 and at most 1.")
        if self.told == "weights" and self.column is None:
            raise InvalidParameter("Choose the column with the survey weights.")
        if self.told == "table" and self.name is None:
            raise InvalidParameter("Choose the table of the population.")

    def size(self, rows: int) -> int:
        """Return how many people there are, told by a size or a share, for a table with this number of rows."""
        people = self.people if self.people is not None else round(rows / (self.share or 1.0))
        if people < rows:
            raise InvalidParameter(
                "The population cannot have fewer people ({people:,}) than the table has rows ({rows:,}).",
                people=people,
                rows=rows,
            )
        return people

    def weights(self, table: pa.Table) -> Floats | None:
        """Return how many people each row stands for; none where a table of the population tells it."""
        if self.told == "table":
            return None
        if self.told != "weights":
            return np.full(table.num_rows, self.size(table.num_rows) / max(table.num_rows, 1))
        if self.column not in table.column_names:
            raise InvalidParameter(
                "There is no column {weights!r} in the table.{hint}",
                weights=self.column,
                hint=nearest(str(self.column), table.column_names),
            )
        try:
            found = pc.cast(table.column(self.column), pa.float64())
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            found = None  # and what it holds is not told
        if found is None or found.null_count:
            raise DataError("The survey weights in {column!r} must be numbers, one for each row.", column=self.column)
        return np.asarray(found.to_numpy(zero_copy_only=False), dtype=np.float64)
