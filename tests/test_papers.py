"""The programs of papers: their small examples are worked out right and stored as such, and quick runs keep nothing."""

from __future__ import annotations

import itertools
import math
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import tokumei as tk
from benchmarks import stored
from benchmarks.papers import __main__ as papers
from benchmarks.papers import (
    density_ratio,
    frequencies,
    frequencies_example,
    grouping,
    microaggregation,
    program,
    sampling,
)
from benchmarks.papers import frequencies_nearest as nearest
from benchmarks.papers import frequencies_why as why
from benchmarks.papers import microaggregation_blocks as dicing
from benchmarks.papers import microaggregation_companies as companies
from benchmarks.papers import microaggregation_cut as cutting
from benchmarks.papers import microaggregation_growth as growing
from benchmarks.papers import sampling_more as beyond
from benchmarks.points import mixture, standardised
from benchmarks.stored import Table
from tokumei.partition.microaggregation.path._kernels import best_cut
from tokumei.partition.microaggregation.points import Points

ROWS = standardised(companies.CELLS)
QUICK = program.Run("paper", program.Part(lambda _: {}), quick=True, keep=False)


def same(found: program.Tables, name: str) -> None:
    kept = stored.read(name)[1]
    assert set(kept) == set(found)
    for key, table in found.items():
        assert list(table.columns) == list(kept[key].columns)
        assert table.markdown() == kept[key].markdown(), f"run the part {name} again"


def test_the_companies_are_stored_as_worked_out() -> None:
    same(companies.worked(QUICK), "microaggregation_companies")


def test_table_2_is_table_1_on_one_scale() -> None:
    assert np.abs(ROWS - companies.PRINTED).max() < 0.0011  # its digits are cut off, not rounded
    sample = (companies.CELLS - companies.CELLS.mean(axis=0)) / companies.CELLS.std(axis=0, ddof=1)
    assert np.abs(sample - companies.PRINTED).max() > 0.1


def test_the_path_of_the_companies_goes_to_the_nearest_point_next() -> None:
    _, order, _ = companies.ordered()
    assert sorted(order) == list(range(len(ROWS)))
    assert order[0] == np.square(ROWS).sum(axis=1).argmax()
    for step in range(1, len(order)):
        gaps = np.square(ROWS - ROWS[order[step - 1]]).sum(axis=1)
        assert gaps[order[step]] == min(gaps[order[step:]])


