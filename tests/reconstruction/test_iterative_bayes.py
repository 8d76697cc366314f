from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sklearn.base import clone

import tokumei as tk
from tests.conftest import columns_of
from tokumei.errors import DataError, InvalidParameter, NotConvergedWarning
from tokumei.reconstruction._em import maximise

ROWS = 20_000


@pytest.fixture(scope="module")
def census() -> pa.Table:
    return tk.example_census(rows=ROWS, frame="pyarrow")


@pytest.fixture(scope="module")
def release(census: pa.Table) -> tk.Release:
    weights = {"age": 3.0, "education": 3.0, "sex": 2.0, "marital": 1.0, "hours": 1.0}
    prepare = [tk.prepare.Drop("region"), tk.prepare.Drop("occupation"), tk.prepare.Recode("education")]
    return tk.anonymize(
        census, tk.example_schema(), tk.PkPerturbation(k=3, split=weights, tells="all"), prepare, seed=11
    )


def crosstab(census: pa.Table, first: list[str], labels: list[list[object]]) -> np.ndarray:
    frame = census.to_pandas()
    school = {"None": "School", "Primary": "School", "Secondary": "School", "Vocational": "Vocational"}
    frame["education"] = frame["education"].map(lambda e: school.get(e, "University"))
    counts = frame.groupby(first).size()
    return np.array([counts.get(cell if len(cell) > 1 else cell[0], 0) for cell in itertools.product(*labels)]) / ROWS


def test_joint_shares_come_back(census, release) -> None:
    model = tk.IterativeBayes(["education", "sex", "income"]).fit(release)
    true = crosstab(census, ["education", "sex", "income"], model.labels_).reshape(model.pmf_.shape)
    seen = np.zeros(model.pmf_.shape)
    codes = tuple(release.coded.codes(name) for name in ("education", "sex", "income"))
    np.add.at(seen, codes, 1 / ROWS)
    wrong, right = np.abs(seen - true).sum() / 2, np.abs(model.pmf_ - true).sum() / 2
    assert right < 0.06
    assert right < wrong / 2
    assert model.pmf_.sum() == pytest.approx(1)
    assert model.counts_.sum() == pytest.approx(ROWS)
    assert model.converged_


def test_the_certificate_holds(release) -> None:
    """Nothing found by a slow plain iteration is better than the bound says."""
    model = tk.IterativeBayes(["education", "income"], tol=1e-6).fit(release)
    channel = release.mechanism.channels["education"]
    seen = np.zeros(model.pmf_.shape)
    np.add.at(seen, (release.coded.codes("education"), release.coded.codes("income")), 1.0)
    p = np.full(seen.shape, 1 / seen.size)
    for _ in range(20_000):
        p = p * channel.backward(seen / ROWS / channel.forward(p, 0), 0)
    best = float(np.sum(seen * np.log(channel.forward(p, 0))))
    assert model.log_likelihood_ == pytest.approx(
        float(np.sum(seen * np.log(channel.forward(model.pmf_, 0)))), abs=1e-6
    )
    assert best - model.log_likelihood_ <= 1e-5
    assert np.allclose(model.pmf_, p, atol=2e-4)


def test_acceleration_saves_steps(release) -> None:
    seen = np.bincount(release.coded.codes("age"), minlength=74).astype(float)
    channel = release.mechanism.channels["age"]
    fast = maximise(seen, channel.forward, channel.backward, np.ones(74), 0.01, 5000)
    assert fast.gap <= 0.01
    p = np.full(74, 1 / 74)
    for _ in range(10 * fast.steps):
        p = p * channel.backward(seen / ROWS / channel.forward(p))
    slow_gap = ROWS * (channel.backward(seen / ROWS / channel.forward(p)).max() - 1)
    assert slow_gap > 10 * fast.gap


def test_without_noise_nothing_changes() -> None:
    schema = tk.Schema(
        [tk.Attribute("q", domain=tk.Categories([0, 1])), tk.Attribute("s", "sensitive", tk.Categories([0, 1]))]
    )
    table = pa.table({"q": [0, 1] * 20, "s": [0, 0, 0, 1] * 10})
    release = tk.anonymize(table, schema, tk.PkPerturbation(k=2, tells="all"))
    assert tk.IterativeBayes(["s"]).fit(release).pmf_.tolist() == pytest.approx([0.75, 0.25], abs=1e-4)


