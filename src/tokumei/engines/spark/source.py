"""Reading the rows that a plan names into a Spark frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any

import pyarrow as pa

from tokumei.engines.spark.problems import in_one_sentence, in_task
from tokumei.engines.spark.release import quoted
from tokumei.engines.spark.rows import mapped, spark_schema
from tokumei.engines.spark.session import quietly, session
from tokumei.errors import DataError
from tokumei.io.as_said import number_of
from tokumei.io.batches import Files, Widened
from tokumei.messages import phrase

IN_ORDER = 64  # this many Parquet files are read one behind the other; more of them in the order that Spark likes best
ROWS = 2**16  # of a batch of a CSV file


def read_frame(files: Files) -> Any:
    """Read CSV or Parquet files.

    Each CSV file is read by one task, in the same way as by the local engine, since a line break may stand inside a cell. The
    types of its columns are those of the first rows of the first file; a cell further down that does not fit stops the run.
    """
    spark = session()
    with in_one_sentence(phrase("reading the files")):
        return _without(_parquet(spark, files), files.dialect.missing) if files.parquet else _csv(spark, files)


def _parquet(spark: Any, files: Files) -> Any:
    places = [file.absolute().as_uri() for file in files.files]
    if len(places) > IN_ORDER:
        return spark.read.parquet(*places)
    return reduce(lambda one, next_: one.unionByName(next_), [spark.read.parquet(place) for place in places])


def _without(frame: Any, missing: Iterable[str]) -> Any:
    """Return a frame whose cells are missing where they are one of the marks, as the other engines read them: a mark that is a number stands for it."""
    from pyspark.sql import functions as F  # noqa: N812
    from pyspark.sql.types import NumericType, StringType

    marks = [mark for mark in missing if mark]
    numbers = [number for mark in marks if (number := number_of(mark)) is not None]
    read = []
    for field in frame.schema.fields:
        cell = F.col(quoted(field.name))
        if isinstance(field.dataType, StringType) and marks:
            cell = F.when(~cell.isin(marks), cell).alias(field.name)
        elif isinstance(field.dataType, NumericType) and numbers:
            cell = F.when(~cell.cast("double").isin(numbers), cell).alias(field.name)
        read.append(cell)
    return frame.select(*read) if marks else frame


def _csv(spark: Any, files: Files) -> Any:
    from pyspark.sql.pandas.types import to_arrow_schema

    files.files = [file.absolute() for file in files.files]
    files.settle()
    schema = spark_schema(files.types)
    with quietly():
        kinds = to_arrow_schema(schema)

    def read(batches: Iterable[Any]) -> Iterator[Any]:
        with in_task():
            for batch in batches:
                for number in batch.column(0).to_pylist():
                    yield from read_file(files, number, kinds)

    numbers = spark.range(0, len(files.files), 1, len(files.files))
    return mapped(numbers, read, files.types)


def read_file(files: Files, number: int, kinds: pa.Schema) -> Iterator[Any]:
    """Read one of some CSV files, its cells being of the kinds that are expected."""
    file = files.files[number]
    try:
        for batch in files.only(file).batches(files.columns, ROWS):
            yield from batch.rows.select(kinds.names).cast(kinds).to_batches()
    except Widened:
        problem = phrase(
            "{file} has a cell that is not of the same kind as the first ones in its column; keep the rows in Parquet.",
            file=file.name,
        )
    else:
        return
    raise DataError(problem)
