"""Rows in tasks: read in chunks, checked, coded, and numbered as if the whole table lay in one place.

Draws are addressed by the number of a row. A first job counts the rows of each part, so that a task knows the number of its
first row, and a task that is run again on another machine gives the same numbers and hence the same draws. That holds if
the part has the same rows in the same order every time. Check sums of everything that a chunk of a part releases are taken in the
first job and again in each later one, before anything is drawn for it, and a part that has changed stops the task.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.engines.spark.session import quietly
from tokumei.errors import DataError
from tokumei.messages import phrase
from tokumei.prepare.rows import prepared_rows
from tokumei.prepare.step import Step
from tokumei.table.coded import CodedTable, told_by_codes
from tokumei.table.schema import Schema

ROWS = 2**17  # rows of a chunk; Spark's own batches are so small that every call would cost more than its work

UNSTABLE = phrase(
    "The parts of the Spark frame had other rows, or another order, when they were read again, so draws would "
    "not repeat; write the frame to Parquet first, and anonymize what is read from there."
)


def in_larger_chunks(batches: Iterable[Any]) -> Iterator[pa.Table]:
    """Put small batches together into chunks of `ROWS` rows, so that it does not matter where a batch ends; the last is shorter."""
    held: list[Any] = []
    for batch in batches:
        if batch.num_rows:
            held.append(batch)
        while sum(each.num_rows for each in held) >= ROWS:
            table = pa.Table.from_batches(held)
            yield table.slice(0, ROWS)
            held = table.slice(ROWS).to_batches()
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


def check_sums(table: CodedTable) -> tuple[int, ...]:
    """Return the number of rows of a chunk and the check sums of its columns.

    Cells that are released as they came count as they are: promises are solved for them too, and codes may not tell them apart.
    """
    sums = [table.rows]
    for name, column in table.columns.items():
        told = column.cells is None or told_by_codes(table.schema[name], column.cells.type)
        parts = (column.codes,) if told and column.codes is not None else cell_bytes(column.cells)
        sums += [zlib.crc32(np.ascontiguousarray(part)) for part in parts]
    if table.tags is not None:  # whose rows they are: draws follow from it
        sums.append(zlib.crc32(np.ascontiguousarray(table.tags)))
    return tuple(sums)


def cell_bytes(cells: Any) -> tuple[npt.NDArray[Any], ...]:
    """Return what tells the cells of an Arrow array: which are there, how long each is if they differ, and their bytes.

    >>> [part.tolist() for part in cell_bytes(pa.array(["ab", None, "c"]))]
    [[1, 0, 1], [2, 0, 1], [97, 98, 99]]
    >>> [part.tolist() for part in cell_bytes(pa.array([0.5, None]))]
    [[1, 0], [0.5, 0.0]]
    """
    there = pc.is_valid(cells).to_numpy(zero_copy_only=False).view(np.uint8)
    kind = cells.type
    if pa.types.is_null(kind):
        return (there,)
    if pa.types.is_decimal(kind):
        cells = cells.cast(pa.string())
    if not pa.types.is_primitive(cells.type):
        texts = cells.cast(pa.large_binary()).fill_null(b"")
        _, offsets, held = texts.buffers()
        ends = np.frombuffer(offsets, dtype=np.int64)[texts.offset : texts.offset + len(texts) + 1]
        content = np.frombuffer(held, dtype=np.uint8)[ends[0] : ends[-1]] if held is not None else ends[:0]
        return there, np.diff(ends), content
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):  # days and times
        cells = cells.cast(pa.int32() if kind.bit_width == 32 else pa.int64())
    return there, pc.fill_null(cells, False if pa.types.is_boolean(kind) else 0).to_numpy(zero_copy_only=False)


@dataclass(frozen=True)
class Part:
    """Where a part begins, and the check sums of each of its chunks."""

    start: int
    chunks: tuple[tuple[int, ...], ...]

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return sum(rows for rows, *_ in self.chunks)


@dataclass(frozen=True)
class Parts:
    """All parts of a Spark frame, by their number."""

    by_number: Mapping[int, Part]

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return sum(part.rows for part in self.by_number.values())

    def numbered(self, reader: Reader, batches: Iterable[Any]) -> Iterator[tuple[int, CodedTable]]:
        """Read the part of this task: the number of the first row of each chunk, and the chunk, once it was compared."""
        part = self.by_number.get(this_part())
        if part is None:
            raise DataError(UNSTABLE)
        start, expected = part.start, iter(part.chunks)
        for table in reader.tables(batches):
            if check_sums(table) != next(expected, None):
                raise DataError(UNSTABLE)
            yield start, table
            start += table.rows
        if next(expected, None) is not None:
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
