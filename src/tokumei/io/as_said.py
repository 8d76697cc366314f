"""What a plan says of cells, in files whose cells have types of their own: Excel, SPSS, Stata, SAS and Parquet."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tokumei.table.domain import family, plain

ISO = r"^\d{4}-\d{2}-\d{2}$"
COMMA = r"^\s*[-+]?(\d+,?\d*|,\d+)([eE][-+]?\d+)?\s*$"


def as_said(
    table: pa.Table,
    types: Mapping[str, Any],
    missing: Collection[str],
    decimal: str,
    dates: str | None,
    *,
    iso: bool = False,
) -> pa.Table:
    """Return a table in which marks of missing cells are missing, and text is read as numbers or dates where every cell of a column is one.

    A mark that is a number stands for that number. With ``iso``, days such as 2001-12-31 are read without being asked for. Columns that
    ``types`` has as text stay text.

    >>> told = pa.table({"age": [31, 999, 47], "seen": ["31.12.2001", "NA", "01.02.2002"], "size": ["1,5", "2", "NA"]})
    >>> read = as_said(told, {}, ("", "NA", "999"), ",", "%d.%m.%Y")
    >>> read.column("age").to_pylist(), read.column("size").to_pylist(), str(read.column("seen").type)
    ([31, None, 47], [1.5, 2.0, None], 'timestamp[us]')
    """
    marks = [mark for mark in missing if mark]
    for place, name in enumerate(table.column_names):
        column = table.column(name)
        kind = family(column.type)
        if kind not in {"numbers", "text"}:
            continue
        read = plain(_without(column, kind, marks), decode=True) if marks else column
        if kind == "text" and not _is_text(types.get(name)):
            read = _numbers(read) if decimal == "," else read
            read = _days(read, dates, iso)
        if read is not column:
            table = table.set_column(place, name, read)
    return table


def _is_text(kind: Any) -> bool:
    return kind is not None and pa.types.is_string(kind)


def _without(column: Any, kind: str, marks: Collection[str]) -> Any:
    """Return a column whose cells are missing where they are one of the marks."""
    cells = plain(column, decode=True)
    if kind == "text":
        gone = pc.is_in(cells, value_set=pa.array(marks, cells.type))
    else:
        numbers = [number for mark in marks if (number := number_of(mark)) is not None]
        gone = pc.is_in(cells.cast(pa.float64(), safe=False), value_set=pa.array(numbers, pa.float64()))
    return pc.if_else(gone, pa.scalar(None, cells.type), cells) if pc.any(gone).as_py() else column


def number_of(mark: str) -> float | None:
    """Return the number that a mark stands for, if it is one."""
    try:
        return float(mark)
    except ValueError:
        return None


def _numbers(column: Any) -> Any:
    """Return text as numbers with a decimal comma, if every cell is one, and any has a comma."""
    cells = plain(column, decode=True)
    there = cells.drop_null()
    commas = len(there) and pc.any(pc.match_substring(there, ",")).as_py()
    if family(cells.type) != "text" or not commas or not pc.all(pc.match_substring_regex(there, COMMA)).as_py():
        return column
    return pc.replace_substring(pc.utf8_trim_whitespace(cells), ",", ".").cast(pa.float64())


def _days(column: Any, dates: str | None, iso: bool) -> Any:
    """Return text as dates, if every cell is written as said, or with ``iso`` as 2001-12-31."""
    cells = plain(column, decode=True)
    if family(cells.type) != "text" or cells.null_count == len(cells):
        return column
    if dates is not None:
        read = pc.strptime(cells, dates, "us", error_is_null=True)
        if read.null_count == cells.null_count:
            return read
    if iso and pc.all(pc.match_substring_regex(cells.drop_null(), ISO)).as_py():
        read = pc.strptime(cells, "%Y-%m-%d", "us", error_is_null=True)
        if read.null_count == cells.null_count:
            return read
    return column
