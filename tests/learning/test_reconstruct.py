"""One call: what is picked, why, and that it predicts true rows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import r2_score, roc_auc_score

import tokumei as tk
from tests.command_line import tokumei
from tokumei.errors import AssumptionWarning, InvalidParameter, TooNoisy

SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(18, 90, step=1)),
        tk.Attribute("sex", domain=tk.Categories(["F", "M"])),
        tk.Attribute("dull", domain=tk.Categories(["a", "b", "c"])),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
        tk.Attribute("pay", "sensitive", tk.Numbers(0, 200, step=1)),
    ]
)


def people(rows: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    age, man = rng.integers(18, 91, rows), rng.integers(0, 2, rows)
    ill = rng.random(rows) < 1 / (1 + np.exp(-(-4 + 0.06 * age + man)))
    pay = np.clip(20 + 1.5 * age + 30 * man + rng.normal(0, 15, rows), 0, 200).round().astype(int)
    return pd.DataFrame(
        {
            "age": age,
            "sex": np.array(["F", "M"])[man],
            "dull": rng.choice(["a", "b", "c"], rows),
            "ill": np.array(["no", "yes"])[ill.astype(int)],
            "pay": pay,
        }
    )


TEST = people(5000, 99)


def released(rows: int, k: float, columns: list[str]) -> tk.Release:
    schema = tk.Schema([SCHEMA[name] for name in columns])
    return tk.anonymize(people(rows, 1)[columns], schema, tk.PkPerturbation(k=k, tells="all"), seed=1)


def test_little_noise_takes_the_corrected_regression() -> None:
    model = tk.reconstruct(released(200_000, 1.5, ["age", "sex", "ill"]), "ill")
    assert isinstance(model, tk.CorrectedLogisticRegression)
    assert "determined" in model.picked_.reason
    assert roc_auc_score(TEST["ill"], model.decision_function(TEST)) > 0.77


def test_much_noise_takes_the_priors() -> None:
    model = tk.reconstruct(released(5000, 20, ["age", "sex", "dull", "ill"]), "ill")
    assert isinstance(model, tk.ClassConditionalClassifier)
    assert "relies on priors" in model.picked_.reason
    assert roc_auc_score(TEST["ill"], model.decision_function(TEST)) > 0.7
    assert model.picked_.signal["age"] > model.picked_.signal["dull"]
    shown = str(model.picked_)
    assert shown.index("age") < shown.index("dull")


def test_numbers_get_a_regressor() -> None:
    little = tk.reconstruct(released(100_000, 1.5, ["age", "sex", "pay"]), "pay")
    assert isinstance(little, tk.CorrectedLinearRegression)
    assert r2_score(TEST["pay"], little.predict(TEST)) > 0.7
    much = tk.reconstruct(released(4000, 20, ["age", "sex", "dull", "pay"]), "pay")
    assert isinstance(much, tk.ClassConditionalRegressor)
    assert r2_score(TEST["pay"], much.predict(TEST)) > 0.1


def test_a_perturbed_target_is_predicted_too() -> None:
    schema = tk.Schema([SCHEMA["age"], tk.Attribute("ill", domain=tk.Categories(["no", "yes"]))])
    frame = people(30_000, 1)[["age", "ill"]]
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=3, tells="all"), seed=1)
    model = tk.reconstruct(release, "ill")
    assert isinstance(model, tk.ClassConditionalClassifier)
    assert roc_auc_score(TEST["ill"], model.decision_function(TEST)) > 0.7
    share = model.predict_proba(TEST)[:, 1].mean()
    assert share == pytest.approx((TEST["ill"] == "yes").mean(), abs=0.1)
    number = tk.Schema([SCHEMA["sex"], tk.Attribute("pay", domain=SCHEMA["pay"].domain)])
    noisy = tk.anonymize(people(5000, 1)[["sex", "pay"]], number, tk.PkPerturbation(k=50, tells="all"), seed=1)
    assert isinstance(
        tk.reconstruct(noisy, "pay"), tk.CorrectedLinearRegression
    )  # one column of two labels is determined
    many = tk.Schema([SCHEMA["age"], SCHEMA["dull"], number["pay"]])
    drowned = tk.anonymize(people(200, 1)[["age", "dull", "pay"]], many, tk.PkPerturbation(k=50, tells="all"), seed=1)
    with pytest.raises(TooNoisy, match="fewer columns"):
        tk.CorrectedLinearRegression("pay").fit(drowned)
    with pytest.warns(AssumptionWarning, match="leaves open"):
        leaning, whole = tk.reconstruct(drowned, "pay"), tk.reconstruct(drowned)
    assert type(leaning).__name__ == "ImputedRegressor"
    assert "undetermined" in leaning.picked_.reason
    assert "relies on priors" in leaning.picked_.reason
    for predicted in (
        leaning.predict(TEST),
        whole.predict(TEST, "pay"),
    ):  # even the mean is little known
        assert np.mean((predicted - TEST["pay"]) ** 2) < 2 * TEST["pay"].var()
    calm = tk.anonymize(people(50_000, 1)[["sex", "pay"]], number, tk.PkPerturbation(k=1.5, tells="all"), seed=1)
    assert isinstance(tk.reconstruct(calm, "pay"), tk.CorrectedLinearRegression)


@pytest.mark.parametrize("method", [tk.PkPerturbation(k=3), tk.Generalization(k=3), tk.Sampling(0.5, known=1)])
def test_a_table_of_one_column_has_nothing_to_predict_from(method: Any) -> None:
    release = tk.anonymize(people(200, 1)[["sex"]], tk.Schema([SCHEMA["sex"]]), method, seed=1)
    for asked in (lambda: tk.reconstruct(release, "sex"), lambda: tk.reconstruct(release).estimator("sex")):
        with pytest.raises(InvalidParameter, match="no column to predict from"):
            asked()


def test_a_column_that_lost_everything_leaves_the_others_to_predict() -> None:
    schema, frame = SCHEMA.without("pay"), people(5000, 1).drop(columns="pay")
    split = {"age": 1.0, "sex": 1.0, "dull": 0.0}
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=3, split=split, tells="all"), seed=1)
    with pytest.raises(TooNoisy, match="loses information completely"):
        tk.CorrectedLogisticRegression("ill").fit(release)
    model = tk.reconstruct(release, "ill")
    assert isinstance(model, tk.ClassConditionalClassifier)
    assert np.allclose(model.evidence_["dull"], 0, atol=1e-6)
    assert roc_auc_score(TEST["ill"], model.decision_function(TEST)) > 0.7


def test_other_frames_and_columns() -> None:
    release = released(5000, 5, ["age", "sex", "dull", "ill"])
    model = tk.reconstruct(release, "ill", columns=["age"])
    assert model.predict_proba(pl.DataFrame(TEST[["age"]])).shape == (5000, 2)
    assert set(model.picked_.signal) == {"age"}


def in_japanese(picked: Any) -> str:
    """Return what is said in Japanese, of which no line may be in English; what is printed stays English."""
    said: str = picked.in_language("ja")
    assert not re.search("[ぁ-ん]", str(picked))
    for line in said.splitlines():
        assert line.startswith("  ") or (re.search("[ぁ-ん]", line) and not re.search(r"[a-z] [a-z]", line)), line
    return said


@pytest.mark.parametrize(
    "rows, k, target", [(20_000, 1.5, "ill"), (2000, 20, "ill"), (2000, 20, "sex"), (2000, 20, "pay")]
)
def test_what_was_picked_is_said_in_japanese(rows: int, k: float, target: str) -> None:
    """It was English."""
    said = in_japanese(tk.reconstruct(released(rows, k, ["age", "sex", "ill", "pay"]), target).picked_)
    assert "各列に残る情報量" in said


@pytest.mark.parametrize(
    "method",
    [
        tk.PkPerturbation(k=20, tells=2),
        tk.GroupedPkPerturbation(k=3),
        tk.Generalization(k=5, partition=tk.partitions.Mondrian()),
        tk.Generalization(k=5, partition=tk.partitions.Optimal()),
        tk.LocalSuppression(k=20),
        tk.Microaggregation(k=3),
        tk.Swapping(k=5),
        tk.Sampling(500, known=50),
    ],
)
def test_what_was_picked_of_any_release_is_said_in_japanese(method: Any) -> None:
    schema = tk.Schema(
        [
            tk.Attribute(each.name, "sensitive" if each.name == "pay" else "quasi_identifier", each.domain)
            for each in SCHEMA
        ]
    )
    release = tk.anonymize(people(1000, 1), schema, method, seed=1)
    in_japanese(tk.reconstruct(release).picked_)
    in_japanese(tk.reconstruct(release, "ill").picked_)
    in_japanese(tk.reconstruct(release, "pay").picked_)


def test_the_command_says_what_was_picked_in_japanese(tmp_path: Path) -> None:
    released(2000, 20, ["age", "sex", "ill"]).write(tmp_path / "out", allow_seeded=True)
    done = tokumei("reconstruct", "out", "--target", "ill", cwd=tmp_path, env={"TOKUMEI_LANGUAGE": "ja"})
    assert "事前分布を用います" in done.stdout and "priors" not in done.stdout


def test_what_cannot_be_asked() -> None:
    release = released(500, 2, ["age", "sex", "ill"])
    for given, message in (
        ((TEST, "ill"), "needs a release"),
        ((release, "sick"), "There is no column 'sick'"),
        ((release, "ill", ["agee"]), "Did you mean 'age'"),
        ((release, "ill", ["ill"]), "is the target"),
    ):
        with pytest.raises(InvalidParameter, match=message):
            tk.reconstruct(*given)
    healthy = people(500, 1).assign(ill="no")[["age", "sex", "ill"]]
    schema = tk.Schema([SCHEMA[name] for name in ("age", "sex", "ill")])
    with pytest.raises(InvalidParameter, match="only one value"):
        tk.reconstruct(tk.anonymize(healthy, schema, tk.PkPerturbation(k=2, tells="all"), seed=1), "ill")


@pytest.mark.parametrize(
    "method",
    [
        tk.PkPerturbation(k=2, tells="all"),
        tk.PkPerturbation(k=2, tells=1),
        tk.Generalization(k=5, partition=tk.partitions.Optimal()),
        tk.Sampling(50, known=5),
    ],
)
def test_a_date_is_refused_by_what_to_do_instead(method: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was said to hold no numbers."""
    frame = people(100, 1)[["age", "sex"]].assign(day=pd.date_range("2026-01-01", periods=100).date)
    schema = tk.Schema(
        [
            tk.Attribute("age", "quasi_identifier", tk.Numbers(18, 90, step=1)),
            tk.Attribute("sex", "quasi_identifier", tk.Categories(["F", "M"])),
            tk.Attribute("day", "quasi_identifier", tk.Dates("2026-01-01", "2026-12-31")),
        ]
    )
    release = tk.anonymize(frame, schema, method, seed=1)
    for predict in (lambda: tk.reconstruct(release, "day"), lambda: tk.regress(release, "day ~ age")):
        with pytest.raises(InvalidParameter, match="'day' has dates; convert it to a number of days") as caught:
            predict()
        monkeypatch.setenv("TOKUMEI_LANGUAGE", "ja")
        assert "「day」は日付の列です。公開の前に" in str(caught.value)
        monkeypatch.delenv("TOKUMEI_LANGUAGE")


