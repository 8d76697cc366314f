"""The model of a whole table: what it believes is what enumeration gives, known tables come back, and bad questions are refused."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import r2_score, roc_auc_score

import tokumei as tk
from tokumei.errors import DataError, InvalidParameter
from tokumei.reconstruction import _mixture as mixture
from tokumei.reconstruction._observed import modelled
from tokumei.reconstruction.release_model import ReleaseModel

Subsets = tk.tells.Subsets
SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(0, 5, step=1)),
        tk.Attribute("sex", domain=tk.Categories(["F", "M"]), missing=True),
        tk.Attribute("area", domain=tk.Categories(["n", "e", "s"])),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)
NAMES = SCHEMA.names()
WAYS: dict[str, Any] = {
    "one": 1,
    "two": 2,
    "coarse": [Subsets(2, cells=3), Subsets(1)],
    "grids": [Subsets(("age", "sex"), cells=2), Subsets(("age", "area"), cells=3), Subsets(("sex",))],
}


def people(rows: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    old = rng.random(rows) < 0.4
    age = np.where(
        old, rng.choice(6, rows, p=[0, 0.05, 0.1, 0.2, 0.3, 0.35]), rng.choice(6, rows, p=[0.4, 0.3, 0.2, 0.1, 0, 0])
    )
    sex = np.where(rng.random(rows) < np.where(old, 0.8, 0.3), "F", "M").astype(object)
    sex[rng.random(rows) < 0.1] = None
    area = np.where(rng.random(rows) < np.where(old, 0.7, 0.1), "s", rng.choice(["n", "e"], rows))
    ill = np.where(rng.random(rows) < np.where(old, 0.75, 0.15), "yes", "no")
    return pd.DataFrame({"age": age, "sex": sex, "area": area, "ill": ill})


def released(rows: int, tells: Any, k: float = 3, seed: int = 1) -> tk.Release:
    return tk.anonymize(people(rows), SCHEMA, tk.PkPerturbation(k=k, tells=tells), seed=seed)


def rows_of(release: tk.Release) -> list[tuple[int, int, int, int]]:
    """All rows that there can be, as codes of the original columns."""
    return list(itertools.product(*(range(release.original(name).states) for name in NAMES)))


def parts(release: tk.Release, place: int, row: tuple[int, ...]) -> tuple[float, float, list[str]]:
    """P(what a released row shows, kept | a true row), the same for replaced, and the columns that it tells.

    The share of the row's cluster is left out: it is the same for all true rows.
    """
    telling, true = release.mechanism.telling, dict(zip(NAMES, row, strict=True))
    assert telling is not None
    frame = release.frame
    cluster = telling.clusters[telling.labels.index(frame["tells"][place])]
    if ["no", "yes"][true["ill"]] != frame["ill"][place]:
        return 0.0, 0.0, []
    same = True
    for name, grid in zip(cluster.columns, cluster.grids, strict=True):
        shown, column = frame[name][place], telling.columns[name]
        code = column.shown[grid].code_of[column.shown[grid].cell_of[true[name]]]
        domain = column.released.domain
        assert domain is not None
        label = domain.values_of(np.array([code]))[0].as_py()
        same = same and bool(pd.isna(shown) if label is None else label == shown)
    channel = cluster.channel
    return channel.keep * same / channel.total, channel.other / channel.total, list(cluster.columns)


def likelihood(release: tk.Release, place: int, row: tuple[int, ...]) -> float:
    """P(what a released row shows | a true row)."""
    kept, replaced, _ = parts(release, place, row)
    return kept + replaced


def mass_of(model: ReleaseModel, row: tuple[int, ...]) -> float:
    """P(true row) under the model's own classes."""
    total = 0.0
    for share, *each in zip(model._mixture.shares, *model._mixture.thetas, strict=True):
        mass = share
        for theta, column, code in zip(each, model._columns.values(), row, strict=True):
            mass *= theta[column.bins[code]] / np.count_nonzero(column.bins == column.bins[code])
        total += mass
    return total


