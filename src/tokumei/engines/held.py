"""Released rows that are held as codes: an engine that has the codes of all rows in one memory turns them into values piece by piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from tokumei.arrays import Integers
from tokumei.engines.designing import Treated
from tokumei.progress import stage
from tokumei.table.coded import Column, as_released, told_by_codes
from tokumei.table.domain import cast_values

ROW = 2000  # bytes that a row takes at most while it is grouped and drawn, beside its codes and cells; measured: 250 (constraints) to 980 (groups with noise)
PIECE = 2**18  # rows that are turned into values at a time


def bytes_held(rows: int, stored: int) -> int:
    """Return about how much memory it takes to hold rows of which codes and cells are this many bytes."""
    return 3 * stored + ROW * rows


@dataclass(frozen=True, repr=False)
class HeldRows:
    """Drawn rows in memory as codes, in the order of their release; ``again`` has the types of columns made again from codes."""

    columns: Mapping[str, Treated]
    order: Integers
    again: Mapping[str, Any]
    piece: int = PIECE

    @classmethod
    def of(cls, columns: Mapping[str, Treated], order: Integers, types: Mapping[str, Any], memory: int) -> HeldRows:
        """Hold drawn rows; ``types`` are those that columns had as they came."""
        again = {
            name: types[name]
            for name, column in columns.items()
            if column.given is not None and not column.given.told_by_cells and name in types
            and told_by_codes(column.attribute, types[name])
        }  # fmt: skip
        piece = max(2**10, min(PIECE, memory // 8 // (64 * len(columns))))
        return cls(columns, order, again, piece)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.order)

    @property
    def group(self) -> int:
        """How many rows make a row group of a file."""
        return self.piece

    @property
    def types(self) -> Any:
        """The names and types of the columns."""
        return self._values(self.order[:0]).schema

    def __iter__(self) -> Iterator[pa.Table]:
        """Yield the rows in the order of their release."""
        with stage("Turning codes into values", self.rows, rows=True) as shown:
            for low in range(0, self.rows, self.piece):
                part = self.order[low : low + self.piece]
                yield self._values(part)
                shown.advance(len(part))

    def _values(self, order: Integers) -> pa.Table:
        made = {}
        for name, column in self.columns.items():
            given = Column(None, None) if column.given is None else column.given
            values = as_released(given, column.attribute, order, column.codes)
            made[name] = cast_values(values, self.again[name]) if name in self.again else values
        return pa.table(made)
