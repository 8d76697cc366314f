"""Where there is too little memory for honest work, it ends in one sentence that says what to do."""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from typer.testing import CliRunner

import tokumei as tk
from benchmarks.fuzz_targets import people, schema
from tests.adversarial.memory import within
from tests.public import public
from tokumei.cli.app import app
from tokumei.errors import NotEnoughMemory, TokumeiError
from tokumei.io.batches import Files
from tokumei.memory import that_fit, within_memory
from tokumei.progress import stage
from tokumei.studio.worker import Worker

FUNCTIONS = {name: found for name, found in public().items() if inspect.isfunction(inspect.unwrap(found))}
TOO_LITTLE = "There is too little memory for this"


def too_much(*_given: Any, **_named: Any) -> Any:
    raise pa.ArrowMemoryError("malloc of size 8589934592 failed")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_of_the_library_says_so(name: str) -> None:
    assert len(FUNCTIONS) > 25
    assert hasattr(FUNCTIONS[name], "__wrapped__"), f"put @within_memory() before {name}"


@pytest.mark.parametrize("problem", [MemoryError(), pa.ArrowMemoryError("malloc of size 1 failed")])
def test_nothing_hangs_on_the_sentence(problem: MemoryError) -> None:
    with pytest.raises(NotEnoughMemory, match=TOO_LITTLE) as caught, within_memory():
        raise problem
    assert isinstance(caught.value, TokumeiError | MemoryError)
    assert caught.value.__context__ is None


def test_another_problem_stays_what_it_is() -> None:
    with pytest.raises(ZeroDivisionError), within_memory():
        _ = 1 / 0


def test_stages_say_so_too() -> None:
    with pytest.raises(NotEnoughMemory), stage("Drawing"):
        raise MemoryError


def test_a_method_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    release = tk.anonymize(people(), schema(), tk.PkPerturbation(k=2, tells="all"), seed=1)
    monkeypatch.setattr("tokumei.reconstruction._parts.table_axis", too_much)
    with pytest.raises(NotEnoughMemory):
        tk.IterativeBayes(["sex"]).fit(release)


def test_rows_on_disk_that_would_not_fit_are_not_brought_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system that lends more memory than it has ends the process without a word, so what rows would take is worked out first."""
    pa.csv.write_csv(people(), tmp_path / "t.csv")
    plan = tk.Plan({"path": str(tmp_path / "t.csv")}, schema(), tk.PkPerturbation(k=2, tells="all"))
    local, release = (tk.run(plan, engine, seed=1) for engine in ("local", "stream"))
    needed = local.table.nbytes
    monkeypatch.setattr("tokumei.memory.free_memory", lambda: needed // 2)
    for look in (lambda: release.table, lambda: release.frame, lambda: tk.attack(people(), release)):
        with pytest.raises(NotEnoughMemory, match="would take about .* Write the release"):
            look()
    assert sum(release.counted("age").column("count").to_pylist()) == release.rows
    release.write(tmp_path / "r", allow_seeded=True)
    assert local.table.num_rows == release.rows
    monkeypatch.setattr("tokumei.memory.free_memory", lambda: 2 * needed)
    assert release.table.num_rows == release.rows


def test_rows_that_come_in_one_piece_are_not_asked_for_where_their_types_say_that_they_would_not_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A cluster sends all rows at once: what they take cannot be seen on the first of them."""
    types = pa.schema(
        {"age": pa.int64(), "sex": pa.dictionary(pa.int8(), pa.utf8()), "note": pa.utf8(), "late": pa.bool_()}
    )
    whole = pa.table({"age": [1, 2], "sex": ["f", "m"], "note": ["", ""], "late": [True, False]}).cast(types)
    asked_for = []

    def pieces() -> Iterator[pa.Table]:
        asked_for.append(True)
        yield whole

    rows = 10**9
    monkeypatch.setattr("tokumei.memory.free_memory", lambda: 13 * rows)  # 8 + 1 + 4 + 1/8 bytes are more
    with pytest.raises(NotEnoughMemory, match=r"1,000,000,000 rows would take about 13\.12 GB of it or more"):
        next(that_fit(pieces(), rows, types))
    assert not asked_for
    assert sum(piece.num_rows for piece in that_fit(pieces(), 2, types)) == 2


def test_the_first_rows_do_not_stand_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokumei.memory.free_memory", lambda: 10**7)
    first, others = pa.table({"note": ["x" * 3000]}), pa.table({"note": ["y"] * 10**6})
    rows = first.num_rows + others.num_rows
    for pieces in ([first, others], [others, first]):
        assert sum(piece.num_rows for piece in that_fit(pieces, rows, first.schema)) == rows


def test_reading_is_not_taken_for_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = tk.anonymize(people(), schema(), tk.PkPerturbation(k=2, tells="all"), seed=1)
    release.write(tmp_path / "r", allow_seeded=True)
    pa.csv.write_csv(people(), tmp_path / "t.csv")
    monkeypatch.setattr("tokumei.io.parquet.ParquetCells.read", too_much)
    monkeypatch.setattr("tokumei.io.source._read_csv", too_much)
    monkeypatch.setattr("tokumei.io.batches.Files._csv", too_much)
    with pytest.raises(NotEnoughMemory):
        tk.read_release(tmp_path / "r")
    with pytest.raises(NotEnoughMemory):
        tk.run(tk.Plan({"path": str(tmp_path / "t.csv")}, schema(), tk.PkPerturbation(k=2, tells="all")))
    with pytest.raises(MemoryError):
        list(Files([tmp_path / "t.csv"]).batches(["age"], 10))


def test_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pa.csv.write_csv(people(), tmp_path / "t.csv")
    monkeypatch.setattr("tokumei.risk.check.singling_out", too_much)
    result = CliRunner().invoke(app, ["check", str(tmp_path / "t.csv"), "--qi", "age"])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"tokumei: {TOO_LITTLE}")
    assert len(result.stderr.splitlines()) == 1


def test_the_studio() -> None:
    worker = Worker()
    try:
        with pytest.raises(NotEnoughMemory):
            asyncio.run(worker.do("open", too_much))
    finally:
        worker.close()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded by a means of Linux")
def test_a_table_that_does_not_fit() -> None:
    """Not a file that lies, but rows that are too many for the machine."""
    before = (
        "columns = tk.Schema([tk.Attribute('a', domain=tk.Numbers(0, 90, step=1))]); "
        "rows = pyarrow.table({'a': numpy.zeros(2**22, numpy.int64)}); "
        "tk.anonymize(rows.slice(0, 100), columns, tk.PkPerturbation(k=2))"
    )
    (said,) = within(24, "tk.anonymize(rows, columns, tk.PkPerturbation(k=2))", before=before)
    assert said.startswith(TOO_LITTLE)