def believed(model: ReleaseModel, release: tk.Release, place: int) -> dict[tuple[int, ...], float]:
    """P(true row | what a released row shows) by enumeration, under the model's own classes."""
    found = {row: mass_of(model, row) * likelihood(release, place, row) for row in rows_of(release)}
    total = sum(found.values())
    return {row: mass / total for row, mass in found.items()}


@pytest.mark.parametrize("way", WAYS)
def test_rows_are_drawn_from_what_enumeration_believes(way: str) -> None:
    release = released(60, WAYS[way])
    model = ReleaseModel(n_components=2, n_init=2).fit(release)
    copies = 800
    drawn = model.impute(copies, random_state=3)
    for place in range(0, 60, 12):
        exact = believed(model, release, place)
        domains = [release.original(name).domain for name in NAMES]
        counts = dict.fromkeys(exact, 0)
        for frame in drawn:
            cells = [None if pd.isna(each) else each for each in frame.iloc[place]]
            counts[
                tuple(
                    d.size if c is None else d.values_of(np.arange(d.size)).to_pylist().index(c)  # type: ignore[union-attr]
                    for d, c in zip(domains, cells, strict=True)
                )
            ] += 1
        assert all(counts[row] == 0 for row, share in exact.items() if share == 0)
        likely = [row for row, share in exact.items() if share * copies >= 5]
        off = sum((counts[row] - copies * exact[row]) ** 2 / (copies * exact[row]) for row in likely)
        assert off < len(likely) + 5 * (2 * len(likely)) ** 0.5, "chi squared is five standard deviations too large"


@pytest.mark.parametrize("way", WAYS)
def test_the_log_likelihood_is_that_of_enumeration(way: str) -> None:
    release = released(40, WAYS[way])
    model = ReleaseModel(n_components=3, n_init=1).fit(release)
    (model._mixture,) = (
        model._parts
    )  # the fit whose likelihood it is; another has classes of its own for each value of ill
    total = 0.0
    for place in range(40):
        total += np.log(sum(mass_of(model, row) * likelihood(release, place, row) for row in rows_of(release)))
    assert model.log_likelihood_ == pytest.approx(total, rel=1e-9)


def test_a_step_of_the_fit_is_that_of_enumeration() -> None:
    release = released(50, WAYS["coarse"])
    found = modelled(release)
    rng = np.random.default_rng(0)
    start = mixture.started(2, [np.full(each.size, 1 / each.size) for each in found.columns], rng)
    prior = [np.full(each.size, 0.3) for each in found.columns]
    counts = found.observed.counted(found.observed.weights)
    made = mixture.fit(found.observed, start, prior, counts, steps=2).mixture
    classes, values = np.zeros(2), [np.full((2, each.size), 0.3) for each in found.columns]
    for place in range(50):
        shares = {}
        for row, c in itertools.product(rows_of(release), range(2)):
            mass = start.shares[c]
            for theta, column, code in zip(start.thetas, found.columns, row, strict=True):
                mass *= theta[c, column.bins[code]] / np.count_nonzero(column.bins == column.bins[code])
            kept, replaced, told = parts(release, place, row)
            shares[row, c] = mass * kept, mass * replaced, told
        total = sum(kept + replaced for kept, replaced, _ in shares.values())
        for (row, c), (kept, replaced, told) in shares.items():  # what was replaced says nothing about the values
            classes[c] += (kept + replaced) / total
            for value, column, code in zip(values, found.columns, row, strict=True):
                known = kept + replaced if column.name == "ill" else kept if column.name in told else 0.0
                value[c, column.bins[code]] += known / total
    np.testing.assert_allclose(made.shares, (classes + 1) / (classes + 1).sum(), rtol=1e-9)
    for theta, value in zip(made.thetas, values, strict=True):
        np.testing.assert_allclose(theta, value / value.sum(axis=1, keepdims=True), rtol=1e-9)


