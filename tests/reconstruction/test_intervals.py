"""Intervals of shares hold the truth as often as they say, under strong noise too; where they may not, they say so."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import tokumei as tk
from tokumei.cli.app import app
from tokumei.errors import CoverageWarning, InvalidParameter
from tokumei.mechanism.coarsening import Coarsened
from tokumei.mechanism.grid_laplace import FlaggedGridLaplace, GridLaplace
from tokumei.mechanism.retention import Retention
from tokumei.mechanism.transition_matrix import TransitionMatrix
from tokumei.reconstruction._functionals import told
from tokumei.reconstruction._problems import LeftOpen
from tokumei.table.bins import equal_edges


def schema_of(shape: tuple[int, ...]) -> tk.Schema:
    return tk.Schema([tk.Attribute(f"c{at}", domain=tk.Categories(list(range(size)))) for at, size in enumerate(shape)])


def rows_of(counts: np.ndarray) -> pd.DataFrame:
    cells = np.unravel_index(np.repeat(np.arange(counts.size), counts.ravel()), counts.shape)
    return pd.DataFrame({f"c{at}": codes for at, codes in enumerate(cells)})


def inside(model: tk.IterativeBayes, truth: np.ndarray) -> np.ndarray:
    assert (model.kinds_ != "none").all()
    shown = np.asarray(model.frame()["share"]).reshape(truth.shape)
    assert (model.low_ <= shown).all() and (shown <= model.high_).all()
    return (model.low_ <= truth + 1e-12) & (truth - 1e-12 <= model.high_)


@pytest.mark.parametrize(("k", "rows"), [(2.0, 1000), (30.0, 3000)])
def test_they_hold_under_strong_noise(k: float, rows: int) -> None:
    """Seeded. Most cells are nearly empty, so the likeliest table has many zeros; rows drawn again would have them too."""
    shape = (4, 6, 5)
    share = np.random.default_rng(3).dirichlet(np.full(120, 0.15)).reshape(shape)
    of_people, of_table, drawn = [], [], []
    for seed in range(12):
        counts = np.random.default_rng(seed).multinomial(rows, share.ravel()).reshape(shape)
        release = tk.anonymize(rows_of(counts), schema_of(shape), tk.PkPerturbation(k=k, tells="all"), seed=seed)
        model = tk.IterativeBayes(["c0", "c1", "c2"], max_iter=100, tol=1.0).fit(release)
        of_people.append(inside(model.intervals(), share))
        wide = model.high_ - model.low_
        of_table.append(inside(model.intervals(about="table"), counts / rows))
        drawn.append(wide.mean())
        assert (model.high_ - model.low_ <= wide + 1e-9).all()
    assert 0.92 < np.mean(of_people) < 0.98
    assert 0.92 < np.mean(of_table) < 0.98
    large = share > 0.02
    assert np.mean(np.array(of_people)[:, large]) > 0.9
    assert np.mean(drawn) < 0.95  # and they still tell something


def test_without_noise_the_table_is_known_and_the_population_is_not() -> None:
    counts = np.array([[60, 0, 1], [30, 8, 1]])
    release = tk.anonymize(rows_of(counts), schema_of((2, 3)), tk.Sampling(100, known=1), seed=1)
    model = tk.IterativeBayes(["c0", "c1"]).fit(release)
    model.intervals(about="table")
    assert model.low_ == pytest.approx(counts / 100) and model.high_ == pytest.approx(counts / 100)
    model.intervals()
    assert model.standard_errors_ == pytest.approx(np.sqrt(counts / 100 * (1 - counts / 100) / 100), abs=1e-9)
    assert model.low_[0, 0] < 0.52 and 0.68 < model.high_[0, 0] < 0.72
    assert model.low_[0, 1] < 1e-9 and 0.03 < model.high_[0, 1] < 0.06  # nobody was seen there, which is not nothing


def test_of_a_sample_only_those_not_drawn_are_open() -> None:
    release = tk.anonymize(rows_of(np.array([600, 300, 100])), schema_of((3,)), tk.Sampling(500, known=1), seed=1)
    model = tk.IterativeBayes(["c0"]).fit(release)
    errors = model.intervals().standard_errors_
    assert model.intervals(about="table").standard_errors_ == pytest.approx(errors * 0.5**0.5)


LAPLACE = GridLaplace(40, 2**64 - 2**62, 4)
CHANNELS = {
    "retention": Retention(7, 2**20, 2**21, 32),
    "grid": LAPLACE,
    "grid with missing": FlaggedGridLaplace(9, 2**63, 0, 2**30),
    "matrix": TransitionMatrix(((2**31, 2**30, 2**30), (2**29, 2**32 - 2**30, 2**29), (0, 2**31, 2**31))),
    "bins": Coarsened(LAPLACE, np.arange(40) // 8, np.arange(40) // 2),
}


@pytest.mark.parametrize("name", CHANNELS)
def test_functions_mean_what_they_should(name: str) -> None:
    channel = CHANNELS[name]
    found = told(channel, np.ones(channel.outputs))
    assert found.exact and found.sharp
    table = found.upper.along(np.eye(channel.outputs), 0)
    matrix = channel.matrix()
    assert table @ matrix == pytest.approx(np.eye(channel.size), abs=1e-6)
    assert found.upper.along(np.eye(channel.outputs), 0, 2) == pytest.approx(table**2)
    assert found.upper.own == pytest.approx(np.diag(table**2 @ matrix))
    assert found.upper.largest == pytest.approx(np.abs(table).max(axis=1))


@pytest.mark.parametrize(
    "channel",
    [
        Retention(4, 2**30, 0, 32),
        TransitionMatrix(((2**31, 2**31, 0), (2**31, 2**31, 0), (0, 2**31, 2**31))),
        Coarsened(Retention(4, 2**30, 0, 32), np.array([0, 0, 1, 1]), np.arange(4)),
    ],
)
def test_what_is_lost_for_good_is_bounded(channel: Retention) -> None:
    found = told(channel, np.ones(channel.outputs))
    matrix = channel.matrix()
    assert not found.exact
    for side, sign in ((found.lower, -1), (found.upper, 1)):
        means = side.along(np.eye(channel.outputs), 0) @ matrix
        assert (sign * (means - np.eye(channel.size)) >= -1e-12).all()


def test_labels_that_stand_for_several_values_leave_these_open() -> None:
    """Most of age 20-29 are 21 in truth, and nothing in the release tells: an even guess must not look certain."""
    ages = tk.Hierarchy.intervals([20, 30, 40])
    schema = tk.Schema(
        [
            tk.Attribute("age", domain=tk.Numbers(20, 39, step=1), hierarchy=ages),
            tk.Attribute("ill", "sensitive", tk.Categories([0, 1])),
        ]
    )
    frame = pd.DataFrame({"age": [21] * 50 + list(range(20, 30)) + [35] * 40, "ill": [0, 1] * 50})
    method = tk.Generalization(k=5, partition=tk.partitions.Optimal())
    model = tk.IterativeBayes(["age"]).fit(tk.anonymize(frame, schema, method)).intervals()
    share = np.bincount(frame["age"] - 20, minlength=20) / 100
    assert inside(model, share).all()
    assert model.pmf_[1] < 0.1 and model.low_[1] == 0 and share[1] == 0.51
    binned = tk.IterativeBayes(["age"], bins={"age": [20, 25, 30, 40]}).fit(tk.anonymize(frame, schema, method))
    assert inside(binned.intervals(about="table"), np.array([0.55, 0.05, 0.4])).all()
    assert binned.low_[2] == pytest.approx(0.4) and binned.kinds_.tolist() == ["bounds", "bounds", "exact"]


@pytest.mark.parametrize("overlap", [False, True])
def test_rows_recoded_in_groups_are_counted_as_surely_or_possibly_there(overlap: bool) -> None:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"age": np.minimum(rng.geometric(0.1, 400), 49), "town": rng.integers(0, 4, 400)})
    schema = tk.Schema(
        [
            tk.Attribute("age", domain=tk.Numbers(0, 49, step=1)),
            tk.Attribute("town", domain=tk.Categories([0, 1, 2, 3], ordered=True)),
        ]
    )
    partition = tk.partitions.TopDown() if overlap else tk.partitions.Mondrian()
    release = tk.anonymize(frame, schema, tk.Generalization(k=5, partition=partition), seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.errors.TokumeiWarning)
        model = tk.IterativeBayes(["age", "town"], assume="coarsened at random" if overlap else None).fit(release)
    model.intervals(about="table")
    truth = np.zeros((50, 4))
    np.add.at(truth, (frame["age"], frame["town"]), 1 / 400)
    assert inside(model, truth).all()
    assert (model.high_ - model.low_).mean() < 0.2


def test_rows_perturbed_in_groups() -> None:
    """Seeded: groups have channels of their own, and their estimates add up."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"age": rng.integers(0, 40, 1500), "town": rng.integers(0, 4, 1500)})
    frame["town"] = np.where(frame["age"] < 10, 0, frame["town"])
    schema = tk.Schema(
        [
            tk.Attribute("age", domain=tk.Numbers(0, 39, step=1)),
            tk.Attribute("town", domain=tk.Categories([0, 1, 2, 3])),
        ]
    )
    truth = np.bincount(frame["town"]) / 1500
    held = []
    for seed in range(24):
        method = tk.GroupedPkPerturbation(k=2, partition=tk.partitions.Mondrian(min_size=300))
        release = tk.anonymize(frame, schema, method, seed=seed)
        model = tk.IterativeBayes(["town"]).fit(release).intervals(about="table")
        held.append(inside(model, truth))
        assert (model.high_ - model.low_).max() < 0.5
    assert np.mean(held) > 0.85