def test_no_cut_of_the_path_loses_less() -> None:
    rows, _, labels = companies.ordered()
    least = math.inf
    for places in itertools.chain.from_iterable(
        itertools.combinations(range(1, len(rows)), count) for count in range(len(rows) // companies.K)
    ):
        ends = [0, *places, len(rows)]
        if min(np.diff(ends)) >= companies.K:
            least = min(least, sum(companies.squares(rows[a:b]) for a, b in itertools.pairwise(ends)))
    groups = companies.groups()
    assert sum(row[-1] for row in groups.rows) == pytest.approx(least)
    assert len(groups.rows) == len(set(labels.tolist()))
    assert sum(len(row[1].split(", ")) for row in groups.rows) == len(rows)


def test_no_groups_of_the_companies_lose_less_than_the_best_found() -> None:
    best = math.inf
    everyone = range(len(ROWS))
    for first in itertools.chain(itertools.combinations(everyone, 3), itertools.combinations(everyone, 4)):
        left = [at for at in everyone if at not in first]
        for second in itertools.chain(itertools.combinations(left, 3), itertools.combinations(left, 4)):
            third = [at for at in left if at not in second]
            if len(third) >= companies.K:
                best = min(best, sum(companies.squares(ROWS[list(each)]) for each in (first, second, third)))
    found = {row[0]: row[2] for row in companies.compared().rows}
    assert found["NearExact"] == pytest.approx(100 * best / np.square(ROWS).sum())
    assert all(loss >= found["NearExact"] - 1e-9 for loss in found.values())


def test_the_released_companies_are_their_centroids() -> None:
    released = {tuple(row) for row in companies.released().rows}
    groups = {
        (round(area), round(staff), len(held.split(", "))) for _, held, area, staff, *_ in companies.groups().rows
    }
    assert released == groups


@pytest.mark.parametrize("k", [2, 5, 9])
def test_both_ways_of_adding_up_cut_alike(k: int) -> None:
    rows = mixture(60, 3)
    assert (best_cut(rows, k) == cutting.cut_anew(rows, k)).all()


def test_exponents_are_slopes() -> None:
    rows = [
        [name, g, n, n, float(n**2), 0.0, None] for name in growing.METHODS for g in ("rows", "k") for n in (2, 4, 8)
    ]
    assert {round(cell, 9) for row in growing.exponents(rows).rows for cell in row[1:]} == {2.0}


def test_the_small_tables_are_stored_as_worked_out() -> None:
    same(frequencies_example.worked(QUICK), "frequencies_example")


def test_statistics_of_groups_pin_the_sixth_row_and_rates_resolve_all_the_same() -> None:
    found = {row[0]: row[1:] for row in frequencies_example.collated().rows}
    assert found["moments"] == [2, 2, 1]
    assert found["rates"] == [2, 2, 0]


def scores(gain: float) -> pd.DataFrame:
    rows = []
    for k, fold in itertools.product((1, 2, 4), range(3)):
        base = {frequencies.EMPTY: 0.7, "leaves": 0.7, "rates": 0.7 + gain, "ancestors": 0.7 + gain}
        rows += [("raw", "LR", name, k, fold, value + fold / 1000) for name, value in base.items()]
    return pd.DataFrame(rows, columns=["test", "learner", "encoder", "k", "fold", "accuracy"])


@pytest.mark.parametrize(("gain", "better", "worse"), [(0.02, 2, 0), (-0.02, 0, 2)])
def test_advantages_count_where_an_encoder_is_better_and_worse(gain: float, better: int, worse: int) -> None:
    row = frequencies.advantages(scores(gain)).found("raw / LR / rates over leaves")
    assert row[3:] == [pytest.approx(100 * gain), pytest.approx(100 * gain), 2, better, worse]
    assert frequencies.over_k(scores(gain)).found("LR / rates")[2] == pytest.approx(70.1 + 100 * gain)


def test_runs_of_numbers() -> None:
    assert frequencies.runs(["20", "17", "18", "19", "30"]) == "17–20, 30"
    assert frequencies.runs(["b", "a"]) == "a, b"


def test_gains_of_rates_are_counted_over_folds() -> None:
    rows = [
        ("LR", encoder, k, fold, 0.7 + fold / 1000 + (0.01 if encoder == nearest.RATES and k > 2 else 0.0))
        for encoder in (nearest.EMPTY, nearest.RATES)
        for k in (1, 2, 4)
        for fold in range(3)
    ]
    found = pd.DataFrame(rows, columns=["learner", "encoder", "k", "fold", "accuracy"])
    assert nearest.gains(found).rows == [["LR", pytest.approx(0), pytest.approx(1), pytest.approx(0.5), 2, 1, 0]]
    assert nearest.over_k(found).found(f"LR / {nearest.RATES}")[2:] == pytest.approx([70.1, 70.1, 71.1])


def test_different_rows_with_weights_are_fitted_as_all_rows_are() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.choice(list("xyz"), 300), "b": rng.choice(list("uv"), 300)})
    frame["t"] = np.where((frame["a"] == "x") ^ (rng.random(300) < 0.2), "yes", "no")
    data = nearest.Data("small", frame, "t", "yes", {"a": [2], "b": [2]})
    encoded = nearest.Encoded.of(frame, data, tk.encoders.LeafEncoder())
    assert encoded.features.shape[0] == 6
    model = encoded.fitted(LogisticRegression(), np.arange(200))
    plain = LogisticRegression().fit(encoded.features[encoded.which[:200]], encoded.target[:200])
    np.testing.assert_allclose(model.coef_, plain.coef_, atol=1e-3)
    right = float(np.mean(plain.predict(encoded.features[encoded.which[200:]]) == encoded.target[200:]))
    assert encoded.accuracy(model, np.arange(200, 300)) == right > 0.6


def test_small_rates_are_left_out_and_the_rest_adds_up_to_one() -> None:
    schema = tk.Schema([tk.Attribute(name, domain=tk.Categories(list("abc"))) for name in "xy"])
    given = {"a": 0.02, "b": 0.49, "c": 0.49}
    cells = pd.DataFrame({"x": ["*", "a"], "y": ["b", "*"]})
    encoder = tk.encoders.RateEncoder(schema, {"x": given, "y": given}).fit(cells)
    made = why.without_small(encoder.transform(cells), encoder).toarray()
    np.testing.assert_allclose(made, [[0, 0.5, 0.5, 0, 1, 0], [1, 0, 0, 0, 0.5, 0.5]])