def test_the_fit_never_becomes_less_likely() -> None:
    found = modelled(released(2000, 2))
    counts = found.observed.counted(found.observed.weights)
    alone = mixture.marginals(found.observed, counts)
    start = mixture.started(3, alone, np.random.default_rng(0))
    nothing = [np.zeros_like(each) for each in alone]
    reached = [
        mixture.fit(found.observed, start, nothing, counts, steps=steps).log_likelihood for steps in range(1, 40)
    ]
    assert np.all(np.diff(reached) > -0.5), "the imagined row of each class may cost a little"
    assert reached[-1] > reached[0] + 10


def true_table(frame: pd.DataFrame, columns: list[str]) -> np.ndarray:
    values = {"age": range(6), "sex": ["F", "M", None], "area": ["n", "e", "s"], "ill": ["no", "yes"]}
    cells = frame[columns].astype(object).where(frame[columns].notna(), None).value_counts(dropna=False, normalize=True)
    shares = {tuple(None if pd.isna(each) else each for each in key): share for key, share in cells.items()}
    kinds = [values[name] for name in columns]
    return np.array([shares.get(key, 0.0) for key in itertools.product(*kinds)]).reshape([len(k) for k in kinds])


@pytest.mark.parametrize("way", ["one", "two", "coarse"])
def test_known_tables_come_back(way: str) -> None:
    rows = 40_000
    original, release = people(rows), released(rows, WAYS[way])
    model = tk.reconstruct(release)
    pairs = [
        pair for pair in itertools.combinations(NAMES, 2) if way != "one" or "ill" in pair
    ]  # others are not told together
    for pair in pairs:
        true, found = true_table(original, list(pair)), model.table(list(pair))
        independent = np.multiply.outer(true.sum(axis=1), true.sum(axis=0))
        assert found.pmf_.sum() == pytest.approx(1)
        off = 0.5 * np.abs(found.pmf_ - true).sum()
        assert off < 0.03
        assert off < 0.5 * 0.5 * np.abs(independent - true).sum() + 0.01, "the columns go together"
        assert found.counts_.sum() == pytest.approx(rows)
    table = model.table(["sex", "ill"])
    assert table.labels_ == [["F", "M", None], ["no", "yes"]]
    assert list(table.frame().columns) == ["sex", "ill", "share", "count"]
    assert len(table.frame()) == 6


def test_tables_of_long_columns_are_in_bins() -> None:
    census = tk.example_census(rows=20_000)
    release = tk.anonymize(census, tk.example_schema(), tk.PkPerturbation(k=3, tells=1), seed=1)
    model = tk.reconstruct(release)
    assert model.table("age").pmf_.shape == (74,)
    found = model.table(["age", "income"], bins={"age": [17, 30, 60, 90]})
    assert found.pmf_.shape == (3, 4)
    true = [(census["age"] < 30).mean(), census["age"].between(30, 59).mean(), (census["age"] >= 60).mean()]
    telling = release.mechanism.telling
    assert telling is not None
    (alone,) = telling.clusters_of("age")
    told = int((release.frame[telling.label] == telling.labels[alone]).sum())
    error = 0.5 / (
        told**0.5 * telling.clusters[alone].channel.retention
    )  # of a share that noise was taken out of, at most
    assert error < 0.025
    np.testing.assert_allclose(found.pmf_.sum(axis=1), true, atol=4 * error)
    assert set(model.impute(random_state=1)["age"]) <= set(range(17, 91))


