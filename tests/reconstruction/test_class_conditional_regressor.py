"""Predicting a number by classes: never worse than the mean, and better where there is a signal."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import r2_score

import tokumei as tk
from tokumei.errors import InvalidParameter

SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(18, 90, step=1)),
        tk.Attribute("noise", domain=tk.Categories(["a", "b"])),
        tk.Attribute("pay", "sensitive", tk.Numbers(0, 200, step=1)),
    ]
)


def people(rows: int, seed: int, slope: float) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 91, rows)
    pay = np.clip(80 + slope * (age - 54) + rng.normal(0, 15, rows), 0, 200).round().astype(int)
    return pd.DataFrame({"age": age, "noise": rng.choice(["a", "b"], rows), "pay": pay})


@pytest.mark.parametrize(("slope", "least"), [(1.5, 0.35), (0.0, -0.02)])
def test_it_finds_what_there_is(slope: float, least: float) -> None:
    release = tk.anonymize(people(5000, 1, slope), SCHEMA, tk.PkPerturbation(k=5, tells="all"), seed=1)
    model = tk.ClassConditionalRegressor("pay").fit(release)
    test = people(3000, 2, slope)
    assert r2_score(test["pay"], model.predict(test)) > least
    assert len(model.means_) == 6 and np.all(np.diff(model.means_) > 0)
    assert model.score(test, test["pay"]) == pytest.approx(r2_score(test["pay"], model.predict(test)))
    assert clone(model).get_params() == {"target": "pay", "columns": None, "n_bins": 6, "weights": None}


def test_what_cannot_be_asked() -> None:
    release = tk.anonymize(people(300, 1, 1.0), SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=1)
    for model, message in (
        (tk.ClassConditionalRegressor("age"), "released unchanged"),
        (tk.ClassConditionalRegressor("pay", n_bins=1), "n_bins must be"),
        (tk.ClassConditionalRegressor("pay", ["agee"]), "Did you mean 'age'"),
    ):
        with pytest.raises(InvalidParameter, match=message):
            model.fit(release)
    same = tk.anonymize(people(300, 1, 1.0).assign(pay=7), SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=1)
    with pytest.raises(InvalidParameter, match="only one value"):
        tk.ClassConditionalRegressor("pay").fit(same)


def test_rows_without_an_answer_count_for_nothing() -> None:
    """They were refused, and with them most surveys that ask for income."""
    frame = people(5000, 1, 1.5)
    silent = np.random.default_rng(3).random(5000) < np.where(frame["age"] > 54, 0.6, 0.1)
    frame["pay"] = frame["pay"].astype(float).where(~silent)
    schema = SCHEMA.replacing(tk.Attribute("pay", "sensitive", tk.Numbers(0, 200, step=1), missing=True))
    test = people(3000, 2, 1.5)
    for method in (tk.PkPerturbation(k=5, tells="all"), tk.PkPerturbation(k=5)):
        model = tk.ClassConditionalRegressor("pay").fit(tk.anonymize(frame, schema, method, seed=1))
        assert r2_score(test["pay"], model.predict(test)) > 0.25
        assert np.all(np.diff(model.means_) > 0)
    frame["pay"] = np.nan
    with pytest.raises(InvalidParameter, match="'pay' is missing in every row"):
        tk.ClassConditionalRegressor("pay").fit(tk.anonymize(frame, schema, tk.PkPerturbation(k=5), seed=1))
