"""The model of a release whose rows were counted elsewhere: close to that of the rows, and refusals where rows are needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter

SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(0, 5, step=1)),
        tk.Attribute("sex", domain=tk.Categories(["F", "M"]), missing=True),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)


def people(rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    old = rng.random(rows) < 0.4
    sex = np.where(rng.random(rows) < np.where(old, 0.8, 0.3), "F", "M").astype(object)
    sex[rng.random(rows) < 0.1] = None
    ill = np.where(rng.random(rows) < np.where(old, 0.75, 0.15), "yes", "no")
    return pd.DataFrame(
        {"age": np.where(old, rng.integers(2, 6, rows), rng.integers(0, 4, rows)), "sex": sex, "ill": ill}
    )


def counted(release: tk.Release) -> pd.DataFrame:
    return (
        release.frame.groupby(list(release.frame.columns), dropna=False, observed=True).size().reset_index(name="count")
    )


@pytest.fixture(scope="module")
def release() -> tk.Release:
    return tk.anonymize(people(6000), SCHEMA, tk.PkPerturbation(k=3, tells=2), seed=1)


@pytest.fixture(scope="module")
def model(release: tk.Release) -> Any:
    counts = counted(release)
    assert len(counts) < 80
    return tk.reconstruct(release, counts=counts)


def test_tables_are_those_of_the_rows(release: tk.Release, model: Any) -> None:
    rows = tk.reconstruct(release)
    for columns in (["age", "sex"], ["age", "ill"], ["sex", "ill"]):
        one, other = model.table(columns), rows.table(columns)
        assert np.abs(one.pmf_ - other.pmf_).sum() / 2 < 0.01
        assert one.counts_.sum() == pytest.approx(6000)


def test_a_table_is_shown_without_intervals(model: Any) -> None:
    table = model.table(list(model.columns_)[:1])
    shown = str(table).splitlines()
    assert len(shown) == 1 + table.pmf_.size
    assert "interval" not in str(table)
    assert shown[1].endswith(f"{table.pmf_[0]:.4f}")


def test_counts_must_be_of_all_rows(release: tk.Release) -> None:
    with pytest.raises(InvalidParameter, match="add up to the 6,000 rows"):
        tk.reconstruct(release, counts=counted(release).iloc[1:])


def test_rows_are_drawn_and_columns_predicted(release: tk.Release, model: Any) -> None:
    assert len(model.sample(random_state=1)) == 6000
    drawn = model.sample(20_000, random_state=1)
    assert abs((drawn["ill"] == "yes").mean() - (people(6000)["ill"] == "yes").mean()) < 0.02
    true = people(500)
    one, other = model.predict_proba(true, "ill"), tk.reconstruct(release).predict_proba(true, "ill")
    assert np.abs(one - other).mean() < 0.05
    sick = model.expectation(lambda rows: rows["ill"] == "yes", copies=1)
    assert sick == pytest.approx((drawn["ill"] == "yes").mean(), abs=0.02)
    assert len(tk.synthesize(model, rows=50).frame) == 50


def test_what_needs_rows_is_refused(model: Any) -> None:
    asked = (
        lambda: model.impute(),
        lambda: model.mean("age"),
        lambda: model.table(["age"]).intervals(),
        lambda: tk.synthesize(model),
        lambda: tk.synthesize(model, rows=10, copies=2),
    )
    for question in asked:
        with pytest.raises(InvalidParameter, match="fitted to counts"):
            question()


def test_columns_through_noise(release: tk.Release) -> None:
    noisy = tk.anonymize(people(6000), SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=1)
    model = tk.reconstruct(noisy, counts=counted(noisy))
    assert np.abs(model.table(["ill"]).pmf_ - [[0.6, 0.4]]).max() < 0.1
    with pytest.raises(InvalidParameter, match="fitted to counts"):
        tk.reconstruct(noisy, target="ill", counts=counted(noisy))


@pytest.mark.parametrize(
    ("method", "missing"),
    [
        (tk.Generalization(k=5), "recoded cells"),
        (tk.GroupedPkPerturbation(k=5), "perturbed in groups"),
        (tk.Microaggregation(k=5), "averages"),
        (tk.Swapping(k=5), "swapped within groups"),
    ],
)
def test_counts_of_other_releases_are_refused_with_what_is_missing(method: Any, missing: str) -> None:
    made = tk.anonymize(people(600), SCHEMA, method, seed=1)
    with pytest.raises(InvalidParameter, match=f"counts are for releases .* {missing}"):
        tk.reconstruct(made, counts=counted(made))


def test_weights_and_lacking_columns_are_refused(release: tk.Release) -> None:
    with pytest.raises(InvalidParameter, match="do not include the weights"):
        tk.reconstruct(release, weights="age", counts=counted(release))
    with pytest.raises(InvalidParameter, match="lacks"):
        tk.reconstruct(release, counts=counted(release).drop(columns="ill"))