def test_one_stratum_has_the_risk_of_a_table() -> None:
    for n, known, m in ((4, 2, 1), (4, 1, 2), (5, 2, 2)):
        found = beyond.strongest((n,), (m,), (known,), labels=True)
        assert found == pytest.approx(float(tk.samples.partial_risk(n, known, m)), abs=1e-9)


def test_blocks_are_looked_at_as_they_are() -> None:
    points = Points(mixture(300, 3), 3)
    for name, partition in dicing.WAYS.items():
        (count, scaled, median, most, near, pieces, *_), seconds = dicing.looked(name, points)
        sizes = np.bincount(partition.blocks(points)[0])
        assert (count, most, median) == (len(sizes), sizes.max(), np.median(sizes))
        assert scaled == pytest.approx(count * 3 * 3 / 300)
        assert 1 <= pieces <= count
        assert 0 < near <= 6
        assert seconds > 0


def test_a_quick_run_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(program, "FOLDER", tmp_path / "pages")
    asked: list[bool] = []

    def run(this: program.Run) -> program.Tables:
        asked.append(this.quick)
        return {"t": Table(["n", "s"], [[1, 2.0], [2, 3.0]])}

    def draw(tables: program.Tables) -> dict[str, object]:
        rows = [dict(zip(tables["t"].columns, row, strict=True)) | {"line": "a"} for row in tables["t"].rows]
        return {"picture": tk.plots.curves(rows, x="n", y="s")}

    parts = {"one": program.Part(run, draw), "other": program.Part(run)}
    monkeypatch.setattr("sys.argv", ["x", "one", "--quick"])
    program.main("paper", "A paper.", parts)
    assert asked == [True]
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr("sys.argv", ["x", "one"])
    program.main("paper", "A paper.", parts)
    assert asked == [True, False]
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == [
        "paper_one.json",
        "paper_one_picture.svg",
        "paper_one_t.csv",
    ]
    monkeypatch.setattr("sys.argv", ["x", "one", "--draw", str(tmp_path / "look")])
    program.main("paper", "A paper.", parts)
    assert [path.name for path in (tmp_path / "look").iterdir()] == ["paper_one_picture.png"]
    monkeypatch.setattr("sys.argv", ["x", "three"])
    with pytest.raises(SystemExit):
        program.main("paper", "A paper.", parts)


SHORT = [(name, part) for name, parts in papers.QUICK.items() for part in parts if (name, part) not in papers.LONGER]


@pytest.mark.parametrize(("name", "part"), SHORT)
def test_a_quick_run_makes_the_tables_that_are_stored(name: str, part: str) -> None:
    """Every paper's program is run, on little: its tables and their columns are those that pages and verdicts use."""
    made = import_module(f"benchmarks.papers.{name}").PARTS[part]
    found = made.run(program.Run(name, made, quick=True, keep=False))
    kept = stored.read(f"{name}_{part}")[1]
    assert {key: list(table.columns) for key, table in found.items()} == {
        key: list(table.columns) for key, table in kept.items()
    }
    assert made.draw(kept).keys() == made.draw(found).keys()


PROGRAMS = [density_ratio, frequencies, grouping, microaggregation, sampling]


@pytest.mark.parametrize("paper", PROGRAMS, ids=lambda each: each.__name__)
def test_every_part_is_stored_and_every_picture_shown(paper: ModuleType) -> None:
    name, parts = paper.__name__.rpartition(".")[2], paper.PARTS
    page = (program.FOLDER / f"{name}.md").read_text(encoding="utf-8")
    for picture in program.FOLDER.glob(f"{name}_*.svg"):
        assert f"({picture.name})" in page
    for key in parts:
        facts, _ = stored.read(f"{name}_{key}")
        assert facts["command"].removesuffix(" --quick") == f"python -m benchmarks.papers.{name} {key}"


@pytest.mark.parametrize(("n", "known", "m"), [(4, 2, 1), (4, 2, 3), (5, 3, 2), (5, 2, 3)])
def test_the_attacker_who_enumerates_finds_the_closed_form(n: int, known: int, m: int) -> None:
    assert sampling.enumerated(n, known, m) == pytest.approx(float(tk.samples.partial_risk(n, known, m)), rel=1e-9)


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
