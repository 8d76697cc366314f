"""Estimates from several copies: the rules by hand, intervals that hold as often as they say, and every kind of result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.stats import t
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tokumei as tk
from tokumei.errors import InvalidParameter


def test_rubins_rules_by_hand() -> None:
    found = tk.pool([10.0, 12.0, 11.0], [1.0, 1.2, 1.1])
    assert found.estimate == 11.0
    assert found.standard_error == pytest.approx((1.1 + 4 / 3 * 1.0) ** 0.5)  # within 1.1, between 1
    share = (4 / 3) / (1.1 + 4 / 3)
    assert found.degrees_of_freedom == pytest.approx(2 / share**2)
    ratio = (4 / 3) / 1.1
    assert found.fraction_missing == pytest.approx((ratio + 2 / (found.degrees_of_freedom + 3)) / (ratio + 1))
    low, high = found.interval(0.95)
    assert (low + high) / 2 == pytest.approx(11)
    assert (high - low) / 2 == pytest.approx(t.ppf(0.975, 2 / share**2) * found.standard_error)
    # Barnard and Rubin: never more than complete rows would have
    few = tk.pool([10.0, 12.0, 11.0], [1.0, 1.2, 1.1], degrees_of_freedom=20)
    seen = 21 / 23 * 20 * (1 - share)
    assert few.degrees_of_freedom == pytest.approx(1 / (share**2 / 2 + 1 / seen))


def test_about_the_table_only_what_was_drawn_counts() -> None:
    found = tk.pool([10.0, 12.0, 11.0])
    assert (found.about, found.degrees_of_freedom, found.fraction_missing) == ("table", 2, None)
    assert found.standard_error == pytest.approx((4 / 3) ** 0.5)
    assert tk.pool([10.0, 12.0, 11.0], [1, 1, 1], about="table").standard_error == found.standard_error


def test_copies_that_agree_leave_only_the_sampling() -> None:
    found = tk.pool([np.array([1.0, 2.0])] * 4, [np.array([0.04, 0.0])] * 4)
    np.testing.assert_allclose(found.standard_error, [0.2, 0])
    np.testing.assert_allclose(found.fraction_missing, 0)
    np.testing.assert_allclose(found.interval(0.9)[1] - found.estimate, [0.2 * 1.6449, 0], atol=1e-4)


Pool = Callable[[Any, Any], Any]


def coverage(pool: Pool, rounds: int = 600) -> float:
    """How often 90 % intervals hold the mean that normal people have, half of whose values are lost."""
    rng, held, people, copies = np.random.default_rng(1), 0, 60, 8
    for _ in range(rounds):
        seen = rng.normal(3, 2, people // 2)
        values, variances = [], []
        for _ in range(copies):  # from the posterior, with a flat prior
            spread = (np.sum((seen - seen.mean()) ** 2) / rng.chisquare(len(seen) - 1)) ** 0.5
            middle = rng.normal(seen.mean(), spread / len(seen) ** 0.5)
            rows = np.append(seen, rng.normal(middle, spread, people - len(seen)))
            values.append(rows.mean())
            variances.append(rows.var(ddof=1) / len(rows))
        low, high = pool(values, variances).interval(0.9)
        held += low <= 3 <= high
    return held / rounds


def test_intervals_hold_as_often_as_they_say() -> None:
    """600 rounds: within four standard errors (.05) of .9; without the spread between copies, they do not."""
    assert coverage(tk.pool) == pytest.approx(0.9, abs=0.05)
    assert coverage(lambda e, v: tk.pool([e[0], e[0]], v[:2])) < 0.8


@pytest.fixture(scope="module")
def frames() -> list[pd.DataFrame]:
    rng = np.random.default_rng(0)
    made = []
    for _ in range(4):
        frame = pd.DataFrame({"age": rng.normal(0, 1, 200), "pay": rng.normal(0, 1, 200)})
        frame["ill"] = (rng.random(200) < 1 / (1 + np.exp(-frame["age"]))).astype(int)
        frame["area"] = rng.integers(0, 3, 200)
        made.append(frame)
    return made


def by_hand(estimates: list[Any], variances: list[Any]) -> tuple[np.ndarray, np.ndarray]:
    count = len(estimates)
    mean = sum(map(np.asarray, estimates)) / count
    between = sum((np.asarray(each) - mean) ** 2 for each in estimates) / (count - 1)
    return mean, np.sqrt(sum(map(np.asarray, variances)) / count + (1 + 1 / count) * between)


@pytest.mark.parametrize("model", ["Logit", "OLS", "GLM"])
def test_results_of_statsmodels(frames: list[pd.DataFrame], model: str) -> None:
    results = []
    for frame in frames:
        design = sm.add_constant(frame[["age", "pay"]])
        family = {"family": sm.families.Binomial()} if model == "GLM" else {}
        options = {"disp": 0} if model == "Logit" else {}
        results.append(getattr(sm, model)(frame["ill"], design, **family).fit(**options))
    found = tk.pool(results)
    mean, error = by_hand([each.params for each in results], [each.bse**2 for each in results])
    assert found.names == ("const", "age", "pay")
    assert found.about == "population"
    np.testing.assert_allclose(found.estimate, mean)
    np.testing.assert_allclose(found.standard_error, error)
    assert ((found.degrees_of_freedom < 197) == (model == "OLS")).all() or model != "OLS"
    plain = [getattr(sm, model)(f["ill"].to_numpy(), f[["age"]].to_numpy(), **family).fit(**options) for f in frames]
    assert tk.pool(plain).names == ("x1",)


def test_linear_regressions_have_the_degrees_of_freedom_of_few_rows(frames: list[pd.DataFrame]) -> None:
    few = [frame.iloc[:12] for frame in frames]
    results = [sm.OLS(each["pay"], sm.add_constant(each[["age"]])).fit() for each in few]
    assert (tk.pool(results).degrees_of_freedom < 10).all()
    assert (tk.pool(results, degrees_of_freedom=1e6).degrees_of_freedom > tk.pool(results).degrees_of_freedom).all()


def test_several_classes_of_statsmodels(frames: list[pd.DataFrame]) -> None:
    results = [sm.MNLogit(each["area"], sm.add_constant(each[["age"]])).fit(disp=0) for each in frames]
    found = tk.pool(results)
    assert found.names == ("0: const", "0: age", "1: const", "1: age")
    mean, error = by_hand(
        [each.params.to_numpy().T.ravel() for each in results], [each.bse.to_numpy().T.ravel() ** 2 for each in results]
    )
    np.testing.assert_allclose(found.estimate, mean)
    np.testing.assert_allclose(found.standard_error, error)


def test_models_of_scikit_learn_have_no_variances_of_their_own(frames: list[pd.DataFrame]) -> None:
    models = [LinearRegression().fit(each[["age", "pay"]], each["ill"]) for each in frames]
    found = tk.pool(models)
    assert found.names == ("intercept", "age", "pay")
    assert found.about == "table"
    np.testing.assert_allclose(found.estimate[1:], np.mean([each.coef_ for each in models], axis=0))
    with pytest.raises(InvalidParameter, match="need the variances"):
        tk.pool(models, about="population")
    variances = [np.array([0.01, 0.02, 0.03])] * 4
    assert tk.pool(models, variances).about == "population"
    np.testing.assert_allclose(
        tk.pool(models, lambda _: variances[0]).standard_error, tk.pool(models, variances).standard_error
    )
    logistic = [LogisticRegression().fit(each[["age"]], each["area"]) for each in frames]
    assert tk.pool(logistic).names[:3] == ("0: intercept", "0: age", "1: intercept")
    piped = [make_pipeline(StandardScaler(), LogisticRegression()).fit(each[["age"]], each["ill"]) for each in frames]
    assert tk.pool(piped).names == ("intercept", "x0")


def test_numbers_with_and_without_names() -> None:
    series = [pd.Series({"a": 1.0, "b": 2.0}), pd.Series({"a": 3.0, "b": 2.0})]
    found = tk.pool(series, [each * 0.1 for each in series])
    assert found.names == ("a", "b")
    np.testing.assert_allclose(found.estimate, [2, 2])
    np.testing.assert_allclose(found.estimate, tk.pool([dict(each) for each in series]).estimate)
    np.testing.assert_allclose(tk.pool([[1, 2], [3, 2]]).estimate, [2, 2])
    assert str(found).splitlines()[0] == "2 copies; 90% intervals about the population."
    assert str(found).splitlines()[1].startswith("a ")
    assert str(tk.pool([1.0, 3.0])).splitlines()[1].startswith("estimate   2 ±")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (([1.0],), "two copies or more"),
        ((3.0,), "must be a list"),
        (("ab",), "must be a list"),
        (([1.0, float("nan")],), "a finite number"),
        (([1.0, "many"],), "a finite number"),
        (([object(), object()],), "a finite number"),
        (([LinearRegression(), LinearRegression()],), "a fitted linear model"),
        (([[1.0], [1.0, 2.0]],), "not of the same things"),
        (([{"a": 1.0}, {"b": 1.0}],), "not of the same things"),
        (([1.0, 2.0], [1.0]), "one entry for each estimate"),
        (([1.0, 2.0], [1.0, -1.0]), "squared standard errors"),
        (([{"a": 1.0}, {"a": 2.0}], [{"b": 1.0}, {"b": 1.0}]), "the same names"),
    ],
)
def test_what_cannot_be_combined_is_one_sentence(given: Any, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        tk.pool(*given)


def test_a_frame_of_words_is_refused_without_showing_a_cell() -> None:
    frame = pd.DataFrame({"town": ["Nara", "Kobe"], "age": [1, 2]})
    with pytest.raises(InvalidParameter, match="must be a finite number") as caught:
        tk.pool([frame, frame])
    assert "Nara" not in str(caught.value)


def test_bad_settings_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="'population' or 'table'"):
        tk.pool([1.0, 2.0], about="people")  # type: ignore[arg-type]
    for wrong in (0, -1.0, True, float("inf")):
        with pytest.raises(InvalidParameter, match="degrees_of_freedom must be a number above 0"):
            tk.pool([1.0, 2.0], [1.0, 1.0], degrees_of_freedom=wrong)
    for level in (0, 1, 90, True):
        with pytest.raises(InvalidParameter, match="between 0 and 1"):
            tk.pool([1.0, 2.0]).interval(level)
