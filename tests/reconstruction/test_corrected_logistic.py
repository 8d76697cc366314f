"""Logistic regression through noise: the right coefficients, and standard errors that tell the truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.reconstruction._corrected import Regressors
from tokumei.reconstruction._harmonics import Harmonics
from tokumei.reconstruction._logistic_loss import LogisticLoss

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


def wrong(rows: int, rng: np.random.Generator) -> pd.DataFrame:
    """People whose log-odds are not linear in age, nor the same for both sexes."""
    age, man = np.minimum(18 + rng.gamma(2, 12, rows), 90).astype(int), rng.integers(0, 2, rows)
    odds = -3 + 0.0013 * (age - 30) ** 2 + 1.6 * man * (age > 45)
    ill = rng.random(rows) < 1 / (1 + np.exp(-odds))
    return pd.DataFrame({"age": age, "sex": np.array(["F", "M"])[man], "ill": np.array(["no", "yes"])[ill.astype(int)]})


def design(frame: pd.DataFrame) -> np.ndarray:
    return np.column_stack([np.ones(len(frame)), frame["age"], frame["sex"] == "M"]).astype(float)


def maximum_likelihood(frame: pd.DataFrame) -> np.ndarray:
    scaled = design(frame)[:, 1:] / [72, 1]
    model = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky").fit(scaled, frame["ill"] == "yes")
    return np.append(model.intercept_, model.coef_[0] / [72, 1])


@pytest.mark.parametrize("made", [people, wrong], ids=["the model is right", "the model is wrong"])
def test_the_original_table_s_own_coefficients_come_back(made: Any) -> None:
    """Seeded: over many releases of one table, estimates scatter around its maximum likelihood as widely as they say."""
    frame = made(30_000, np.random.default_rng(5))
    truth, off, noisy = maximum_likelihood(frame), [], []
    for seed in range(12):
        release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=3, tells="all"), seed=seed)
        model = tk.CorrectedLogisticRegression("ill").fit(release)
        off.append((np.append(model.intercept_, model.coef_) - truth) / model.table_standard_errors_)
        assert (model.table_standard_errors_ < model.standard_errors_).all()
        noisy.append(maximum_likelihood(release.frame)[1])
    scattered = np.array(off)
    assert np.abs(scattered.mean(axis=0)).max() < 3.5 / len(off) ** 0.5
    assert scattered.std(axis=0).min() > 0.4 and scattered.std(axis=0).max() < 1.9  # of twelve: sure to one in 5,000
    assert np.mean(noisy) < 0.8 * truth[1]  # without the correction noise pulls it towards zero


def test_coefficients_of_the_population_come_back() -> None:
    """Seeded: over new people and releases of them, estimates scatter around the truth as widely as they say."""
    off = []
    for seed in range(12):
        release = tk.anonymize(
            people(20_000, np.random.default_rng(seed)), SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=seed
        )
        model = tk.CorrectedLogisticRegression("ill").fit(release)
        off.append((np.append(model.intercept_, model.coef_) - TRUE) / model.standard_errors_)
    scattered = np.array(off)
    assert np.abs(scattered.mean(axis=0)).max() < 3.5 / len(off) ** 0.5
    assert scattered.std(axis=0).min() > 0.4 and scattered.std(axis=0).max() < 1.9  # of twelve: sure to one in 5,000


CELLS = tk.Schema(
    [
        *(tk.Attribute(name, domain=tk.Categories(["no", "yes"])) for name in ("man", "married", "college")),
        tk.Attribute("rich", "sensitive", tk.Categories(["no", "yes"])),
    ]
)
RICH = {(0, 0, 0): 0.02, (0, 0, 1): 0.11, (0, 1, 0): 0.37, (0, 1, 1): 0.64}
RICH |= {(1, 0, 0): 0.06, (1, 0, 1): 0.2, (1, 1, 0): 0.36, (1, 1, 1): 0.7}


def test_columns_that_act_together_are_no_obstacle() -> None:
    """Seeded. Marriage tells more of women than of men, so an additive model is wrong, as it is for Adult."""
    rng = np.random.default_rng(2)
    cells = np.array(list(RICH))[rng.choice(8, 20_000, p=[0.2, 0.06, 0.05, 0.02, 0.18, 0.06, 0.3, 0.13])]
    rich = rng.random(20_000) < [RICH[tuple(cell)] for cell in cells.tolist()]
    words = np.array(["no", "yes"])
    frame = pd.DataFrame(words[np.column_stack([cells, rich]).astype(int)], columns=list(CELLS.names()))
    truth = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky").fit(cells, rich)
    aim = np.append(truth.intercept_, truth.coef_)
    off = []
    for seed in range(25):
        model = tk.CorrectedLogisticRegression("rich").fit(
            tk.anonymize(frame, CELLS, tk.PkPerturbation(k=5, tells="all"), seed=seed)
        )
        off.append((np.append(model.intercept_, model.coef_) - aim) / model.table_standard_errors_)
    scattered = np.array(off)
    assert np.abs(scattered.mean(axis=0)).max() < 3.5 / len(off) ** 0.5
    assert 0.9 <= np.mean(np.abs(scattered) < 1.96) <= 0.99


def test_without_noise_it_is_maximum_likelihood() -> None:
    frame = wrong(3000, np.random.default_rng(2))
    release = tk.anonymize(frame, SCHEMA, tk.Sampling(3000, known=1), seed=1)
    model = tk.CorrectedLogisticRegression("ill").fit(release)
    truth, X = maximum_likelihood(frame), design(frame)
    found = np.append(model.intercept_, model.coef_)
    assert found == pytest.approx(truth, rel=1e-5)
    chance = 1 / (1 + np.exp(-X @ found))
    bread = np.linalg.inv((X.T * (chance * (1 - chance))) @ X)
    parts = X * (chance - (frame["ill"] == "yes").to_numpy())[:, None]
    assert model.standard_errors_ == pytest.approx(np.sqrt(np.diag(bread @ parts.T @ parts @ bread)), rel=1e-4)
    assert (model.table_standard_errors_ < 0.01 * model.standard_errors_).all()  # nothing of the table is unknown
    about = model.frame(about="table")
    assert not about.isna().any().any()
    half = tk.anonymize(frame, SCHEMA, tk.Sampling(1500, known=1), seed=1)
    drawn = tk.CorrectedLogisticRegression("ill").fit(half)  # half of the people are known
    assert drawn.table_standard_errors_ == pytest.approx(drawn.standard_errors_ * 0.5**0.5, rel=1e-3)


def loss_of(release: tk.Release) -> tuple[LogisticLoss, Regressors]:
    shares = np.ones(release.rows)
    found = Regressors.of(release, "ill", None, shares)
    return LogisticLoss(found, np.where(release.coded.codes("ill") == 1, 1.0, -1.0), shares), found


def test_the_derivatives_are_those_of_the_loss() -> None:
    loss, _ = loss_of(
        tk.anonymize(people(2000, np.random.default_rng(1)), SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=1)
    )
    beta = np.array([0.1, -0.4, 0.3])
    step = 1e-5 * np.eye(3)
    slopes = [(loss.value(beta + e) - loss.value(beta - e)) / 2e-5 for e in step]
    assert loss.counts @ loss.gradients(beta) == pytest.approx(slopes, rel=1e-6)
    bends = [loss.counts @ (loss.gradients(beta + e) - loss.gradients(beta - e)) / 2e-5 for e in step]
    hessian = loss.hessian(beta)
    assert hessian == pytest.approx(np.array(bends), rel=1e-5)
    direction = np.array([0.3, -1.0, 0.7])
    waves = Harmonics.over(8.0).derivative
    along = loss.counts @ loss.waves.along(beta, waves, direction)
    assert along == pytest.approx(direction @ hessian @ direction, rel=1e-6)


def test_what_a_released_row_adds_is_on_average_what_the_true_row_would() -> None:
    """The expectation over all that a true row can be released as, computed from the channels: no chance in it."""
    schema = SCHEMA.replacing(tk.Attribute("age", domain=tk.Numbers(0, 4, step=1)))
    rng = np.random.default_rng(3)
    frame = people(4000, rng).assign(age=rng.integers(0, 5, 4000))
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"), seed=1)
    loss, found = loss_of(release)
    assert loss.waves.kinds == 5 * 2 * 2  # every kind of row was released
    beta = np.array([-0.5, 2.0, 1.2])
    parts = loss.gradients(beta)
    channels = [release.mechanism.channels[name].matrix() for name in ("age", "sex")]
    codes = np.stack([term.released[loss.waves.example] for term in found.terms], axis=1)
    for age, man, ill in np.ndindex(5, 2, 2):
        chance = channels[0][codes[:, 0], age] * channels[1][codes[:, 1], man] * (loss.signs == 2 * ill - 1)
        eta = beta @ [1, age / 4, man]
        expected = (1 / (1 + np.exp(-eta)) - ill) * np.array([1, age / 4, man])
        assert chance.sum() == pytest.approx(1)
        assert chance @ parts == pytest.approx(expected, abs=2e-2)  # a correction may be off by little


def test_it_predicts_true_rows() -> None:
    release = tk.anonymize(
        people(40_000, np.random.default_rng(4)), SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=4
    )
    model = tk.CorrectedLogisticRegression("ill", ["age", "sex"]).fit(release)
    rows = pd.DataFrame({"age": [20, 88], "sex": ["F", "M"]})
    assert model.predict_proba(rows).sum(axis=1) == pytest.approx([1, 1])
    assert model.decision_function(rows) == pytest.approx(model.intercept_ + np.array([[20, 0], [88, 1]]) @ model.coef_)
    assert list(model.predict(rows)) == ["no", "yes"]
    assert list(model.frame()["term"]) == ["(constant)", "age", "sex=M"]


def test_what_cannot_be_asked() -> None:
    frame = people(300, np.random.default_rng(0))
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=50, tells="all"), seed=1)
    with pytest.raises(InvalidParameter, match="target must have categories, and 'age' has none"):
        tk.CorrectedLogisticRegression("age").fit(release)
    with pytest.raises(InvalidParameter, match="does not determine this many coefficients"):
        tk.CorrectedLogisticRegression("ill").fit(release)
    healthy = tk.anonymize(frame.assign(ill="no"), SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=1)
    with pytest.raises(InvalidParameter, match="only one value"):
        tk.CorrectedLogisticRegression("ill").fit(healthy)
    model = tk.CorrectedLogisticRegression("ill", ["sex"]).fit(
        tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=1)
    )
    with pytest.raises(InvalidParameter, match="about must be 'population' or 'table'"):
        model.frame(about="people")
