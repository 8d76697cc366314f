"""Inputs that were damaged by chance: whatever they hold, there is a result or one sentence (see ``benchmarks/fuzz.py``)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from typer.testing import CliRunner

import tokumei as tk
from benchmarks import fuzz
from benchmarks.fuzz_targets import NASTY, SECRET, TARGETS, Dice, Target, attacked, mangled, people, schema
from tests.release.forging import rewrite
from tokumei.cli.app import app
from tokumei.errors import DataError, InvalidParameter, PlanError, ReleaseError
from tokumei.io.batches import Files
from tokumei.io.source import read_table
from tokumei.randomness import generator

INPUTS = {"carried_out": 20, "commands": 10}


def damaged(seed: bytes, chance: np.random.Generator) -> bytes:
    """Change a few bytes, or take others where there is nothing to be kept."""
    if seed == bytes(range(64)):
        return chance.bytes(64)
    made = bytearray(seed)
    for _ in range(int(chance.integers(1, 6))):
        at = int(chance.integers(len(made) + 1))
        made[at : at + int(chance.integers(3))] = chance.bytes(int(chance.integers(0, 3)))
    return bytes(made)


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_inputs_end_in_a_result_or_a_sentence(name: str) -> None:
    target, chance = TARGETS[name], generator(7)
    seeds = target.seeds()
    for number in range(INPUTS.get(name, 40)):
        attacked(target, damaged(seeds[number % len(seeds)], chance))


def test_honest_inputs_are_not_refused() -> None:
    for name in ("manifest", "release_csv", "release_parquet", "plan", "hierarchy", "parquet", "excel"):
        for seed in TARGETS[name].seeds():
            assert attacked(TARGETS[name], seed) is None


def _leaks(_data: bytes, _folder: Path) -> None:
    raise DataError(f"The cell is {SECRET}.")


def _breaks(_data: bytes, _folder: Path) -> None:
    raise KeyError("x")


def _leaves(_data: bytes, folder: Path) -> None:
    (folder / "out").mkdir()


@pytest.mark.parametrize("attack", [_leaks, _breaks, _leaves])
def test_the_fuzzer_finds_what_is_wrong(attack: object) -> None:
    with pytest.raises((AssertionError, KeyError)):
        attacked(Target(attack), b"")  # type: ignore[arg-type]


def test_places_are_told_apart() -> None:
    try:
        tk.Categories([])
    except InvalidParameter as error:
        assert fuzz.place_of(error).startswith("InvalidParameter at values.py:")


def test_mangling_changes_something_and_nothing_of_its_own() -> None:
    before = repr(NASTY)
    made = [mangled({"a": [1, {"b": 2}], "c": "x"}, Dice(generator(i).bytes(40))) for i in range(50)]
    assert len({repr(each) for each in made}) > 20
    assert repr(NASTY) == before


# What the fuzzer found.


def test_text_in_parquet_that_is_no_text(tmp_path: Path) -> None:
    broken = pa.StringArray.from_buffers(2, pa.py_buffer(np.array([0, 1, 2], np.int32)), pa.py_buffer(b"\xe3a"))
    pyarrow.parquet.write_table(pa.table({"a": broken}), tmp_path / "t.parquet")
    with pytest.raises(DataError, match="not utf-8 text"):
        read_table(tmp_path / "t.parquet")


def test_a_type_for_a_column_that_is_not_there(tmp_path: Path) -> None:
    columns = tk.Schema(
        [tk.Attribute("sex", domain=tk.Categories(["Female", "Male"])), tk.Attribute("job", "insensitive")]
    )
    made = tk.anonymize(people().select(["sex", "job"]), columns, tk.PkPerturbation(k=2, tells="all"), seed=1)
    made.write(tmp_path / "r", "csv", allow_seeded=True)
    rewrite(tmp_path / "r", lambda content: content["data"]["types"].pop("sex"))
    with pytest.raises(ReleaseError, match="columns that the manifest states"):
        tk.read_release(tmp_path / "r")


@pytest.mark.parametrize("url", ["postgresql://[", "sqlite://[::1", "duckdb://a]b/c"])
def test_addresses_that_cannot_be(url: str) -> None:
    with pytest.raises(PlanError, match="is not valid"):
        tk.Plan.from_toml(
            f'[source]\ndatabase = "{url}"\ntable = "t"\n[schema.a]\nrole = "identifier"\n[method]\nmethod = "pk_perturbation"\nk = 2\n'
        )


def test_steps_that_are_no_list() -> None:
    with pytest.raises(PlanError, match=r"\[\[prepare\]\]"):
        tk.Plan.from_toml(
            'prepare = 5\n[source]\npath = "x"\n[schema.a]\nrole = "identifier"\n[method]\nmethod = "pk_perturbation"\nk = 2\n'
        )


@pytest.mark.parametrize("path", ["x" * 5000 + ".csv", "a\0b.csv"])
def test_paths_that_cannot_be(path: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not exist"):
        read_table(Path(path))
    with pytest.raises(ReleaseError, match="not a release"):
        tk.read_release(path)
    with pytest.raises(PlanError, match="cannot be"):
        tk.Plan.read(path)
    release = tk.anonymize(people(), schema(), tk.PkPerturbation(k=2, tells="all"))
    with pytest.raises(tk.errors.OutputError, match="cannot be"):
        release.write(tmp_path / path)


def test_a_quotation_mark_that_takes_cells_for_a_name(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f'"na\n{SECRET} 5",45\n{SECRET} 6,30\n', encoding="utf-8")
    for read in (read_table, lambda file: Files([file])):
        with pytest.raises(DataError, match="spans several lines") as caught:
            read(tmp_path / "t.csv")
        assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "words", [["compare", "."], ["compare", ""], ["reconstruct", "."], ["compare", "people.csv", "-o", "."]]
)
def test_places_without_a_name(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 1
    assert result.stderr.startswith("tokumei: ")
    assert list(tmp_path.iterdir()) == []
