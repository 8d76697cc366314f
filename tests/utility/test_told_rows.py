"""Measures of rows that tell some columns only: blanks are not missing values, and what cannot be measured says so."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.reconstruction.release_model import ReleaseModel
from tokumei.utility.quick import Quick
from tokumei.utility.tables import FITS

ROWS = 4000
SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(0, 59, step=1)),
        tk.Attribute("town", domain=tk.Categories(["north", "east", "south"]), missing=True),
        tk.Attribute("sex", domain=tk.Categories(["f", "m"])),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    town = rng.choice(["north", "east", "south", None], ROWS, p=[0.4, 0.2, 0.1, 0.3])
    sex = rng.choice(["f", "m"], ROWS)
    ill = np.where(rng.random(ROWS) < np.where(sex == "f", 0.7, 0.2), "yes", "no")
    return pd.DataFrame({"age": rng.integers(0, 60, ROWS) // 2, "town": town, "sex": sex, "ill": ill})


def released(people: pd.DataFrame, tells: Any, **options: Any) -> tk.Release:
    return tk.anonymize(people, SCHEMA, tk.PkPerturbation(k=1.05, tells=tells, **options), seed=1)


def contingency(people: pd.DataFrame, release: tk.Release, *columns: str) -> pd.DataFrame:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = tk.comparisons.contingency(people, release, SCHEMA, list(columns), n_bins=6)
    assert any("those of the rows that tell it" in str(each.message) for each in told)
    return found


@pytest.mark.parametrize("sample", [None, tk.samples.Stratified("ill", {"no": 700, "yes": 400})])
def test_shares_are_those_of_the_rows_that_tell(people: pd.DataFrame, sample: Any) -> None:
    """Counted anew with pandas, a told missing cell being a value and a blank one nothing."""
    release = released(people, 2, sample=sample)
    found = contingency(people, release, "town")
    rows = release.frame
    stands = np.ones(len(rows))
    if sample is not None:  # a row of a stratum stands for as many as there were for each that was drawn
        of, drawn = people["ill"].value_counts(), rows["ill"].value_counts()
        stands = rows["ill"].map(of / drawn).to_numpy()
    tells = rows["tells"].str.contains("town")
    assert tells.mean() == pytest.approx(2 / 3, abs=0.05)
    for label, count in zip(found["town"], found["released"], strict=True):
        same = rows["town"].isna() if label == "(missing)" else rows["town"] == label
        assert count == pytest.approx(ROWS * stands[tells & same].sum() / stands[tells].sum())
    assert found["released"].sum() == pytest.approx(ROWS)


def test_coarser_cells_are_spread_and_finer_ones_counted(people: pd.DataFrame) -> None:
    """Ages are told in cells of 5 or of 15 years: each stretch is spread evenly over its years."""
    whole = tk.tells.Subsets(("age", "sex", "town"), cells=4)
    release = released(people, [tk.tells.Subsets(("age",), cells=12), whole, tk.tells.Subsets(("sex",))])
    found = contingency(people, release, "age")
    rows, years = release.frame[release.tells("age")]["age"], np.zeros(60)
    for cell, count in rows.value_counts().items():
        low, high = (int(each) for each in str(cell).strip("[]").split(","))
        assert high - low + 1 in {5, 15}
        years[low : high + 1] += count / (high - low + 1) / len(rows)
    for label, count in zip(found["age"], found["released"], strict=True):
        low, high = (int(each) for each in label.split("-"))
        assert count == pytest.approx(ROWS * years[low : high + 1].sum())


def test_two_columns_are_counted_where_both_are_told_and_else_taken_as_independent(people: pd.DataFrame) -> None:
    two = released(people, 2)
    found = contingency(people, two, "town", "sex")
    both = two.frame[two.tells("town", "sex")]
    cells = pd.crosstab(both["town"].fillna("(missing)"), both["sex"], normalize="all")
    for town, sex, count in zip(found["town"], found["sex"], found["released"], strict=True):
        assert count == pytest.approx(ROWS * cells.loc[town, sex])
    one = released(people, 1)
    assert not one.tells("town", "sex").any()
    assert one.tells("ill").all()
    joint = contingency(people, one, "town", "sex")["released"].to_numpy().reshape(4, 2) / ROWS
    alone = [contingency(people, one, name)["released"].to_numpy() / ROWS for name in ("town", "sex")]
    np.testing.assert_allclose(joint, np.outer(*alone))
    # A column that every row has goes with those that some tell.
    ill = contingency(people, one, "sex", "ill")["released"].to_numpy().reshape(2, 2)
    truth = contingency(people, one, "sex", "ill")["original"].to_numpy().reshape(2, 2)
    assert np.abs(ill - truth).sum() / 2 / ROWS < 0.05


@pytest.mark.parametrize("tells", [1, 2])
def test_utility_says_how_it_was_measured(people: pd.DataFrame, tells: int) -> None:
    release = released(people, tells)
    found = tk.measure_utility(people, release, SCHEMA, target="ill", reconstruct=False)
    told = [str(note) for note in found.notes]
    assert told[0] == "As released: Shares of a column are those of the rows that tell it."
    assert any("No row tells both columns in 3 of 6 pairs" in each for each in told) == (tells == 1)
    assert found.released is not None
    assert found.released.propensity is None
    assert found.released.prediction is None
    assert sum("each row tells some of these columns only" in each for each in told) == 2
    assert found.released.marginal_distance < 0.05  # k is small, so that shares are hardly off
    quick = Quick(tk.engines.local.prepared_table(people, SCHEMA, ()))
    assert quick.released(release).marginals == pytest.approx(found.released.marginal_distance)


def test_after_reconstruction_one_model_gives_every_table(people: pd.DataFrame) -> None:
    release = tk.anonymize(people, SCHEMA, tk.PkPerturbation(k=5, tells=2), seed=1)
    found = tk.measure_utility(people, release, SCHEMA, target="ill")
    assert found.released is not None
    assert found.reconstructed is not None
    assert found.reconstructed.pair_distance < 0.7 * found.released.pair_distance
    assert found.reconstructed.prediction is not None
    assert str(found).count("After reconstruction, a column is off by") == 1
    model = ReleaseModel(n_init=FITS).fit(release)
    cells = model.table(["sex", "ill"]).pmf_
    truth = pd.crosstab(people["sex"], people["ill"], normalize="all").to_numpy()
    off = found.reconstructed.pairs["sex", "ill"].total_variation
    assert off == pytest.approx(np.abs(cells - truth).sum() / 2)
    assert model.columns_ == ["age", "town", "sex", "ill"]


def test_imputed_rows_are_hard_to_tell_from_original_ones(people: pd.DataFrame) -> None:
    """Against an oracle: scikit-learn's scores of which table a row comes from, without regularisation to speak of."""
    from sklearn.linear_model import LogisticRegression

    release = tk.anonymize(people, SCHEMA, tk.PkPerturbation(k=5, tells=2), seed=1)
    told = tk.measure_utility(people, release, SCHEMA, columns=["town", "sex", "ill"]).reconstructed
    assert told is not None
    assert told.propensity is not None
    noise = tk.anonymize(people, SCHEMA, tk.PkPerturbation(k=5, tells="all"), seed=1)
    raw = tk.measure_utility(people, noise, SCHEMA, columns=["town", "sex", "ill"], reconstruct=False).released
    assert raw is not None
    assert raw.propensity is not None
    assert told.propensity.share < 0.2 * raw.propensity.share
    columns = ["town", "sex", "ill"]
    imputed = tk.reconstruct(release).impute(random_state=np.random.default_rng(5))
    both = pd.get_dummies(pd.concat([people[columns], imputed[columns]]).fillna("(missing)"))
    which = np.repeat([0, 1], ROWS)
    scores = LogisticRegression(C=1e4, max_iter=500).fit(both, which).predict_proba(both)[:, 1]
    pmse = float(np.mean((scores - 0.5) ** 2))
    assert told.propensity.pmse == pytest.approx(pmse, abs=0.003)


