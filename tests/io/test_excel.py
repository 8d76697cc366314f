"""Excel files: the first sheet, with messages that never show a cell."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.errors import DataError, MissingDependency
from tokumei.io.excel import read_excel
from tokumei.io.source import read_table, read_to_draft
from tokumei.plan import Plan, Source


def write(path: Path, rows: list[list[Any]]) -> Path:
    import openpyxl

    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_a_file_that_unpacks_to_far_more_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "people.xlsx", [["age"], [30], [40]])
    assert read_excel(path, {}).num_rows == 2
    monkeypatch.setattr("tokumei.io.workbook.UNPACKED", 100)
    with pytest.raises(DataError, match="unpacks to"):
        read_excel(path, {})


def test_columns_have_the_type_that_all_their_cells_have(tmp_path: Path) -> None:
    day = dt.datetime(2020, 1, 2)
    rows = [
        ["whole", "part", "code", "day", "yes"],
        [1, 2.5, "01", day, True],
        [None] * 5,
        [2, None, "02", day, False],
    ]
    table, missing = read_to_draft(write(tmp_path / "t.xlsx", rows))
    assert missing == ()
    assert table.num_rows == 2, "an empty row is none"
    assert table.to_pydict() == {
        "whole": [1, 2],
        "part": [2.5, None],
        "code": ["01", "02"],
        "day": [day, day],
        "yes": [True, False],
    }
    assert table.schema.field("day").type == pa.timestamp("us")


def test_a_declared_label_is_read_as_text(tmp_path: Path) -> None:
    file = write(tmp_path / "t.xlsx", [["zip"], [60310], [10115]])
    schema = tk.Schema([tk.Attribute("zip", "quasi_identifier", tk.Categories(["60310", "10115"]))])
    assert read_table(file, schema).column("zip").to_pylist() == ["60310", "10115"]


def test_a_plan_names_an_excel_file(tmp_path: Path) -> None:
    file = write(tmp_path / "t.xlsx", [["sex"], *[["F"], ["M"]] * 5])
    schema = tk.Schema([tk.Attribute("sex", "quasi_identifier", tk.Categories(["F", "M"]))])
    plan = Plan(Source(str(file)), schema, tk.RecordSuppression(k=2))
    assert tk.run(plan, seed=1).rows == 10
    with pytest.raises(DataError, match="only read in memory"):
        tk.run(plan, engine="stream")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["a"], [1], ["secret"]], "column 'a' mixes numbers and text in 2 rows"),
        ([["a", "a"], [1, 2]], "must be unique"),
        ([["a", None], [1, 2]], "has no name"),
        ([], "its first sheet is empty"),
    ],
)
def test_sheets_that_are_no_table_are_refused_without_their_cells(
    tmp_path: Path, rows: list[list[Any]], message: str
) -> None:
    with pytest.raises(DataError, match=message) as error:
        read_to_draft(write(tmp_path / "t.xlsx", rows))
    assert "secret" not in str(error.value)


def test_what_is_no_excel_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "t.xlsx").write_bytes(b"secret")
    with pytest.raises(DataError, match="not an Excel file") as error:
        read_to_draft(tmp_path / "t.xlsx")
    assert "secret" not in str(error.value)


def test_a_missing_reader_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    (tmp_path / "t.xlsx").write_bytes(b"")
    with pytest.raises(MissingDependency, match=r"pip install 'tokumei\[excel\]'"):
        read_to_draft(tmp_path / "t.xlsx")
