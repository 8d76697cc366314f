"""Reading the rows that a plan names into a Spark frame."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tokumei.engines.spark.problems import in_one_sentence, in_task
from tokumei.engines.spark.rows import mapped
from tokumei.engines.spark.session import session
from tokumei.errors import DataError
from tokumei.table.schema import Schema
from tokumei.table.source import CSV_ENDINGS, PARQUET_ENDINGS, read_first_rows


def read_frame(path: Path, schema: Schema, delimiter: str, missing: tuple[str, ...], encoding: str) -> Any:
    """Read a Parquet file, a folder of them, or a CSV file, as the local engine would.

    The types of a CSV file's columns are those of its first rows; a cell further down that does not fit stops the run. A line
    break may stand inside a cell, so one CSV file is read by one task: large tables are better kept in Parquet.
    """
    ending, place = path.suffix.lower(), path.absolute()
    if not path.exists():
        raise DataError(f"{path} does not exist.")
    spark = session()
    with in_one_sentence(f"reading {path}"):
        if path.is_dir() or ending in PARQUET_ENDINGS:
            return spark.read.parquet(place.as_uri())
    if ending not in CSV_ENDINGS:
        raise DataError(f"{path} has no known ending; tokumei reads .csv, .csv.gz, .tsv, .txt and .parquet.")
    first = read_first_rows(path, schema, delimiter, missing, encoding)
    return _csv(spark, place, first, "\t" if ending == ".tsv" else delimiter, missing, encoding)


def _csv(spark: Any, path: Path, first: pa.Schema, delimiter: str, missing: tuple[str, ...], encoding: str) -> Any:
    """Read cells as text by Spark, and as what they are by ourselves: Spark logs the cells that it cannot convert."""
    from pyspark.sql.types import StringType, StructField, StructType

    text = StructType([StructField(name, StringType()) for name in first.names])
    with in_one_sentence(f"reading {path}"):
        read = spark.read.schema(text).csv(
            path.as_uri(),
            sep=delimiter,
            header=True,
            multiLine=True,
            escape='"',
            encoding=encoding,
            mode="FAILFAST",
            enforceSchema=False,
        )

    def typed(batches: Iterable[Any]) -> Iterator[Any]:
        with in_task():
            for batch in batches:
                cells = [read_cells(batch.column(field.name), field, missing) for field in first]
                yield pa.RecordBatch.from_arrays(cells, names=first.names)

    return mapped(read, typed, dict(zip(first.names, first.types, strict=True)))


def read_cells(text: Any, field: pa.Field, missing: tuple[str, ...]) -> Any:
    """Read the cells of a column, some marks standing for absent ones."""
    present = pc.if_else(pc.is_in(text, value_set=pa.array(missing, text.type)), pa.scalar(None, text.type), text)
    made = None
    with contextlib.suppress(pa.ArrowException):  # its message quotes the cell
        made = present.cast(field.type)
    if made is None:
        raise DataError(f"Column {field.name!r} has a cell that is not of the kind of its first ones ({field.type}).")
    return made
