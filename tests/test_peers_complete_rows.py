"""Complete rows on the peers' board: the epsilon that is compared, how rows are read and judged, and what is said of those who fail."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from benchmarks import stored
from benchmarks.common_grid import CommonGrid
from benchmarks.peers import complete_rows as measures
from benchmarks.peers import job_complete_rows as job
from benchmarks.peers.bench import Bench
from benchmarks.peers.contest import Limits, Outcome, Run
from benchmarks.peers.environments import Environment
from benchmarks.peers.sides import ours
from benchmarks.ten_columns import COLUMNS, RELEASED

GONE = Environment(Path("nowhere"), {}, "could not be installed: why")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    here = Environment(Path(sys.executable), {})
    return Bench(tmp_path, True, Limits(), environments={"tokumei": here, "sdv": GONE, "dpmm": GONE})


@pytest.fixture
def grid() -> CommonGrid:
    """Ten columns of two values, without Adult."""
    made = CommonGrid.__new__(CommonGrid)
    made.sizes = [2] * len(COLUMNS)
    return made


def rows(seed: int, count: int = 600) -> Any:
    """Rows whose target follows from the first two columns, mostly; all other columns are coins."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (count, len(COLUMNS)))
    target = (codes[:, 0] ^ codes[:, 1]) ^ (rng.random(count) < 0.1)
    return np.column_stack([codes, target])


def test_the_closed_form_of_shuffling() -> None:
    local = measures.local_epsilon(10, RELEASED)
    assert local == pytest.approx(3.7502, abs=1e-4)
    found = measures.shuffled_epsilon(local, RELEASED, 1e-6)
    # theorem 3.1, written out again
    odds = 42.531
    by_hand = math.log(1 + 41.531 / 43.531 * (8 * (odds * 15.2018) ** 0.5 / 16_281**0.5 + 8 * odds / 16_281))
    assert found == pytest.approx(by_hand, abs=1e-4)
    assert found == pytest.approx(0.933, abs=5e-4)
    most = math.log(RELEASED / (16 * math.log(2e6)))
    assert measures.shuffled_epsilon(most - 1e-9, RELEASED, 1e-6) is not None
    assert measures.shuffled_epsilon(most + 1e-9, RELEASED, 1e-6) is None
    assert measures.shuffled_epsilon(local, 3_900, 1e-6) is None  # the rows with one income alone hide nobody this way
    assert all(measures.shuffled_epsilon(each, 300, 1e-6) <= each for each in (0.01, 0.1, 0.25))  # type: ignore[operator]


