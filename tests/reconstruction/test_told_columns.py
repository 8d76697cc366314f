"""What one told column says about a class, against the likelihood written out row by row; and who refuses told rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import tokumei as tk
from tokumei.errors import AssumptionWarning, InvalidParameter
from tokumei.reconstruction import _told_columns
from tokumei.reconstruction._told_columns import seen_of

SCHEMA = tk.Schema(
    [
        tk.Attribute("a", domain=tk.Categories(["x", "y"]), missing=True),
        tk.Attribute("b", domain=tk.Numbers(0, 5, step=1)),
        tk.Attribute("c", domain=tk.Categories(["u", "v", "w"])),
        tk.Attribute("z", "sensitive", tk.Categories([False, True])),
        tk.Attribute("n", "sensitive", tk.Numbers(0, 9, step=1)),
    ]
)
STATES = {"a": 3, "b": 6, "c": 3}
PARTS = (tk.tells.Subsets(2, cells=3), tk.tells.Subsets(1))


def people(rows: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    z = rng.random(rows) < 0.4
    a = np.where(z, rng.choice(["x", "y", "-"], rows, p=[0.6, 0.2, 0.2]), rng.choice(["x", "y", "-"], rows))
    b = rng.binomial(5, np.where(z, 0.7, 0.3))
    c = rng.choice(["u", "v", "w"], rows)
    n = np.clip(b + rng.integers(0, 5, rows), 0, 9)
    return pd.DataFrame({"a": np.where(a == "-", None, a), "b": b, "c": c, "z": z, "n": n})


def made(rows: int, parts: Any = PARTS, seed: int = 1) -> tk.Release:
    return tk.anonymize(people(rows), SCHEMA, tk.PkPerturbation(k=3, tells=parts), seed=seed)


def _kind(cluster: Any, name: str) -> Any:
    if name not in cluster["columns"]:
        return None
    numbers = (cluster["channel"][part] for part in ("keep", "other", "size"))
    return (cluster["grids"][cluster["columns"].index(name)], *numbers)


def told(release: tk.Release, name: str) -> tuple[np.ndarray, np.ndarray]:
    """P(what a row tells of a column | true value), one line for each row that tells it; and these rows.

    Counted over all tuples of the row's cluster, from the integers of the manifest.
    """
    telling: Any = release.mechanism.describe()["telling"]
    clusters = release.coded.codes("tells").astype(int)
    weights: dict[Any, int] = {}  # clusters with the same grid and the same integers are the same thing to see
    for each in telling["clusters"]:
        weights[_kind(each, name)] = weights.get(_kind(each, name), 0) + each["weight"]
    weights.pop(None, None)
    lines, rows = [], []
    for row, place in enumerate(clusters):
        cluster = telling["clusters"][place]
        if name not in cluster["columns"]:
            continue
        starts = telling["columns"][name]["grids"][cluster["grids"][cluster["columns"].index(name)]]
        size = STATES[name]
        cell_of = [sum(start <= value for start in starts) - 1 for value in range(size)] if starts else range(size)
        code = release.coded.codes(name)[row]
        if release.original(name).domain == release.schema[name].domain:
            cell = list(cell_of)[code]
        else:
            cell = list(cell_of)[int(str(release.frame[name].iloc[row]).strip("[]").split(",")[0])]
        keep, other, tuples = (cluster["channel"][part] for part in ("keep", "other", "size"))
        others = tuples // (max(cell_of) + 1)  # tuples that have one cell of this column
        share = weights[_kind(cluster, name)] / sum(weights.values()) / (keep + tuples * other)
        lines.append([share * (keep * (of == cell) + others * other) for of in cell_of])
        rows.append(row)
    return np.array(lines), np.array(rows)


@pytest.mark.parametrize("name", ["a", "b", "c"])
@pytest.mark.parametrize("parts", [1, 2, PARTS])
def test_each_row_is_seen_through_its_own_cluster(name: str, parts: Any) -> None:
    release = made(300, parts)
    seen = seen_of(release, release.original(name))
    lines, rows = told(release, name)
    assert np.array_equal(seen.rows, rows)
    matrix = seen.conditional.matrix()
    assert matrix.sum(axis=0) == pytest.approx(1)
    assert matrix[seen.shown][:, seen.true_bin] == pytest.approx(lines)
    assert seen.spread.sum() == pytest.approx(len(rows))


def test_clusters_looked_at_together_are_a_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    release = made(300, 2)  # "c" is told with "a" and with "b", whose retentions differ
    apart, attribute = seen_of(release, release.original("c")), release.original("c")
    monkeypatch.setattr(_told_columns, "MOST_KINDS", 1)
    together = seen_of(release, attribute)
    assert (apart.conditional.outputs, together.conditional.outputs) == (6, 3)
    assert together.conditional.matrix() == pytest.approx(apart.conditional.matrix().reshape(2, 3, 3).sum(axis=0))
    assert np.array_equal(together.shown, apart.shown % 3)
    assert np.array_equal(together.spread, apart.spread)


def test_long_numbers_are_looked_at_in_bins() -> None:
    schema = tk.Schema(
        [tk.Attribute("m", domain=tk.Numbers(0, 199, step=1), missing=True), *(SCHEMA[n] for n in ("c", "z"))]
    )
    frame = people(400)[["c", "z"]].assign(m=pd.array([None, *range(199)] * 2, dtype="Int64"))
    whole = tk.tells.Subsets(1, cells={"m": 200})
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=3, tells=[whole]), seed=1)
    seen = seen_of(release, release.original("m"), 12)
    matrix = seen.conditional.matrix()
    assert matrix.shape == (65, 13)
    assert matrix.sum(axis=0) == pytest.approx(1)
    (cluster,) = (each for each in release.mechanism.describe()["telling"]["clusters"] if each["columns"] == ["m"])
    keep, other, size = (cluster["channel"][part] for part in ("keep", "other", "size"))
    missing = release.coded.codes("m")[seen.rows] == 200
    assert size == 201
    assert np.array_equal(seen.shown == 64, missing)
    assert matrix[64, 12] == pytest.approx((keep + other) / (keep + size * other))
    assert matrix[64, 0] == pytest.approx(other / (keep + size * other))


@pytest.mark.parametrize("parts", [1, 2, PARTS, "auto"])
def test_evidence_comes_close_to_that_of_the_original(parts: Any) -> None:
    rows = people(40_000)
    release = tk.anonymize(rows, SCHEMA, tk.PkPerturbation(k=3, tells=parts), seed=1)
    model = tk.ClassConditionalClassifier("z", ["a", "b", "c"]).fit(release)
    codes = {"a": rows["a"].map({"x": 0, "y": 1}).fillna(2).astype(int), "b": rows["b"]}
    for name in ("a", "b"):
        counts = np.stack([np.bincount(codes[name][rows["z"] == z], minlength=STATES[name]) for z in (False, True)])
        logs = np.log(counts / counts.sum(axis=1, keepdims=True))
        found, true = model.evidence_[name][0], logs[1] - logs[0]
        seen = counts.sum(axis=0) / counts.sum()
        off = found - true - seen @ (found - true)
        assert np.sqrt(seen @ off**2) < 0.15 * np.sqrt(seen @ (true - seen @ true) ** 2)
    assert model.signal_["b"] > 0.4
    assert model.signal_["c"] < 0.15
    test = people(5000, seed=9)
    best = roc_auc_score(test["z"], test["b"] + 0.6 * (test["a"] == "x"))
    assert roc_auc_score(test["z"], model.decision_function(test)) > best - 0.01


def test_a_number_is_predicted_from_told_columns() -> None:
    rows, test = people(20_000), people(3000, seed=9)
    release = tk.anonymize(rows, SCHEMA, tk.PkPerturbation(k=3, tells=PARTS), seed=1)
    model = tk.ClassConditionalRegressor("n", ["a", "b", "c"]).fit(release)
    slope, constant = np.polyfit(rows["b"], rows["n"], 1)
    best = np.mean((test["n"] - constant - slope * test["b"]) ** 2)
    assert np.mean((test["n"] - model.predict(test)) ** 2) < 1.1 * best
    assert set(model.evidence_) == {"a", "b", "c"}


def test_the_column_that_says_what_is_told_predicts_nothing() -> None:
    release = made(500)
    model = tk.ClassConditionalClassifier("z").fit(release)
    assert set(model.evidence_) == {"a", "b", "c", "n"}
    with pytest.raises(InvalidParameter, match="'tells' only says which columns a row tells"):
        tk.ClassConditionalClassifier("z", ["tells"]).fit(release)
    with pytest.raises(InvalidParameter, match="nothing to predict"):
        tk.ClassConditionalClassifier("tells").fit(release)


@pytest.mark.parametrize(
    ("model", "target"), [(tk.ClassConditionalClassifier, "a"), (tk.ClassConditionalRegressor, "b")]
)
def test_a_told_target_is_for_the_model_of_the_whole_table(model: Any, target: str) -> None:
    with pytest.raises(InvalidParameter, match=rf"predict it with tk.reconstruct\(release, target='{target}'\)"):
        model(target).fit(made(500))


def test_a_column_that_no_row_tells() -> None:
    part = tk.tells.Subsets
    release = made(40, [part(("a", "b"), weight=10_000), part(("c",), weight=1)])
    assert not release.tells("c").any()
    with pytest.raises(InvalidParameter, match="no released row tells 'c'"):
        tk.ClassConditionalClassifier("z").fit(release)
    assert set(tk.ClassConditionalClassifier("z", ["a"]).fit(release).evidence_) == {"a"}


@pytest.mark.parametrize(
    "model",
    [
        tk.DensityRatio(),
        tk.DensityRatio("linear", backend="torch"),
        tk.DensityRatio(columns=["z"]),
        tk.CorrectedLogisticRegression("z"),
        tk.CorrectedLogisticRegression("z", ["n"]),
        tk.CorrectedLinearRegression("n"),
    ],
)
def test_what_needs_whole_rows_says_what_to_use_instead(model: Any) -> None:
    with pytest.raises(InvalidParameter, match=r"use tk.reconstruct\(release\).*impute\(\).*estimator\(...\)"):
        model.fit(made(200))


def test_tables_of_columns_that_are_never_told_together() -> None:
    model = tk.reconstruct(made(500, 1))
    with pytest.warns(AssumptionWarning, match="No row tells 'a' and 'c' together"):
        found = model.table(["a", "z", "c"])
    assert found.pmf_ == pytest.approx(model.estimated_table(["a", "z", "c"]).pmf_)
    model.table(["a", "z"])  # warnings are errors
    tk.reconstruct(made(500, 2)).table(["a", "c"])
