"""Two originals that give the same released rows give the same files, byte for byte: nothing else of an original gets through.

Statistics, dictionaries, pages, row groups and metadata of Parquet, the quoting of CSV, archives and everything that is said in a
manifest are compared at once. Where pieces of an engine end depends on the original, so files are also written from other pieces.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tokumei as tk
from tokumei.engines.spark.release import WrittenRows
from tokumei.engines.stream import shuffle
from tokumei.studio.screens.export import _one_file

ROWS = 120
SCHEMA = tk.Schema(
    [
        tk.Attribute("name", "identifier"),
        tk.Attribute("age", "quasi_identifier", tk.Numbers(20, 60, step=1)),
        tk.Attribute("town", "quasi_identifier", tk.Categories(["north", "south", "west"]), missing=True),
        tk.Attribute("wage", "sensitive", tk.Numbers(0, 10, step=0.1)),
        tk.Attribute("note", "insensitive", missing=True),
    ]
)


def people() -> dict[str, list[Any]]:
    rng = np.random.default_rng(4)
    return {
        "name": [f"person {row}" for row in range(ROWS)],
        "age": [int(20 + 20 * u) for u in rng.random(ROWS)],
        "town": [["north", "south", None][place] for place in rng.integers(0, 3, ROWS)],
        "wage": [code / 10 for code in rng.integers(0, 101, ROWS)],
        "note": [None if row % 7 == 0 else f"note {row % 3}" for row in range(ROWS)],
    }


# What one row may be instead: rare and long, missing, extreme, with marks that CSV quotes, of other alphabets.
OTHERS: list[dict[str, Any]] = [
    {"age": 60, "town": "west", "wage": 0.0, "note": "x" * 5000},
    {"age": 60, "town": "west", "wage": 10.0, "note": None},
    {"age": 59, "town": None, "wage": 9.9, "note": 'a "quoted", \n line'},
    {"age": 58, "town": "west", "wage": 0.1, "note": "匿名 🙂"},
    {"age": 20, "town": "north", "wage": 5.0, "note": ""},
]


def neighbours(*columns: str) -> Iterator[dict[str, list[Any]]]:
    """Tables that differ in their last row alone, in some columns."""
    for other in OTHERS:
        table = people()
        for name, cell in {"name": str(other), **other}.items():
            if name in columns:
                table[name][-1] = cell
        yield table


METHODS = {
    "pk": tk.PkPerturbation(k=40, kept="perturb", tells="all"),
    "pk and a sample": tk.PkPerturbation(k=3, sample=0.3, tells="all"),
    "sampling": tk.Sampling(0.3, known=3),
    "record suppression": tk.RecordSuppression(2),
}


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("engine", ["local", "stream"])
@pytest.mark.parametrize("name", METHODS)
def test_neighbours_that_give_the_same_rows_give_the_same_files(name: str, engine: str, tmp_path: Path) -> None:
    """The last row is drawn anew, left out for being rare, or not in the sample; if the rows are the same, so is all the rest."""
    found: dict[int, dict[str, set[bytes]]] = {}
    same = 0
    schema = SCHEMA.without("note") if name == "pk" else SCHEMA
    for place, table in enumerate(neighbours(*(("name", "age") if name == "pk" else SCHEMA.names()))):
        arrow = pa.table(table) if name != "pk" else pa.table(table).drop_columns(["note"])
        if name == "record suppression" and place == 4:
            continue  # the only one who is not alone
        pq.write_table(arrow, tmp_path / f"{place}.parquet", row_group_size=10 + 7 * place)
        plan = tk.Plan({"path": f"{place}.parquet"}, schema, METHODS[name], folder=tmp_path)
        for seed in range(1 if name == "record suppression" else 6):
            release = tk.run(plan, engine, seed=seed)
            rows = str(release.table.to_pydict())
            for kind in ("parquet", "csv"):
                folder = release.write(tmp_path / f"{place}-{seed}-{kind}", kind, allow_seeded=True)
                for file, content in contents(folder).items():
                    seen = found.setdefault(hash((seed, rows)), {}).setdefault(f"{kind} {file}", set())
                    same += content in seen
                    seen.add(content)
    assert all(len(each) == 1 for files in found.values() for each in files.values())
    assert same >= 12  # several neighbours were compared in all four files


@dataclass(frozen=True)
class Cut:
    """Rows in pieces of any size."""

    whole: pa.Table
    ends: tuple[int, ...]
    group: int = 50

    @property
    def rows(self) -> int:
        return int(self.whole.num_rows)

    @property
    def types(self) -> Any:
        return self.whole.schema

    def __iter__(self) -> Iterator[pa.Table]:
        for start, stop in zip((0, *self.ends), (*self.ends, self.rows), strict=True):
            yield self.whole.slice(start, stop - start)


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_where_pieces_end_does_not_show(kind: Any, tmp_path: Path) -> None:
    release = tk.anonymize(pa.table(people()), SCHEMA, tk.PkPerturbation(k=3, tells="all"), seed=1)
    files = set()
    for place, ends in enumerate([(), (1, 2, 3), (60,), (50, 100), (0, 0, 119), tuple(range(120))]):
        made = replace(release, held=Cut(release.table, ends)).write(tmp_path / str(place), kind, allow_seeded=True)
        files.add(tuple(sorted(contents(made).items())))
    assert len(files) == 1


def sizes_of(file: Path) -> list[int]:
    found = pq.ParquetFile(file).metadata
    return [found.row_group(place).num_rows for place in range(found.num_row_groups)]


def test_row_groups_of_the_engines_have_one_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Buckets, blocks and parts have sizes of their own; row groups do not follow them."""
    pq.write_table(pa.table(people()), tmp_path / "people.parquet", row_group_size=11)
    plan = tk.Plan({"path": "people.parquet"}, SCHEMA, tk.PkPerturbation(k=3, tells="all"), folder=tmp_path)
    whole = sizes_of(tk.run(plan, "stream").write(tmp_path / "whole") / "data.parquet")
    monkeypatch.setattr(shuffle, "_bits", lambda *_: 3)
    buckets = tk.run(plan, "stream")
    assert len(list(buckets.pieces())) == 8
    assert sizes_of(buckets.write(tmp_path / "buckets") / "data.parquet") == whole == [ROWS]
    monkeypatch.setattr(shuffle, "BLOCK", 50)
    blocks = tk.run(plan, "stream", shuffle="blocks")
    assert sizes_of(blocks.write(tmp_path / "blocks") / "data.parquet") == [50, 50, 20]
    (tmp_path / "parts").mkdir()
    table = tk.anonymize(pa.table(people()), SCHEMA, tk.PkPerturbation(k=3, tells="all")).table
    for place, (start, stop) in enumerate([(0, 70), (70, 71), (71, 120)]):
        pq.write_table(table.slice(start, stop - start), tmp_path / "parts" / f"part-{place}.parquet")
    held = WrittenRows(tmp_path / "parts", table.schema, ROWS, 50)
    made = replace(tk.run(plan), held=held).write(tmp_path / "spark")
    assert sizes_of(made / "data.parquet") == [50, 50, 20]


