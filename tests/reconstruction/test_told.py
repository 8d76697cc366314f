"""Joint tables from rows that tell some columns each, against the likelihood written out row by row."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import tokumei as tk
from tokumei.errors import AssumptionWarning, CoverageWarning

SCHEMA = tk.Schema(
    [
        tk.Attribute("a", domain=tk.Categories(["x", "y"]), missing=True),
        tk.Attribute("b", domain=tk.Numbers(0, 5, step=1)),
        tk.Attribute("c", domain=tk.Categories(["u", "v", "w"])),
        tk.Attribute("z", "sensitive", tk.Categories([False, True])),
    ]
)
PARTS = (tk.tells.Subsets(2, cells=3), tk.tells.Subsets(1))


def people(rows: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    a = rng.choice(["x", "y", None], rows, p=[0.5, 0.3, 0.2])
    b = np.clip(rng.binomial(5, np.where(a == "x", 0.2, 0.7)), 0, 5)
    c = np.where(b > 2, rng.choice(["u", "v"], rows), rng.choice(["v", "w"], rows))
    return pd.DataFrame({"a": a, "b": b, "c": c, "z": rng.random(rows) < np.where(b > 2, 0.8, 0.2)})


def likelihoods(release: tk.Release, columns: list[str]) -> np.ndarray:
    """P(what a released row tells of these columns | true cells), one row per released row: from the manifest's integers."""
    telling: Any = release.mechanism.describe()["telling"]
    sizes = {"a": 3, "b": 6, "c": 3, "z": 2}
    records = list(itertools.product(*(range(sizes[n]) for n in columns)))
    codes = {n: release.coded.codes(n).astype(int) for n in release.schema.names()}
    original = {"a": [0, 1, 2], "b": list(range(6)), "c": [0, 1, 2]}
    made = []
    for row in range(release.rows):
        cluster = telling["clusters"][codes["tells"][row]]
        chance = np.ones(len(records))
        grids = dict(zip(cluster["columns"], cluster["grids"], strict=True))
        mine = [n for n in columns if n in grids]
        same, cells = np.ones(len(records), dtype=bool), 1
        for name in mine:
            starts = telling["columns"][name]["grids"][grids[name]]
            of = [sum(s <= v for s in starts) - 1 if starts else v for v in original[name]]
            cells *= max(of) + 1
            shown = release.frame[name].iloc[row]
            if name == "b" and any(g is not None for g in telling["columns"]["b"]["grids"]):
                low = int(str(shown).strip("[]").split(",")[0])
                told = of[low]
            else:
                told = codes[name][row]
            same &= np.array([of[r[columns.index(name)]] == told for r in records])
        if mine:
            keep, other, size = (cluster["channel"][part] for part in ("keep", "other", "size"))
            kept = keep / (keep + size * other)
            chance *= kept * same + (1 - kept) / cells
        for name in columns:
            if name == "z":
                chance *= [codes["z"][row] == r[columns.index("z")] for r in records]
        made.append(chance)
    return np.array(made)


@pytest.mark.parametrize("columns", [["b"], ["a", "b"], ["a", "c", "z"]])
def test_the_best_likelihood_is_reached(columns: list[str]) -> None:
    release = tk.anonymize(people(250), SCHEMA, tk.PkPerturbation(k=2, tells=PARTS), seed=3)
    found = tk.IterativeBayes(columns, tol=1e-4, max_iter=5000).fit(release)
    chances = likelihoods(release, columns)

    def loss(logs: np.ndarray) -> float:
        p = np.exp(logs - logs.max())
        return -float(np.sum(np.log(chances @ (p / p.sum()))))

    best = minimize(loss, np.zeros(found.pmf_.size), method="L-BFGS-B", options={"maxiter": 5000, "maxfun": 10**6})
    mine = loss(np.log(np.maximum(found.pmf_.ravel(), 1e-300)))
    assert mine <= best.fun + 0.02


