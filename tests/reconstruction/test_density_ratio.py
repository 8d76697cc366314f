"""Weights of rows: what they maximise, what they bring back, and what cannot be asked."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import LinearSVC

import tokumei as tk
from tokumei.errors import InvalidParameter, NotConvergedWarning

ROWS = 3000
SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(20, 80, step=1)),
        tk.Attribute("sex", domain=tk.Categories(["F", "M"])),
        tk.Attribute("job", domain=tk.Categories(["farm", "office", "none"])),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)


def people(rows: int = ROWS, seed: int = 3) -> pd.DataFrame:
    """Old men are ill; young women work in offices."""
    rng = np.random.default_rng(seed)
    old, man = rng.random(rows) < 0.3, rng.random(rows) < 0.4
    age = np.where(old, rng.integers(60, 81, rows), rng.integers(20, 45, rows))
    ill = rng.random(rows) < np.where(old & man, 0.8, 0.1)
    job = np.where(old, "none", np.where(man, "farm", "office"))
    return pd.DataFrame({"age": age, "sex": np.where(man, "M", "F"), "job": job, "ill": np.where(ill, "yes", "no")})


@pytest.fixture(scope="module")
def release() -> tk.Release:
    return tk.anonymize(people(), SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=1)


def shares(frame: pd.DataFrame, weights: np.ndarray) -> pd.Series:
    return pd.Series(weights).groupby([frame["sex"].to_numpy(), frame["job"].to_numpy()]).sum() / weights.sum()


@pytest.mark.parametrize("support", ["released", "product"])
@pytest.mark.parametrize("model", ["free", "kernel", "linear"])
def test_weights_bring_the_original_nearer(release, model, support) -> None:
    found = tk.DensityRatio(model, support, bandwidth=0.3 if model == "kernel" else None, random_state=1).fit(release)
    assert found.converged_
    assert found.weights_.min() >= 0
    assert found.weights_.mean() == pytest.approx(1)
    assert len(found.support_) == len(found.weights_) == ROWS
    true = shares(people(), np.ones(ROWS))
    before = shares(release.frame, np.ones(ROWS))
    after = shares(found.support_, found.weights_)
    # A sum of features of single columns cannot tell pairs; there it is enough that single columns come right.
    judged = [0] if model == "linear" else [0, 1]
    before, after, true = (each.groupby(level=judged).sum() for each in (before, after, true))
    assert after.sub(true, fill_value=0).abs().sum() < 0.85 * before.sub(true, fill_value=0).abs().sum()


def test_the_free_model_reaches_the_best_likelihood() -> None:
    """Against a general optimiser on the same likelihood, rows and all."""
    few = tk.anonymize(people(60), SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=4)
    found = tk.DensityRatio(smoothing=0, tol=1e-3, max_iter=5000).fit(few)
    true = {n: few.coded.codes(n).astype(int) for n in few.schema.names()}
    pairs = (true["ill"][:, None] == true["ill"][None, :]).astype(float)
    for name, channel in few.mechanism.channels.items():
        pairs = pairs * channel.matrix()[true[name][:, None], true[name][None, :]]

    def loss(logs: np.ndarray) -> float:
        p = np.exp(logs - logs.max())
        return -float(np.sum(np.log(pairs @ (p / p.sum()))))

    best = -minimize(loss, np.zeros(60), method="L-BFGS-B", options={"maxiter": 3000, "maxfun": 10**6}).fun
    mine = -loss(np.log(np.maximum(found.weights_, 1e-300)))
    assert mine == pytest.approx(found.log_likelihood_, abs=1e-2)
    assert mine >= best - 0.02


@pytest.mark.parametrize("model", ["kernel", "linear"])
def test_both_algorithms_climb_the_same_hill(release, model) -> None:
    options = {
        "bandwidth": 0.5 if model == "kernel" else None,
        "n_centers": 20,
        "max_iter": 300,
        "operator": "blocks",
        "smoothing": 0,
    }
    quick = tk.DensityRatio(model, **options).fit(release)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConvergedWarning)  # it creeps, and says so
        published = tk.DensityRatio(model, solver="gradient", **options).fit(release)
    assert quick.log_likelihood_ - 5 < published.log_likelihood_ <= quick.log_likelihood_ + quick.gap_
    assert quick.log_likelihood_ <= published.log_likelihood_ + published.gap_
    assert np.corrcoef(quick.weights_, published.weights_)[0, 1] > 0.8


@pytest.mark.parametrize("way", ["dense", "blocks", "structured"])
@pytest.mark.parametrize("library", ["numpy", "array_api_strict"])
def test_every_way_and_library_gives_the_same_weights(release, way, library) -> None:
    if way == "blocks" and library != "numpy":
        small = tk.anonymize(people(400), SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=1)
    else:
        small = release
    asked = {"smoothing": 0.05, "tol": 1.0}
    plain = tk.DensityRatio(operator="dense", **asked).fit(small).weights_
    found = tk.DensityRatio(operator=way, backend=library, **asked).fit(small)
    assert found.operator_ == way
    assert np.corrcoef(plain, found.weights_)[0, 1] > 0.995


def test_kept_columns_are_inside_the_likelihood(release) -> None:
    """A row's weight only speaks for rows with its own value of a kept column: the classes keep their sizes."""
    found = tk.DensityRatio().fit(release)
    sick = release.frame["ill"].to_numpy() == "yes"
    assert found.weights_[sick].sum() == pytest.approx(sick.sum(), rel=0.02)


