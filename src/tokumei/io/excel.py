"""Reading the first sheet of an Excel file: a line of names, then one row per person."""

from __future__ import annotations

import datetime as dt
import functools
import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from tokumei.errors import DataError, MissingDependency
from tokumei.io.workbook import DAMAGED, unpacked_workbook
from tokumei.messages import phrase

EXCEL_ENDINGS = {".xlsx", ".xls"}
EMPTY = ""  # how an empty cell comes


def read_excel(path: Path, types: Mapping[str, Any]) -> pa.Table:
    """Read the first sheet. Columns that ``types`` has as text are read as text, numbers as they are written."""
    try:
        reader: Any = importlib.import_module("python_calamine")
    except ImportError:
        raise MissingDependency(
            "Excel files need python-calamine; install it with: pip install 'tokumei[excel]', or save the sheet as CSV."
        ) from None
    if path.suffix.lower() == ".xls":
        raise DataError("{path} is an Excel 97-2003 file; save it as .xlsx or CSV.", path=path)
    parts, sheet = unpacked_workbook(path), None
    try:
        sheet = reader.CalamineWorkbook.from_filelike(parts).get_sheet_by_index(0).to_python(skip_empty_area=True)
    except (reader.CalamineError, OSError, IndexError):  # what it says may quote a cell, so it is said anew
        sheet = None
    if sheet is None:
        raise DataError("{path} cannot be read: {damaged}.", path=path, damaged=DAMAGED)
    if not sheet:
        raise DataError("{path} cannot be read: its first sheet is empty.", path=path)
    names = [_text(cell) or "" for cell in sheet[0]]
    rows = [row for row in sheet[1:] if any(cell != EMPTY for cell in row)]
    return pa.table(
        [_column(path, name, [row[at] for row in rows], types.get(name)) for at, name in enumerate(names)], names=names
    )


def _column(path: Path, name: str, cells: Sequence[Any], wanted: Any) -> Any:
    present = [None if cell == EMPTY else cell for cell in cells]
    if wanted is not None and pa.types.is_string(wanted):
        return pa.array([_text(cell) for cell in present], pa.string())
    kinds = {_kind(cell) for cell in present if cell is not None}
    if len(kinds) > 1:
        raise DataError(
            "{path}: column {name!r} mixes {kinds} in {values:row|rows}; give it one kind.",
            path=path,
            name=name,
            kinds=functools.reduce(lambda one, other: phrase("{one} and {other}", one=one, other=other), sorted(kinds)),
            values=len(present),
        )
    if kinds == {"numbers"} and all(cell is None or float(cell).is_integer() for cell in present):
        return pa.array([None if cell is None else int(cell) for cell in present], pa.int64())
    if kinds == {"dates"}:
        return pa.array([None if cell is None else _moment(cell) for cell in present], pa.timestamp("us"))
    return pa.array(present)


def _kind(cell: Any) -> str:
    if isinstance(cell, bool):
        return phrase("booleans")
    if isinstance(cell, int | float):
        return phrase("numbers")
    if isinstance(cell, dt.date):
        return phrase("dates")
    return phrase("text") if isinstance(cell, str) else phrase("times of day")


def _moment(cell: dt.date) -> dt.datetime:
    return cell if isinstance(cell, dt.datetime) else dt.datetime(cell.year, cell.month, cell.day)


def _text(cell: Any) -> str | None:
    """Write a cell as a person reads it: whole numbers without a point."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)