HOURS = np.clip(np.random.default_rng(0).normal(40, 9, 20_000).round(), 1, 99).astype(int)
HOURS[: 20_000 // 2] = 40  # half of all work forty hours
WORK = tk.Schema(
    [tk.Attribute("hours", domain=tk.Numbers(1, 99, step=1)), tk.Attribute("sex", domain=tk.Categories([0, 1]))]
)


def worked(kept: bool = False) -> tk.Release:
    frame = pd.DataFrame({"hours": HOURS, "sex": np.arange(20_000) % 2})
    schema = WORK.replacing(tk.Attribute("hours", "sensitive", WORK["hours"].domain)) if kept else WORK
    return tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"), seed=1)


def in_bins(bins: int) -> np.ndarray:
    domain = WORK["hours"].domain
    _, bin_of = tk.Hierarchy.intervals(equal_edges(domain, bins, "hours")).coarsen(domain, 1)
    return np.bincount(bin_of[HOURS - 1], minlength=bins) / len(HOURS)


def test_wide_bins_after_much_noise_have_no_interval() -> None:
    release = worked()
    model = tk.IterativeBayes(["hours"], bins={"hours": 4}, tol=0.1).fit(release)
    with pytest.warns(CoverageWarning, match=r"No honest interval .* within their bins.*Ask for more bins"):
        model.intervals()
    assert model.kinds_.tolist() == ["none"] * 4 and np.isnan(model.low_).all()
    assert model.frame()["interval"].tolist() == ["none"] * 4
    fine = tk.IterativeBayes(["hours"], bins={"hours": 24}, tol=0.1).fit(release)
    with pytest.warns(CoverageWarning):
        fine.intervals(about="table")
    with warnings.catch_warnings():
        warnings.simplefilter("error", CoverageWarning)
        kept = tk.IterativeBayes(["hours"], bins={"hours": 4}).fit(worked(kept=True)).intervals(about="table")
    there = fine.kinds_ == "interval"
    assert LeftOpen in [type(each) for each in fine.reasons_] and not there.all()
    assert np.isnan(fine.low_[~there]).all() and (fine.low_[there] < fine.high_[there]).all()
    assert kept.pmf_ == pytest.approx(in_bins(4))
    assert kept.low_ == pytest.approx(kept.pmf_)


def test_a_long_column_released_as_it_is_is_counted_as_it_is() -> None:
    """Bins of released values would cut across those asked for."""
    frame = pd.DataFrame({"pay": np.repeat([0, 499, 500, 501, 1000], [3, 4, 5, 6, 7]), "sex": [0] * 25})
    schema = tk.Schema(
        [
            tk.Attribute("pay", "sensitive", tk.Numbers(0, 1000, step=1)),
            tk.Attribute("sex", domain=tk.Categories([0, 1])),
        ]
    )
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"), seed=1)
    model = tk.IterativeBayes(["pay"], bins={"pay": [0, 500, 501, 1000]}).fit(release)
    assert model.counts_ == pytest.approx([7, 5, 13])


def test_the_command_line_says_where_there_is_no_honest_interval(tmp_path: Path) -> None:
    worked().write(tmp_path / "out", allow_seeded=True)
    asked = ["reconstruct", str(tmp_path / "out"), "--columns", "hours", "--tol", "0.1"]
    wide = CliRunner().invoke(app, [*asked, "--bins", "hours=4"])
    assert wide.exit_code == 0 and wide.stdout.count("no honest interval\n") == 4
    assert "90% interval of the share" in wide.stdout and "Ask for more bins." in wide.stdout.replace("\n", " ")
    fine = CliRunner().invoke(app, [*asked, "--bins", "hours=24"])
    assert fine.exit_code == 0 and "the noise leaves them open" in fine.stdout.replace("\n", " ")
    told_in_json = json.loads(CliRunner().invoke(app, [*asked, "--bins", "hours=4", "--json"]).stdout)
    assert [cell["interval"] for cell in told_in_json["cells"]] == ["none"] * 4
    assert told_in_json["cells"][0]["low"] is None
    assert told_in_json["reasons"] == [{"key": "problem.wider_than_bins"}]


def test_what_cannot_be_asked() -> None:
    release = tk.anonymize(pa.table({"c0": [0, 1] * 20}), schema_of((2,)), tk.PkPerturbation(k=2, tells="all"), seed=1)
    model = tk.IterativeBayes(["c0"]).fit(release)
    for level in (2, 0.0, "0.9"):
        with pytest.raises(InvalidParameter, match="level must lie between 0 and 1"):
            model.intervals(level=level)
    with pytest.raises(InvalidParameter, match="about must be 'population' or 'table'"):
        model.intervals(about="people")
    assert (model.intervals(level=0.5).low_ >= model.intervals(level=0.99).low_).all()