def test_metadata_of_fields_stays_behind(tmp_path: Path) -> None:
    """What others have noted beside columns: comments, numbers of fields, whether a cell may be missing."""
    table = pa.table(people())
    noted = pa.schema(
        [field.with_metadata({"comment": "SECRET", "PARQUET:field_id": str(7 + place)}) for place, field in enumerate(table.schema)],
        metadata={"pandas": "SECRET", "from": "SECRET"},
    )  # fmt: skip
    noted = noted.set(1, noted.field(1).with_nullable(False))
    for method in (
        tk.PkPerturbation(k=3, tells="all"),
        tk.RecordSuppression(2),
        tk.Generalization(3, tk.partitions.Mondrian()),
    ):
        files = set()
        for place, given in enumerate((table, table.cast(noted))):
            folder = tmp_path / type(method).__name__ / str(place)
            made = tk.anonymize(given, SCHEMA, method, seed=1).write(folder, allow_seeded=True)
            files.add(tuple(sorted(contents(made).items())))
            assert b"SECRET" not in b"".join(contents(made).values())
        assert len(files) == 1


def test_an_archive_tells_no_times(tmp_path: Path) -> None:
    found = set()
    for place in range(2):
        folder = tmp_path / str(place) / "release"
        folder.mkdir(parents=True)
        for name in ("manifest.json", "data.csv")[:: 1 - 2 * place]:
            (folder / name).write_text(f"the same {name}")
            os.utime(folder / name, (10**9 * (place + 1),) * 2)
            (folder / name).chmod(0o600 if place else 0o644)
        found.add(_one_file(folder).read_bytes())
    assert len(found) == 1
    with zipfile.ZipFile(tmp_path / "1" / "release.zip") as made:
        assert made.namelist() == ["release/data.csv", "release/manifest.json"]
        assert made.read("release/data.csv") == b"the same data.csv"
        assert {entry.date_time[0] for entry in made.infolist()} == {1980}
