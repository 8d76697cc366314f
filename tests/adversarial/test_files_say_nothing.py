"""A released file holds its cells and their declared types, and nothing else that was ever near them.

Each file is written a second time from a table made of plain lists: the bytes must be the same. So no order of a dictionary, no
row group, statistic or metadata can tell of the original.
"""

from __future__ import annotations

import io
import os
import pickle
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import tokumei as tk

Q = "quasi_identifier"
SECRET = "Grace Hopper"
AGES = tk.Hierarchy.intervals([20, 30, 40, 50, 60], [20, 40, 60])
SCHEMA = tk.Schema(
    [
        tk.Attribute("age", Q, tk.Numbers(20, 60, step=1), AGES),
        tk.Attribute("town", Q, tk.Categories(["north", "south", "west"]), missing=True),
        tk.Attribute("wage", "sensitive", tk.Numbers(0, 10, step=0.1)),
        tk.Attribute("note", "insensitive", missing=True),
        tk.Attribute("name", "identifier"),
    ]
)
METHODS: dict[str, Any] = {
    "pk": tk.PkPerturbation(k=3, tells="all"),
    "sample": tk.PkPerturbation(k=3, sample=0.5, tells="all"),
    "grouped": tk.GroupedPkPerturbation(2, tk.partitions.Mondrian(min_size=10)),
    "grouped, a sample": tk.GroupedPkPerturbation(2, tk.partitions.Mondrian(min_size=10), sample=0.5),
    "grouped, one thing a row": tk.GroupedPkPerturbation(2, tk.partitions.Mondrian(min_size=10), tells=1),
    "mondrian": tk.Generalization(3, tk.partitions.Mondrian()),
    "optimal": tk.Generalization(3, tk.partitions.Optimal(), 0.3),
    "record suppression": tk.RecordSuppression(2),
    "local suppression": tk.LocalSuppression(3),
    "microaggregation": tk.Microaggregation(3),
    "swapping": tk.Swapping(3),
    "intervals": tk.Microaggregation(3, cells="interval"),
    "sampling": tk.Sampling(0.5, known=3),
}
STREAMED = ("pk", "sample", "mondrian", "record suppression", "sampling")
ROWS = 90


def people() -> dict[str, list[Any]]:
    rng = np.random.default_rng(4)
    towns = ["north", "south", "west", None]
    made = {
        "age": [int(20 + 41 * u**2) for u in rng.random(ROWS)],
        "town": [towns[place] for place in rng.integers(0, 4, ROWS)],
        "wage": [code / 10 for code in rng.integers(0, 101, ROWS)],
        "note": [None if row % 7 == 0 else f"note {row % 3}" for row in range(ROWS)],
        "name": [f"{SECRET} {row}" for row in range(ROWS)],
    }
    made["age"][-1], made["note"][-1] = 60, f"alone {SECRET}"  # the one whom suppression leaves out
    made["town"][-1] = "west"
    return made


def plainly(table: pa.Table, schema: tk.Schema) -> pa.Table:
    """Make a table again from lists; a dictionary has the labels that the schema declares, in its order."""
    columns = {}
    for field in table.schema:
        cells = table.column(field.name).to_pylist()
        if pa.types.is_dictionary(field.type):
            labels = list(schema[field.name].domain.values)  # type: ignore[union-attr]
            codes = pa.array([None if cell is None else labels.index(cell) for cell in cells], field.type.index_type)
            columns[field.name] = pa.DictionaryArray.from_arrays(codes, pa.array(labels, field.type.value_type))
        else:
            columns[field.name] = pa.array(cells, field.type)
    return pa.table(columns)


def check_files(release: tk.Release, folder: Path) -> None:
    pieces = [plainly(piece, release.schema) for piece in release.pieces()]
    release.write(folder / "parquet", allow_seeded=True)
    release.write(folder / "csv", format="csv", allow_seeded=True)
    again = io.BytesIO()
    with pa.parquet.ParquetWriter(again, pieces[0].schema, compression="zstd") as writer:
        for piece in pieces:
            writer.write_table(piece)
    assert (folder / "parquet" / "data.parquet").read_bytes() == again.getvalue()
    texts = io.BytesIO()
    with pa.csv.CSVWriter(texts, pieces[0].schema) as writer:
        for piece in pieces:
            writer.write_table(piece)
    assert (folder / "csv" / "data.csv").read_bytes() == texts.getvalue()


@pytest.mark.parametrize("name", METHODS)
def test_files_are_what_plain_lists_would_give(name: str, tmp_path: Path) -> None:
    release = tk.anonymize(pa.table(people()), SCHEMA, METHODS[name])
    check_files(release, tmp_path)
    found = pa.parquet.ParquetFile(tmp_path / "parquet" / "data.parquet")
    assert set(found.metadata.metadata or {}) <= {b"ARROW:schema"}
    assert found.schema_arrow.metadata is None
    assert found.metadata.num_row_groups == 1


