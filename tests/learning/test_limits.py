"""Where copies of completed rows give intervals, and where they say that there is no honest one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.learning.synthesized import Synthesized
from tokumei.words import Words

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")
ROWS = 240
SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(0, 9, step=1)),
        tk.Attribute("sex", domain=tk.Categories(["F", "M"])),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)


def people() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    age, man = rng.integers(0, 10, ROWS), rng.integers(0, 2, ROWS)
    ill = rng.random(ROWS) < 0.1 + 0.05 * age
    return pd.DataFrame({"age": age, "sex": np.array(["F", "M"])[man], "ill": np.where(ill, "yes", "no")})


MADE: dict[str, Synthesized] = {}  # as methods with a mapping have no hash


def made(method: Any, rows: int | None = None, target: str | None = None) -> Synthesized:
    key = repr((method, rows, target))
    if key not in MADE:
        MADE[key] = tk.synthesize(tk.anonymize(people(), SCHEMA, method, seed=2), rows, copies=3, target=target)
    return MADE[key]


def means(rows: Synthesized) -> tuple[list[float], list[float]]:
    ages = [each["age"].astype(float) for each in rows.frames]
    return [each.mean() for each in ages], [each.var() / len(each) for each in ages]


def design(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    return pd.DataFrame({"age": frame["age"].astype(float)}), (frame["ill"] == "yes").astype(float)


def by_statsmodels(frame: pd.DataFrame) -> Any:
    age, ill = design(frame)
    return sm.OLS(ill, sm.add_constant(age)).fit()


FITS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "statsmodels": by_statsmodels,
    "scikit-learn": lambda frame: LinearRegression().fit(*design(frame)),
    "pipeline": lambda frame: make_pipeline(StandardScaler(), LinearRegression()).fit(*design(frame)),
}

HIDDEN, SAMPLE, NONE, WEAK, CELLS, HARMED, UNSAID = (
    "complete.hidden_was_chosen",
    "complete.sample_says_nothing",
    "complete.no_interval_measured",
    "complete.coefficients_uncertain",
    "complete.means_in_cells",
    "complete.target_weakens_tables",
    "complete.numbers_say_nothing",
)
TELLS_ONE = tk.PkPerturbation(k=2, tells=1)
# Reasons of: means about the population, means about the table, coefficients about the population, and about the table.
CASES: dict[str, tuple[Any, tuple[str | None, ...]]] = {
    "tells some": (TELLS_ONE, (CELLS, CELLS, WEAK, WEAK)),
    "tells all": (tk.PkPerturbation(k=2, tells="all"), (NONE, NONE, NONE, NONE)),
    "groups": (tk.GroupedPkPerturbation(k=3), (None, None, None, HIDDEN)),
    "one thing in groups": (tk.GroupedPkPerturbation(k=3, tells=1), (NONE, NONE, NONE, NONE)),
    "generalization": (tk.Generalization(k=5, partition=tk.partitions.Mondrian()), (None, HIDDEN, None, HIDDEN)),
    "global recoding": (tk.Generalization(k=5, partition=tk.partitions.Optimal()), (NONE, NONE, NONE, NONE)),
    "local suppression": (tk.LocalSuppression(k=20), (NONE, NONE, NONE, NONE)),
    "record suppression": (tk.RecordSuppression(k=10), (NONE, NONE, NONE, NONE)),
    "microaggregation": (tk.Microaggregation(k=3), (NONE, NONE, NONE, NONE)),
    "swapping": (tk.Swapping(k=5), (NONE, NONE, NONE, NONE)),
    "sample": (tk.Sampling(ROWS // 2, known=2), (None, SAMPLE, None, SAMPLE)),
}


@pytest.mark.parametrize("name", CASES)
def test_intervals_are_there_where_they_hold(name: str) -> None:
    method, (of_people, of_table, coefficients, table_coefficients) = CASES[name]
    rows = made(method)
    estimates, variances = means(rows)
    models = [by_statsmodels(each) for each in rows.frames]
    found = [
        (of_people, rows.pool(estimates, variances, of="means")),
        (of_table, rows.pool(estimates, about="table", of="means")),
        (coefficients, rows.pool(models)),
        (table_coefficients, rows.pool(models, about="table")),
    ]
    for reason, pooled in found:
        assert (None if pooled.reason is None else pooled.reason.key) == reason
        assert (pooled.standard_error is None) == (reason is not None)
        if reason is not None:
            assert np.all(np.isfinite(pooled.estimate))
            with pytest.raises(InvalidParameter, match="No honest interval"):
                pooled.interval()
            assert Words("en")(reason) in str(pooled)


@pytest.mark.parametrize("kind", FITS)
def test_every_kind_of_model_is_known_as_one(kind: str) -> None:
    rows = made(TELLS_ONE)
    pooled = rows.pool([FITS[kind](each) for each in rows.frames])
    assert pooled.reason is not None
    assert "towards zero" in str(pooled)


def test_rows_that_were_swapped_are_said_to_be() -> None:
    release = tk.anonymize(people(), SCHEMA, tk.Swapping(k=5), seed=2)
    assert "exchanged within groups" in tk.reconstruct(release).picked_.reason
    assert "exchanged within groups" in tk.reconstruct(release, target="ill").picked_.reason


@pytest.mark.parametrize(
    ("method", "target", "about", "of", "reason"),
    [
        (TELLS_ONE, None, "population", "shares", None),
        (TELLS_ONE, None, "table", "shares", None),
        (TELLS_ONE, None, "population", "coefficients", WEAK),
        (TELLS_ONE, None, "population", None, UNSAID),
        (TELLS_ONE, None, "table", None, UNSAID),
        (TELLS_ONE, "ill", "population", "shares", HARMED),
        (tk.GroupedPkPerturbation(k=3), None, "population", None, None),
        (tk.GroupedPkPerturbation(k=3), None, "population", "coefficients", None),
        (tk.GroupedPkPerturbation(k=3), None, "table", "shares", None),
        (tk.GroupedPkPerturbation(k=3), None, "table", "coefficients", HIDDEN),
        (tk.GroupedPkPerturbation(k=3), None, "table", None, UNSAID),
    ],
)
def test_numbers_have_an_interval_where_what_they_are_has_one(
    method: Any, target: str | None, about: Any, of: Any, reason: str | None
) -> None:
    rows = made(method, target=target)
    pooled = rows.pool(*means(rows), about=about, of=of)
    assert (None if pooled.reason is None else pooled.reason.key) == reason
    assert (pooled.standard_error is None) == (reason is not None)
    if reason in {WEAK, UNSAID}:
        assert "tk.regress(release, formula)" in str(pooled)


def test_models_stay_coefficients_whatever_is_said_of_them() -> None:
    rows = made(TELLS_ONE)
    models = [by_statsmodels(each) for each in rows.frames]
    pooled = rows.pool(models, of="shares")
    assert pooled.reason is not None
    assert pooled.reason.key == WEAK
    assert tk.pool(models).standard_error is not None  # which knows nothing of the release


def test_what_estimates_are_is_one_of_three() -> None:
    rows = made(TELLS_ONE)
    with pytest.raises(InvalidParameter, match="of must be 'shares', 'means' or 'coefficients'"):
        rows.pool(*means(rows), of="totals")  # type: ignore[arg-type]


@pytest.mark.parametrize("rows", [100, ROWS, 2 * ROWS])
def test_rows_that_were_drawn_have_no_interval(rows: int) -> None:
    drawn = made(TELLS_ONE, rows)
    for found in (drawn.pool(*means(drawn), of="shares"), drawn.pool([by_statsmodels(each) for each in drawn.frames])):
        assert found.standard_error is None
        assert "rows were drawn" in str(found)


def test_rows_that_count_differently_have_no_interval() -> None:
    """Neither survey weights nor strata: copies are of the rows, not of the people whom they stand for."""
    strata = tk.samples.Stratified("ill", 60)
    sampled = made(tk.PkPerturbation(k=2, tells=1, sample=strata))
    weighed = people().assign(weight=np.arange(ROWS) % 3 + 1)
    schema = tk.Schema([*SCHEMA, tk.Attribute("weight", "insensitive", tk.Categories([1, 2, 3]))])
    release = tk.anonymize(weighed, schema, tk.PkPerturbation(k=2, tells=1), seed=2)
    for rows, held in (
        (sampled, False),
        (tk.synthesize(release, copies=2, weights="weight"), False),
        (tk.synthesize(release, copies=2), True),
    ):
        assert (rows.pool(*means(rows), of="shares").standard_error is not None) is held


def test_rows_of_a_model_that_is_left_open_have_no_interval() -> None:
    model = tk.reconstruct(tk.anonymize(people(), SCHEMA, tk.PkPerturbation(k=2, tells=1), seed=2))
    model.determined_ = False
    rows = tk.synthesize(model, copies=2)
    assert rows.pool(*means(rows)).reason is not None


def test_reasons_are_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = made(tk.Microaggregation(k=3))
    pooled = rows.pool(*means(rows))
    monkeypatch.setenv("TOKUMEI_LANGUAGE", "ja")
    with pytest.raises(InvalidParameter, match="正直な区間はありません"):
        pooled.interval()