def test_dates_are_refused_by_each_model() -> None:
    frame = people(100, 1)[["age"]].assign(day=pd.date_range("2026-01-01", periods=100).date)
    schema = tk.Schema(
        [
            tk.Attribute("age", "quasi_identifier", tk.Numbers(18, 90, step=1)),
            tk.Attribute("day", "sensitive", tk.Dates("2026-01-01", "2026-12-31")),
        ]
    )
    release = tk.anonymize(frame, schema, tk.Sampling(50, known=5), seed=1)
    for model in (tk.CorrectedLinearRegression, tk.CorrectedPoissonRegression, tk.ClassConditionalRegressor):
        with pytest.raises(InvalidParameter, match="'day' has dates; convert it to a number of days"):
            model("day").fit(release)


def test_a_number_of_which_noise_hides_what_is_missing_is_predicted_from_completed_rows() -> None:
    """It was refused."""
    rng = np.random.default_rng(2)
    kind = rng.integers(0, 2, 3000)
    pay = np.where(rng.random(3000) < 0.3, np.nan, 5.0 + 10 * kind + rng.integers(-2, 3, 3000))
    frame = pd.DataFrame({"kind": np.where(kind, "b", "a"), "pay": pay})
    schema = tk.Schema(
        [
            tk.Attribute("kind", "quasi_identifier", tk.Categories(["a", "b"])),
            tk.Attribute("pay", "quasi_identifier", tk.Numbers(0, 20, step=1), missing=True),
        ]
    )
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"), seed=1)
    model = tk.reconstruct(release, target="pay")
    assert "the noise hides which" in model.picked_.reason
    low, high = model.predict(pd.DataFrame({"kind": ["a", "b"]}))
    assert high - low > 4
