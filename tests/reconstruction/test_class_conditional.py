"""The classifier from a perturbed release: it predicts true rows, and its pieces are what they say."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.metrics import roc_auc_score

import tokumei as tk
from tokumei.errors import DataError, InvalidParameter
from tokumei.mechanism.grid_laplace import GridLaplace
from tokumei.mechanism.retention import Retention
from tokumei.reconstruction._evidence import (
    ALIKE,
    SCALES,
    Fits,
    _fit,
    nominal,
    numeric,
    on_their_own,
    short_ordered,
    together,
)
from tokumei.reconstruction._weighing import _model

SCHEMA = tk.example_schema()
TRAIN, TEST = tk.example_census(rows=8000, random_state=2), tk.example_census(rows=4000, random_state=3)


@pytest.fixture(scope="module")
def release() -> tk.Release:
    return tk.anonymize(TRAIN, SCHEMA, tk.PkPerturbation(k=5, tells="all"), seed=1)


def test_it_beats_a_model_of_the_released_rows(release: tk.Release) -> None:
    from sklearn.linear_model import LogisticRegression

    model = tk.ClassConditionalClassifier("income").fit(release)
    rich = TEST["income"] == "over 100k"
    ours = roc_auc_score(rich, model.predict_proba(TEST)[:, list(model.classes_).index("over 100k")])
    columns = [n for n in release.schema.names() if n != "income"]
    train = pd.get_dummies(release.frame[columns])
    test = pd.get_dummies(TEST[columns]).reindex(columns=train.columns, fill_value=0)
    naive = LogisticRegression(max_iter=2000).fit(train, release.frame["income"] == "over 100k")
    assert ours > roc_auc_score(rich, naive.decision_function(test)) + 0.02
    assert ours > 0.8


def test_probabilities_classes_and_habits(release: tk.Release) -> None:
    model = tk.ClassConditionalClassifier("income").fit(release)
    chances = model.predict_proba(TEST)
    assert np.allclose(chances.sum(axis=1), 1)
    assert (chances >= 0).all()
    assert set(model.predict(TEST)) <= set(model.classes_)
    assert model.score(TEST, TEST["income"]) > (TEST["income"] == TEST["income"].mode()[0]).mean()
    assert clone(model).get_params() == {"target": "income", "columns": None, "weights": None}
    assert set(model.signal_) == set(release.schema.names()) - {"income"}
    assert model.signal_["education"] > model.signal_["region"]


def test_every_kind_of_frame_gives_the_same(release: tk.Release) -> None:
    model = tk.ClassConditionalClassifier("income").fit(release)
    rows = TEST.drop(columns=["person_id", "income"]).head(50)
    assert np.array_equal(model.predict(rows), model.predict(pl.from_pandas(rows)))


def test_without_noise_it_is_nearly_naive_bayes() -> None:
    rng = np.random.default_rng(0)
    town = rng.choice(3, 6000, p=[0.5, 0.3, 0.2])
    ill = rng.random(6000) < np.array([0.1, 0.4, 0.8])[town]
    schema = tk.Schema(
        [
            tk.Attribute("town", "insensitive", tk.Categories([0, 1, 2])),
            tk.Attribute("ill", "sensitive", tk.Categories([False, True])),
            tk.Attribute("q", domain=tk.Categories([0, 1])),
        ]
    )
    frame = pd.DataFrame({"town": town, "ill": ill, "q": rng.integers(0, 2, 6000)})
    model = tk.ClassConditionalClassifier("ill").fit(
        tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"), seed=1)
    )
    evidence = model.evidence_["town"][0]
    true = np.log(np.bincount(town[ill]) / ill.sum()) - np.log(np.bincount(town[~ill]) / (~ill).sum())
    assert np.allclose(evidence - evidence.mean(), true - true.mean(), atol=0.15)
    assert abs(model.signal_["q"]) < 0.1


def channel_counts(solve, size: int, cost: float, low: np.ndarray, high: np.ndarray, rows: int, seed: int):
    matrix = solve(size, Fraction(math.exp(-2 * cost))).matrix()
    rng = np.random.default_rng(seed)
    return np.stack([rng.multinomial(rows, matrix @ p) for p in (low, high)]).astype(float), matrix


@pytest.mark.parametrize(
    ("model", "solve", "size"),
    [(nominal, Retention.solve, 6), (short_ordered, Retention.solve, 5), (numeric, GridLaplace.solve, 40)],
)
def test_evidence_finds_what_is_there_and_nothing_where_nothing_is(model, solve, size: int) -> None:
    place = np.linspace(0, 1, size)
    low = np.exp(-0.5 * ((place - 0.4) / 0.25) ** 2)
    high = np.exp(-0.5 * ((place - 0.6) / 0.25) ** 2)
    low, high = low / low.sum(), high / high.sum()
    seen, matrix = channel_counts(solve, size, 1.5, low, high, 20_000, 0)
    (found,) = on_their_own([model(seen, matrix)])
    true = np.log(high) - np.log(low)
    assert np.corrcoef(found, true)[0, 1] > 0.97
    assert np.std(found) == pytest.approx(np.std(true), rel=0.35)
    nothing, matrix = channel_counts(solve, size, 0.2, low, low, 500, 1)
    (none,) = on_their_own([model(nothing, matrix)])
    assert np.std(none) < 0.35 * np.std(true)


@pytest.mark.parametrize("model", [nominal, short_ordered, numeric])
def test_the_evidence_prefers_the_scale_that_is_there(model) -> None:
    place = np.linspace(0, 1, 20 if model is numeric else 5)
    shape = np.exp(-0.5 * ((place - 0.5) / 0.2) ** 2)
    far = shape * np.exp(6 * place)
    matrix = np.eye(len(place)) * 0.9 + 0.1 / len(place)
    different = np.rint(20_000 * np.stack([shape / shape.sum(), far / far.sum()]) @ matrix.T)
    same = np.rint(20_000 * np.stack([shape, shape]) / shape.sum() @ matrix.T)
    assert np.argmax(model(different, matrix).logs) >= SCALES.index(0.6)
    assert np.argmax(model(same, matrix).logs) == 0
    assert np.allclose(model(same, matrix).contrasts, 0, atol=1e-6)


def test_a_hump_in_an_ordered_column_is_found() -> None:
    """Classes that differ in the middle of a dozen ordered values, as the married do by age: normals with one width have no such contrast."""
    rng, size = np.random.default_rng(0), 12

    def rows(count: int) -> pd.DataFrame:
        place = rng.integers(0, size, count)
        return pd.DataFrame({"age": place, "married": rng.random(count) < np.where(abs(place - 5.5) < 3, 0.8, 0.2)})

    schema = tk.Schema(
        [
            tk.Attribute("age", domain=tk.Categories(range(size), ordered=True)),
            tk.Attribute("married", "sensitive", tk.Categories([False, True])),
        ]
    )
    release = tk.anonymize(rows(8000), schema, tk.PkPerturbation(k=10, tells="all"), seed=1)
    found, true = tk.ClassConditionalClassifier("married").fit(release), rows(4000)
    assert roc_auc_score(true["married"], found.decision_function(true)) > 0.75  # of .80 at best


@pytest.mark.parametrize(
    ("domain", "model"),
    [
        (tk.Categories(range(12), ordered=True), short_ordered),
        (tk.Categories(range(13), ordered=True), numeric),
        (tk.Categories(range(12)), nominal),
        (tk.Numbers(1, 12, step=1), numeric),
        (tk.Numbers(1, 8, step=1), short_ordered),
    ],
)
def test_which_model_a_column_has(domain, model) -> None:
    states = len(domain.values) if isinstance(domain, tk.Categories) else domain.size
    assert _model(tk.Attribute("a", domain=domain), states) is model


def test_the_scale_of_a_quiet_column_follows_the_others() -> None:
    rng = np.random.default_rng(0)
    line = np.array([-1.0, 1.0])
    quiet = Fits(np.zeros(len(SCALES)), np.outer(SCALES, line))
    loud, silent = (Fits(np.array([0.0, 5, 10, 15, 20]) * sign, np.outer(SCALES, line)) for sign in (1, -1))
    (alone,) = on_their_own([quiet])
    among_loud, among_silent = (together([quiet, other, other])[0] for other in (loud, silent))
    assert among_silent[1] < alone[1] < among_loud[1]
    assert alone[1] == pytest.approx(np.mean(SCALES))
    columns = [Fits(rng.normal(size=len(SCALES)), rng.normal(size=(len(SCALES), 3))) for _ in range(4)]
    assert np.allclose(together(columns), together_by_hand(columns))


def together_by_hand(columns: list[Fits]) -> np.ndarray:
    """The same, one centre after another."""
    totals, weight = np.zeros((len(columns), 3)), 0.0
    for centre in np.linspace(math.log(SCALES[0]), math.log(SCALES[-1]), 21):
        prior = np.array([math.exp(-((math.log(scale) - centre) ** 2) / (2 * ALIKE**2)) for scale in SCALES])
        chances = [prior / prior.sum() * np.exp(column.logs) for column in columns]
        likelihood = math.prod(float(chance.sum()) for chance in chances)
        weight += likelihood
        for at, (chance, column) in enumerate(zip(chances, columns, strict=True)):
            totals[at] += likelihood * chance @ column.contrasts / chance.sum()
    return totals / weight


def test_a_column_of_one_value_says_nothing() -> None:
    schema = tk.Schema(
        [
            tk.Attribute("one", domain=tk.Categories(["a"], ordered=True)),
            tk.Attribute("q", domain=tk.Categories([0, 1])),
            tk.Attribute("ill", "sensitive", tk.Categories([False, True])),
        ]
    )
    frame = pd.DataFrame({"one": ["a"] * 100, "q": [0, 1] * 50, "ill": [False, True] * 50})
    model = tk.ClassConditionalClassifier("ill").fit(
        tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"), seed=1)
    )
    assert model.evidence_["one"].tolist() == [[0.0]]
    assert model.evidence_["q"][0, 1] > 0.5


def test_the_fit_is_a_maximum() -> None:
    """No small step from the estimate raises the posterior: the gradient of the fit vanishes."""
    rng = np.random.default_rng(0)
    matrix = Retention.solve(4, Fraction(1, 9)).matrix()
    seen = rng.integers(50, 200, (2, 4)).astype(float)
    found, evidence = _fit(seen, matrix, np.eye(4), np.eye(4), 0.6)
    wider, _ = _fit(seen, matrix, np.eye(4), np.eye(4), 60.0)
    assert np.std(found) < np.std(wider)
    assert np.isfinite(evidence)
    inverse = np.linalg.inv(matrix)
    shares = [inverse @ (each / each.sum()) for each in seen]
    if min(share.min() for share in shares) > 0.02:
        direct = np.log(shares[1]) - np.log(shares[0])
        assert np.allclose(wider, direct - direct.mean(), atol=0.15)


def test_missing_cells_dates_and_fine_numbers() -> None:
    rng = np.random.default_rng(0)
    ill = rng.random(4000) < 0.4
    frame = pd.DataFrame(
        {
            "x": np.where(rng.random(4000) < np.where(ill, 0.4, 0.05), np.nan, rng.random(4000)),
            "when": pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 500, 4000) + 400 * ill, unit="D"),
            "ill": ill,
        }
    )
    import datetime as dt

    schema = tk.Schema(
        [
            tk.Attribute("x", domain=tk.Numbers(0, 1), missing=True),
            tk.Attribute("when", domain=tk.Dates(dt.date(2020, 1, 1), dt.date(2022, 12, 31))),
            tk.Attribute("ill", "sensitive", tk.Categories([False, True])),
        ]
    )
    model = tk.ClassConditionalClassifier("ill").fit(
        tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"), seed=1)
    )
    assert roc_auc_score(ill, model.decision_function(frame)) > 0.85


@pytest.mark.parametrize(
    ("target", "message"),
    [("age", "'age' has none"), ("incom", "Did you mean 'income'")],
)
def test_targets_that_cannot_be(release: tk.Release, target: str, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        tk.ClassConditionalClassifier(target).fit(release)


def test_other_mistakes(release: tk.Release) -> None:
    with pytest.raises(InvalidParameter, match="fit needs a release"):
        tk.ClassConditionalClassifier("income").fit(TRAIN)  # type: ignore[arg-type]
    with pytest.raises(Exception, match="not fitted"):
        tk.ClassConditionalClassifier("income").predict(TEST)
    model = tk.ClassConditionalClassifier("income").fit(release)
    with pytest.raises(DataError, match="no column 'age'"):
        model.predict(TEST.drop(columns="age"))
    with pytest.raises(DataError, match="1 value outside its domain"):
        model.predict(TEST.head(1).assign(sex="Grace Hopper"))
    one = tk.anonymize(TRAIN.assign(income="under 20k"), SCHEMA, tk.PkPerturbation(k=5, tells="all"))
    with pytest.raises(InvalidParameter, match="only one value"):
        tk.ClassConditionalClassifier("income").fit(one)
    schema = tk.Schema(
        [tk.Attribute("q", domain=tk.Categories([0, 1])), tk.Attribute("n", "sensitive", tk.Numbers(0, 1, step=1))]
    )
    numbers = tk.anonymize(
        pd.DataFrame({"q": [0, 1] * 9, "n": [0, 1] * 9}), schema, tk.PkPerturbation(k=2, tells="all")
    )
    with pytest.raises(InvalidParameter, match="must have categories"):
        tk.ClassConditionalClassifier("n").fit(numbers)


@pytest.mark.parametrize("size", [49, 50, 51, 60, 63, 64, 65, 130])
def test_columns_of_any_length_give_finite_evidence(size: int) -> None:
    rng = np.random.default_rng(size)
    frame = pd.DataFrame({"number": rng.integers(0, size, 500), "ill": rng.random(500) < 0.5})
    schema = tk.Schema(
        [
            tk.Attribute("number", domain=tk.Numbers(0, size - 1, step=1)),
            tk.Attribute("ill", "sensitive", tk.Categories([False, True])),
        ]
    )
    model = tk.ClassConditionalClassifier("ill").fit(
        tk.anonymize(frame, schema, tk.PkPerturbation(k=3, tells="all"), seed=1)
    )
    assert np.isfinite(model.evidence_["number"]).all()
    assert np.isfinite(model.signal_["number"])
