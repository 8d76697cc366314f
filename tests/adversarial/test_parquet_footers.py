"""What stands in Parquet files beside their cells, for every command that writes one: counted again from the rows that are in the file."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import tokumei as tk
from tokumei.cli.app import app
from tokumei.studio.session import Session

ROWS = 240
SECRET = "Tanaka"
TOWNS = ["north", "south", "west"]


def people() -> pa.Table:
    """Rows of which some are left out, and a column that has dictionary entries of nobody and an index of its own."""
    towns = pa.DictionaryArray.from_arrays(
        pa.array([row * row % 3 + 1 for row in range(ROWS)], pa.int8()), pa.array([SECRET, *TOWNS])
    )
    made = pa.table(
        {
            "age": [20 + row * 7 % 12 for row in range(ROWS - 1)] + [59],  # the last is alone, and left out
            "town": towns,
            "note": [f"note {row % 4}" for row in range(ROWS - 1)] + [SECRET],
            "pay": pa.array([None if row % 9 == 0 else row % 5 / 10 for row in range(ROWS - 1)] + [987_654.25]),
            "weight": [1.0 + row % 3 for row in range(ROWS)],
        }
    )
    fields = [field.with_metadata({"comment": SECRET}) for field in made.schema]
    return made.cast(pa.schema(fields, {SECRET: SECRET, "pandas": f'{{"index_columns": ["{SECRET}"]}}'}))


SCHEMA = tk.Schema(
    [
        tk.Attribute("age", "quasi_identifier", tk.Numbers(20, 59, step=1)),
        tk.Attribute("town", "quasi_identifier", tk.Categories(TOWNS)),
        tk.Attribute("note", "insensitive"),
        tk.Attribute("pay", "insensitive", missing=True),
        tk.Attribute("weight", "insensitive"),
    ]
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pq.write_table(people(), tmp_path / "people.parquet", use_dictionary=True, write_page_index=True)
    for name, method in (("left", tk.RecordSuppression(k=2)), ("told", tk.PkPerturbation(k=3))):
        plan = tk.Plan({"path": "people.parquet"}, SCHEMA, method, output={"path": f"{name}-release"})
        (tmp_path / f"{name}.toml").write_text(plan.to_toml(), encoding="utf-8")
    return tmp_path


def do(*words: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, (done.output, done.exception)


def plain(cell: Any) -> Any:
    return cell.decode() if isinstance(cell, bytes) else cell


def check(
    given: Path | bytes, *, more: frozenset[bytes] = frozenset(), declared: dict[str, set[Any]] | None = None
) -> None:
    """Compare everything that the footer of a file says with its rows; dictionaries have no label that is neither declared nor in a row."""
    content = given if isinstance(given, bytes) else given.read_bytes()
    file = pq.ParquetFile(io.BytesIO(content))
    found = file.metadata
    assert set(found.metadata or {}) <= {b"ARROW:schema"} | more
    assert not any(SECRET.encode() in (field.metadata or {}).values() for field in file.schema_arrow)  # is base64 in it
    assert found.created_by.startswith("parquet-cpp-arrow version ")
    if not any(SECRET in column.to_pylist() for column in file.read().columns):
        assert SECRET.encode() not in content  # names and footers are not packed
    for group in range(found.num_row_groups):
        rows = file.read_row_group(group)
        for place in range(found.num_columns):
            column = found.row_group(group).column(place)
            cells = rows.column(column.path_in_schema).to_pylist()
            there = [cell for cell in cells if cell is not None]
            assert not column.has_column_index and not column.has_offset_index
            assert column.num_values == len(cells)
            told = column.statistics
            assert told is not None
            assert not told.has_distinct_count or told.distinct_count in {0, len(set(there))}
            assert told.null_count == len(cells) - len(there)
            assert told.has_min_max == bool(there)
            if there:
                assert (plain(told.min), plain(told.max)) == (min(there), max(there))
    texts = [
        field.name
        for field in file.schema_arrow
        if pa.types.is_string(field.type) or pa.types.is_dictionary(field.type)
    ]
    again = pq.ParquetFile(io.BytesIO(content), read_dictionary=texts).read()
    for name in texts:
        cells = set(again.column(name).to_pylist()) - {None}
        entries = {label for chunk in again.column(name).chunks for label in chunk.dictionary.to_pylist()}
        assert entries <= cells | (declared or {}).get(name, set()), name


DECLARED = {"town": set(TOWNS)}


@pytest.mark.parametrize("name", ["left", "told"])
@pytest.mark.parametrize("engine", ["local", "stream"])
def test_releases_and_what_is_made_of_them(name: str, engine: str, home: Path) -> None:
    do("anonymize", f"{name}.toml", "--engine", engine)
    release = home / f"{name}-release"
    told = {each.name: set(each.domain.values) for each in tk.read_release(release).schema if isinstance(each.domain, tk.Categories)}  # fmt: skip
    assert told["town"] >= set(TOWNS)
    check(release / "data.parquet", declared=told)
    if name == "told":
        do("synthesize", str(release), "-o", "drawn.parquet")
        check(home / "drawn.parquet", more=frozenset({b"tokumei"}), declared=told)
        do("reconstruct", str(release), "-o", "complete.parquet")
        check(home / "complete.parquet", declared=told)
        do("reconstruct", str(release), "--columns", "age,town", "-o", "cells.parquet")
        check(home / "cells.parquet", declared=told)


def test_what_the_studio_exports(home: Path, tmp_path: Path) -> None:
    plan = tk.Plan.read(home / "left.toml")
    with Session.open_plan(plan) as session:
        session.export(tmp_path / "out", ("release",))
        place = tmp_path / "out" / "release" / "data.parquet"
        check(place, declared=DECLARED)


def test_weights_and_households(home: Path) -> None:
    homes = tk.Schema([tk.Attribute("rooms", "quasi_identifier", tk.Numbers(1, 4, step=1)), tk.Attribute("home", "identifier"), tk.Attribute("age.1", "insensitive", missing=True), tk.Attribute("age.2", "insensitive", missing=True)])  # fmt: skip
    pq.write_table(pa.table({"home": range(60), "rooms": [1 + row % 4 for row in range(60)]}), "homes.parquet")
    members = pa.table({"home": [row // 2 for row in range(120)], "age": [20 + row % 30 for row in range(120)]})
    pq.write_table(members, "members.parquet")
    do("survey", "widen", "homes.parquet", "members.parquet", "--on", "home", "--most", "2", "-o", "wide.parquet")
    check(home / "wide.parquet")
    tk.anonymize(pq.read_table("wide.parquet"), homes, tk.Generalization(k=3)).write("wide-release")
    do("survey", "lengthen", "wide-release", "--households", "h.parquet", "--people", "p.parquet")
    check(home / "h.parquet", declared={"rooms": set(map(str, range(1, 5)))})
    check(home / "p.parquet")


def test_what_is_planted_is_found(tmp_path: Path) -> None:
    table = people().slice(0, 20).select(["age", "town"])
    for name, options, given in (
        ("entries of nobody", {}, table.replace_schema_metadata(None)),
        ("metadata", {}, table.drop_columns(["town"])),
        ("an index of pages", {"write_page_index": True}, table.drop_columns(["town"]).replace_schema_metadata(None)),
    ):
        pq.write_table(given, tmp_path / f"{name}.parquet", **options)
        with pytest.raises(AssertionError):
            check(tmp_path / f"{name}.parquet", declared=DECLARED)