def test_cells_are_read_as_places(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    domains = {"age": [0, 1, 2], "sex": ["Female", "None"]}
    pd.DataFrame({"sex": ["None", "Female"], "age": [2.0, 0.0]}).to_csv(path, index=False)
    assert measures.places(path, domains).tolist() == [[2, 1], [0, 0]]
    pd.DataFrame({"sex": ["None", "Female"], "age": [3, 0]}).to_csv(path, index=False)
    with pytest.raises(ValueError, match="1 cells of age are not in its domain"):
        measures.places(path, domains)


def test_rows_are_judged_by_tables_and_models(grid: CommonGrid) -> None:
    true, test = rows(1), rows(2)
    same = measures.judged(grid, np.vstack([true] * 3), true, test)
    assert (same.two_way, same.three_way) == (0, 0)
    assert same.boosting == pytest.approx(same.boosting_of_one, abs=0.02)
    assert same.boosting > 0.85 > 0.65 > same.regression  # no line separates them
    # one column that is always the same: of 45 tables 9 have it, and of 120 tables of three 36
    constant = true.copy()
    constant[:, 4] = 0
    moved = float(true[:, 4].mean())
    found = measures.judged(grid, constant, true, test)
    assert found.two_way == pytest.approx(moved * 9 / 45)
    assert found.three_way == pytest.approx(moved * 36 / 120)
    shuffled = true.copy()
    shuffled[:, -1] = np.random.default_rng(3).permutation(shuffled[:, -1])
    assert measures.judged(grid, shuffled, true, test).boosting < 0.65


def test_only_lines_that_perturb_every_column_claim_differential_privacy(bench: Bench) -> None:
    found = job.lines(bench, 0.9327)
    assert found[0].entrant.name == "tokumei, one thing a row, k = 10"
    for line in found:
        perturbed = line.entrant.settings.get("settings", {}).get("kept") == "perturb"
        claims = "differential privacy, ε = 0.93" in line.promise
        assert claims == (perturbed or line.entrant.name.startswith("dpmm"))
        assert claims or line.promise == "nothing" or job.INCOME in line.promise
    assert not any("dpmm" in line.entrant.name for line in job.lines(bench, None))


def test_who_fails_or_did_not_run_is_told_as_such(bench: Bench, tmp_path: Path) -> None:
    first, *_, last = everybody = job.lines(bench, 0.9327)
    original = {100: measures.Quality(0, 0, 0.9, 0.95, 0.95, 0.9, 0.95), 101: measures.Quality(0, 0, 1, 1, 1, 1, 1)}
    for seed, seconds, regression in ((100, 2.0, 0.8), (101, 4.0, 0.96)):
        first.outcomes.append(Outcome(first.entrant, (Run(seconds, 5.0, 300.0),), 1.0, 0.0, tmp_path))
        first.qualities[seed] = measures.Quality(0.1, 0.2, regression, 0.9, 0.9, 0.7, 0.7)
    last.outcomes.append(Outcome(last.entrant, (Run(failure=GONE.failure),), None, None, tmp_path))
    assert [line.remark for line in (first, everybody[1], last)] == ["", "not run", "could not be installed: why"]
    table = job.compared(everybody, original)
    found = dict(zip(table.columns, table.found(first.entrant.name), strict=True))
    assert found["lost, LR"] == pytest.approx(0.07)
    assert found["± LR"] == pytest.approx(0.03)
    assert found["seeds"] == 2
    failed = dict(zip(table.columns, table.found(last.entrant.name), strict=True))
    assert failed["remark"] == "could not be installed: why"
    assert failed["AUC, LR"] is None and failed["seeds"] == 0
    assert job.costs(everybody).found(first.entrant.name)[1:4] == [3.0, 1.0, 0.0]
    assert job.costs(everybody).found(last.entrant.name)[-1] == "could not be installed: why"
    assert [row[0] for row in job.by_copies(everybody, original).rows] == [first.entrant.name]


@pytest.mark.parametrize("copies", [0, 2])
def test_our_side_makes_complete_rows(tmp_path: Path, copies: int) -> None:
    rng = np.random.default_rng(4)
    labels = np.array(["None", "some", "more", "much"])
    frame = pd.DataFrame({"age": rng.integers(0, 5, 300), "work": labels[rng.integers(0, 4, 300)], "income": "False"})
    frame.loc[:149, "income"] = "True"
    frame.to_csv(tmp_path / "data.csv", index=False)
    domains = {"age": list(range(5)), "work": labels.tolist(), "income": ["False", "True"]}
    request = {
        "data": str(tmp_path / "data.csv"),
        "domains": domains,
        "ordered": ["age"],
        "groups": {"work": {"little": ["None", "some"], "lots": ["more", "much"]}},
        "sensitive": "income",
        "seed": 5,
        "method": "PkPerturbation" if copies else "Microaggregation",
        "settings": {"k": 5},
        "copies": copies,
    }
    work, told = ours.complete_rows(request)
    facts = told(work(), tmp_path)
    made = measures.places(tmp_path / "rows.csv", domains)
    assert made.shape == (300 * max(copies, 1), 3)
    assert made[:, 2].mean() == 0.5
    if copies:
        assert facts["epsilon"] == pytest.approx(measures.local_epsilon(5, 300), abs=1e-6)


def test_the_stored_board_has_everybody_at_the_same_epsilon(bench: Bench) -> None:
    epsilon = measures.shuffled_epsilon(measures.local_epsilon(job.SAME, RELEASED), RELEASED, job.DELTA)
    table = stored.read("peers_complete_rows")[1]["rows"]
    assert {tuple(row[:2]) for row in table.rows} == {
        ("the original rows", "nothing"),
        *((line.entrant.name, line.promise) for line in job.lines(bench, epsilon)),
    }
