"""Rows in tasks: read in chunks, checked, coded, and numbered as if the whole table lay in one place.

Draws are addressed by the number of a row. A first job counts the rows of each part, so that a task knows the number of its
first row, and a task that is run again on another machine gives the same numbers and hence the same draws. That holds if
the part has the same rows in the same order every time. A check sum of every part's codes is taken in the first job and again
in each later one, and a part that has changed stops the task.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.engines.spark.session import quietly
from tokumei.errors import DataError
from tokumei.prepare.rows import prepared_rows
from tokumei.prepare.step import Step
from tokumei.table.coded import CodedTable
from tokumei.table.schema import Schema

ROWS = 2**17  # rows of a chunk; Spark's own batches are so small that every call would cost more than its work

UNSTABLE = (
    "The parts of the Spark frame held other rows, or in another order, when they were read again, so draws would not "
    "repeat themselves; write the frame to Parquet first, and anonymize what is read from there."
)


def in_larger_chunks(batches: Iterable[Any]) -> Iterator[pa.Table]:
    """Put small batches together."""
    held: list[Any] = []
    for batch in batches:
        if batch.num_rows:
            held.append(batch)
        if sum(each.num_rows for each in held) >= ROWS:
            yield pa.Table.from_batches(held)
            held = []
    if held:
        yield pa.Table.from_batches(held)


@dataclass(frozen=True, repr=False)
class Reader:
    """How the rows of a part are read: checked against a schema, then prepared."""

    schema: Schema
    prepare: tuple[Step, ...]

    def tables(self, batches: Iterable[Any]) -> Iterator[CodedTable]:
        """Read a part chunk by chunk."""
        for rows in in_larger_chunks(batches):
            yield prepared_rows(by_the_clock(rows), self.schema, self.prepare)


def by_the_clock(rows: pa.Table) -> pa.Table:
    """Read points in time as the clock of the session's time zone shows them, which is what a table of people means."""
    for place, field in enumerate(rows.schema):
        if pa.types.is_timestamp(field.type) and field.type.tz is not None:
            rows = rows.set_column(place, field.name, pc.local_timestamp(rows.column(place)))
    return rows


class CheckSums:
    """The check sums of the codes of a part's columns, taken chunk by chunk; where chunks end does not matter."""

    def __init__(self) -> None:
        self.rows = 0
        self._sums: dict[str, int] = {}

    def take(self, table: CodedTable) -> None:
        """Go on with the next rows."""
        self.rows += table.rows
        for name, column in table.columns.items():
            if column.codes is not None:
                self._sums[name] = zlib.crc32(np.ascontiguousarray(column.codes), self._sums.get(name, 0))

    @property
    def sums(self) -> tuple[int, ...]:
        """The sum of each column."""
        return tuple(self._sums.values())


@dataclass(frozen=True)
class Part:
    """Where a part begins, how many rows it has, and their check sums."""

    start: int
    rows: int
    sums: tuple[int, ...]


@dataclass(frozen=True)
class Parts:
    """All parts of a Spark frame, by their number."""

    by_number: Mapping[int, Part]

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return sum(part.rows for part in self.by_number.values())

    def numbered(self, reader: Reader, batches: Iterable[Any]) -> Iterator[tuple[int, CodedTable]]:
        """Read the part of this task: the number of the first row of each chunk, and the chunk."""
        part = self.by_number.get(this_part())
        if part is None:
            raise DataError(UNSTABLE)
        seen = CheckSums()
        for table in reader.tables(batches):
            yield part.start + seen.rows, table
            seen.take(table)
        if (seen.rows, seen.sums) != (part.rows, part.sums):
            raise DataError(UNSTABLE)


def this_part() -> int:
    """Return the number of the part that this task works on."""
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context is not None
    return context.partitionId()


def spark_type(kind: Any) -> Any:
    """Return Spark's type for an Arrow type; a time without a zone stays without."""
    from pyspark.sql.pandas.types import from_arrow_type

    return from_arrow_type(kind, prefer_timestamp_ntz=True)


def spark_schema(columns: Mapping[str, Any]) -> Any:
    """Return Spark's schema for names and Arrow types."""
    from pyspark.sql.types import StructField, StructType

    return StructType([StructField(name, spark_type(kind)) for name, kind in columns.items()])


def mapped(frame: Any, work: Callable[[Iterable[Any]], Iterator[Any]], columns: Mapping[str, Any]) -> Any:
    """Return the Spark frame that a task makes of each part, its columns having these names and Arrow types."""
    names = frame.columns

    def renamed(batches: Iterable[Any]) -> Iterator[Any]:
        return work(batch.rename_columns(names) for batch in batches)

    with quietly():
        return numbered_columns(frame).mapInArrow(renamed, spark_schema(columns))


def numbered_columns(frame: Any) -> Any:
    """Return a frame with numbers for the names of its columns: pyspark does not find columns with a dot in their names."""
    return frame.toDF(*[f"c{place}" for place in range(len(frame.columns))])