def test_imputed_rows_have_the_original_columns_and_keep_what_was_kept() -> None:
    release = released(500, WAYS["coarse"])
    model = tk.reconstruct(release)
    drawn = model.impute(random_state=0)
    assert list(drawn.columns) == ["age", "sex", "area", "ill"]
    assert drawn["ill"].tolist() == release.frame["ill"].tolist()
    assert drawn["age"].dtype == np.int64
    assert len(model.impute(copies=3, random_state=0)) == 3
    assert model.impute(copies=3, random_state=0)[0].equals(drawn)
    assert not model.impute(random_state=1).equals(drawn)
    sampled = model.sample(50, random_state=0)
    assert sampled.shape == (50, 4)


def test_it_is_the_same_from_a_file_and_for_other_frames(tmp_path: Path) -> None:
    frame = pl.from_pandas(people(800))
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=3, tells=2), seed=1)
    release.write(tmp_path / "out", allow_seeded=True)
    read = tk.read_release(tmp_path / "out", frame="polars")
    ours, theirs = tk.reconstruct(release), tk.reconstruct(read)
    np.testing.assert_array_equal(ours.table(["age", "ill"]).pmf_, theirs.table(["age", "ill"]).pmf_)
    assert isinstance(theirs.impute(), pl.DataFrame)
    assert isinstance(ours.table("age").frame(), pl.DataFrame)


def test_means_of_functions_of_rows() -> None:
    original = people(30_000)
    model = tk.reconstruct(released(30_000, 2))
    found = model.expectation(lambda rows: (rows["age"] >= 3) & (rows["area"] == "s"))
    assert found == pytest.approx(((original["age"] >= 3) & (original["area"] == "s")).mean(), abs=0.02)
    both = model.expectation(lambda rows: np.stack([rows["age"], rows["age"] ** 2], axis=1))
    np.testing.assert_allclose(both, [original["age"].mean(), (original["age"] ** 2).mean()], rtol=0.05)


@pytest.mark.parametrize("way", ["one", "two"])
def test_any_column_can_be_predicted(way: str) -> None:
    model = tk.reconstruct(released(20_000, WAYS[way]))
    test = people(5000, seed=9)
    chances = model.predict_proba(test.drop(columns="ill"), "ill")
    best = tk.reconstruct(released(20_000, WAYS[way]), "ill")
    assert roc_auc_score(test["ill"], chances[:, 1]) > 0.78
    assert roc_auc_score(test["ill"], best.decision_function(test)) == pytest.approx(
        roc_auc_score(test["ill"], chances[:, 1]), abs=0.01
    )
    assert set(model.predict(test, "area")) <= {"n", "e", "s"}
    assert (model.predict(test[["age"]], "area") == test["area"]).mean() > (0.45 if way == "one" else 0.5)
    assert r2_score(test["age"], model.predict(test.drop(columns="age"), "age")) > 0.25
    assert set(best.signal_) == {"age", "sex", "area"}
    assert "completed" in best.picked_.reason
    assert "classes" in model.picked_.reason


def test_the_start_hardly_matters() -> None:
    release, test = released(16_000, 2, k=10), people(5000, seed=9)
    scores, shares = [], []
    for start in range(5):
        model = tk.reconstruct(release, random_state=start)
        scores.append(roc_auc_score(test["ill"], model.predict_proba(test, "ill")[:, 1]))
        shares.append(model.table(["age", "area"]).pmf_)
    assert max(scores) - min(scores) < 0.01
    assert max(0.5 * np.abs(each - shares[0]).sum() for each in shares) < 0.02


def test_survey_weights_count() -> None:
    original = people(20_000).assign(weight=lambda rows: np.where(rows["age"] >= 3, 1, 3))
    schema = tk.Schema([*SCHEMA, tk.Attribute("weight", "insensitive", tk.Numbers(1, 3, step=1))])
    release = tk.anonymize(original, schema, tk.PkPerturbation(k=3, tells=1), seed=1)
    model = tk.reconstruct(release, weights="weight")
    assert "weight" not in model.columns_
    found = model.table("age").pmf_
    true = original.groupby("age")["weight"].sum() / original["weight"].sum()
    np.testing.assert_allclose(found, true, atol=0.03)


