"""Survey weights: what is estimated with them is about the people whom the rows stand for."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.reconstruction._survey import effective_rows

ROWS = 20_000
SCHEMA = tk.Schema(
    [
        tk.Attribute("region", "quasi_identifier", tk.Categories(["north", "south", "west"])),
        tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 9, step=1)),
        tk.Attribute("works", "sensitive", tk.Categories(["no", "yes"])),
        tk.Attribute("hours", "sensitive", tk.Numbers(0, 60, step=1)),
        tk.Attribute("w", "insensitive", tk.Numbers(0, 100, step=1)),
    ]
)


@pytest.fixture(scope="module")
def survey() -> pd.DataFrame:
    """A survey in which the south was asked less often, and so has larger weights."""
    rng = np.random.default_rng(1)
    region = rng.choice(["north", "south", "west"], ROWS, p=[0.5, 0.2, 0.3])
    age = np.clip(rng.binomial(9, np.where(region == "south", 0.7, 0.3)), 0, 9)
    works = rng.random(ROWS) < 1 / (1 + np.exp(-(0.5 * age - 1.5 - (region == "south"))))
    hours = np.clip(rng.normal(np.where(region == "south", 50 - 3 * age, 15 + 3 * age), 5), 0, 60).round()
    weight = np.where(region == "south", rng.choice([20, 40], ROWS), rng.choice([2, 4], ROWS))
    return pd.DataFrame(
        {
            "region": region,
            "age": age,
            "works": np.where(works, "yes", "no"),
            "hours": hours.astype(int),
            "w": weight,
        }
    )


@pytest.fixture(scope="module")
def release(survey: pd.DataFrame) -> tk.Release:
    return tk.anonymize(survey, SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=3)


def shares(survey: pd.DataFrame, weighted: bool) -> np.ndarray:
    weight = survey["w"] if weighted else np.ones(ROWS)
    table = pd.crosstab(survey["region"], survey["works"], values=weight, aggfunc="sum")
    return (table / table.to_numpy().sum()).to_numpy()


def test_a_weighted_table_is_that_of_the_weighted_original(survey: pd.DataFrame, release: tk.Release) -> None:
    model = tk.IterativeBayes(["region", "works"], weights="w").fit(release)
    assert np.abs(model.pmf_ - shares(survey, weighted=True)).max() < 0.03
    assert np.abs(model.pmf_ - shares(survey, weighted=False)).max() > 0.2
    assert model.counts_.sum() == pytest.approx(survey["w"].sum())


def test_equal_weights_change_nothing(survey: pd.DataFrame) -> None:
    even = tk.anonymize(survey.assign(w=7), SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=3)
    plain = tk.IterativeBayes(["region", "age"]).fit(even)
    weighted = tk.IterativeBayes(["region", "age"], weights="w").fit(even)
    assert weighted.pmf_ == pytest.approx(plain.pmf_, abs=1e-9)
    assert weighted.counts_ == pytest.approx(7 * plain.counts_, abs=1e-3)
    models = [tk.CorrectedLinearRegression("hours", ["age", "region"], weights=w).fit(even) for w in (None, "w")]
    assert models[1].coef_ == pytest.approx(models[0].coef_)
    assert models[1].standard_errors_ == pytest.approx(models[0].standard_errors_)
    ratios = [tk.DensityRatio("linear", weights=w, columns=["age", "region"]).fit(even) for w in (None, "w")]
    assert ratios[1].weights_ == pytest.approx(ratios[0].weights_, rel=1e-6)


def test_intervals_of_weighted_tables_cover_the_truth_and_are_wider(survey: pd.DataFrame, release: tk.Release) -> None:
    model = tk.IterativeBayes(["works"], weights="w").fit(release).intervals()
    plain = tk.IterativeBayes(["works"]).fit(release).intervals()
    truth = survey.groupby("works")["w"].sum().to_numpy() / survey["w"].sum()
    assert np.all(np.abs(model.pmf_ - truth) < 1e-9)  # 'works' is kept, so there is no noise
    assert np.all((model.low_ <= truth) & (truth <= model.high_))
    assert model.standard_errors_[0] > 1.3 * plain.standard_errors_[0]
    # of a kept share p, the variance is sum w² (x - p)² / (sum w)²
    w, x = survey["w"].to_numpy(float), (survey["works"] == "yes").to_numpy(float)
    expected = np.sqrt(np.sum(w**2 * (x - truth[1]) ** 2)) / w.sum()
    assert model.standard_errors_[1] == pytest.approx(expected, rel=0.35)


def test_a_weighted_regression_is_that_of_the_weighted_original(survey: pd.DataFrame, release: tk.Release) -> None:
    model = tk.CorrectedLinearRegression("hours", ["age"], weights="w").fit(release)
    truth = np.polyfit(survey["age"], survey["hours"], 1, w=np.sqrt(survey["w"]))
    plain = np.polyfit(survey["age"], survey["hours"], 1)
    reach = 4 * model.standard_errors_[1]
    assert abs(model.coef_[0] - truth[0]) < reach < abs(plain[0] - truth[0])


def test_a_weighted_logistic_regression_moves_to_the_weighted_original(
    survey: pd.DataFrame, release: tk.Release
) -> None:
    from sklearn.linear_model import LogisticRegression

    truth = LogisticRegression(C=1e6).fit(survey[["age"]], survey["works"], sample_weight=survey["w"])
    model = tk.CorrectedLogisticRegression("works", ["age"], weights="w").fit(release)
    assert abs(model.coef_[0] - truth.coef_[0, 0]) < max(4 * model.standard_errors_[1], 0.05)


def test_weights_of_rows_have_the_survey_weights_in_them(survey: pd.DataFrame, release: tk.Release) -> None:
    model = tk.DensityRatio("linear", columns=["region", "works"], weights="w").fit(release)
    made = pd.DataFrame({"works": release.frame["works"], "weight": model.weights_})
    truth = survey.groupby("works")["w"].sum() / survey["w"].sum()
    found = made.groupby("works")["weight"].sum() / made["weight"].sum()
    assert found["yes"] == pytest.approx(truth["yes"], abs=0.05)
    south = model.weights_[(release.frame["region"] == "south").to_numpy()].sum() / model.weights_.sum()
    weighted = survey.loc[survey["region"] == "south", "w"].sum() / survey["w"].sum()
    assert south == pytest.approx(weighted, abs=0.12)


@pytest.mark.parametrize("target", ["works", "hours"])
def test_reconstruct_takes_weights(release: tk.Release, survey: pd.DataFrame, target: str) -> None:
    model = tk.reconstruct(release, target, weights="w")
    assert "w" not in model.picked_.signal
    assert len(model.predict(survey.head(5))) == 5


@pytest.mark.parametrize(
    "model", [tk.ClassConditionalClassifier("works", weights="w"), tk.ClassConditionalRegressor("hours", weights="w")]
)
def test_leaning_models_take_weights(release: tk.Release, survey: pd.DataFrame, model: object) -> None:
    plain = type(model)(model.target).fit(release)
    weighted = model.fit(release)
    assert "w" in plain.signal_
    assert "w" not in weighted.signal_
    assert not np.allclose(plain.predict(survey.head(200)) == "yes", weighted.predict(survey.head(200)) == "yes") or (
        model.target == "hours" and not np.allclose(plain.predict(survey.head(50)), weighted.predict(survey.head(50)))
    )


def test_a_sample_has_both_weights(survey: pd.DataFrame) -> None:
    schema = SCHEMA.replacing(tk.Attribute("works", "insensitive", tk.Categories(["no", "yes"])))
    drawn = tk.PkPerturbation(
        k=2, sample=tk.samples.Stratified("works", {"no": 4000, "yes": 2000}, labels="released"), tells="all"
    )
    sampled = tk.anonymize(survey, schema, drawn, seed=5)
    model = tk.IterativeBayes(["works"], weights="w").fit(sampled)
    truth = survey.groupby("works")["w"].sum().to_numpy() / survey["w"].sum()
    assert model.pmf_ == pytest.approx(truth, abs=0.02)
    assert model.counts_.sum() == pytest.approx(survey["w"].sum(), rel=0.05)


def test_recoded_rows_have_weights_too(survey: pd.DataFrame) -> None:
    made = tk.anonymize(survey, SCHEMA, tk.Generalization(k=20, partition=tk.partitions.Mondrian()))
    model = tk.IterativeBayes(["region"], weights="w").fit(made)
    truth = survey.groupby("region")["w"].sum().to_numpy() / survey["w"].sum()
    assert model.pmf_ == pytest.approx(truth, abs=0.05)
    model.intervals(about="table")
    assert (model.low_ <= truth + 1e-12).all() and (truth - 1e-12 <= model.high_).all()
    assert set(model.kinds_) <= {"bounds", "exact"}


def test_weighted_shares_are_compared(survey: pd.DataFrame, release: tk.Release) -> None:
    found = tk.measure_utility(survey, release, SCHEMA, columns=["region", "works", "w"], weights="w")
    plain = tk.measure_utility(survey, release, SCHEMA, columns=["region", "works"])
    assert found.columns == ("region", "works")
    assert found.released.marginals["works"].total_variation == pytest.approx(0, abs=1e-9)
    assert found.released.marginals["region"].total_variation != plain.released.marginals["region"].total_variation
    assert found.reconstructed.marginals["region"].total_variation < 0.03
    with pytest.raises(InvalidParameter, match="without weights"):
        tk.measure_utility(survey, release, SCHEMA, columns=["region"], target="works", weights="w")


def test_what_cannot_be_weighted_is_refused(survey: pd.DataFrame, release: tk.Release) -> None:
    with pytest.raises(InvalidParameter, match="were not released unchanged"):
        tk.IterativeBayes(["region"], weights="age").fit(release)
    with pytest.raises(InvalidParameter, match="'x' is not one"):
        tk.DensityRatio(weights="x").fit(release)
    with pytest.raises(InvalidParameter, match="holds the weights"):
        tk.IterativeBayes(["region", "w"], weights="w").fit(release)
    with pytest.raises(InvalidParameter, match="holds the weights"):
        tk.CorrectedLinearRegression("hours", ["w"], weights="w").fit(release)
    with pytest.raises(InvalidParameter, match="must be numbers"):
        tk.IterativeBayes(["region"], weights="works").fit(release)
    zero = tk.anonymize(survey.assign(w=0), SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=1)
    with pytest.raises(InvalidParameter, match="not all 0"):
        tk.IterativeBayes(["region"], weights="w").fit(zero)
    counts = pd.DataFrame({"region": ["north"], "count": [ROWS]})
    with pytest.raises(InvalidParameter, match="counts do not include the weights"):
        tk.IterativeBayes(["region"], weights="w").fit(release, counts=counts)
    grouped = tk.anonymize(
        survey.head(500), SCHEMA, tk.GroupedPkPerturbation(k=2, partition=tk.partitions.Mondrian()), seed=1
    )
    with pytest.raises(InvalidParameter, match="perturbed in groups"):
        tk.IterativeBayes(["region"], weights="w").fit(grouped)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (1e308, "too large to be squared"),
        (1e-200, "too small to be squared"),
        (0.0, "not all 0; they are."),
        (-1.0, "not all 0; 3 rows have another."),
    ],
)
def test_weights_that_no_sum_can_hold_are_refused(weight: float, message: str) -> None:
    bare = tk.Schema([SCHEMA["region"], SCHEMA["hours"], tk.Attribute("w", "insensitive")])
    frame = pd.DataFrame({"region": ["north", "south", "west"], "hours": [1, 2, 3], "w": [weight] * 3})
    made = tk.anonymize(frame, bare, tk.PkPerturbation(k=1.5, tells="all"), seed=1)
    for model in (tk.IterativeBayes(["region"], weights="w"), tk.CorrectedLinearRegression("hours", weights="w")):
        with pytest.raises(InvalidParameter, match=message):
            model.fit(made)


def test_effective_rows_by_hand() -> None:
    assert effective_rows(np.ones(5)) == pytest.approx(5)
    assert effective_rows(np.array([1.0, 1.0, 2.0])) == pytest.approx(16 / 6)


def test_on_the_command_line(survey: pd.DataFrame, release: tk.Release, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from tokumei.cli.app import app

    release.write(tmp_path / "out", allow_seeded=True)
    asked = ["reconstruct", str(tmp_path / "out"), "--columns", "works", "--weights", "w", "--no-intervals", "--json"]
    told = CliRunner().invoke(app, asked)
    assert told.exit_code == 0, told.output
    cells = {cell["works"]: cell["share"] for cell in json.loads(told.stdout)["cells"]}
    truth = survey.groupby("works")["w"].sum() / survey["w"].sum()
    assert cells["yes"] == pytest.approx(truth["yes"], abs=1e-6)