def test_weights_go_to_models(release) -> None:
    found = tk.DensityRatio(support="product").fit(release)
    X = np.column_stack([found.support_["age"], found.support_["sex"] == "M"])
    y = (found.support_["ill"] == "yes").to_numpy()
    for model in (LogisticRegression(), LinearRegression(), LinearSVC()):
        model.fit(X / [60, 1], y, sample_weight=found.weights_)
        assert np.ravel(model.coef_)[0] > 0


def test_synthetic_rows_follow_the_weights(release) -> None:
    found = tk.DensityRatio(support="product").fit(release)
    drawn = found.sample(20_000, random_state=0)
    wanted = shares(found.support_, found.weights_)
    assert (shares(drawn, np.ones(20_000)) - wanted).abs().max() < 0.02
    assert list(found.sample(5, random_state=1)["age"]) == list(found.sample(5, random_state=1)["age"])


def test_functions_of_the_row_give_weights_for_any_row(release) -> None:
    for model in ("kernel", "linear"):
        found = tk.DensityRatio(model, bandwidth=0.5).fit(release)
        again = found.weights_for(release.frame)
        assert np.corrcoef(again, found.weights_)[0, 1] > 0.999
    with pytest.raises(InvalidParameter, match="free model has a weight for each of its own rows"):
        tk.DensityRatio().fit(release).weights_for(people(5))


def test_frames_of_the_same_kind_come_back() -> None:
    polars = tk.anonymize(pl.DataFrame(people(200)), SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=1)
    found = tk.DensityRatio(support="product").fit(polars)
    assert isinstance(found.support_, pl.DataFrame)
    assert isinstance(found.sample(3), pl.DataFrame)


def test_strata_weigh_the_rows() -> None:
    frame = people()
    sample = tk.samples.Stratified("ill", {"no": 400, "yes": 400})
    sampled = tk.anonymize(
        frame, SCHEMA, tk.PkPerturbation(k=1.2, sample=sample, membership="secret", tells="all"), seed=1
    )
    found = tk.DensityRatio().fit(sampled)
    sick = sampled.frame["ill"].to_numpy() == "yes"
    assert found.weights_[sick].sum() / len(sick) == pytest.approx((frame["ill"] == "yes").mean(), abs=0.01)


def test_what_cannot_be_asked(release) -> None:
    for bad, message in (
        ({"model": "cubic"}, "model must be"),
        ({"support": "all"}, "support must be"),
        ({"solver": "magic"}, "solver must be"),
        ({"columns": ["agee"]}, "Did you mean 'age'"),
        ({"columns": []}, "at least one column"),
        ({"smoothing": -1}, "smoothing must be"),
        ({"bandwidth": 0}, "bandwidth must be"),
        ({"n_centers": 0}, "n_centers must be"),
        ({"backend": "abacus"}, "backend must be"),
    ):
        with pytest.raises(InvalidParameter, match=message):
            tk.DensityRatio(**bad).fit(release)
    with pytest.raises(InvalidParameter, match="fit needs a release"):
        tk.DensityRatio().fit(people())
    unperturbed = tk.anonymize(people(50), SCHEMA, tk.Sampling(20, known=2), seed=1)
    with pytest.raises(InvalidParameter, match="No column of the release was perturbed"):
        tk.DensityRatio().fit(unperturbed)
    with pytest.raises(InvalidParameter, match="n_samples must be"):
        tk.DensityRatio().fit(release).sample(0)


def test_equal_rows_and_single_categories_are_no_trouble() -> None:
    schema = tk.Schema(
        [tk.Attribute("only", domain=tk.Categories(["x"])), tk.Attribute("sex", domain=tk.Categories(["F", "M"]))]
    )
    frame = pd.DataFrame({"only": ["x"] * 40, "sex": ["F"] * 40})
    same = tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"), seed=1)
    found = tk.DensityRatio(smoothing=0).fit(same)
    women = (same.frame["sex"] == "F").to_numpy()
    assert found.weights_[women].sum() / 40 > women.mean()


def test_it_is_an_estimator() -> None:
    model = tk.DensityRatio("kernel", bandwidth=0.5)
    assert clone(model).get_params() == model.get_params()
