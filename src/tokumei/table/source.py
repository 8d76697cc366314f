"""Reading a table from a file, with messages that name the file and the line but never show what stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from tokumei.errors import DataError, names
from tokumei.files import reason
from tokumei.progress import stage
from tokumei.table.domain import Categories, Dates
from tokumei.table.schema import Schema


def read_table(
    path: Path,
    schema: Schema | None = None,
    delimiter: str = ",",
    missing: tuple[str, ...] = ("",),
    encoding: str = "utf-8",
) -> pa.Table:
    """Read a CSV or Parquet file. With a schema, text labels are read as text even where they look like numbers."""
    if not path.exists():
        raise DataError(f"{path} does not exist.")
    try:
        with stage(f"Reading {path.name}"):
            if path.suffix.lower() in {".parquet", ".pq"}:
                return pyarrow.parquet.read_table(path).replace_schema_metadata(None)
            if path.suffix.lower() in {".csv", ".tsv", ".txt", ".gz"}:
                return _read_csv(path, schema, "\t" if path.suffix.lower() == ".tsv" else delimiter, missing, encoding)
    except pa.ArrowException as error:
        raise DataError(f"{path} cannot be read: {_harmless(str(error))}.") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {reason(error)}.") from None
    except (UnicodeDecodeError, LookupError):
        raise DataError(f"{path} cannot be read as {encoding} text; say which encoding it has.") from None
    raise DataError(f"{path} has no known ending; tokumei reads .csv, .csv.gz, .tsv and .parquet.")


def _read_csv(path: Path, schema: Schema | None, delimiter: str, missing: tuple[str, ...], encoding: str) -> pa.Table:
    types = {a.name: kind for a in schema or () if (kind := _text_or_date(a.domain)) is not None}
    parsing = pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    converting = pyarrow.csv.ConvertOptions(
        column_types=types, null_values=list(missing), strings_can_be_null=True, quoted_strings_can_be_null=False
    )

    def read(use_threads: bool) -> pa.Table:
        reading = pyarrow.csv.ReadOptions(encoding=encoding, use_threads=use_threads)
        return pyarrow.csv.read_csv(path, reading, parsing, converting)

    try:
        table = read(use_threads=True)
    except pa.ArrowInvalid:
        table = read(use_threads=False)  # fails too, but knows the number of the line
    broken = [field.name for field in table.schema if pa.types.is_binary(field.type)]
    if broken:
        raise DataError(f"{path}: column {names(broken)} is not {encoding} text; say which encoding it has.")
    doubled = sorted({name for name in table.column_names if table.column_names.count(name) > 1})
    if doubled:
        raise DataError(f"{path}: column names must be unique; these are not: {names(doubled)}.")
    if any(not name.strip() for name in table.column_names):
        raise DataError(f"{path}: a column has no name in the first line.")
    return table


def _text_or_date(domain: Any) -> Any:
    if isinstance(domain, Categories) and isinstance(domain.values[0], str):
        return pa.string()
    if isinstance(domain, Dates):
        return pa.timestamp("us")
    return None


def _harmless(message: str) -> str:
    """Say what is wrong with a file in words of our own: the library's messages quote the line itself."""
    row = re.search(r"Row #(\d+)", message)
    where = f"line {row.group(1)}" if row else "a line"
    fields = re.search(r"Expected (\d+) columns, got (\d+)", message)
    if fields:
        return f"{where} has {fields.group(2)} fields where the first line has {fields.group(1)}"
    if "UTF8" in message or "UTF-8" in message:
        return "it is not UTF-8 text; say which encoding it has"
    if "Empty CSV" in message:
        return "it is empty"
    column = re.search(r"In CSV column #(\d+)", message)
    if column:
        return f"column {int(column.group(1)) + 1} holds something that its domain's kind cannot be read from"
    if "arquet" in message:
        return "it is not a Parquet file, or it is damaged"
    return "its contents are damaged or not of the kind its name says"
