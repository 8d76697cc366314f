"""The board of whole jobs: nothing is left out, limits are kept, and growth is what the seconds say."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import job_tables, jobs, stored
from tokumei.plan import Plan


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stored, "RESULTS", tmp_path)
    return tmp_path


def test_every_plan_can_be_run(tmp_path: Path) -> None:
    place = jobs.prepare(tmp_path, 300, 8)
    for method in jobs.METHODS:
        plan = Plan.read(place / method / "plan.toml")
        assert plan.method.method in jobs.METHODS[method]
        known = 3 if method == "records left out" else 7
        assert len(plan.schema.names("quasi_identifier")) == known
    assert {job for job, _ in jobs.jobs()} >= {
        "release",
        "report",
        "assess",
        "attack",
        "compare",
        "frontier",
        "reconstruct",
    }


def test_a_job_over_its_limit_is_said_to_be(tmp_path: Path) -> None:
    assert jobs.run([sys.executable, "-c", "while True: pass"], 1, str(tmp_path))[0] == "over 1 s"
    busy = "import time\nwhile time.process_time() < 0.5: pass"  # the system's limit goes by ticks, which err on a busy machine
    ended, cpu, memory = jobs.run([sys.executable, "-c", busy], 5, str(tmp_path))
    assert ended == "done"
    assert 0.5 <= cpu < 5
    assert memory > 1
    assert jobs.run([sys.executable, "-c", "raise SystemExit(2)"], 5, str(tmp_path))[0] == "refused"


def test_growth_is_measured_from_the_start_on(kept: Path) -> None:
    found = {}
    for wide, factor in ((8, 1.0), (30, 30 / 8)):
        for rows in (1000, 10_000):
            found["start", "", rows, wide] = ["done", 1.0, 100.0, rows / 1000]
            found["read and code", "", rows, wide] = ["done", 1.5, 110.0, rows / 1000]
            found["job", "m", rows, wide] = ["done", 1 + factor * rows**2 / 1e6, 100 + rows / 500, rows / 1000]
    found["job", "n", 1000, 8] = ["over 90 s", 90.0, 200.0, 1.0]
    job_tables.keep(found, [("job", "m"), ("job", "n")], (1000, 10_000), (8, 30))
    tables = stored.read("jobs")[1]
    slow = tables["growth"].rows[0]
    assert slow[2:5] == pytest.approx([2, 2, 1])
    assert slow[5] == "24,000 (extrapolated)"  # 10,000 times the root of 600 over 100
    assert tables["memory"].rows[0][2:4] == pytest.approx([2, 2])
    assert tables["times"].rows[0][2] == pytest.approx(2 / 1.5)
    assert tables["seconds"].rows[1][2:] == ["over 90 s", None, None, None]
    assert tables["missing"].rows == [["job", "n", "10,000 × 8; 1,000 × 30; 10,000 × 30"]]
