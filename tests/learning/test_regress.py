"""One call from any release to a regression: the right coefficients, honest intervals, or why there are none."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

import tokumei as tk
from benchmarks import regressions
from tests.command_line import tokumei
from tokumei.errors import InvalidParameter, TooNoisy
from tokumei.learning import completed_rows
from tokumei.learning import regress as regressing
from tokumei.learning.formula import formula

FORMULAS = {
    "linear": "pay ~ age + sex + area",
    "logistic": "ill ~ age + sex + area",
    "poisson": "visits ~ age + sex + area",
}
MODELS = {"linear": sm.families.Gaussian(), "logistic": sm.families.Binomial(), "poisson": sm.families.Poisson()}


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return regressions.people(4_000, np.random.default_rng(3))


def released(people: pd.DataFrame, method: Any, *, weights: bool = False, seed: int = 1) -> tk.Release:
    schema = regressions.schema("sensitive", weights)
    narrow = tk.Schema([each for each in schema if each.name not in {"house", "hours"}])
    return tk.anonymize(people[list(narrow.names())], narrow, method, seed=seed)


def by_statsmodels(frame: pd.DataFrame, family: str, weights: bool = False) -> Any:
    """An oracle that shares no code: statsmodels with robust standard errors."""
    design = pd.DataFrame(
        {
            "one": 1.0,
            "age": frame["age"],
            "M": frame["sex"] == "M",
            "e": frame["area"] == "e",
            "s": frame["area"] == "s",
        }
    ).astype(float)
    target = {"linear": frame["pay"], "logistic": (frame["ill"] == "yes").astype(float), "poisson": frame["visits"]}[
        family
    ]
    given = frame["weight"] if weights else np.ones(len(frame))
    return sm.GLM(target.astype(float), design, MODELS[family], var_weights=given).fit(cov_type="HC0", tol=1e-12)


@pytest.mark.parametrize("weights", [False, True], ids=["plain", "weights"])
@pytest.mark.parametrize("family", FORMULAS)
def test_rows_as_they_are_give_what_statsmodels_gives(people: pd.DataFrame, family: Any, weights: bool) -> None:
    release = released(people, tk.Sampling(2_000, known=50), weights=weights)
    found = tk.regress(release, FORMULAS[family], family=family, weights="weight" if weights else None)
    oracle = by_statsmodels(release.frame, family, weights)
    assert found.names == ("(constant)", "age", "sex=M", "area=e", "area=s")
    assert found.estimate == pytest.approx(oracle.params.to_numpy(), rel=1e-6)
    assert found.standard_error == pytest.approx(oracle.bse.to_numpy(), rel=5e-3)  # fitted coefficients are counted
    low, high = found.interval(0.9)
    assert (low < found.estimate).all() and (found.estimate < high).all()


METHODS = {
    "noise": lambda: tk.PkPerturbation(k=1.02, tells="all"),
    "all told together": lambda: tk.PkPerturbation(k=1.1, tells=[tk.tells.Subsets(3, cells=12)]),
    "groups": lambda: tk.GroupedPkPerturbation(k=5),
    "generalized": lambda: tk.Generalization(k=5),
    "suppressed": lambda: tk.LocalSuppression(k=5),
    "records suppressed": lambda: tk.RecordSuppression(k=3),
    "averaged": lambda: tk.Microaggregation(k=3),
}


@pytest.mark.parametrize("family", FORMULAS)
@pytest.mark.parametrize("name", METHODS)
def test_every_release_gives_the_coefficients_within_its_errors(people: pd.DataFrame, name: str, family: Any) -> None:
    """Seeded: what the release says is within four of its standard errors of the truth."""
    found = tk.regress(released(people, METHODS[name]()), FORMULAS[family], family=family, copies=3)
    target = FORMULAS[family].split(" ~ ")[0]
    if name == "groups" and family != "logistic":
        assert [each.key for each in found.reasons] == ["regression.not_measured"]
        return
    assert not found.reasons and found.standard_error is not None
    assert np.abs((found.estimate - regressions.truth(target)) / found.standard_error).max() < 4
    assert list(found.frame()["term"]) == list(found.names)


def test_pairs_are_enough_for_least_squares_and_not_for_others(people: pd.DataFrame) -> None:
    release = released(people, tk.PkPerturbation(k=1.1, tells=[tk.tells.Subsets(2, cells=12)]))
    found = tk.regress(release, FORMULAS["linear"])
    assert found.how.key == "regression.from_pairs" and not found.reasons
    assert np.abs((found.estimate - regressions.truth("pay")) / found.standard_error).max() < 4
    other = tk.regress(release, FORMULAS["logistic"], copies=2)
    assert [each.key for each in other.reasons] == ["regression.not_told"] and other.standard_error is None
    assert "no row tells 'age', 'sex', 'area' together" in str(other)
    with pytest.raises(InvalidParameter, match="No honest interval"):
        other.interval()
    assert tk.regress(release, "ill ~ age + sex").standard_error is not None


def test_a_perturbed_class_is_corrected_for(people: pd.DataFrame) -> None:
    """Seeded: the class went through noise itself, and the coefficient of sex comes back."""
    frame = pd.concat([people] * 5)[["sex", "ill"]]
    schema = tk.Schema(
        [tk.Attribute(n, domain=tk.Categories(v)) for n, v in (("sex", ["F", "M"]), ("ill", ["no", "yes"]))]
    )
    truth = np.log(
        pd.crosstab(frame["sex"], frame["ill"]).pipe(
            lambda t: t.loc["M", "yes"] * t.loc["F", "no"] / t.loc["M", "no"] / t.loc["F", "yes"]
        )
    )
    found = [
        tk.regress(tk.anonymize(frame, schema, tk.PkPerturbation(k=3, tells="all"), seed=seed), "ill ~ sex")
        for seed in range(6)
    ]
    off = [(each.estimate[1] - truth) / each.standard_error[1] for each in found if each.standard_error is not None]
    assert len(off) == 6 and abs(np.mean(off)) < 1.6 and np.abs(off).max() < 3.5


@pytest.mark.parametrize("text", ["pay = age", "pay=age+sex", "pay + age"])
def test_what_is_meant_as_a_formula_is_told_that_it_lacks_its_sign(people: pd.DataFrame, text: str) -> None:
    with pytest.raises(InvalidParameter, match="A formula has one ~"):
        tk.regress(released(people, tk.PkPerturbation(k=3, tells="all")), text)


def test_swapped_columns_have_no_interval(people: pd.DataFrame) -> None:
    found = tk.regress(released(people, tk.Swapping(k=5)), FORMULAS["linear"])
    assert [each.key for each in found.reasons] == ["regression.swapped"] and found.standard_error is None
    assert found.describe()["terms"][0]["standard_error"] is None


def test_noise_that_leaves_nothing_says_what_would_be_enough(people: pd.DataFrame) -> None:
    release = released(people, tk.PkPerturbation(k=200, tells="all"))
    with pytest.raises(TooNoisy, match=r"leaves these coefficients open"):
        tk.regress(release, FORMULAS["linear"])


def test_groups_are_fitted_again_only_where_an_interval_may_come_of_it(
    people: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copies of one fit hide less than copies of many. What is estimated without fitting again is no farther from the truth."""
    schema = regressions.schema("sensitive")
    release = tk.anonymize(people[list(schema.names())], schema, tk.GroupedPkPerturbation(k=60), seed=1)
    whole = regressing.unlimited(release, "ill ~ age + sex", family="logistic", copies=5)
    again: list[int] = []

    def redrawn(model: Any, copies: int, *others: Any) -> Any:
        again.append(copies)
        return [model] * copies

    monkeypatch.setattr(completed_rows, "redrawn", redrawn)
    found = tk.regress(release, "ill ~ age + sex", family="logistic", copies=5)
    assert found.standard_error is None and found.reasons and not again
    assert whole.standard_error is not None
    aim = regressions.TIMES["ill"] * np.array([regressions.SLOPES["age"], regressions.SLOPES["sex=M"]])
    off, off_whole = (np.abs(each.estimate[1:] - aim) for each in (found, whole))
    assert np.all(off < off_whole + whole.standard_error[1:])
    assert tk.regress(release, "pay ~ sex", copies=5).reasons and not again  # not measured for least squares
    shown = tk.regress(release, "ill ~ sex", copies=5)
    assert shown.standard_error is not None and again == [5]