def test_rows_that_tell_everything_are_measured_as_any_others(people: pd.DataFrame) -> None:
    release = released(people, 3)
    assert release.tells(*SCHEMA.names()).all()
    found = tk.measure_utility(people, release, SCHEMA, target="ill", reconstruct=False)
    assert found.notes == ()
    assert found.released is not None
    assert found.released.propensity is not None
    assert found.released.prediction is not None


def test_comparing_by_name_or_as_methods(people: pd.DataFrame) -> None:
    mixed = tk.PkPerturbation(k=2, tells=[tk.tells.Subsets(("age", "town"), cells=4), tk.tells.Subsets(1)])
    picked = tk.PkPerturbation(k=2, tells=tk.tells.Auto("marginals"))
    methods = ["pk_perturbation:tells=all", "pk_perturbation:tells=2", tk.PkPerturbation(k=2, tells=1), mixed, picked]
    found = tk.compare(people, SCHEMA, methods, ks=[3], reconstruct=False, sample=len(people))
    parts = ("all", "2", "1", "age&town+1", "marginals")
    assert found["method"].tolist() == [f"pk_perturbation:tells={each}" for each in parts]
    assert (found["kept_k"] >= 3).all()
    assert found["pairs"].notna().all()
    assert found["told_apart"].notna().tolist() == [True, False, False, False, False]
    with pytest.raises(tk.errors.InvalidParameter, match="cannot be used: 'tells' must be"):
        tk.compare(people, SCHEMA, ["pk_perturbation:tells=few"], ks=[3])


def test_regressions_as_released_are_refused(people: pd.DataFrame) -> None:
    found = tk.comparisons.compare_regression(people, released(people, 2), SCHEMA, "ill", ["sex", "age"])
    assert found.released is None
    assert "each row tells some of these columns only" in str(found.notes[0])
    assert found.reconstructed is None
    assert str(found.notes[1]).startswith("After reconstruction: 'age' is told by some rows only")


def test_a_column_that_no_row_tells_is_said(people: pd.DataFrame) -> None:
    schema = tk.Schema([tk.Attribute(f"c{n}", domain=tk.Categories([0, 1])) for n in range(12)])
    few = pd.DataFrame({f"c{n}": [0, 1, 0] for n in range(12)})
    release = tk.anonymize(few, schema, tk.PkPerturbation(k=1.5, tells=1), seed=1)
    found = tk.measure_utility(few, release, schema, reconstruct=False)
    assert found.released is None
    assert "no released row tells 'c" in str(found.notes[0])


def test_asking_for_a_column_that_is_not_there(people: pd.DataFrame) -> None:
    with pytest.raises(tk.errors.TokumeiError, match="nowhere"):
        released(people, 1).tells("nowhere")
