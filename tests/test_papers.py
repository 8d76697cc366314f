"""The programs of the papers: what they keep, and the small adversaries that they bring along."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from benchmarks import stored
from benchmarks.papers import density_ratio, paper, sampling


def one_table(run: paper.Run) -> tuple[dict[str, stored.Table], range]:
    return {"all": stored.Table(["seeds"], [[len(run.seeds(4))]])}, run.seeds(4)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stored, "RESULTS", tmp_path)
    monkeypatch.setattr(paper, "PAGES", tmp_path)
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["program", *words])
    paper.main("name", "about", {"first": one_table, "second": one_table})


def test_a_full_run_keeps_its_parts_and_a_quick_one_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, "--quick")
    assert "| 2 |" in capsys.readouterr().out
    assert not list(folder.iterdir())
    run(monkeypatch, "second")
    assert sorted(file.name for file in folder.iterdir()) == ["name_second.json", "name_second_all.csv"]
    facts, tables = stored.read("name_second")
    assert facts["command"] == "python -m benchmarks.papers.name second"
    assert tables["all"].rows == [[4]]
    with pytest.raises(SystemExit):
        run(monkeypatch, "third")


@pytest.mark.parametrize(("n", "known", "m"), [(4, 2, 1), (4, 2, 3), (5, 3, 2), (5, 2, 3)])
def test_the_attacker_who_enumerates_finds_the_closed_form(n: int, known: int, m: int) -> None:
    assert sampling.enumerated(n, known, m) == pytest.approx(float(tk.partial_risk(n, known, m)), rel=1e-9)


def test_the_printed_sum_is_right_over_the_whole_range_only() -> None:
    assert sampling.as_printed(6, 2, 1) == pytest.approx(11 / 27)
    assert sampling.as_printed(6, 4, 2) is None


def test_claims_are_of_values_alone_on_both_sides() -> None:
    value = np.array([0, 1, 1, 2, 3, 0])
    known = np.array([0, 1, 2, 3])  # 1 is known twice
    assert sampling.claims(value, known, np.array([3, 4, 5])) == (2, 1)  # names 0, who was not drawn, and 2, who was
    assert sampling.claims(value, known, np.array([0, 5])) == (0, 0)


def test_areas_are_compared_within_seeds_and_missing_ones_stay_missing() -> None:
    raw, deleted = density_ratio.PERTURBED, density_ratio.DELETED
    rows = [
        (seed, k, name, 0.7 + seed / 10 + (0.01 if name == deleted else 0), 0.5 if name == deleted else None)
        for seed in (0, 1)
        for k in (3, 50)
        for name in (raw, deleted)
        if (name, k) != (deleted, 50)
    ] + [(seed, 50, deleted, float("nan"), 1.0) for seed in (0, 1)]
    by_k, every, gone = density_ratio.summed(pd.DataFrame(rows, columns=density_ratio.HEADS))
    assert by_k.found(deleted)[1:3] == [pytest.approx(0.76), None]
    assert every.found(f"{deleted} / 3")[4:] == [pytest.approx(0.01), pytest.approx(0, abs=1e-12)]
    assert gone.rows == [[deleted, 0.5, 1.0]]