@pytest.mark.parametrize("name", STREAMED)
def test_streamed_files_are_what_plain_lists_would_give(name: str, tmp_path: Path) -> None:
    pa.parquet.write_table(pa.table(people()), tmp_path / "people.parquet")
    plan = tk.Plan({"path": "people.parquet"}, SCHEMA, METHODS[name], folder=tmp_path)
    check_files(tk.run(plan, "stream"), tmp_path)


def test_the_same_cells_give_the_same_file_whatever_they_came_in(tmp_path: Path) -> None:
    """Frames that hold more than their cells: categories of people who are gone, an index, attributes, other dictionaries."""
    cells = people()
    frame = pd.DataFrame(cells)
    frame["town"] = pd.Categorical(cells["town"], categories=[SECRET, "west", "south", "north"])
    frame["note"] = pd.Categorical(cells["note"], categories=[SECRET, *sorted({n for n in cells["note"] if n})])
    frame.index = pd.Index(cells["name"], name=SECRET)
    frame.attrs["from"] = SECRET
    arrow = pa.table({**cells, "town": pa.array(cells["town"]).dictionary_encode()})
    arrow = arrow.replace_schema_metadata({SECRET: SECRET})
    enum = pl.DataFrame(cells).with_columns(pl.col("town").cast(pl.Enum([SECRET, "west", "south", "north"])))
    files, manifests = set(), set()
    for place, given in enumerate((pa.table(cells), frame, arrow, pl.DataFrame(cells), enum)):
        release = tk.anonymize(given, SCHEMA, tk.PkPerturbation(k=3, tells="all"), seed=1)
        check_files(release, tmp_path / str(place))
        files.add((tmp_path / str(place) / "csv" / "data.csv").read_bytes())
        manifests.add((tmp_path / str(place) / "csv" / "manifest.json").read_bytes())
        assert SECRET.encode() in pickle.dumps(given)
        assert f"{SECRET} 1".encode() not in pickle.dumps(release)
    assert len(files) == 1
    assert len(manifests) <= 2  # pandas may hold long strings, whose type stands in `data`


def test_rows_left_out_are_in_no_buffer(tmp_path: Path) -> None:
    alone = f"alone {SECRET}".encode()
    for method in (tk.RecordSuppression(2), tk.Sampling(1, known=1)):
        release = tk.anonymize(pa.table(people()), SCHEMA, method, seed=3)
        assert f"alone {SECRET}" not in release.table.column("note").to_pylist()
        assert alone not in pickle.dumps(release)
        held = b"".join(
            bytes(buffer)
            for column in release.table.columns
            for chunk in column.chunks
            for buffer in chunk.buffers()
            if buffer
        )
        assert alone not in held


def test_what_lies_under_a_missing_cell_stays_behind() -> None:
    """A buffer may still hold the number that a missing cell had; a frame that is handed on would carry it along."""
    hidden = 987_654_321
    cells = pa.array(np.array([hidden, 5] * 20), mask=np.array([True, False] * 20))
    cells = pa.Array.from_buffers(pa.int64(), 40, [cells.buffers()[0], pa.py_buffer(np.array([hidden, 5] * 20))])
    assert cells.null_count == 20
    schema = tk.Schema(
        [tk.Attribute("q", Q, tk.Categories(["x", "y"])), tk.Attribute("s", "insensitive", missing=True)]
    )
    release = tk.anonymize(pa.table({"q": ["x", "y"] * 20, "s": cells}), schema, tk.PkPerturbation(k=3, tells="all"))
    held = b"".join(bytes(b) for chunk in release.table.column("s").chunks for b in chunk.buffers() if b)
    assert np.int64(hidden).tobytes() not in held


@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_the_folder_has_two_files_of_now(format: Any, tmp_path: Path) -> None:
    source = tmp_path / "people.parquet"
    pa.parquet.write_table(pa.table(people()), source)
    os.utime(source, (10**9, 10**9))
    begun = time.time()
    plan = tk.Plan({"path": "people.parquet"}, SCHEMA, tk.PkPerturbation(k=3, tells="all"), folder=tmp_path)
    for engine in ("local", "stream"):
        tk.run(plan, engine).write(tmp_path / engine, format=format)
        files = sorted((tmp_path / engine).iterdir())
        assert [file.name for file in files] == [f"data.{format}", "manifest.json"]
        assert all(file.stat().st_mtime >= begun - 2 for file in files)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["local", "people.parquet", "stream"]


def test_a_planted_dictionary_order_is_found(tmp_path: Path) -> None:
    release = tk.anonymize(pa.table(people()), SCHEMA, tk.PkPerturbation(k=3, tells="all"))
    place, labels = release.table.column_names.index("town"), ["west", "south", "north"]
    codes = [None if cell is None else labels.index(cell) for cell in release.table.column("town").to_pylist()]
    planted = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(labels))
    with pytest.raises(AssertionError):
        check_files(replace(release, held=release.table.set_column(place, "town", planted)), tmp_path)
