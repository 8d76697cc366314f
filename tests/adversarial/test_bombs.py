"""Small inputs that would take all memory or time, and numbers that no computer holds: one sentence, at once."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

import tokumei as tk
from benchmarks.fuzz_targets import PLANS, people, schema, signed
from tokumei import bounds
from tokumei.errors import DataError, InvalidParameter, OutputError, PlanError, ReleaseError
from tokumei.io import unpacking
from tokumei.io.batches import Files, read_all
from tokumei.io.source import read_table
from tokumei.release import manifest


def nested(levels: int) -> Any:
    made: Any = []
    for _ in range(levels):
        made = [made]
    return made


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        '{"format":1,"x":' * 100_000,
        json.dumps({"format": 1, "x": nested(bounds.DEEPEST + 1)}),
        "9" * 5000,
    ],
)
def test_deep_and_long_manifests(text: str) -> None:
    with pytest.raises(ReleaseError, match="not JSON, is nested too deeply"):
        manifest.read(text)


def test_what_lies_just_within_the_depth_is_parsed() -> None:
    assert not bounds.too_deep(nested(bounds.DEEPEST - 1))
    with pytest.raises(ReleaseError, match="cannot be understood"):
        manifest.read(signed({"format": 1, "x": nested(bounds.DEEPEST - 3)}).decode())


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "a = " + "{a=" * 20_000,
        ".".join(["a"] * 100_000) + " = 1",
        "[" + "'a' . " * 5_000 + "b]",
    ],
)
def test_deep_plans(text: str) -> None:
    with pytest.raises(PlanError, match="more than 64 levels"):
        tk.Plan.from_toml(text)


def test_files_that_never_end() -> None:
    with pytest.raises(PlanError, match="larger than 16 MiB"):
        tk.Plan.read("/dev/zero")


def test_large_manifests_and_hierarchies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = tk.anonymize(people(), schema(), tk.PkPerturbation(k=2, tells="all"))
    ways = (
        lambda: release.write(tmp_path / "r"),
        lambda: release.write_table(f"sqlite:///{tmp_path / 'x.db'}", "rows"),
    )
    for limit, most, said in (
        ("tokumei.release.manifest.LARGEST_TEXT", 500, "The manifest would be larger"),
        ("tokumei.bounds.MOST_PARTS", 50, "The manifest would have too many parts to be read back"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(limit, most)
            for write in ways:
                with pytest.raises(OutputError, match=said):
                    write()
        assert list(tmp_path.iterdir()) == []
    with (tmp_path / "h.csv").open("wb") as file:
        file.truncate(bounds.LARGEST_TEXT + 1)  # it takes no room on the disk
    with pytest.raises(DataError, match="larger than 256 MiB"):
        tk.Hierarchy.read_csv(tmp_path / "h.csv")


def test_hierarchies_of_absurd_depth(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("a" + ";x" * 300 + "\n", encoding="utf-8")
    with pytest.raises(InvalidParameter, match="at most 256 levels"):
        tk.Hierarchy.read_csv(tmp_path / "h.csv")
    with pytest.raises(InvalidParameter, match="at most 256 levels"):
        tk.Hierarchy.intervals(*[[0, 1]] * 300)


def changed(old: str, new: str) -> str:
    (text,) = [text for text in PLANS if 'method = "microaggregation"' in text]
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("k = 3", "k = " + "9" * 400, "whole numbers must lie between"),
        ("k = 3", "k = " + "9" * 5000, "whole numbers must lie between"),
        ("step = 1", "step = 1e-300", "finer than"),
        ("high = 60, step = 1", "high = 1000000000000, step = 1", "at most 4,194,304 values"),
        ("low = 20, high = 60, step = 1", "low = 0, high = 1e-320", "finer than"),
        ("low = 20, high = 60, step = 1", "low = 9007199254740990, high = 9007199254740991", "finer than"),
        ("high = 60", "high = 1e999999", "high must be a finite number"),
        ("high = 60", "high = nan", "high must be a finite number"),
        ("[[20, 40, 60]]", "[[20, inf]]", "finite"),
        ("[[20, 40, 60]]", "[[20, 2020-01-01]]", "not a mixture"),
        ("[[20, 40, 60]]", "5", "takes the edges of each level as a list"),
        ("groups = [{", "groups = 5 #", "groups takes a mapping"),
        ('all = ["Female", "Male"]', "all = 5", "groups takes a mapping"),
        ('{ groups = [{ all = ["Female", "Male"] }] }', '{ kind = "tree", rows = [[]] }', "at least one level"),
        ('kind = "numbers", low = 20, high = 60', 'kind = "dates", low = "2020-02-30", high = 9999-12-31', "a bound must be a date"),
    ],
)  # fmt: skip
def test_numbers_and_shapes_that_cannot_be(old: str, new: str, message: str) -> None:
    if new.endswith("#"):
        text = changed('{ groups = [{ all = ["Female", "Male"] }] }', "{ groups = 5 }")
    else:
        text = changed(old, new)
    with pytest.raises(PlanError, match=message):
        tk.Plan.from_toml(text)


@pytest.mark.parametrize(
    "make",
    [
        lambda: tk.PkPerturbation(k=10**400, tells="all"),
        lambda: tk.Numbers(0, 10**400),
        lambda: tk.Hierarchy.intervals([0, 10**400]),
        lambda: tk.PkPerturbation(k=2, split={"a": 10**400}, tells="all"),
    ],
)
def test_whole_numbers_that_no_float_holds(make: Any) -> None:
    with pytest.raises(InvalidParameter):
        make()


def test_far_more_columns_than_anybody_has(tmp_path: Path) -> None:
    width = bounds.MOST_COLUMNS + 1
    (tmp_path / "t.csv").write_text(
        ",".join(f"c{i}" for i in range(width)) + "\n" + ",".join("1" * width) + "\n", encoding="utf-8"
    )
    for read in (read_table, lambda file: Files([file])):
        with pytest.raises(DataError, match="16,385 columns, and at most 16,384"):
            read(tmp_path / "t.csv")


@pytest.mark.parametrize("content", ["a,b\n1," + "x" * 20_000_000, 'a,b\n1,"' + "x\n" * 10_000_000])
def test_fields_without_end(tmp_path: Path, content: str) -> None:
    (tmp_path / "t.csv").write_text(content, encoding="utf-8")
    for read in (read_table, lambda file: read_all(Files([file]))):
        with pytest.raises(DataError, match="longer than can be read, or a quotation mark"):
            read(tmp_path / "t.csv")


def test_packed_files_that_unpack_to_far_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "UNPACKED", 10**6)
    file = tmp_path / "t.csv.gz"
    file.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 1_000_000))
    for read in (read_table, lambda file: read_all(Files([file]))):
        with pytest.raises(DataError, match="unpack it first"):
            read(file)
    file.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 1_000))
    assert read_table(file).num_rows == read_all(Files([file])).num_rows == 1_000


@pytest.mark.parametrize("ending", sorted(unpacking.PACKED))
def test_every_packed_kind_is_read_and_a_damaged_one_refused(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"t.csv{ending}"
    with pa.CompressedOutputStream(str(file), unpacking.PACKED[ending]) as packed:
        packed.write(b"a,b\n" + b"1,2\n" * 5_000)
    assert read_table(file).num_rows == read_all(Files([file])).num_rows == 5_000
    file.write_bytes(file.read_bytes()[:20] + b"\0" * 40)
    for read in (read_table, lambda file: read_all(Files([file]))):
        with pytest.raises(DataError, match="cannot be read"):
            read(file)


def test_runs_of_one_value_in_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "UNPACKED", 10**6)
    pyarrow.parquet.write_table(pa.table({"a": pa.array([1] * 2_000_000, pa.int8())}), tmp_path / "t.parquet")
    assert (tmp_path / "t.parquet").stat().st_size < 20_000
    with pytest.raises(DataError, match="engine stream"):
        read_table(tmp_path / "t.parquet")


def test_a_trap_is_found_before_a_row_is_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "UNPACKED", 2**26)
    parsed: list[object] = []
    monkeypatch.setattr("tokumei.io.source.pyarrow.csv.read_csv", lambda *given: parsed.append(given))
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 18_000_000, 1))
    with pytest.raises(DataError, match="unpack it first"):
        read_table(tmp_path / "t.csv.gz")
    assert parsed == []
