"""Whether the form of a regression fits: the test statistic by another formula, how often it is wrong, and what a release then says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.stats import chi2

import tokumei as tk
from tokumei.learning import form

FAMILIES = {"linear": sm.families.Gaussian(), "logistic": sm.families.Binomial(), "poisson": sm.families.Poisson()}


def drawn(family: str, rng: np.random.Generator, rows: int = 600, bend: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    x = np.column_stack([np.ones(rows), rng.normal(size=rows), rng.random(rows) < 0.4])
    eta = 0.3 + 0.4 * x[:, 1] - 0.3 * x[:, 2] + bend * x[:, 1] ** 2
    if family == "linear":
        return x, eta + rng.normal(size=rows) * (1 + x[:, 2])  # rows do not vary alike
    return x, (rng.random(rows) < 1 / (1 + np.exp(-eta))).astype(float) if family == "logistic" else rng.poisson(
        np.exp(eta)
    ).astype(float)


@pytest.mark.parametrize("family", FAMILIES)
def test_it_is_the_robust_score_test_of_wooldridge(family: str) -> None:
    """By the other formula: the rows less the squares that a regression of ones on the scores leaves over."""
    x, y = drawn(family, np.random.default_rng(1), bend=0.1)
    fit = sm.GLM(y, x, FAMILIES[family]).fit(tol=1e-12)
    mean, eta = fit.fittedvalues, x @ fit.params
    slope = {"linear": np.ones_like(mean), "logistic": mean * (1 - mean), "poisson": mean}[family]
    products = [x[:, 1] ** 2, x[:, 1] * x[:, 2], eta**3]  # other squares say nothing new
    left = np.column_stack([each - x @ sm.WLS(each, x, weights=slope).fit().params for each in products])
    scores = left * (y - mean)[:, None]
    statistic = len(y) - sm.OLS(np.ones(len(y)), scores).fit().ssr
    found = form.probability(family, x, y, np.ones(len(y)), np.asarray(fit.params))  # type: ignore[arg-type]
    assert found == pytest.approx(chi2.sf(statistic, 3), rel=1e-4)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_right_form_is_seldom_doubted_and_a_wrong_one_is(family: str) -> None:
    rng, right, wrong = np.random.default_rng(2), [], []
    for _ in range(120):
        for bend, into in ((0.0, right), (0.4, wrong)):
            x, y = drawn(family, rng, bend=bend)
            beta = np.asarray(sm.GLM(y, x, FAMILIES[family]).fit().params)
            into.append(form.probability(family, x, y, np.ones(len(y)), beta) < 0.05)  # type: ignore[arg-type]
    assert np.mean(right) < 0.13  # four standard errors above .05
    assert np.mean(wrong) > 0.6


def test_selected_rows_have_no_interval_where_the_form_does_not_fit() -> None:
    rng = np.random.default_rng(3)
    age, sex = rng.binomial(20, 0.4, 3000), rng.choice(["F", "M"], 3000)
    schema = tk.Schema(
        [
            tk.Attribute("age", domain=tk.Numbers(0, 20, step=1)),
            tk.Attribute("sex", domain=tk.Categories(["F", "M"])),
            tk.Attribute("pay", "sensitive", tk.Numbers(0, 400, step=1)),
        ]
    )
    pays = {"straight": 20 + 5 * age, "bent": 20 + age**2}
    for name, mean in pays.items():
        pay = np.clip(np.round(mean + rng.normal(0, 10, 3000)), 0, 400).astype(int)
        frame = pd.DataFrame({"age": age, "sex": sex, "pay": pay})
        found = tk.regress(tk.anonymize(frame, schema, tk.Generalization(k=20), seed=1), "pay ~ age + sex")
        kinds = [each.key for each in found.reasons]
        assert kinds == ([] if name == "straight" else ["regression.form_of_whole_rows"])
        assert (found.standard_error is None) == (name == "bent")
        whole = tk.regress(tk.anonymize(frame, schema, tk.Sampling(2_900, known=50), seed=1), "pay ~ age + sex")
        assert whole.standard_error is not None  # of rows that nobody selected it is the best straight line
