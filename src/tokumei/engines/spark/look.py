"""The first job: every cell is checked, and the rows of every part are counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Integers
from tokumei.engines.spark.problems import in_one_sentence, in_task
from tokumei.engines.spark.rows import Part, Parts, Reader, check_sums, mapped, this_part
from tokumei.errors import DataError
from tokumei.messages import message_of, packed, phrase, unpacked
from tokumei.prepare.rows import prepared_rows
from tokumei.progress import stage
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories
from tokumei.text import names as names_of

OWN = "tokumei "  # how the names of columns begin that are made on the way

FOUND = {
    "part": pa.int32(),
    "chunks": pa.list_(pa.list_(pa.int64())),
    "counts": pa.list_(pa.int64()),
    "rounded": pa.list_(pa.int64()),
    "problem": pa.string(),
}


@dataclass(frozen=True, repr=False)
class Look:
    """What one look at all rows tells.

    ``empty`` is the prepared table without its rows; ``counts`` how often each value of a column of categories occurs;
    ``rounded`` how many values of a column moved to its grid.
    """

    frame: Any
    reader: Reader
    empty: CodedTable
    parts: Parts
    counts: Mapping[str, Integers]
    rounded: Mapping[str, int]

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.parts.rows

    def cell_type(self, name: str) -> Any:
        """Return the Arrow type of a column's cells as they came, or that of codes where a step has changed them."""
        cells = self.empty.columns[name].cells
        return pa.int64() if cells is None else cells.type


def first_look(frame: Any, reader: Reader) -> Look:
    """Check every cell of a Spark frame, and count its rows."""
    empty = columns_of(frame, reader)
    counted = {a.name: a.states for a in empty.schema if isinstance(a.domain, Categories)}

    def look(batches: Iterable[Any]) -> Iterator[Any]:
        with in_task():
            yield _look(reader, tuple(empty.columns), counted, batches)

    with stage("Checking every cell against its domain"), in_one_sentence(phrase("reading the rows")):
        found = mapped(frame, look, FOUND).toArrow().sort_by("part").to_pylist()
    for each in found:
        if each["problem"] is not None:
            raise DataError(
                "In part {part} of {parts} of the Spark frame: {problem}",
                part=each["part"] + 1,
                parts=len(found),
                problem=unpacked(each["problem"]),
            )
    parts, start = {}, 0
    for each in found:
        parts[each["part"]] = Part(start, tuple(tuple(chunk) for chunk in each["chunks"]))
        start += parts[each["part"]].rows
    if not start:
        raise DataError("The table has no rows.")
    whole = np.array([each["counts"] for each in found], dtype=np.int64).sum(axis=0)
    ends = np.cumsum(list(counted.values()))
    moved = np.array([each["rounded"] for each in found], dtype=np.int64).sum(axis=0).tolist()
    return Look(
        frame,
        reader,
        empty,
        Parts(parts),
        dict(zip(counted, np.split(whole, ends[:-1]), strict=True)) if counted else {},
        {name: count for name, count in zip(empty.columns, moved, strict=True) if count},
    )


def columns_of(frame: Any, reader: Reader) -> CodedTable:
    """Check the columns of a Spark frame, and return the prepared table without its rows."""
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import StructField, StructType, TimestampNTZType, TimestampType

    names = frame.columns
    if len(set(names)) < len(names):
        raise DataError("Column names must be unique, and some of the Spark frame's are not.")
    with in_one_sentence(phrase("looking at the columns, some of which have a type that Arrow does not know")):
        kinds = [TimestampNTZType() if field.dataType == TimestampType() else field.dataType for field in frame.schema]
        by_clock = StructType([StructField(name, kind) for name, kind in zip(names, kinds, strict=True)])
        rows = to_arrow_schema(by_clock).empty_table()
    empty = prepared_rows(rows, reader.schema, reader.prepare, empty=True)
    _check_names(tuple(empty.columns), frame.sparkSession.conf.get("spark.sql.caseSensitive") == "true")
    return empty


def _check_names(columns: tuple[str, ...], case_sensitive: bool) -> None:
    """Refuse columns that are called like our own, or that Spark takes for one another."""
    own = [name for name in columns if name.lower().startswith(OWN)]
    if own:
        raise DataError(
            "The Spark engine has its own columns whose names begin with {start!r}; rename {own}.",
            start=OWN,
            own=names_of(own),
        )
    alike = [name for place, name in enumerate(columns) if name.lower() in {each.lower() for each in columns[:place]}]
    if alike and not case_sensitive:
        raise DataError(
            "Spark does not distinguish {alike} from a column whose name differs only in case; rename "
            "it, or set spark.sql.caseSensitive.",
            alike=names_of(alike),
        )


def _look(reader: Reader, columns: tuple[str, ...], counted: Mapping[str, int], batches: Iterable[Any]) -> Any:
    chunks: list[tuple[int, ...]] = []
    problem = None
    rounded = np.zeros(len(columns), dtype=np.int64)
    counts = {name: np.zeros(states, dtype=np.int64) for name, states in counted.items()}
    try:
        for table in reader.tables(batches):
            chunks.append(check_sums(table))
            rounded += [table.rounded.get(name, 0) for name in columns]
            for name, states in counted.items():
                counts[name] += np.bincount(table.codes(name), minlength=states)
    except DataError as error:
        problem = packed(message_of(error))
    every = [int(count) for each in counts.values() for count in each]
    row = {
        "part": this_part(),
        "chunks": chunks,
        "counts": every,
        "rounded": rounded.tolist(),
        "problem": problem,
    }
    schema = pa.schema(FOUND.items())
    return pa.RecordBatch.from_pylist([row], schema=schema)