@pytest.mark.parametrize(
    ("worth", "said"), [(1.2, "as 1 to 340 rows without"), (340.0, "as 340 rows without"), (1.0, "as 1 row without")]
)
def test_what_a_release_is_worth_is_one_number_where_it_is_the_same_for_all(
    people: pd.DataFrame, worth: float, said: str
) -> None:
    found = tk.regress(released(people, tk.PkPerturbation(k=3, tells="all")), "pay ~ sex")
    most = 1.9 if worth == 1.0 else 340.7
    assert said in str(dataclasses.replace(found, worth=np.array([worth, most])))


def test_an_outcome_of_several_values(people: pd.DataFrame) -> None:
    release = released(people, tk.Sampling(2_000, known=50))
    found = tk.regress(release, "area ~ age", outcome=["e", "s"])
    assert found.outcome == ("e", "s") and found.family == "logistic"
    with pytest.raises(InvalidParameter, match="'area' has 3"):
        tk.regress(release, "area ~ age")
    with pytest.raises(InvalidParameter, match="has no value 'x'"):
        tk.regress(release, "area ~ age", outcome="x")
    with pytest.raises(InvalidParameter, match="not all of them"):
        tk.regress(release, "area ~ age", outcome=["n", "e", "s"])


@pytest.mark.parametrize(
    ("asked", "settings", "said"),
    [
        ("pey ~ age", {}, "no column 'pey'.*'pay'"),
        ("pay ~ agee", {}, "'agee' is not a column"),
        ("pay ~ age ~ sex", {}, "one ~"),
        ("pay ~ age * sex", {}, "not a column"),
        ("sex ~ age", {"family": "linear"}, "explains numbers"),
        ("sex ~ age", {"family": "poisson"}, "numbers from 0 on"),
        ("pay ~ age", {"family": "cox"}, "family must be"),
        ("pay ~ age", {"outcome": "x"}, "leave it out"),
        ("pay ~ age", {"weights": "house"}, "weights must name"),
        ("pay ~ age", {"copies": 1}, "at least 2"),
        ("", {}, "explain by what"),
    ],
)
def test_what_cannot_be_asked_gets_one_sentence(people: pd.DataFrame, asked: str, settings: Any, said: str) -> None:
    with pytest.raises(InvalidParameter, match=said):
        tk.regress(released(people, tk.Sampling(500, known=5)), asked, **settings)