def test_numbers_are_binned_as_asked(release) -> None:
    by_count = tk.IterativeBayes(["age"], bins={"age": 4}).fit(release)
    assert by_count.pmf_.shape == (4,)
    assert by_count.labels_[0][0].startswith("17-")
    by_edges = tk.IterativeBayes(["age", "sex"], bins={"age": [17, 40, 65, 90]}).fit(release)
    assert by_edges.labels_[0] == ["17-39", "40-64", "65-90"]
    young = np.mean(np.array(tk.example_census(rows=ROWS, frame="pyarrow").column("age")) < 40)
    assert by_edges.pmf_[0].sum() == pytest.approx(young, abs=0.06)


def test_fine_columns_get_bins_by_themselves_and_dates_too() -> None:
    import datetime as dt

    rng = np.random.default_rng(0)
    days = dt.date(2020, 1, 1)
    table = pa.table(
        {
            "x": rng.random(4000),
            "born": [days + dt.timedelta(days=int(d)) for d in rng.integers(0, 3000, 4000)],
        }
    )
    schema = tk.Schema(
        [tk.Attribute("x", domain=tk.Numbers(0, 1)), tk.Attribute("born", domain=tk.Dates(days, dt.date(2028, 12, 31)))]
    )
    release = tk.anonymize(table, schema, tk.PkPerturbation(k=1.01, tells="all"), seed=1)
    model = tk.IterativeBayes(["x", "born"], bins={"born": 3}, tol=1).fit(release)
    assert model.pmf_.shape == (20, 3)
    assert model.labels_[0][0] == "[0, 0.05)"
    low = tk.IterativeBayes(["x"], bins={"x": [0, 0.25, 1]}).fit(release)
    assert low.pmf_[0] == pytest.approx(0.25, abs=0.06)


def test_missing_is_one_more_place() -> None:
    rng = np.random.default_rng(0)
    age = rng.integers(0, 10, 30_000).astype(float)
    age[rng.random(30_000) < 0.2] = np.nan
    label = np.where(rng.random(30_000) < 0.1, None, rng.choice(["a", "b"], 30_000))
    schema = tk.Schema(
        [
            tk.Attribute("age", domain=tk.Numbers(0, 9, step=1), missing=True),
            tk.Attribute("label", domain=tk.Categories(["a", "b"]), missing=True),
        ]
    )
    release = tk.anonymize(
        pd.DataFrame({"age": age, "label": label}), schema, tk.PkPerturbation(k=2, tells="all"), seed=5
    )
    model = tk.IterativeBayes(["age", "label"]).fit(release)
    assert model.pmf_.shape == (11, 3)
    assert model.labels_[0][-1] is None
    assert model.pmf_[-1].sum() == pytest.approx(0.2, abs=0.02)
    assert model.pmf_[:, -1].sum() == pytest.approx(0.1, abs=0.02)
    binned = tk.IterativeBayes(["age"], bins={"age": [0, 5, 9]}).fit(release)
    assert binned.pmf_.tolist() == pytest.approx([0.4, 0.4, 0.2], abs=0.05)


def test_the_frame_is_of_the_releases_kind(make, people, schema, kind, tmp_path) -> None:
    made = tk.anonymize(make(people), schema, tk.PkPerturbation(k=2, tells="all"))
    table = tk.IterativeBayes(["sex", "ill"]).fit(made).frame()
    assert type(table) is type(make(people))
    found = columns_of(table)
    assert list(found) == ["sex", "ill", "share", "count"]
    assert found["ill"] == [False, True, False, True]
    assert sum(found["share"]) == pytest.approx(1)


def test_scikit_learn_habits(release) -> None:
    model = tk.IterativeBayes(["sex"], tol=0.5)
    assert clone(model).get_params() == model.get_params()
    with pytest.raises(Exception, match="not fitted"):
        model.frame()
    assert model.fit(release) is model


