"""Which engine is picked for a table, and that it is said."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet
import pytest

import tokumei as tk
from tests.engines.stream.rows import people, plan_for
from tokumei import memory
from tokumei.engines import picking
from tokumei.engines.picking import PickedEngine, pick_engine
from tokumei.engines.spark import session
from tokumei.errors import InvalidParameter, PlanError
from tokumei.io.batches import Files
from tokumei.plan import Plan
from tokumei.words import Words

METHOD = tk.RecordSuppression(k=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("picked")
    pyarrow.parquet.write_table(people(), made / "people.parquet")
    pyarrow.csv.write_csv(people(), made / "people.csv")
    (made / "people.csv.gz").write_bytes(gzip.compress((made / "people.csv").read_bytes()))
    return made


@pytest.mark.parametrize("file", ["people.parquet", "people.csv", "people.csv.gz"])
def test_the_number_of_rows_is_known_without_reading_them(folder: Path, file: str) -> None:
    assert abs(Files([folder / file]).about() - 3000) <= (0 if file.endswith("parquet") else 200)


@pytest.mark.parametrize("file", ["people.parquet", "people.csv"])
def test_a_table_that_fits_is_held_in_memory(folder: Path, file: str) -> None:
    rows = Files([folder / file])
    takes = picking.PYTHON + picking.CELL * rows.about() * len(rows.columns)
    for allowed, cluster, engine in ((takes, True, "local"), (takes - 1, False, "stream"), (takes - 1, True, "spark")):
        picked, may = pick_engine(rows, allowed, cluster=cluster)
        assert (picked.engine, may) == (engine, allowed)
        assert picked.takes == takes / 1e9


def test_half_of_the_free_memory_may_be_taken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Files([folder / "people.parquet"])
    for free, allowed in ((8 * 10**9, 4 * 10**9), (None, picking.UNKNOWN)):
        monkeypatch.setattr(picking, "free_memory", lambda free=free: free)
        assert pick_engine(rows, None, cluster=False)[1] == allowed


def test_the_limit_of_a_container_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "max").write_text("5000\n")
    (tmp_path / "now").write_text("3000\n")
    monkeypatch.setattr(memory, "LIMITS", ((str(tmp_path / "max"), str(tmp_path / "now")),))
    assert memory.free_memory() == 2000
    (tmp_path / "memory.stat").write_text("anon 1500\ninactive_file 1000\nactive_file 500\n")
    assert memory.free_memory() == 3000
    (tmp_path / "max").write_text("max\n")
    assert (memory.free_memory() or 0) > 2000


def picked_by(release: tk.Release) -> list[str]:
    assert release.record is not None
    return [note.engine for note in release.record.notes if isinstance(note, PickedEngine)]


def test_what_was_picked_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "is_running", lambda: False)
    plan = plan_for(folder / "people.parquet", METHOD)
    assert picked_by(tk.run(plan)) == []  # in memory is as expected
    assert picked_by(tk.run(plan, "auto")) == ["local"]
    monkeypatch.setattr(picking, "CELL", 10**6)
    local, found = tk.run(plan, "local", seed=1), tk.run(plan, seed=1, memory="100MB")
    assert picked_by(found) == ["stream"]
    assert found.guarantees == local.guarantees
    assert found.record is not None
    said = [Words(language).say(found.record.notes[0]) for language in ("en", "ja")]
    assert said[0] == (
        "Engine: stream, on disk. About 3,000 rows would take some 21.3 GB in memory, and 0.1 GB may be used."
    )
    assert "約 3,000 行" in said[1]


def test_blocks_are_for_a_stream(folder: Path) -> None:
    plan = plan_for(folder / "people.parquet", tk.PkPerturbation(k=2, tells="all"))
    assert tk.run(plan, shuffle="blocks").guarantees == tk.run(plan, "stream", shuffle="blocks").guarantees


def test_a_plan_says_how_it_is_run(folder: Path) -> None:
    plan = plan_for(folder / "people.parquet", METHOD)
    assert "[run]" not in plan.to_toml()
    text = plan.to_toml() + '\n[run]\nengine = "stream"\nmemory = "100MB"\n'
    told = Plan.from_toml(text)
    assert (told.run.engine, told.run.memory, told.run.shuffle) == ("stream", "100MB", "rows")
    assert Plan.from_toml(told.to_toml()) == told
    assert not hasattr(tk.run(told, seed=1).held, "num_rows")
    assert hasattr(tk.run(told, "local", seed=1).held, "num_rows")
    with pytest.raises(PlanError, match="engine"):
        Plan.from_toml(text.replace("stream", "cloud"))
    with pytest.raises(InvalidParameter, match="engine must be one of 'auto', 'local', 'stream', 'spark'"):
        tk.run(plan, "cloud")
