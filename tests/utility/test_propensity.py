"""Telling released rows from original ones."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from sklearn.linear_model import LogisticRegression

import tokumei as tk
from tokumei.table.coded import encode
from tokumei.utility.features import Features, indicators
from tokumei.utility.lines import line_of
from tokumei.utility.logistic import logistic
from tokumei.utility.pairing import pairing
from tokumei.utility.propensity import Propensity, drawn, propensity
from tokumei.utility.tables import ReleasedTables

SCHEMA = tk.Schema(
    [
        tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 9, step=1)),
        tk.Attribute("town", "quasi_identifier", tk.Categories(["x", "y", "z"])),
    ]
)


def table(rows: int, seed: int, shift: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    ages = np.clip(rng.integers(0, 8, rows) + shift, 0, 9)
    return pa.table({"age": ages, "town": rng.choice(["x", "y", "z"], rows).tolist()})


def told(first: pa.Table, second: pa.Table) -> Propensity:
    release = tk.anonymize(second, SCHEMA, tk.LocalSuppression(k=2), seed=1)  # there is nothing to suppress
    lines = [line_of(attribute, 20) for attribute in SCHEMA]
    return propensity(encode(first, SCHEMA), ReleasedTables(release), lines, np.random.default_rng(0))


def test_rows_drawn_again_have_a_ratio_of_one_and_other_samples_of_two() -> None:
    again, other = [], []
    for seed in range(25):
        original = table(2000, seed)
        rows = np.random.default_rng(seed + 500).integers(0, 2000, 2000)
        again.append(told(original, original.take(pa.array(rows))).ratio)
        other.append(told(original, table(2000, seed + 1000)).ratio)
    assert np.mean(again) == pytest.approx(1, abs=0.3)
    assert np.mean(other) == pytest.approx(2, abs=0.5)


def test_other_people_are_told_apart() -> None:
    found = told(table(2000, 1), table(2000, 2, shift=1))
    assert found.ratio > 10
    assert 0 < found.pmse < found.worst


def test_rows_that_never_occur_are_told_without_fail() -> None:
    found = told(pa.table({"age": [0] * 300, "town": ["x"] * 300}), pa.table({"age": [9] * 300, "town": ["z"] * 300}))
    assert found.share == pytest.approx(1, abs=0.01)


def test_cells_are_drawn_from_what_they_stand_for() -> None:
    release = tk.anonymize(table(200, 1), SCHEMA, tk.Generalization(k=20, partition=tk.partitions.Mondrian()), seed=1)
    both = pairing(table(200, 1), release, SCHEMA)
    tables, rng = ReleasedTables(release), np.random.default_rng(0)
    for line in both.lines:
        covers = release.mechanism.recoding.columns[line.name].covers  # type: ignore[union-attr]
        codes = tables.codes(line)
        draws = np.stack([drawn(tables, line, rng) for _ in range(300)])
        assert all(covers[codes, states].all() for states in draws)
        often = np.bincount(draws.reshape(-1), minlength=line.attribute.states) / draws.size
        np.testing.assert_allclose(often, tables.alone(line), atol=0.01)


def test_the_model_is_scikit_learns() -> None:
    rng = np.random.default_rng(4)
    line = line_of(tk.Attribute("town", "quasi_identifier", tk.Categories(["x", "y", "z"])), 20)
    codes = rng.integers(0, 3, 500)
    yes = (rng.random(500) < np.array([0.2, 0.5, 0.8])[codes]).astype(float)
    features = Features([indicators(line)], [codes])
    mine = logistic(features, yes, 1 - yes, 1.0)
    theirs = LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit(features.part(0, 500), yes)
    np.testing.assert_allclose(mine.coefficients, [*theirs.intercept_, *theirs.coef_[0]], atol=1e-4)
    np.testing.assert_allclose(mine.probabilities, theirs.predict_proba(features.part(0, 500))[:, 1], atol=1e-4)


def test_sums_and_products_of_features_are_those_of_the_rows_written_out() -> None:
    rng = np.random.default_rng(3)
    lookups = [np.eye(4)[:, 1:], np.column_stack([np.eye(3)[:, 1:], [-1.0, 0.0, 1.0]]), rng.normal(size=(5, 2))]
    codes = [rng.integers(0, len(each), 200) for each in lookups]
    features = Features(lookups, codes, [(5, 7), (0, 5)])
    (_, rows), *_ = features.parts()
    written = np.column_stack([each[code] for each, code in zip(lookups, codes, strict=True)])
    written = np.column_stack([written, written[:, 5] * written[:, 7], written[:, 0] * written[:, 5]])
    weights, beta = rng.random(200), rng.normal(size=features.width)
    np.testing.assert_allclose(rows, written)
    np.testing.assert_allclose(features.times(beta), written @ beta, atol=1e-12)
    np.testing.assert_allclose(features.sums(weights), written.T @ weights, atol=1e-12)
    np.testing.assert_allclose(features.gram(weights), written.T @ (written * weights[:, None]), atol=1e-12)
