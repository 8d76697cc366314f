"""Releases whose whole rows say too little, or something else: there is an estimate, it says how it was made, and there is no false interval."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.optimize import minimize

import tokumei as tk
from benchmarks import regressions
from tokumei.errors import InvalidParameter
from tokumei.learning import glm
from tokumei.learning import regress as regressing

QUASI = "quasi_identifier"


def kinds(found: Any) -> list[str]:
    return [each.key.removeprefix("regression.") for each in found.reasons]


def people(rows: int, seed: int) -> pd.DataFrame:
    """Women are ill only at ages that few have, whose cells are suppressed."""
    rng = np.random.default_rng(seed)
    age, sex = rng.integers(0, 4, rows), rng.choice(["F", "M"], rows)
    ill = np.where(sex == "M", np.where(rng.random(rows) < 0.2 + 0.1 * age, "yes", "no"), "no")
    rare = pd.DataFrame({"age": np.arange(4, 34), "sex": "F", "ill": "yes"})
    return pd.concat([pd.DataFrame({"age": age, "sex": sex, "ill": ill}), rare], ignore_index=True)


def schema(*names: str) -> tk.Schema:
    every = {
        "age": tk.Attribute("age", QUASI, tk.Numbers(0, 33, step=1)),
        "sex": tk.Attribute("sex", QUASI, tk.Categories(["F", "M"])),
        "ill": tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    }
    return tk.Schema([every[name] for name in names])


def test_rows_are_completed_where_those_that_show_all_do_not_determine_the_coefficients() -> None:
    """Refused before: no woman who shows her age is ill."""
    frame = people(1_500, 1)
    release = tk.anonymize(frame, schema("age", "sex", "ill"), tk.LocalSuppression(k=5), seed=1)
    found = tk.regress(release, "ill ~ age + sex", family="logistic")
    assert kinds(found) == ["whole_rows_say_too_little"] and found.how.key == "regression.from_spread_cells"
    assert found.names == ("(constant)", "age", "sex=M") and found.standard_error is None
    design = np.column_stack([np.ones(len(frame)), frame["age"], frame["sex"] == "M"]).astype(float)
    true = np.asarray(sm.GLM((frame["ill"] == "yes").astype(float), design, sm.families.Binomial()).fit().params)
    assert found.estimate[1:] == pytest.approx(true[1:], rel=0.25)
    assert "All rows were completed instead" in str(found)


def test_separation_has_a_penalized_estimate_that_says_so() -> None:
    """Refused before. Of one column of two labels, the penalized odds are those with half a row more in every cell."""
    release = tk.anonymize(people(1_500, 1), schema("age", "sex", "ill"), tk.RecordSuppression(k=5), seed=1)
    found = tk.regress(release, "ill ~ sex")
    assert {"separated", "many_left_out"} <= set(kinds(found)) and found.standard_error is None
    counts = pd.crosstab(release.frame["sex"], release.frame["ill"]) + 0.5
    log_odds = np.log(counts["yes"] / counts["no"])
    assert found.estimate == pytest.approx([log_odds["F"], log_odds["M"] - log_odds["F"]], abs=1e-4)


@pytest.mark.parametrize("family", ["logistic", "poisson"])
def test_the_penalized_likelihood_is_at_its_maximum(family: Any) -> None:
    """By another program: a general minimizer of the loss that Firth's paper writes down."""
    rng = np.random.default_rng(2)
    design = np.column_stack([np.ones(60), rng.normal(size=60), np.arange(60) < 8])
    answers = (rng.random(60) < 0.4).astype(float) * (np.arange(60) >= 8)  # none for the first eight
    weights = rng.uniform(0.5, 1.5, 60)

    def loss(beta: np.ndarray) -> float:
        eta = design @ beta
        mean = 1 / (1 + np.exp(-eta)) if family == "logistic" else np.exp(eta)
        slope = mean * (1 - mean) if family == "logistic" else mean
        likely = answers * np.log(mean) + ((1 - answers) * np.log(1 - mean) if family == "logistic" else -mean)
        return -weights @ likely - np.log(np.linalg.det(design.T @ ((weights * slope)[:, None] * design))) / 2

    oracle = minimize(
        loss, np.zeros(3), method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-12, "maxiter": 5_000}
    )
    with pytest.raises(InvalidParameter):
        glm.fit(family, design, answers, weights)
    assert glm.penalized(family, design, answers, weights).coefficients == pytest.approx(oracle.x, abs=1e-3)


