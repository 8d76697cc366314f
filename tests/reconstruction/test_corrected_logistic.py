"""Logistic regression through noise: the right coefficients, and standard errors that tell the truth."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import tokumei as tk
from tokumei.errors import InvalidParameter, TooNoisy
from tokumei.reconstruction._corrected import Regressors
from tokumei.reconstruction.corrected_logistic import _Loss

SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(18, 90, step=1)),
        tk.Attribute("sex", domain=tk.Categories(["F", "M"])),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)
TRUE = np.array([-3.0, 0.03, 0.8])


def people(rows: int, rng: np.random.Generator) -> pd.DataFrame:
    age, man = rng.integers(18, 91, rows), rng.integers(0, 2, rows)
    odds = TRUE[0] + TRUE[1] * age + TRUE[2] * man
    ill = rng.random(rows) < 1 / (1 + np.exp(-odds))
    return pd.DataFrame({"age": age, "sex": np.array(["F", "M"])[man], "ill": np.array(["no", "yes"])[ill.astype(int)]})


def test_coefficients_come_back_and_standard_errors_are_honest() -> None:
    off, noisy = [], []
    for seed in range(20):
        frame = people(40_000, np.random.default_rng(seed))
        release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=2), seed=seed)
        try:
            model = tk.CorrectedLogisticRegression("ill").fit(release)
        except TooNoisy:  # better than a number that means nothing
            continue
        off.append((np.append(model.intercept_, model.coef_) - TRUE) / model.standard_errors_)
        drawn = release.frame
        naive = LogisticRegression().fit(drawn[["age"]] / 72, drawn["ill"] == "yes")
        noisy.append(float(naive.coef_[0, 0]) / 72)
    assert len(off) >= 14
    scattered = np.array(off)
    assert np.abs(scattered.mean(axis=0)).max() < 3.5 / len(off) ** 0.5
    assert scattered.std(axis=0).min() > 0.6 and scattered.std(axis=0).max() < 1.5
    assert np.mean(noisy) < 0.8 * TRUE[1]  # without the correction noise pulls it towards zero


def test_the_derivatives_are_those_of_the_loss() -> None:
    release = tk.anonymize(people(2000, np.random.default_rng(1)), SCHEMA, tk.PkPerturbation(k=2), seed=1)
    shares = np.ones(2000)
    signs = np.where(release.coded.codes("ill") == 1, 1.0, -1.0)
    loss = _Loss(Regressors.of(release, "ill", None, shares), signs, shares)
    beta = np.array([0.1, -0.4, 0.3])
    parts, hessian = loss.derivatives(beta)
    step = 1e-5 * np.eye(3)
    slopes = [(loss.value(beta + e) - loss.value(beta - e)) / 2e-5 for e in step]
    assert parts.mean(axis=0) == pytest.approx(slopes, rel=1e-6)
    bends = [(loss.derivatives(beta + e)[0] - loss.derivatives(beta - e)[0]).mean(axis=0) / 2e-5 for e in step]
    assert hessian == pytest.approx(np.array(bends), rel=1e-5)


def test_it_predicts_true_rows() -> None:
    release = tk.anonymize(people(40_000, np.random.default_rng(4)), SCHEMA, tk.PkPerturbation(k=2), seed=4)
    model = tk.CorrectedLogisticRegression("ill", ["age", "sex"]).fit(release)
    rows = pd.DataFrame({"age": [20, 88], "sex": ["F", "M"]})
    assert model.predict_proba(rows).sum(axis=1) == pytest.approx([1, 1])
    assert model.decision_function(rows) == pytest.approx(model.intercept_ + np.array([[20, 0], [88, 1]]) @ model.coef_)
    assert list(model.predict(rows)) == ["no", "yes"]
    assert list(model.frame()["term"]) == ["(constant)", "age", "sex=M"]


def test_what_cannot_be_asked() -> None:
    frame = people(300, np.random.default_rng(0))
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=50), seed=1)
    with pytest.raises(InvalidParameter, match="released as it is; 'age' was not"):
        tk.CorrectedLogisticRegression("age").fit(release)
    with pytest.raises(InvalidParameter, match="does not determine so many coefficients"):
        tk.CorrectedLogisticRegression("ill").fit(release)
    healthy = tk.anonymize(frame.assign(ill="no"), SCHEMA, tk.PkPerturbation(k=2), seed=1)
    with pytest.raises(InvalidParameter, match="one value only"):
        tk.CorrectedLogisticRegression("ill").fit(healthy)