def test_a_kept_number_is_looked_at_in_bins_and_released_as_it_was() -> None:
    rng = np.random.default_rng(0)
    frame = people(5000)
    frame["pay"] = np.where(frame["age"] >= 3, rng.integers(500, 1000, 5000), rng.integers(0, 500, 5000))
    schema = tk.Schema([*SCHEMA, tk.Attribute("pay", "sensitive", tk.Numbers(0, 999, step=1))])
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=3, tells=1), seed=1)
    model = tk.reconstruct(release)
    assert sorted(model.impute()["pay"]) == sorted(frame["pay"])
    table = model.table(["pay", "age"], bins={"pay": 2}).pmf_
    assert table[0, 4:].sum() < 0.05 < table[1, 4:].sum()
    share, _ = np.histogram(frame["pay"], bins=20, range=(0, 1000))
    np.testing.assert_allclose(model.table("pay").pmf_, share / 5000, atol=0.02)
    assert r2_score(frame["pay"], model.predict(frame, "pay")) > 0.4


def test_bad_questions_are_refused_in_one_sentence() -> None:
    release = released(300, 1)
    model = tk.reconstruct(release)
    with pytest.raises(InvalidParameter, match="no column 'aeg'.*'age'"):
        model.table(["aeg"])
    with pytest.raises(InvalidParameter, match="each once"):
        model.table(["age", "age"])
    with pytest.raises(InvalidParameter, match="not among the columns"):
        model.table(["age"], bins={"sex": 2})
    with pytest.raises(InvalidParameter, match="bins are for numbers"):
        model.table(["sex"], bins={"sex": 2})
    for copies in (0, True, 1.5):
        with pytest.raises(InvalidParameter, match="copies must be a whole number"):
            model.impute(copies)
    with pytest.raises(InvalidParameter, match="n_samples"):
        model.sample(0)
    with pytest.raises(InvalidParameter, match="a finite number"):
        model.expectation(lambda rows: 1.0)
    with pytest.raises(InvalidParameter, match="use predict"):
        model.predict_proba(people(3), "age")
    with pytest.raises(DataError, match="none of the columns"):
        model.predict(pd.DataFrame({"other": [1]}), "age")
    with pytest.raises(InvalidParameter, match="not 'age' itself"):
        model.estimator("age", ["age"])
    with pytest.raises(InvalidParameter, match="table\\(columns\\)"):
        tk.reconstruct(release, columns=["age"])
    with pytest.raises(InvalidParameter, match="n_init"):
        ReleaseModel(n_init=0).fit(release)
    with pytest.raises(InvalidParameter, match="needs a release"):
        ReleaseModel().fit(people(3))  # type: ignore[arg-type]


@pytest.mark.parametrize("way", WAYS)
def test_a_table_is_the_mean_of_what_enumeration_believes_about_rows(way: str) -> None:
    release = released(60, WAYS[way])
    model = ReleaseModel(n_components=2, n_init=2).fit(release)
    for names in (["age"], ["area", "ill"], ["sex", "area", "age"]):
        places = [NAMES.index(name) for name in names]
        exact = np.zeros([release.original(name).states for name in names])
        for place in range(release.rows):
            for row, share in believed(model, release, place).items():
                exact[tuple(row[at] for at in places)] += share / release.rows
        np.testing.assert_allclose(model.estimated_table(names).pmf_, exact, atol=1e-9)


def test_fewer_steps_climb_less_far() -> None:
    release = tk.anonymize(tk.example_census(rows=800), tk.example_schema(), tk.PkPerturbation(k=3, tells=2), seed=1)
    few, many = (ReleaseModel(n_components=4, n_init=1, max_iter=steps).fit(release) for steps in (3, 60))
    assert few.log_likelihood_ < many.log_likelihood_
    with pytest.raises(InvalidParameter, match="max_iter must be a whole number of at least 1"):
        ReleaseModel(max_iter=0).fit(release)