@pytest.mark.parametrize("method", [tk.LocalSuppression(k=8), tk.RecordSuppression(k=8)], ids=["cells", "records"])
def test_rows_selected_by_a_column_that_is_left_out_have_no_interval(method: Any) -> None:
    """Rows were chosen by a column that explains the target: within them the others have another coefficient. With it in the regression there is one."""
    rng = np.random.default_rng(4)
    age, other = rng.binomial(10, 0.5, 4_000), rng.binomial(10, 0.4, 4_000)
    pay = np.clip(np.round(20 + 2 * age + 3 * other + rng.normal(0, 4, 4_000)), 0, 99).astype(int)
    numbers = {name: tk.Attribute(name, QUASI, tk.Numbers(0, 10, step=1)) for name in ("age", "other")}
    about = tk.Schema([*numbers.values(), tk.Attribute("pay", "sensitive", tk.Numbers(0, 99, step=1))])
    release = tk.anonymize(pd.DataFrame({"age": age, "other": other, "pay": pay}), about, method, seed=1)
    short = tk.regress(release, "pay ~ age")
    assert short.standard_error is None and {"form_of_whole_rows", "form_does_not_fit"} & set(kinds(short))
    assert tk.regress(release, "pay ~ age + other").standard_error is not None


def test_many_columns_averaged_together_have_no_interval() -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({f"x{each}": rng.binomial(10, 0.5, 600) for each in range(6)})
    frame["y"] = np.clip(frame["x0"] * 3 + rng.integers(0, 9, 600), 0, 60)
    columns = [tk.Attribute(f"x{each}", QUASI, tk.Numbers(0, 10, step=1)) for each in range(6)]
    target = tk.Attribute("y", "sensitive", tk.Numbers(0, 60, step=1))
    for many, k, said in ((6, 3, ["averaged_widely"]), (5, 3, []), (5, 30, ["averaged_widely"])):
        about = tk.Schema([*columns[:many], target])
        release = tk.anonymize(frame[list(about.names())], about, tk.Microaggregation(k=k), seed=1)
        assert kinds(tk.regress(release, "y ~ x0")) == said


def test_copies_that_look_at_the_target_are_nearer_than_those_that_do_not() -> None:
    """Seeded, over five releases: cells that are spread evenly weaken coefficients, which weights by the regression undo."""
    off: dict[str, list[float]] = {"given": [], "drawn": []}
    for seed in range(5):
        frame = regressions.people(1_500, np.random.default_rng(seed))
        design = np.column_stack([np.ones(len(frame)), frame["age"], frame["sex"] == "M"]).astype(float)
        true = np.linalg.lstsq(design, frame["pay"].to_numpy(), rcond=None)[0][1]
        about = regressions.schema("sensitive")
        release = tk.anonymize(frame[list(about.names())], about, tk.Generalization(k=25), seed=seed)
        given = tk.regress(release, "pay ~ age + sex", copies=5)
        assert given.how.key in {"regression.from_spread_cells", "regression.from_weighted_copies"}
        drawn = regressing.unlimited(release, "pay ~ age + sex", copies=5, completed=True)
        for name, found in (("given", given), ("drawn", drawn)):
            off[name].append(abs(found.estimate[1] - true))
    assert np.mean(off["given"]) < 0.75 * np.mean(off["drawn"])


def test_a_target_that_is_suppressed_everywhere_has_a_sentence() -> None:
    frame = pd.DataFrame({"age": np.arange(34), "sex": ["F", "M"] * 17, "ill": ["no", "yes"] * 17})
    release = tk.anonymize(frame, schema("age", "sex", "ill"), tk.LocalSuppression(k=10), seed=1)
    with pytest.raises(InvalidParameter, match="'age' was suppressed in every row"):
        tk.regress(release, "age ~ sex")
    with pytest.raises(InvalidParameter, match="'age' was suppressed in every row; leave it out"):
        tk.regress(release, "ill ~ age")


def test_columns_that_say_the_same_are_named() -> None:
    rng = np.random.default_rng(6)
    age = rng.integers(0, 10, 400)
    frame = pd.DataFrame({"age": age, "again": 2 * age, "one": 3, "pay": age + rng.integers(0, 5, 400)})
    about = tk.Schema([tk.Attribute(name, "insensitive", tk.Numbers(0, 20, step=1)) for name in frame.columns])
    release = tk.anonymize(frame, about, tk.Sampling(200, known=50), seed=1)
    with pytest.raises(InvalidParameter, match="'(age|again)' follow from the other columns"):
        tk.regress(release, "pay ~ age + again")
    with pytest.raises(InvalidParameter, match="'one' has only one value"):
        tk.regress(release, "pay ~ age + one")


def test_a_column_that_could_be_missing_and_never_is() -> None:
    """Refused before: a coefficient of a label that nobody has."""
    rng = np.random.default_rng(7)
    frame = pd.DataFrame({"age": rng.integers(0, 10, 400), "pay": rng.integers(0, 20, 400)})
    about = tk.Schema(
        [
            tk.Attribute("age", "insensitive", tk.Numbers(0, 10, step=1), missing=True),
            tk.Attribute("pay", "insensitive", tk.Numbers(0, 20, step=1)),
        ]
    )
    found = tk.regress(tk.anonymize(frame, about, tk.Sampling(200, known=50), seed=1), "pay ~ age")
    assert found.names == ("(constant)", "age") and found.standard_error is not None


