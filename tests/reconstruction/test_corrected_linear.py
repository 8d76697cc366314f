"""Multiple regression through noise: the right coefficients, and standard errors that tell the truth."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter, TooNoisy
from tokumei.reconstruction._corrected import BIAS, _correction, term

SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(18, 90, step=1)),
        tk.Attribute("sex", domain=tk.Categories(["F", "M"])),
        tk.Attribute("area", domain=tk.Categories(["a", "b", "c"])),
        tk.Attribute("hours", domain=tk.Numbers(0, 80, step=1)),
        tk.Attribute("pay", "sensitive", tk.Numbers(0, 200, step=1)),
    ]
)
TRUE = np.array([20 - 0.2 * 18, 0.2, 5.0, 0.0, 4.0])


def people(rows: int, rng: np.random.Generator) -> pd.DataFrame:
    age, man, area = rng.integers(18, 91, rows), rng.integers(0, 2, rows), rng.integers(0, 3, rows)
    age = np.clip(age - 5 * man, 18, 90)  # columns go together a little
    hours = np.clip(TRUE[0] + 0.2 * age + 5 * man + 4 * (area == 2) + rng.normal(0, 6, rows), 0, 80).round()
    pay = np.clip(10 + 1.5 * age + rng.normal(0, 20, rows), 0, 200).round()
    return pd.DataFrame(
        {
            "age": age,
            "sex": np.array(["F", "M"])[man],
            "area": np.array(["a", "b", "c"])[area],
            "hours": hours.astype(int),
            "pay": pay.astype(int),
        }
    )


def fitted(seed: int, rows: int = 20_000) -> tk.CorrectedLinearRegression:
    frame = people(rows, np.random.default_rng(seed))
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=seed)
    return tk.CorrectedLinearRegression("hours", ["age", "sex", "area"]).fit(release)


def test_coefficients_come_back_and_standard_errors_are_honest() -> None:
    """Over many releases of new people, estimates scatter around the truth as widely as they say they do."""
    models = [fitted(seed) for seed in range(20)]
    off = np.array([(np.append(m.intercept_, m.coef_) - TRUE) / m.standard_errors_ for m in models])
    assert np.abs(off.mean(axis=0)).max() < 3.5 / 20**0.5
    assert off.std(axis=0).min() > 0.6 and off.std(axis=0).max() < 1.5
    naive = tk.anonymize(
        people(60_000, np.random.default_rng(0)), SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=0
    ).frame
    drawn = np.polyfit(naive["age"], naive["hours"], 1)[0]
    assert abs(drawn) < 0.1  # noise alone leaves less than half of 0.2


def test_a_kept_target_is_used_as_it_is() -> None:
    frame = people(40_000, np.random.default_rng(1))
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=2, tells="all"), seed=1)
    model = tk.CorrectedLinearRegression("pay", ["age"]).fit(release)
    assert model.coef_[0] == pytest.approx(1.5, abs=4 * model.standard_errors_[1])
    assert model.standard_errors_[1] < 0.5


def test_without_noise_it_is_least_squares() -> None:
    frame = people(2000, np.random.default_rng(2))
    release = tk.anonymize(frame, SCHEMA, tk.Sampling(2000, known=1), seed=1)
    model = tk.CorrectedLinearRegression("hours", ["age", "sex", "area"]).fit(release)
    X = np.column_stack([np.ones(2000), frame["age"], frame["sex"] == "M", frame["area"] == "b", frame["area"] == "c"])
    plain = np.linalg.lstsq(X.astype(float), frame["hours"].to_numpy(dtype=float), rcond=None)[0]
    assert np.append(model.intercept_, model.coef_) == pytest.approx(plain, abs=1e-8)
    assert model.predict(frame) == pytest.approx(X.astype(float) @ plain)
    left = frame["hours"] - X.astype(float) @ plain
    bread = np.linalg.inv(X.T.astype(float) @ X.astype(float))
    robust = bread @ (X.T * left.to_numpy() ** 2 @ X.astype(float)).astype(float) @ bread
    assert model.standard_errors_ == pytest.approx(np.sqrt(np.diag(robust)), rel=1e-6)
    assert (model.table_standard_errors_ < 0.01 * model.standard_errors_).all()  # nothing of the table is unknown
    half = tk.CorrectedLinearRegression("hours", ["age", "sex"]).fit(
        tk.anonymize(frame, SCHEMA, tk.Sampling(1000, known=1), seed=1)
    )
    assert half.table_standard_errors_ == pytest.approx(half.standard_errors_ * 0.5**0.5, rel=1e-3)


def test_the_original_table_s_own_coefficients_come_back() -> None:
    """Seeded: pay rises ever faster with age, so that a line is wrong; its own least squares come back all the same."""
    frame = people(20_000, np.random.default_rng(6))
    frame["hours"] = np.clip((frame["age"] - 18) ** 2 / 80 + 8 * (frame["sex"] == "M"), 0, 80).round().astype(int)
    X = np.column_stack([np.ones(len(frame)), frame["age"], frame["sex"] == "M"]).astype(float)
    plain = np.linalg.lstsq(X, frame["hours"].to_numpy(dtype=float), rcond=None)[0]
    schema = tk.Schema([SCHEMA["age"], SCHEMA["sex"], tk.Attribute("hours", "sensitive", SCHEMA["hours"].domain)])
    off = []
    for seed in range(12):
        release = tk.anonymize(frame[["age", "sex", "hours"]], schema, tk.PkPerturbation(k=2, tells="all"), seed=seed)
        model = tk.CorrectedLinearRegression("hours").fit(release)
        assert (model.table_standard_errors_ < model.standard_errors_).all()
        off.append((np.append(model.intercept_, model.coef_) - plain) / model.table_standard_errors_)
    assert np.abs(np.mean(off, axis=0)).max() < 3.5 / 12**0.5
    assert np.std(off, axis=0).min() > 0.5 and np.std(off, axis=0).max() < 1.6


def test_a_channel_of_which_nothing_comes_through_is_refused_in_a_sentence() -> None:
    blank, even = np.array([[1.0, 1.0], [0.0, 0.0]]), np.array([0.5, 0.5])  # everybody is released as the first value
    with pytest.raises(TooNoisy, match="loses information completely"):
        _correction(blank, np.array([[0.0], [1.0]]), even, np.array([1.0, 0.0]), BIAS)


def test_the_correction_is_unbiased_and_no_noisier_than_inverting() -> None:
    frame = people(5000, np.random.default_rng(3))
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=3, tells="all"), seed=1)
    for name in ("age", "area"):
        made = term(release, release.schema[name], np.ones(5000))
        matrix = release.mechanism.channels[name].matrix()
        pmf = np.bincount(release.coded.codes(name), minlength=len(matrix)) / 5000
        frequency = pmf
        h = _correction(matrix, made.binned, pmf, frequency, BIAS) @ made.binned
        off = matrix.T @ h - made.binned
        spread = np.sqrt(pmf @ made.binned**2 - (pmf @ made.binned) ** 2)
        assert np.all(np.sqrt(pmf @ off**2) <= BIAS * spread + 1e-9)
        exact = np.linalg.solve(matrix.T, made.binned)
        assert np.all(frequency @ h**2 <= frequency @ exact**2 * (1 + 1e-6))


def test_the_table_of_coefficients() -> None:
    shown = fitted(0).frame()
    assert list(shown.columns) == ["term", "coefficient", "standard error", "low", "high", "p-value"]
    assert list(shown["term"]) == ["(constant)", "age", "sex=M", "area=b", "area=c"]
    assert (shown["low"] < shown["high"]).all()


def test_what_cannot_be_asked() -> None:
    frame = people(300, np.random.default_rng(0))
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=20, tells="all"), seed=1)
    for target, columns, message in (
        ("houers", None, "Did you mean 'hours'"),
        ("sex", None, "target must hold numbers"),
        ("hours", ["hours"], "is the target"),
        ("hours", ["agee"], "Did you mean 'age'"),
        ("hours", [], "at least one column"),
        ("hours", None, "does not determine this many coefficients"),
    ):
        with pytest.raises(InvalidParameter, match=message):
            tk.CorrectedLinearRegression(target, columns).fit(release)
    with pytest.raises(InvalidParameter, match="level must lie"):
        fitted(0).frame(level=2)
