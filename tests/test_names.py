"""Names as a newcomer types them: a wrong one gets the nearest right one, and the same thing has the same name everywhere."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from typer.testing import CliRunner

import tokumei as tk
from tests.in_turn import in_turn
from tests.public import public
from tokumei.cli.app import app
from tokumei.errors import TokumeiError

SCHEMA = tk.example_schema()
PLAN = """
[source]
path = "people.csv"
[schema.age]
role = "quasi_identifier"
domain = {{ kind = "numbers", low = 0, high = 90, step = 1 }}
{before}
[method]
method = "pk_perturbation"
k = 3
{after}
"""


@pytest.fixture(scope="module")
def people() -> pa.Table:
    return tk.example_census(rows=100, frame="pyarrow")


@pytest.fixture(scope="module")
def release(people: pa.Table) -> tk.Release:
    return tk.anonymize(people, SCHEMA, tk.PkPerturbation(k=3, tells="all"), seed=1)


def plan(before: str = "", after: str = "", **replaced: str) -> tk.Plan:
    text = PLAN.format(before=before, after=after)
    for old, new in replaced.items():
        assert old in text
        text = text.replace(old, new)
    return tk.Plan.from_toml(text)


VALUES: dict[str, Callable[[], Any]] = {
    "k": lambda: tk.PkPerturbation(kk=5, tells="all"),
    "step": lambda: tk.Numbers(0, 1, stp=1),
    "ordered": lambda: tk.Categories(["a"], orderd=True),
    "domain": lambda: tk.Attribute("age", domian=tk.Numbers(0, 1)),
    "choose": lambda: tk.Generalization(k=5, partition={"kind": "mondrian", "chose": "gain"}),
    "mondrian": lambda: tk.Generalization(k=5, partition="mondrain"),
    "local_search": lambda: tk.Microaggregation(k=5, partition="local_serach"),
    "unknown": lambda: tk.PkPerturbation(k=5, kept="unknwon", tells="all"),
    "widest": lambda: tk.partitions.Mondrian(choose="wides"),
    "keep": lambda: tk.PRAM({"sex": {"kind": "keep_or_replace", "kep": 0.5}}),
    "keep_or_replace": lambda: tk.PRAM({"sex": {"kind": "keep_or_replac", "keep": 0.5}}),
    "quasi_identifier": lambda: SCHEMA.names("quasi_identifer"),
    "stream": lambda: tk.run(plan(), "strem"),
}
PLANS: dict[str, Callable[[], Any]] = {
    "schema": lambda: plan(before="[shema]"),
    "path": lambda: plan(path="pth"),
    "high": lambda: plan(high="hihg"),
    "numbers": lambda: plan(numbers="numbrs"),
    "quasi_identifier": lambda: plan(quasi_identifier="quasi_identifer"),
    "pk_perturbation": lambda: plan(pk_perturbation="pk_pertubation"),
    "membership": lambda: plan(after='membrship = "known"'),
    "top_bottom_code": lambda: plan(before='[[prepare]]\nstep = "top_botom_code"\ncolumn = "age"'),
    "level": lambda: plan(before='[[prepare]]\nstep = "recode"\ncolumn = "age"\nlevl = 1'),
    "overwrite": lambda: plan(after="[output]\noverwrit = true"),
    "min_size": lambda: plan(pk_perturbation="generalization", after='partition = { kind = "mondrian", minsize = 3 }'),
}


@pytest.mark.parametrize("right", VALUES)
def test_wrong_names_in_python(right: str) -> None:
    with pytest.raises(TokumeiError, match=f"Did you mean '{right}'"):
        VALUES[right]()


@pytest.mark.parametrize("right", PLANS)
def test_wrong_names_in_plans(right: str) -> None:
    with pytest.raises(TokumeiError, match=f"Did you mean '{right}'"):
        PLANS[right]()


@pytest.mark.parametrize(
    ("wrong", "right"), [("Nunbers", "Numbers"), ("anonymise", "anonymize"), ("read_relase", "read_release")]
)
def test_wrong_public_names(wrong: str, right: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{wrong}'. Did you mean '{right}'"):
        getattr(tk, wrong)


def test_a_name_like_no_other_gets_no_guess() -> None:
    with pytest.raises(AttributeError, match="no attribute 'xyzzy'$"):
        _ = tk.xyzzy
    assert not hasattr(tk, "_repr_html_")


def made(method: Any, *prepare: Any) -> Callable[[pa.Table, tk.Release], Any]:
    return lambda people, release: tk.anonymize(people, SCHEMA, method, prepare)


COLUMNS: dict[str, Callable[[pa.Table, tk.Release], Any]] = {
    "Schema[]": lambda p, r: SCHEMA["agee"],
    "Schema.without": lambda p, r: SCHEMA.without("agee"),
    "Schema.observe": lambda p, r: tk.Schema.observe(p, roles={"agee": "sensitive"}),
    "a table": lambda p, r: tk.anonymize(
        p.rename_columns(["agee" if n == "age" else n for n in p.column_names]),
        SCHEMA,
        tk.PkPerturbation(k=3, tells="all"),
    ),
    "split": made(tk.PkPerturbation(k=3, split={"agee": 1}, tells="all")),
    "Stratified": made(tk.PkPerturbation(k=3, sample=tk.samples.Stratified("agee", size=0.5), tells="all")),
    "PRAM": made(tk.PRAM({"agee": tk.transitions.KeepOrReplace(0.5)})),
    "LDiversity": made(tk.Generalization(k=3, constraints=[tk.constraints.LDiversity("agee", 2)])),
    "importance": made(tk.LocalSuppression(k=3, importance={"agee": 2})),
    "ValueRates": made(tk.Generalization(k=3, publish=[tk.rates.ValueRates(["agee"])])),
    "Recode": made(tk.PkPerturbation(k=3, tells="all"), tk.prepare.Recode("agee")),
    "Drop": made(tk.PkPerturbation(k=3, tells="all"), tk.prepare.Drop("agee")),
    "TopBottomCode": made(tk.PkPerturbation(k=3, tells="all"), tk.prepare.TopBottomCode("agee", high=60)),
    "measure_rates": lambda p, r: tk.rates.measure_rates(p, SCHEMA, 3, [tk.rates.ValueRates(["agee"])]),
    "assess": lambda p, r: tk.assess(p, ["agee"]),
    "assess, sensitive": lambda p, r: tk.assess(p, ["sex"], ["agee"]),
    "assess, weights": lambda p, r: tk.assess(p, ["sex"], weights="agee"),
    "check": lambda p, r: tk.check(p, ["agee"]),
    "check, sensitive": lambda p, r: tk.check(p, ["sex"], ["agee"]),
    "compare": lambda p, r: tk.compare(p, SCHEMA, ["pk_perturbation"], [2], columns=["agee"]),
    "compare, target": lambda p, r: tk.compare(p, SCHEMA, ["pk_perturbation"], [2], target="agee"),
    "measure_utility": lambda p, r: tk.measure_utility(p, r, SCHEMA, columns=["agee"]),
    "measure_utility, target": lambda p, r: tk.measure_utility(p, r, SCHEMA, target="agee"),
    "compare_regression": lambda p, r: tk.comparisons.compare_regression(p, r, SCHEMA, "agee"),
    "compare_routes": lambda p, r: tk.comparisons.compare_routes(p, SCHEMA, "agee"),
    "study": lambda p, r: tk.comparisons.study(p, SCHEMA, "agee"),
    "contingency": lambda p, r: tk.comparisons.contingency(p, r, SCHEMA, ["agee", "sex"]),
    "suggest_split": lambda p, r: tk.splits.suggest_split(p, SCHEMA, 3, 100, target="incom"),
    "frequency_hierarchy": lambda p, r: tk.hierarchies.frequency_hierarchy(
        p.drop_columns("age").append_column("agee", p["age"]), SCHEMA["age"]
    ),
    "odds_hierarchy": lambda p, r: tk.hierarchies.odds_hierarchy(p, SCHEMA["education"], "agee"),
    "IterativeBayes": lambda p, r: tk.IterativeBayes(["agee"]).fit(r),
    "IterativeBayes, bins": lambda p, r: tk.IterativeBayes(["age"], {"agee": 3}).fit(r),
    "DensityRatio": lambda p, r: tk.DensityRatio(columns=["agee"]).fit(r),
    "reconstruct": lambda p, r: tk.reconstruct(r, "agee"),
    "reconstruct, columns": lambda p, r: tk.reconstruct(r, "income", ["agee"]),
    "ClassConditionalClassifier": lambda p, r: tk.ClassConditionalClassifier("agee").fit(r),
    "ClassConditionalClassifier, columns": lambda p, r: tk.ClassConditionalClassifier("income", ["agee"]).fit(r),
    "ClassConditionalRegressor": lambda p, r: tk.ClassConditionalRegressor("incom").fit(r),
    "CorrectedLinearRegression": lambda p, r: tk.CorrectedLinearRegression("agee").fit(r),
    "CorrectedLinearRegression, columns": lambda p, r: tk.CorrectedLinearRegression("hours", ["agee"]).fit(r),
    "CorrectedLogisticRegression": lambda p, r: tk.CorrectedLogisticRegression("incom").fit(r),
}


KEPT = ("suggest_split", "ClassConditionalRegressor", "CorrectedLogisticRegression")  # of columns released as they are


@pytest.mark.parametrize("name", COLUMNS)
def test_wrong_columns_are_told_the_nearest(name: str, people: pa.Table, release: tk.Release) -> None:
    right = {"a table": "agee", "frequency_hierarchy": "agee", **dict.fromkeys(KEPT, "income")}.get(name, "age")
    with pytest.raises(TokumeiError, match=f"Did you mean '{right}'"):
        COLUMNS[name](people, release)


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("anonymise plan.toml", "anonymize"),
        ("anonymize plan.toml --engin local", "--engine"),
        ("anonymize plan.toml --engine strem", "stream"),
        ("check people.csv --qi agee", "age"),
        ("check people.csv --qi age --sensitive incom", "income"),
        ("sizes people.csv --qi agee", "age"),
        ("compare people.csv --methods local_supression", "local_suppression"),
        ("compare people.csv --methods generalization:mondrain", "mondrian"),
        ("compare people.csv --measure pars", "pairs"),
        ("risk table people.csv --qi agee", "age"),
    ],
)
def test_wrong_names_on_the_command_line(
    words: str, right: str, people: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pa.csv.write_csv(people, "people.csv")
    Path("plan.toml").write_text(PLAN.format(before="", after=""), encoding="utf-8")
    found = CliRunner().invoke(app, words.split())
    assert found.exit_code in {1, 2}
    assert "Did you mean" in found.output or "(Possible options" in found.output
    assert right in found.output


def test_warnings_and_only_they_end_in_warning() -> None:
    classes = [each for each in vars(tk.errors).values() if inspect.isclass(each)]
    assert any(issubclass(each, Warning) for each in classes)
    for each in classes:
        assert issubclass(each, Warning) == each.__name__.endswith("Warning"), each.__name__


# One word for one thing, and scikit-learn's where it has one. What stands on the left is called by what stands on the right.
SYNONYMS = {
    "data": "frame",
    "df": "frame",
    "dataframe": "frame",
    "cols": "columns",
    "attributes_": "columns",
    "quasi_identifiers": "columns",
    "qi": "columns",
    "n": "rows",
    "n_rows": "rows",
    "k_values": "ks",
    "targets": "subjects",
    "steps": "max_iter",
    "max_steps": "max_iter",
    "n_iter": "max_iter",
    "tolerance": "tol",
    "folds": "cv",
    "n_folds": "cv",
    "trees": "hierarchies",
    "centers": "n_centers",
    "clusters": "n_clusters",
    "stretches": "n_bins",
    "neighbours": "min_samples",
    "width": "bandwidth",
    "arrays": "backend",
    "random_seed": "random_state",
    "filename": "path",
    "file": "path",
}


def signatures() -> list[tuple[str, inspect.Parameter]]:
    return [
        (name, each)
        for name, thing in public().items()
        if callable(thing)
        for each in inspect.signature(thing).parameters.values()
    ]


@in_turn(signatures)
def test_one_word_for_one_thing(each: tuple[str, inspect.Parameter]) -> None:
    name, parameter = each
    assert parameter.name not in SYNONYMS, f"{name}: call it {SYNONYMS.get(parameter.name)}"
    kind = str(parameter.annotation)
    if parameter.name == "k":
        assert "Sequence" not in kind, f"{name}: several k are called ks"
    if parameter.name == "target":
        assert "str" in kind, f"{name}: a target is a column to predict"
    if parameter.name in {"seed", "random_state"}:
        assert "int" in kind, name
    if parameter.name == "seed":
        assert name in {"anonymize", "run"}, f"{name}: a seed voids a promise; what releases nothing takes random_state"
    if parameter.name == "bins":
        assert "Bins" in kind, f"{name}: a number of bins is called n_bins"
    if parameter.name == "threshold":
        assert "float" in kind, f"{name}: a threshold is a probability"
    if parameter.name == "table":
        assert name == "read_release", f"{name}: a table that comes in is called frame"


def estimators() -> list[type]:
    return [each for each in public().values() if inspect.isclass(each) and issubclass(each, BaseEstimator)]


def test_classifiers_and_regressors_say_so() -> None:
    kinds = {
        ClassifierMixin: ("Classifier", "LogisticRegression"),
        RegressorMixin: ("Regressor", "LinearRegression", "PoissonRegression"),
    }
    found = {kind: [each for each in estimators() if issubclass(each, kind)] for kind in kinds}
    assert all(found.values())
    for kind, names in kinds.items():
        assert all(each.__name__.endswith(names) for each in found[kind]), found[kind]


def test_what_a_fit_leaves_behind_is_named_as_in_scikit_learn(release: tk.Release) -> None:
    for model in (tk.IterativeBayes(["sex"]), tk.DensityRatio("linear")):
        assert model.fit(release).n_iter_ <= model.max_iter
        assert model.gap_ <= model.tol


def test_acronyms_are_written_in_capitals_and_kinds_are_not() -> None:
    assert [each.kind for each in (tk.partitions.MDAV(), tk.partitions.VMDAV(), tk.partitions.DBSCAN())] == [
        "mdav",
        "v_mdav",
        "dbscan",
    ]
    assert tk.PRAM({"sex": tk.transitions.KeepOrReplace(0.5)}).method == "pram"
