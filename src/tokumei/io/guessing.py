"""How a CSV file is written, told by its beginning: encoding, delimiter, decimal mark, dates and missing cells."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from tokumei.errors import DataError
from tokumei.io.delimiter import guess_decimal, guess_delimiter
from tokumei.io.encodings import guess_encoding
from tokumei.io.source import Dialect, read_to_draft

# Dates besides 2001-12-31, which is always read.
DATES = ("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y.%m.%d", "%Y年%m月%d日")

ENOUGH = 1000  # different cells that tell how dates are written


def guess_dialect(
    file: Path,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    dates: str | None = None,
    missing: tuple[str, ...] | None = None,
) -> Dialect:
    """Tell how a CSV file is written; what is given is not guessed, and ``dates=""`` says that there are no other dates.

    Where its beginning cannot be read like that, only what the first lines tell is guessed: reading it says what is wrong.
    """
    encoding = guess_encoding(file) if encoding is None else encoding
    delimiter = guess_delimiter(file, encoding) if delimiter is None else delimiter
    decimal = guess_decimal(file, delimiter, encoding) if decimal is None else decimal
    known = Dialect(delimiter, missing or ("",), encoding, decimal, dates or None)
    if missing is not None and dates is not None:
        return known
    try:
        table, found = read_to_draft(file, delimiter, missing, encoding, decimal, dates or None, beginning=True)
    except DataError:
        return known
    return replace(known, missing=found or ("",), dates=guess_dates(table) if dates is None else dates or None)


def guess_dates(table: pa.Table) -> str | None:
    """Return the one form in which the dates of a table's columns of text are written; none where several are possible.

    >>> guess_dates(pa.table({"born": ["31.12.2001", "01.02.1970", None]}))
    '%d.%m.%Y'
    >>> guess_dates(pa.table({"born": ["01/02/1970"]})) is None  # of February, or of January?
    True
    """
    columns = [_possible(table.column(name)) for name in table.column_names]
    kinds = [each for each in columns if each]
    shared = [form for form in DATES if all(form in each for each in kinds)]
    return shared[0] if kinds and len(shared) == 1 else None


def _possible(column: Any) -> set[str]:
    """Return the forms that every cell of a column of text has."""
    if not pa.types.is_string(column.type):
        return set()
    cells = column.drop_null().unique().slice(0, ENOUGH).to_pylist()
    return {form for form in DATES if cells and all(_is_date(cell, form) for cell in cells)}


def _is_date(cell: str, form: str) -> bool:
    try:
        dt.datetime.strptime(cell, form)
    except ValueError:
        return False
    return True