def test_giving_up_is_said(release) -> None:
    with pytest.warns(NotConvergedWarning, match="stopped after 1 iteration"):
        model = tk.IterativeBayes(["age"], max_iter=1).fit(release)
    assert not model.converged_


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (tk.IterativeBayes([]), "at least one column"),
        (tk.IterativeBayes(["agee"]), "no column 'agee' in the release. Did you mean 'age'"),
        (tk.IterativeBayes(["age", "age"]), "names a column twice"),
        (tk.IterativeBayes(["age"], bins={"sex": 2}), "bins names 'sex', which is not among the columns"),
        (tk.IterativeBayes(["sex"], bins={"sex": 2}), "'sex' has categories"),
        (tk.IterativeBayes(["age"], bins={"age": 0}), "between 1 and 74"),
        (tk.IterativeBayes(["age"], bins={"age": 1000}), "between 1 and 74"),
        (tk.IterativeBayes(["age"], bins={"age": [17, 50]}), "bins of 'age' cannot be used"),
        (tk.IterativeBayes(["age"], bins={"age": [50, 17]}), "must increase"),
        (tk.IterativeBayes(["region"]), "no column 'region'"),
    ],
)
def test_models_that_cannot_be_fitted(release, model, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        model.fit(release)


def test_tables_that_are_too_big_are_refused_with_their_size() -> None:
    names = "abcdef"
    schema = tk.Schema([tk.Attribute(n, domain=tk.Numbers(0, 99, step=1)) for n in names])
    table = pa.table({n: [0, 99] * 5 for n in names})
    release = tk.anonymize(table, schema, tk.PkPerturbation(k=2, tells="all"))
    with pytest.raises(InvalidParameter, match=r"100 × 100 × 100 × 100 × 100 × 100 = 1,000,000,000,000 cells"):
        tk.IterativeBayes(list(names)).fit(release)


def test_columns_without_a_domain_cannot_be_tabulated() -> None:
    schema = tk.Schema([tk.Attribute("q", domain=tk.Categories([0, 1])), tk.Attribute("free", "insensitive")])
    release = tk.anonymize(pa.table({"q": [0, 1] * 5, "free": ["x"] * 10}), schema, tk.PkPerturbation(k=2, tells="all"))
    with pytest.raises((InvalidParameter, DataError), match="'free' has no declared domain"):
        tk.IterativeBayes(["free"]).fit(release)


def test_intervals_hold_what_they_say() -> None:
    """Over many tables and releases, the intervals cover the shares of the population about as often as stated."""
    rng = np.random.default_rng(0)
    schema = tk.Schema(
        [tk.Attribute("c", domain=tk.Categories(list("abcd"))), tk.Attribute("s", "sensitive", tk.Categories([0, 1]))]
    )
    share, ill = np.array([0.4, 0.3, 0.2, 0.1]), 0.2 + 0.15 * np.arange(4)
    true = np.stack([share * (1 - ill), share * ill], axis=1)
    covered, errors, spread = [], [], []
    for seed in range(60):
        codes = rng.choice(4, 4000, p=share)
        table = pd.DataFrame({"c": np.array(list("abcd"))[codes], "s": (rng.random(4000) < ill[codes]).astype(int)})
        release = tk.anonymize(table, schema, tk.PkPerturbation(k=20, tells="all"), seed=seed)
        model = tk.IterativeBayes(["c", "s"]).fit(release).intervals()
        covered.append((model.low_ <= true) & (true <= model.high_))
        errors.append(model.pmf_ - true)
        spread.append(model.standard_errors_)
    assert 0.9 < np.mean(covered) < 0.98
    assert np.sqrt(np.mean(np.square(spread))) == pytest.approx(np.std(errors), rel=0.1)


def test_intervals_are_in_the_frame_and_gone_after_a_new_fit(release) -> None:
    model = tk.IterativeBayes(["sex"]).fit(release).intervals()
    assert model.frame().column_names == ["sex", "share", "count", "standard error", "low", "high", "interval"]
    assert model.fit(release).frame().column_names == ["sex", "share", "count"]
    with pytest.raises(InvalidParameter, match="level must lie between"):
        model.intervals(level=2)