@pytest.mark.parametrize("text", ["age ~ ", "age~", " ~ age", "~", "`a ~ b` ~"])
def test_a_formula_without_one_of_its_sides_says_what_to_write(text: str) -> None:
    with pytest.raises(
        InvalidParameter, match=r"^A formula names the column to explain before ~, .* or \. for all others\.$"
    ):
        formula(text)


@pytest.mark.parametrize("text", ["age ~ sex +", "age ~ + sex", "age + sex ~ town", "age ~ sex + + town"])
def test_a_formula_with_a_sign_too_many_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(InvalidParameter, match="^A formula"):
        formula(text)


def test_formulas_with_odd_names() -> None:
    assert formula("`a + b` ~ `c ~ d`+e") == ("a + b", ("c ~ d", "e"))
    with pytest.raises(InvalidParameter, match="not in both"):
        formula("a ~ b", ["c"])


def test_the_command_prints_coefficients_and_intervals(people: pd.DataFrame, tmp_path: Any) -> None:
    released(people, tk.Sampling(2_000, known=50)).write(tmp_path / "out", allow_seeded=True)
    done = tokumei("regress", "out", "ill ~ age + sex", "--outcome", "yes", cwd=tmp_path)
    assert "sex=M" in done.stdout and "±" in done.stdout
    facts = json.loads(tokumei("regress", "out", "pay ~ age", "--json", "--level", "0.95", cwd=tmp_path).stdout)
    assert facts["level"] == 0.95 and facts["terms"][1]["low"] < facts["terms"][1]["coefficient"]
    wrong = tokumei("regress", "out", "pay ~ agee", cwd=tmp_path, code=1)
    assert wrong.stderr.startswith("tokumei: 'agee' is not a column")
    spoken = tokumei("regress", "out", "pay ~ age", cwd=tmp_path, env={"TOKUMEI_LANGUAGE": "ja"})
    assert "線形回帰" in spoken.stdout and "標準誤差" in spoken.stdout
