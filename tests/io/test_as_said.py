"""Marks of missing cells, dates and decimal commas are read as a plan says, also in files whose cells have types of their own."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

import tokumei as tk
from tests.command_line import tokumei
from tokumei.io.batches import Files, read_all
from tokumei.io.source import Dialect, read_to_draft, read_written
from tokumei.plan import Plan
from tokumei.table.codebook import Codebook, Variable

ROWS = 40
CELLS: dict[str, list[Any]] = {
    "hours": [999.0 if row % 8 == 0 else 20 + row / 2 for row in range(ROWS)],
    "seen": [f"{1 + row % 28:02d}.03.2023" for row in range(ROWS)],
    "size": ["NA" if row % 5 == 0 else f"1,{row}" for row in range(ROWS)],
    "town": ["NA" if row % 4 == 0 else "north" for row in range(ROWS)],
}
SAID = Dialect(missing=("", "NA", "999"), decimal=",", dates="%d.%m.%Y")


def written(folder: Path, ending: str) -> Path:
    path, frame = folder / f"survey{ending}", pd.DataFrame(CELLS)
    if ending == ".xlsx":
        frame.to_excel(path, index=False)
    elif ending == ".parquet":
        frame.to_parquet(path)
    else:
        import pyreadstat

        pyreadstat.write_dta(frame, str(path))
    return path


@pytest.mark.parametrize("ending", [".xlsx", ".parquet", ".dta"])
def test_cells_are_read_as_is_said(tmp_path: Path, ending: str) -> None:
    table = read_written(written(tmp_path, ending), None, SAID)
    hours, seen, size, town = (table.column(name).to_pylist() for name in CELLS)
    assert [cell for cell in hours if cell is not None] == [cell for cell in CELLS["hours"] if cell != 999]
    assert seen[3] == dt.datetime(2023, 3, 4)
    assert size[:3] == [None, 1.1, 1.2]
    assert town.count(None) == ROWS // 4


@pytest.mark.parametrize("ending", [".xlsx", ".parquet", ".dta"])
def test_a_draft_says_how_cells_are_written_and_its_plan_reads_them_so(tmp_path: Path, ending: str) -> None:
    path = written(tmp_path, ending)
    options = ["--missing", "NA", "--missing", "999", "--decimal", ",", "--dates", "%d.%m.%Y"]
    tokumei("init", path.name, *options, "--k", 2, cwd=tmp_path)
    plan = Plan.read(tmp_path / "plan.toml")
    assert plan.source.missing == ("", "NA", "999")
    assert isinstance(plan.schema["hours"].domain, tk.Numbers)
    assert plan.schema["hours"].domain.high < 999
    assert isinstance(plan.schema["seen"].domain, tk.Dates)
    assert isinstance(plan.schema["size"].domain, tk.Numbers)
    tokumei("anonymize", "plan.toml", cwd=tmp_path)


def test_batches_of_parquet_files_are_read_so_too(tmp_path: Path) -> None:
    path = written(tmp_path, ".parquet")
    attributes = [
        tk.Attribute("hours", "quasi_identifier", tk.Numbers(0, 100), missing=True),
        tk.Attribute("seen", "quasi_identifier", tk.Dates(dt.date(2023, 3, 1), dt.date(2023, 3, 31))),
        tk.Attribute("size", "quasi_identifier", tk.Numbers(0, 10), missing=True),
        tk.Attribute("town", "quasi_identifier", tk.Categories(["north"]), missing=True),
    ]
    schema = tk.Schema(attributes)
    whole, pieces = read_written(path, schema, SAID), read_all(Files([path], schema, SAID))
    assert pieces.to_pydict() == whole.to_pydict()


def test_days_in_a_sheet_are_dates_and_labels_that_look_like_them_stay_text(tmp_path: Path) -> None:
    path = tmp_path / "people.xlsx"
    pd.DataFrame({"born": ["1950-01-31", "1960-02-28"], "code": ["1950-01-31", "n-1"]}).to_excel(path, index=False)
    table, _ = read_to_draft(path)
    assert pa.types.is_timestamp(table.column("born").type)
    assert pa.types.is_string(table.column("code").type)
    labels = tk.Schema([tk.Attribute("born", "quasi_identifier", tk.Categories(["1950-01-31", "1960-02-28"]))])
    assert pa.types.is_string(read_written(path, labels, Dialect()).column("born").type)


def test_nothing_is_changed_where_nothing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "people.parquet"
    pyarrow.parquet.write_table(pa.table(CELLS), path)
    assert read_written(path, None, Dialect()).to_pydict() == CELLS


def test_numbers_of_which_few_have_a_label_stay_numbers_in_a_schema_from_a_codebook() -> None:
    book = Codebook((Variable("hours", "Hours", ((999, "No answer"),)),))
    with pytest.warns(tk.errors.ObservedDomainWarning):
        schema = tk.Schema.from_codebook(book, pd.DataFrame({"hours": [20, 35, 999]}))
    assert isinstance(schema["hours"].domain, tk.Numbers) and schema["hours"].label == "Hours"