def test_tables_come_close_with_many_rows() -> None:
    rows = people(40_000)
    release = tk.anonymize(rows, SCHEMA, tk.PkPerturbation(k=3, tells=2), seed=1)
    found = tk.IterativeBayes(["a", "b"]).fit(release).pmf_
    true = np.zeros((3, 6))
    np.add.at(true, (rows["a"].map({"x": 0, "y": 1}).fillna(2).astype(int), rows["b"]), 1 / len(rows))
    assert 0.5 * np.abs(found - true).sum() < 0.06
    assert found.sum() == pytest.approx(1)


def test_weights_and_strata_count() -> None:
    rows = people(6000)
    strata = tk.samples.Stratified("z", {"False": 600, "True": 1800})
    release = tk.anonymize(rows, SCHEMA, tk.PkPerturbation(k=2, sample=strata, tells=1), seed=1)
    found = tk.IterativeBayes(["z", "b"], smoothing=5).fit(release).pmf_
    assert found.sum(axis=1) == pytest.approx([1 - rows["z"].mean(), rows["z"].mean()], abs=0.01)


def test_columns_that_are_never_told_together_are_said_to_be() -> None:
    release = tk.anonymize(people(500), SCHEMA, tk.PkPerturbation(k=2, tells=1), seed=1)
    with pytest.warns(AssumptionWarning, match="No row tells 'a' and 'c' together"):
        found = tk.IterativeBayes(["a", "c"]).fit(release)
    alone = tk.IterativeBayes(["a"]).fit(release).pmf_
    assert found.pmf_.sum(axis=1) == pytest.approx(alone, abs=1e-3)
    with pytest.warns(CoverageWarning, match="No honest interval: no row tells 'a', 'c' together"):
        found.intervals()
    assert (found.kinds_ == "none").all() and np.isnan(found.low_).all()
    assert (tk.IterativeBayes(["a"]).fit(release).intervals().standard_errors_ > 0).all()


def test_bins_of_told_numbers() -> None:
    schema = tk.Schema(
        [tk.Attribute("n", domain=tk.Numbers(0, 1)), tk.Attribute("c", domain=tk.Categories(["u", "v"]))]
    )
    rng = np.random.default_rng(2)
    rows = pd.DataFrame({"n": rng.beta(2, 5, 20_000), "c": rng.choice(["u", "v"], 20_000)})
    release = tk.anonymize(rows, schema, tk.PkPerturbation(k=3, tells=1), seed=1)
    found = tk.IterativeBayes(["n"], bins={"n": 5}).fit(release).pmf_
    true = np.histogram(rows["n"], 5, (0, 1))[0] / len(rows)
    assert found == pytest.approx(true, abs=0.03)


@pytest.mark.parametrize(
    ("columns", "bins"), [(["b"], None), (["a", "b"], None), (["c", "z"], None), (["b"], {"b": 2})]
)
def test_intervals_hold_as_often_as_they_say(columns: list[str], bins: Any) -> None:
    """Tables drawn from one population again and again: nine of ten intervals hold its share."""
    population = people(200_000, seed=9)
    codes = {
        "a": population["a"].map({"x": 0, "y": 1}).fillna(2).astype(int),
        "b": population["b"] if bins is None else (population["b"] >= 2).astype(int),
        "c": population["c"].map({"u": 0, "v": 1, "w": 2}),
        "z": population["z"].astype(int),
    }
    held = []
    for turn in range(60):
        rows = people(4000, seed=100 + turn)
        release = tk.anonymize(rows, SCHEMA, tk.PkPerturbation(k=3, tells=2), seed=turn)
        found = tk.IterativeBayes(columns, bins=bins, tol=1.0).fit(release).intervals(0.9)
        true = np.zeros(found.pmf_.shape)
        np.add.at(true, tuple(codes[n].to_numpy() for n in columns), 1 / len(population))
        held.append((found.low_ <= true) & (true <= found.high_))
        assert (found.low_ <= found.high_).all()
    assert 0.85 <= np.mean(held) <= 0.95
