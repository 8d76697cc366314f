"""Cells of a CSV release that a spreadsheet would run: told of, or quoted, and read back as they were."""

from __future__ import annotations

import csv
import itertools
import json
import re
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from typer.testing import CliRunner

import tokumei as tk
from tokumei.cli.app import app
from tokumei.errors import FormulaCellsWarning, InvalidParameter, PlanError
from tokumei.release.formulas import CsvCells, formula_cells, quoted, unquoted
from tokumei.studio.session import Session

CALC, AT, PLAIN = "=cmd|' /C calc'!A0", "@SUM(1)", "south"
TOWNS = [CALC, AT, "+1-555", "\tx", "a;=1+1", "'=quoted", "-10--6", "-5", PLAIN, 'say "=1"', "＝1+1"]
RUN = 7  # of these: not the apostrophe's, the number, the plain one, or the one in quotation marks
NAME = "=town"
ROWS = 10


def people() -> pa.Table:
    return pa.table(
        {
            NAME: TOWNS * ROWS,
            "age": pa.array([-5, 3] * (len(TOWNS) * ROWS // 2)),
            "note": pa.array([f"={row % 3}" if row % 2 else None for row in range(len(TOWNS) * ROWS)]),
        }
    )


def schema() -> tk.Schema:
    return tk.Schema(
        [
            tk.Attribute(NAME, domain=tk.Categories(TOWNS)),
            tk.Attribute("age", domain=tk.Numbers(-10, 10, step=1)),
            tk.Attribute("note", "insensitive", missing=True),
        ]
    )


def release(frame: Any = None) -> tk.Release:
    return tk.anonymize(people() if frame is None else frame, schema(), tk.PkPerturbation(k=2, tells="all"), seed=1)


def cells_of(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.reader(opened))


# What a spreadsheet takes for a formula, written without the pattern that is tested.
def runs(cell: str) -> bool:
    if re.fullmatch(r"[-+]?(\d+,)?\d+", cell):
        return False
    parts = re.split(r"[;,|\t\r\n]", cell)
    begins = cell[:1] in set("\t\r\n") and len(cell) > 1
    return begins or any(len(part) > 1 and part[0] in set("=+-@＝＋－＠") for part in parts)


def test_every_short_text_comes_back_and_none_runs() -> None:
    letters = ["=", "-", "'", ";", ",", "\t", "\n", "a", "1", "@", '"']
    for length in range(5):
        for word in map("".join, itertools.product(letters, repeat=length)):
            written = quoted(word)
            assert unquoted(written) == word
            assert not runs(written), (word, written)
            assert quoted(written) != word or written == word


def test_quoting_changes_nothing_else() -> None:
    for text in ("", "plain", "-5", "+1.5e3", "a = b", "2020-01-02", "it's", "[20, 34]", "[-5, -3]", "3-4", "a@b.c"):
        assert quoted(text) == text


def test_such_cells_are_counted() -> None:
    found = formula_cells(people())
    assert found[NAME] == RUN * ROWS
    assert "age" not in found, "a negative number is none"
    encoded = people().set_column(0, NAME, people().column(NAME).dictionary_encode())
    assert formula_cells(encoded) == found
    assert formula_cells(pa.table({"a": ["x"], "=b": [1]})) == {"=b": 0}


def test_they_are_kept_and_told_of(tmp_path: Path) -> None:
    made = release()
    with pytest.warns(
        FormulaCellsWarning,
        match=r"run \d+ cells of '=town', 'note' and the names of the columns '=town' in data.csv as formulas",
    ) as noticed:
        made.write(tmp_path / "r", "csv", allow_seeded=True)
    assert noticed[0].filename == __file__
    assert "cmd" not in str(noticed[0].message)
    told = json.loads((tmp_path / "r" / "manifest.json").read_text(encoding="utf-8"))["data"]
    assert told["formulas"] == "keep"
    rows = cells_of(tmp_path / "r" / "data.csv")
    assert rows[0][0] == NAME
    assert CALC in {row[0] for row in rows}
    assert tk.read_release(tmp_path / "r", frame="pyarrow").table.equals(made.table)


def test_they_are_quoted_and_read_back(tmp_path: Path) -> None:
    made = release()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made.write(tmp_path / "r", "csv", allow_seeded=True, formulas="quote")
    told = json.loads((tmp_path / "r" / "manifest.json").read_text(encoding="utf-8"))["data"]
    assert told["formulas"] == "quote"
    assert NAME in told["types"]
    rows = cells_of(tmp_path / "r" / "data.csv")
    assert rows[0] == ["'=town", "age", "note"]
    assert "'=cmd|'' /C calc'!A0" in {row[0] for row in rows}
    assert "-5" in {row[0] for row in rows}, "a number is no formula"
    assert not any(runs(cell) for row in rows for cell in row if not re.fullmatch(r"-?\d+", cell))
    back = tk.read_release(tmp_path / "r", frame="pyarrow")
    assert back.table.equals(made.table)
    assert set(back.frame.column(NAME).to_pylist()) <= set(TOWNS)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_frames_come_back(kind: Any, tmp_path: Path) -> None:
    frame = pl.from_arrow(people()) if kind == "polars" else people().to_pandas()
    made = release(frame)
    made.write(tmp_path / "r", "csv", allow_seeded=True, formulas="quote")
    back = tk.read_release(tmp_path / "r", frame=kind).frame
    expected = made.frame.to_dict(as_series=False) if kind == "polars" else made.frame.to_dict("list")
    found = back.to_dict(as_series=False) if kind == "polars" else back.to_dict("list")
    assert {name: [None if pd.isna(cell) else cell for cell in cells] for name, cells in found.items()} == {
        name: [None if pd.isna(cell) else cell for cell in cells] for name, cells in expected.items()
    }


def test_no_warning_without_such_cells(tmp_path: Path) -> None:
    plain = pa.table({"age": [-5, 3] * 20, "town": ["north", "-5"] * 20})
    columns = tk.Schema(
        [
            tk.Attribute("age", domain=tk.Numbers(-10, 10, step=1)),
            tk.Attribute("town", domain=tk.Categories(["north", "-5"])),
        ]
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tk.anonymize(plain, columns, tk.PkPerturbation(k=2, tells="all"), seed=1).write(
            tmp_path / "r", "csv", allow_seeded=True
        )
        release().write(tmp_path / "p", allow_seeded=True)
    assert "formulas" not in json.loads((tmp_path / "p" / "manifest.json").read_text(encoding="utf-8"))["data"]


def test_pieces_are_counted_together() -> None:
    cells = CsvCells("keep")
    assert [piece.num_rows for piece in cells.passing(iter([people(), people()]))] == [people().num_rows] * 2
    assert cells.cells_by_column[NAME] == 2 * RUN * ROWS


@pytest.mark.parametrize(
    ("format", "formulas", "message"),
    [("csv", "quoted", "formulas must be 'keep' or 'quote'"), ("parquet", "quote", "is for format='csv'")],
)
def test_ways_that_there_are_not(format: Any, formulas: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match=message):
        release().write(tmp_path / "r", format, allow_seeded=True, formulas=formulas)
    assert list(tmp_path.iterdir()) == []


# The same name in plans, on the command line, and in the studio.


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pyarrow.parquet.write_table(people(), tmp_path / "people.parquet")
    for formulas in ("keep", "quote"):
        output = {"path": formulas, "format": "csv", "formulas": formulas}
        plan = tk.Plan({"path": "people.parquet"}, schema(), tk.PkPerturbation(k=2, tells="all"), output=output)
        (tmp_path / f"{formulas}.toml").write_text(plan.to_toml(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told_in(folder: Path) -> str:
    return str(json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["data"]["formulas"])


@pytest.mark.parametrize("engine", ["local", "stream"])
def test_plans_and_commands(home: Path, engine: str) -> None:
    for words, warned, formulas in (
        (["keep.toml"], True, "keep"),
        (["quote.toml"], False, "quote"),
        (["keep.toml", "--formulas", "quote", "-o", "other"], False, "quote"),
        (["quote.toml", "--formulas", "keep", "-o", "another"], True, "keep"),
    ):
        result = CliRunner().invoke(app, ["anonymize", *words, "--engine", engine])
        assert result.exit_code == 0, result.output
        assert ("A spreadsheet would run" in result.stderr) == warned
        folder = home / (words[-1] if "-o" in words else words[0].removesuffix(".toml"))
        assert told_in(folder) == formulas
        assert set(tk.read_release(folder).frame[NAME]) <= set(TOWNS)


def test_a_plan_with_a_way_that_there_is_not(home: Path) -> None:
    text = (home / "quote.toml").read_text(encoding="utf-8")
    with pytest.raises(PlanError, match="formulas"):
        tk.Plan.from_toml(text.replace('formulas = "quote"', 'formulas = "always"'))
    with pytest.raises(PlanError, match="for format = 'csv'"):
        tk.Plan.from_toml(text.replace('format = "csv"', 'format = "parquet"'))
    result = CliRunner().invoke(app, ["anonymize", "keep.toml", "--formulas", "never"])
    assert result.exit_code == 1
    assert "formulas must be 'keep' or 'quote'" in result.stderr


def test_tables_of_an_analyst(home: Path) -> None:
    CliRunner().invoke(app, ["anonymize", "keep.toml", "-q"])
    for formulas, warned in (("keep", True), ("quote", False)):
        words = ["reconstruct", "keep", "--columns", NAME, "-o", f"{formulas}.csv", "--formulas", formulas]
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0, result.output
        assert ("A spreadsheet would run" in result.stderr) == warned
        assert any(runs(row[0]) for row in cells_of(home / f"{formulas}.csv")) == warned


def test_the_studio_offers_it(home: Path, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = Session.open(home / "people.parquet")
        session.change(method=tk.PkPerturbation(k=2, tells="all"))
        kept = session.export(tmp_path / "a", ["release"], "csv")
        other = session.export(tmp_path / "b", ["release"], "csv", formulas="quote")
    assert NAME in kept.formulas
    assert other.formulas == ()
    assert told_in(tmp_path / "b" / "release") == "quote"