def test_a_handful_of_hidden_rows_does_not_cost_the_interval() -> None:
    """Quasi-identifiers that a regression leaves out explain income, too; fifteen hidden rows of 8,000 cannot change what the others say."""
    release = tk.anonymize(tk.example_census(rows=8000), tk.example_schema(), tk.LocalSuppression(k=3), seed=1)
    found = tk.regress(release, "income ~ sex + marital", outcome="over 100k")
    assert found.standard_error is not None and not found.reasons
    many = tk.anonymize(tk.example_census(rows=8000), tk.example_schema(), tk.LocalSuppression(k=30), seed=1)
    assert tk.regress(many, "income ~ sex + marital", outcome="over 100k").reasons


def answered_by_some(rows: int, seed: int, role: Any) -> tuple[pd.DataFrame, tk.Schema]:
    """People of one kind answer far less often, so that rows without an answer, taken for zeros, would turn a coefficient round."""
    rng = np.random.default_rng(seed)
    kind, place = rng.integers(0, 2, rows), rng.integers(0, 2, rows)
    pay = (20 + 4 * kind + 2 * place + rng.integers(-3, 4, rows)).astype(float)
    answered = rng.random(rows) < np.where(kind == 1, 0.4, 0.8)
    frame = pd.DataFrame(
        {
            "kind": np.where(kind, "b", "a"),
            "place": np.where(place, "d", "c"),
            "pay": np.where(answered, pay, np.nan),
            "high": np.where(answered, np.where(pay > 23, "yes", "no"), None),
        }
    )
    about = tk.Schema(
        [
            tk.Attribute("kind", QUASI, tk.Categories(["a", "b"])),
            tk.Attribute("place", QUASI, tk.Categories(["c", "d"])),
            tk.Attribute("pay", role, tk.Numbers(0, 40, step=1), missing=True),
            tk.Attribute("high", role, tk.Categories(["no", "yes"]), missing=True),
        ]
    )
    return frame, about


FAMILIES = {"pay": ("linear", "poisson"), "high": ("logistic",)}


@pytest.mark.parametrize("tells", [2, "all"])
def test_rows_without_an_answer_are_left_out_of_the_equations_too(tells: Any) -> None:
    """With the draft's method pay fell by 7 in the kind that is paid 4 more, with a standard error of .2; the others were refused."""
    off: dict[str, list[Any]] = {"linear": [], "poisson": [], "logistic": []}
    for seed in range(8):
        frame, about = answered_by_some(8_000, seed, "sensitive")
        release = tk.anonymize(frame, about, tk.PkPerturbation(k=2, tells=tells), seed=seed)
        there = frame.dropna()
        design = np.column_stack([np.ones(len(there)), there["kind"] == "b", there["place"] == "d"]).astype(float)
        for target, families in FAMILIES.items():
            values = there["pay"] if target == "pay" else (there["high"] == "yes").astype(float)
            for family in families:
                found = tk.regress(release, f"{target} ~ kind + place", family=family)
                assert found.standard_error is not None and not found.reasons
                kind = {
                    "linear": sm.families.Gaussian,
                    "poisson": sm.families.Poisson,
                    "logistic": sm.families.Binomial,
                }
                true = np.asarray(sm.GLM(values, design, kind[family]()).fit().params)
                off[family].append((found.estimate - true) / found.standard_error)
                assert found.worth is not None and (found.worth <= len(there)).all()
    for each in off.values():
        assert np.abs(each).mean() < 1.1 and np.abs(np.mean(each, axis=0)).max() < 1.1  # .8 for a normal one


@pytest.mark.parametrize("tells", [2, "all"])
def test_noise_that_hides_which_answers_are_missing_leaves_no_interval(tells: Any) -> None:
    """Such a target was counted as zero where it was missing, or refused."""
    frame, about = answered_by_some(8_000, 1, QUASI)
    release = tk.anonymize(frame, about, tk.PkPerturbation(k=2, tells=tells), seed=1)
    for target, families in FAMILIES.items():
        for family in families:
            found = tk.regress(release, f"{target} ~ kind + place", family=family)
            assert "missing_in_noise" in kinds(found) and found.standard_error is None
            assert found.estimate[1] > 0
    assert "cells of 'high' are missing, and the noise hides which" in str(found)


def test_a_handful_of_rows_that_were_not_left_out_has_no_interval() -> None:
    """22 rows of 2,000 had an interval, which missed the mean of all."""
    rng = np.random.default_rng(3)
    age = np.minimum(rng.gamma(2.6, 15, 2_000), 94).astype(int)
    frame = pd.DataFrame({"age": age, "town": rng.choice(list("abcdefgh"), 2_000), "pay": 20 + age // 5})
    about = tk.Schema(
        [
            tk.Attribute("age", QUASI, tk.Numbers(0, 94, step=1)),
            tk.Attribute("town", QUASI, tk.Categories(list("abcdefgh"))),
            tk.Attribute("pay", "sensitive", tk.Numbers(0, 100, step=1)),
        ]
    )
    release = tk.anonymize(frame, about, tk.RecordSuppression(k=10), seed=1)
    assert 0 < release.rows < 100
    found = tk.regress(release, "pay ~ age")
    assert kinds(found)[0] == "few_left" and found.standard_error is None
    assert found.how.key == "regression.from_common_rows"
