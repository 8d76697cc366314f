"""Reading the rows that a plan names into a Spark frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from tokumei.engines.spark.problems import in_one_sentence
from tokumei.engines.spark.release import quoted
from tokumei.engines.spark.rows import spark_type
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
    from pyspark.sql import functions as F  # noqa: N812
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
        columns = []
        for field in first:
            cell = F.col(quoted(field.name))
            present = F.when(~cell.isin(*missing), cell) if missing else cell
            columns.append(present.cast(spark_type(field.type)).alias(field.name))
        return read.select(*columns)
