"""Groups with noise whose boxes say too little: the model contradicts single columns, or fits contradict each other, and it is believed less."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from benchmarks.wide_groups import errors
from tokumei.errors import AssumptionWarning
from tokumei.learning.limits import Limits
from tokumei.learning.said import NoIntervalMeasured
from tokumei.reconstruction._belief import LEAST, NEARLY, _settled
from tokumei.reconstruction.release_model import ReleaseModel

ROWS, LABELS = 3000, list("abcdefghijkl")


def people(columns: int) -> pd.DataFrame:
    """Columns that go together a little, with labels that are not equally frequent."""
    rng = np.random.default_rng(columns)
    well = rng.random(ROWS)
    made = {}
    for place in range(columns):
        mixed = np.where(rng.random(ROWS) < 0.5, well, rng.random(ROWS))
        made[f"c{place:02}"] = np.array(LABELS)[(mixed**1.5 * len(LABELS)).astype(int)]
    return pd.DataFrame(made)


def released(columns: int, k: int) -> tuple[pd.DataFrame, tk.Release]:
    rows = people(columns)
    schema = tk.Schema([tk.Attribute(name, "quasi_identifier", tk.Categories(LABELS)) for name in rows])
    return rows, tk.anonymize(rows, schema, tk.GroupedPkPerturbation(k=k), seed=1)


def counted(frame: pd.DataFrame, one: str, other: str) -> np.ndarray:
    made = pd.crosstab(frame[one], frame[other], normalize="all")
    return made.reindex(index=LABELS, columns=LABELS, fill_value=0.0).to_numpy()


def off(rows: pd.DataFrame, table: object) -> float:
    """Return the mean total variation distance of tables of two columns from those of the original."""
    pairs = list(itertools.combinations(list(rows)[:6], 2))
    return float(np.mean([np.abs(table(*pair) - counted(rows, *pair)).sum() / 2 for pair in pairs]))  # type: ignore[operator]


def test_many_columns_in_small_groups_are_no_worse_than_rows_as_they_are() -> None:
    rows, release = released(16, 10)
    with pytest.warns(AssumptionWarning, match="contradicts those of single columns"):
        model = tk.reconstruct(release)
    assert not model.determined_
    assert 0 < model._observed.trust < 0.5
    as_released = off(rows, lambda *pair: counted(release.frame, *pair))
    assert off(rows, lambda *pair: model.estimated_table(pair).pmf_) < as_released
    completed = model.impute(random_state=1)
    assert off(rows, lambda *pair: counted(completed, *pair)) < 1.1 * as_released
    assert "disagree" in model.picked_.reason


def test_few_columns_are_believed() -> None:
    rows, release = released(4, 5)
    model = tk.reconstruct(release)
    assert 0.7 < model.believed_ <= model.by_columns().believed_ <= 1
    assert model.determined_
    as_released = off(rows[list(rows)], lambda *pair: counted(release.frame, *pair))
    assert off(rows, lambda *pair: model.estimated_table(pair).pmf_) < as_released


def test_a_model_that_is_believed_by_columns_draws_rows_of_its_own() -> None:
    """Rows that were drawn to predict a column are kept for the next prediction, but not for that of the other model."""
    rows, release = released(4, 10)
    model = tk.reconstruct(release)
    assert model.believed_ < model.by_columns().believed_
    before = model.by_columns().estimator("c00").predict_proba(rows)
    own = model.estimator("c00").predict_proba(rows)
    assert not np.allclose(own, before)
    assert np.array_equal(model.by_columns().estimator("c00").predict_proba(rows), before)


def test_few_columns_that_hardly_go_together_are_no_worse_than_rows_as_they_are() -> None:
    """The model agrees with single columns here, but fits find different structure where there is none."""
    as_released, believed_altogether, found, power = errors(4, 10, seed=9)
    assert LEAST <= power < NEARLY
    assert found < 0.95 * as_released < as_released < believed_altogether


def test_a_model_of_one_class_is_believed_by_single_columns_alone() -> None:
    """Its fits differ by how far each was taken to its end, which is nothing that they say about pairs of columns."""
    _, release = released(3, 5)
    model = ReleaseModel(n_components=1).fit(release)
    assert model.spread_ > 0
    assert model.believed_ == model.by_columns().believed_ > NEARLY


def test_what_fits_leave_open_counts_as_a_share_of_what_they_say() -> None:
    assert _settled(6, 0.005, 0.09) == 1.0  # the rows settle it
    assert _settled(1, 0.0, 0.09) == 1.0  # nothing is known of a single fit
    assert _settled(6, 0.03, 0.09) < _settled(6, 0.02, 0.09) < 1.0
    assert _settled(2, 0.02, 0.09) < _settled(6, 0.02, 0.09)  # two fits are nearer to their mean than six
    assert _settled(6, 0.09, 0.01) == LEAST
    assert _settled(6, 0.01, 0.0) == LEAST  # columns that do not go together at all


def test_copies_of_a_model_that_is_believed_less_have_no_interval() -> None:
    """What was measured about intervals was measured where it is believed altogether."""
    rows = people(8)
    rows["c07"] = np.where(rows["c07"] < "f", "a", "b")
    schema = tk.Schema(
        [
            *(tk.Attribute(name, "quasi_identifier", tk.Categories(LABELS)) for name in list(rows)[:7]),
            tk.Attribute("c07", "sensitive", tk.Categories(["a", "b"])),
        ]
    )
    release = tk.anonymize(rows, schema, tk.GroupedPkPerturbation(k=10), seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssumptionWarning)
        model = tk.reconstruct(release)
        assert model.believed_ < 0.9
        found = tk.regress(release, "c07 ~ c00")
    assert found.standard_error is None
    assert any(each.key == "regression.not_measured" for each in found.reasons)
    limits = Limits.of(release, model)
    assert limits == Limits(NoIntervalMeasured(), NoIntervalMeasured())
