"""Releases that are unusual in one way or another: finite numbers, honest ones, or one sentence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.reconstruction._arrays import arrays
from tokumei.reconstruction._em import gap_of, maximise
from tokumei.reconstruction._products import Layout, Structured, product
from tokumei.reconstruction._survey import effective_rows

Q, S = "quasi_identifier", "sensitive"


def people(rows: int = 2000, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "q": rng.choice(["a", "b", "c"], rows, p=[0.6, 0.3, 0.1]),
            "age": rng.integers(0, 80, rows),
            "t": rng.choice(["x", "y", "z"], rows, p=[0.8, 0.1, 0.1]),
        }
    )


SCHEMA = tk.Schema(
    [
        tk.Attribute("q", Q, tk.Categories(["a", "b", "c"])),
        tk.Attribute("age", Q, tk.Numbers(0, 79, step=1)),
        tk.Attribute("t", S, tk.Categories(["x", "y", "z"])),
    ]
)

TWO = SCHEMA.without("age")


def test_what_is_not_a_number_is_no_proof() -> None:
    assert gap_of(np.array([np.nan, 1.0]), 10.0) == np.inf
    with pytest.raises(InvalidParameter, match="cannot come from any"), np.errstate(divide="ignore"):
        maximise(np.ones(2), lambda p: np.array([p.sum(), 0.0]), lambda r: np.ones(2) * r.sum(), np.ones(2), 0.1, 10)


@pytest.mark.parametrize("smoothing", [0.0, 0.02, 1.0, 3.0, 100.0])
@pytest.mark.parametrize("model", ["free", "linear", "kernel"])
def test_any_smoothing_converges_to_finite_weights(model, smoothing) -> None:
    release = tk.anonymize(people(500), SCHEMA, tk.PkPerturbation(k=3, tells="all"), seed=1)
    found = tk.DensityRatio(model, bandwidth=0.5, smoothing=smoothing, max_iter=2000).fit(release)
    assert np.isfinite(found.weights_).all() and found.converged_
    if smoothing >= 3 and model == "free":
        assert effective_rows(found.weights_) > 490


def test_probabilities_of_three_classes_add_up_to_their_shares() -> None:
    release = tk.anonymize(people(20_000), SCHEMA, tk.PkPerturbation(k=3, tells="all"), seed=1)
    chances = tk.ClassConditionalClassifier("t").fit(release).predict_proba(people(2000, 5))
    assert chances.mean(axis=0) == pytest.approx([0.8, 0.1, 0.1], abs=0.02)
    zeros = people(20_000).assign(pay=np.where(np.arange(20_000) % 10 < 7, 0, 75))
    schema = tk.Schema([SCHEMA["q"], SCHEMA["age"], tk.Attribute("pay", S, tk.Numbers(0, 100, step=1))])
    priced = tk.anonymize(zeros[["q", "age", "pay"]], schema, tk.PkPerturbation(k=3, tells="all"), seed=1)
    assert tk.ClassConditionalRegressor("pay").fit(priced).predict(zeros).mean() == pytest.approx(22.5, abs=1)


def test_labels_of_a_matrix_are_not_taken_for_the_true_ones() -> None:
    swapped = tk.transitions.Matrix([[0.1, 0.8, 0.1], [0.8, 0.1, 0.1], [0.1, 0.1, 0.8]], labels=["b", "a", "c"])
    release = tk.anonymize(people()[["q", "t"]], TWO, tk.PRAM({"q": swapped}), seed=1)
    assert tk.IterativeBayes(["q"]).fit(release).labels_ == [["value 1", "value 2", "value 3"]]
    for model in (tk.ClassConditionalClassifier("t"), tk.DensityRatio()):
        with pytest.raises(InvalidParameter, match="became labels of its matrix"):
            model.fit(release)


def test_values_that_are_never_released_do_no_harm() -> None:
    never = tk.transitions.Matrix([[0.7, 0.3, 0], [0.3, 0.7, 0], [0.5, 0.5, 0]])
    release = tk.anonymize(people()[["q", "t"]], TWO, tk.PRAM({"q": never}), seed=1)
    model = tk.ClassConditionalClassifier("t").fit(release)
    assert all(np.isfinite(each).all() for each in model.evidence_.values())


def test_kept_columns_may_have_many_values() -> None:
    frame = people().assign(pay=np.random.default_rng(1).integers(0, 100_001, 2000))
    schema = tk.Schema([*SCHEMA, tk.Attribute("pay", S, tk.Numbers(0, 100_000, step=1))])
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"), seed=1)
    model = tk.CorrectedLinearRegression("pay", ["t"]).fit(release)
    assert len(model.coef_) == 2
    assert np.isfinite(tk.DensityRatio().fit(release).weights_).all()


def test_a_label_of_nobody_is_no_term() -> None:
    schema = SCHEMA.replacing(tk.Attribute("t", S, tk.Categories(["x", "y", "z", "never"]), missing=True))
    release = tk.anonymize(people(), schema, tk.PkPerturbation(k=2, tells="all"), seed=1)
    model = tk.CorrectedLinearRegression("age", ["t"]).fit(release)
    assert model.names_ == ("(constant)", "t=y", "t=z")


def test_a_target_that_may_be_missing_has_one_more_class() -> None:
    frame = people().assign(t=np.where(np.arange(2000) % 5 == 0, None, np.where(np.arange(2000) % 2, "x", "y")))
    schema = SCHEMA.replacing(tk.Attribute("t", S, tk.Categories(["x", "y"]), missing=True))
    model = tk.reconstruct(tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"), seed=1), "t")
    assert len(model.classes_) == 3


def test_intervals_know_that_rows_of_a_stratum_stand_for_many() -> None:
    """Few rows of the large stratum were drawn, so the shares are far less sure than so many rows would say."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"q": rng.choice(["a", "b", "c"], 20_000), "t": np.where(np.arange(20_000) < 200, "y", "x")})
    schema = tk.Schema([SCHEMA["q"], SCHEMA["t"]])
    sample = tk.samples.Stratified("t", {"x": 100, "y": 150})
    drawn, claimed = [], []
    for seed in range(25):
        method = tk.PkPerturbation(k=1.05, sample=sample, tells="all")
        release = tk.anonymize(frame, schema, method, seed=seed)
        model = tk.IterativeBayes(["q"]).fit(release).intervals()
        drawn.append(model.pmf_[0])
        claimed.append(model.standard_errors_[0])
    assert np.mean(claimed) == pytest.approx(np.std(drawn), rel=0.4)


def test_small_masses_of_a_kept_class_are_not_lifted() -> None:
    matrices = [np.eye(2), np.full((2, 2), 0.5)]
    true, released = np.array([[0, 0], [0, 1], [1, 0]]), np.array([[0, 0], [1, 0]])
    masses = np.array([0.5, 0.499, 0.001])
    made = Structured(Layout.of(matrices), true, released, arrays("numpy"))
    assert made.forward(masses) == pytest.approx([0.4995, 0.0005], rel=1e-5)


def test_products_of_many_columns_do_not_vanish() -> None:
    rng = np.random.default_rng(0)
    matrices = [np.full((100, 100), 0.009) + 0.1 * np.eye(100)] * 30
    true, released = rng.integers(0, 100, (20, 30)), rng.integers(0, 100, (15, 30))
    ways = [product(matrices, true, released, way, arrays("numpy")) for way in ("dense", "blocks")]
    first, second = (made.forward(np.full(20, 0.05)) for made in ways)
    assert first == pytest.approx(second, rel=1e-4) and (first > 0).all()


def test_a_column_suppressed_in_every_row_tells_nothing() -> None:
    schema = tk.Schema([tk.Attribute("q", Q, tk.Categories(["a", "b", "c"])), SCHEMA["t"]])
    few = people(6).assign(q=["a", "a", "b", "b", "c", "c"])[["q", "t"]]
    release = tk.anonymize(few, schema, tk.Generalization(k=6, partition=tk.partitions.Optimal()), seed=1)
    with pytest.raises(InvalidParameter, match="suppressed in every row"):
        tk.IterativeBayes(["q"]).fit(release)
