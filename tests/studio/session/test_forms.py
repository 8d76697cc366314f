"""Forms are made from what is registered: every method and every part of it can be filled in, in words, and wrong parts are named."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tokumei as tk
from tokumei.anonymizers import METHODS
from tokumei.plan import Plan, Source
from tokumei.studio.form import Form
from tokumei.studio.session import Session
from tokumei.studio.session.filling import grid_of, number_of
from tokumei.studio.session.method_form import MethodForm, whole_form
from tokumei.studio.session.shapes import Each, Either, Fixed, Many, Shape, Whole
from tokumei.studio.session.state import State
from tokumei.testing import isolated
from tokumei.words import Words
from tokumei.words.forms.en import FORMS

SCHEMA = tk.example_schema()
SOURCE = Source("people.csv")
METHODS_OF_ALL_KINDS = [
    tk.PkPerturbation(k=10),
    tk.PkPerturbation(k=3, tells=2, sample=0.5, membership="known"),
    tk.PkPerturbation(k=3, tells="all", split={"age": 2.0, "sex": 1.0}, kept="perturb"),
    tk.PkPerturbation(epsilon=1, delta=1e-6, tells=tk.tells.Auto("marginals")),
    tk.PkPerturbation(k=3, tells=[tk.tells.Subsets(2, cells=4), tk.tells.Subsets(["age"], weight=2)]),
    tk.PkPerturbation(k=3, repeat=tk.Repeat("file:a.key", "person_id")),
    tk.PRAM({"sex": tk.transitions.KeepOrReplace(0.5), "region": tk.transitions.Matrix([[0.9, 0.1], [0.1, 0.9]])}),
    tk.Sampling(100, known=5, k=2),
    tk.Sampling(tk.samples.Stratified("region", {"north": 5}), known=5),
    tk.GroupedPkPerturbation(k=3, partition=tk.partitions.DBSCAN(eps=0.5), tells=2, edges={"age": 5}),
    tk.Generalization(k=5, partition=tk.partitions.TopDown(), suppression_limit=0.1),
    tk.Generalization(k=5, partition=tk.partitions.FixedLevels({"age": 1})),
    tk.Generalization(
        k=5, constraints=[tk.constraints.LDiversity("income", 2), tk.constraints.TCloseness("income", 0.3)]
    ),
    tk.LocalSuppression(k=3, importance={"age": 3.0}, meaning="wildcard"),
    tk.RecordSuppression(k=3),
    tk.Microaggregation(k=3, partition=tk.partitions.FlexDice(parts=3), cells="median"),
    tk.Swapping(k=4, columns=["age", "sex"]),
]
STEPS: Any = (tk.prepare.TopBottomCode("age", high=80), tk.prepare.Drop("hours"), tk.prepare.Mask("person_id", show=2))


@pytest.mark.parametrize("method", METHODS_OF_ALL_KINDS, ids=lambda method: type(method).__name__)
def test_what_a_plan_says_can_be_filled_in_and_read_back(method: Any) -> None:
    form = MethodForm.of(State(SOURCE, SCHEMA, method, STEPS))
    made, steps, wrong = form.read()
    assert wrong == {}
    assert steps == STEPS
    plan = Plan(SOURCE, SCHEMA, method, STEPS)
    assert Plan(SOURCE, SCHEMA, made, steps).to_toml() == plan.to_toml()
    assert form.toml() in plan.to_toml()


def test_a_matrix_alone_is_shown_as_one() -> None:
    method = tk.PRAM({"sex": [[0.9, 0.1], [0.1, 0.9]]})
    made: Any = MethodForm.of(State(SOURCE, SCHEMA, method)).read()[0]
    assert made.transitions() == method.transitions()


def test_every_method_can_be_begun_and_keeps_what_the_last_one_had() -> None:
    form = MethodForm.of(State(SOURCE, SCHEMA))
    for name in METHODS.names:
        form.choose(name)
        assert form.filled["method"]["method"] == name
        assert form.filled["method"].get("k", 5) == 5
    form.choose("generalization")
    form.filled["method"]["k"] = 12
    form.choose("swapping")
    assert form.read()[0] == tk.Swapping(k=12)


def shapes(shape: Shape, whole: str = "", part: str = "") -> Iterator[tuple[str, str, str, Shape]]:
    """Go through everything that a form names."""
    if isinstance(shape, Whole):
        yield "kind", shape.name, "", shape
        for each in shape.parts:
            yield "label", shape.name, each.name, each.shape
            yield from shapes(each.shape, shape.name, each.name)
    elif isinstance(shape, Either):
        for name, each in shape.choices:
            if not isinstance(each, Whole) or each.tag is None:
                yield "option", f"{whole}.{part}", name, each
            yield from shapes(each, whole, part)
    elif isinstance(shape, Each | Many):
        yield from shapes(shape.inner, whole, part)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_everything_in_a_form_has_words_and_no_word_is_left_over(language: Any) -> None:
    form: Any = Form(Words(language), None, {}, lambda: None, lambda: None)  # type: ignore[arg-type]
    asked: set[str] = set()

    def known(*keys: str) -> str:
        asked.update(keys)
        return next((key for key in keys if form.words.knows(key)), "")

    form._known = known
    for what, one, two, shape in shapes(whole_form()):
        if what == "kind":
            form.about(one)
            assert one in {"plan"} or known(f"kind.{one}", f"method_{one}"), one
        elif what == "label":
            form._help(one, two)
            assert known(f"form.{one}.{two}", f"form.{two}") or (one, two) == ("plan", "method"), (one, two)
        else:
            whole, part = one.split(".")
            named = known(f"form.{whole}.{part}.{two}", f"form.{part}.{two}", f"option.{two}", f"kind.{two}")
            assert named, (one, two, isinstance(shape, Fixed))
    assert {key for key in FORMS if key.startswith(("form.", "kind.", "help.", "option."))} <= asked


@pytest.mark.parametrize(
    ("filled", "place", "said"),
    [
        ({"method": "generalization"}, ("k",), "filled in"),
        ({"method": "generalization", "k": "many"}, ("k",), "whole number"),
        ({"method": "generalization", "k": 1}, ("k",), "at least 2"),
        ({"method": "generalization", "k": 5, "suppression_limit": 3}, ("suppression_limit",), "between 0 and 1"),
        (
            {"method": "generalization", "k": 5, "partition": {"kind": "mondrian", "min_size": -3}},
            ("partition", "min_size"),
            "at least 1",
        ),
        (
            {
                "method": "generalization",
                "k": 5,
                "constraints": [{"constraint": "l_diversity", "column": "income", "l": 0}],
            },
            ("constraints", 0, "l"),
            "at least 1",
        ),
        ({"method": "pk_perturbation", "k": 3, "tells": 0}, ("tells",), "greater than or equal to 1"),
        ({"method": "sampling", "sample": 100, "known": 0}, ("known",), "at least 1"),
        (
            {"method": "pram", "columns": {"sex": {"kind": "matrix", "rows": [[1, 0], [1]]}}},
            ("columns", "sex", "rows"),
            "numbers only",
        ),
    ],
)
def test_what_is_wrong_stands_beside_its_field(filled: Any, place: tuple[Any, ...], said: str) -> None:
    made, _, wrong = MethodForm({"method": filled, "prepare": []}).read()
    assert made is None
    assert list(wrong) == [("method", *place)]
    assert said in str(wrong["method", *place])


def test_a_form_in_which_nothing_was_filled_in() -> None:
    assert list(MethodForm({"prepare": []}).read()[2]) == [("method",)]


def test_numbers_are_read_as_people_write_them() -> None:
    assert [number_of(each) for each in ("7", " 0.5", "１２", "1e-6", "0,5", "nan")] == [7, 0.5, 12, 1e-6, "0,5", "nan"]
    assert grid_of("0.9, 0.1\n\n0.2 x") == [[0.9, 0.1], [0.2, "x"]]


def test_a_method_with_a_table_of_its_own_is_not_shown_and_not_lost() -> None:
    pilot = tk.example_census(rows=50, frame="pyarrow")
    split = tk.splits.OptimisedSplit("association", "income", pilot=pilot)
    state = State(SOURCE, SCHEMA, tk.PkPerturbation(k=3, tells="all", split=split))
    form = MethodForm.of(state)
    assert form.unshown
    assert "method" not in form.filled


@pytest.fixture
def toys() -> Iterator[None]:
    names = ("tests.extending.toy_method", "tests.extending.toy_partition", "tests.extending.toy_constraint")
    with isolated():
        for name in names:
            importlib.import_module(name)
        yield
        for name in names:
            del sys.modules[name]


@pytest.mark.usefixtures("toys")
def test_what_another_package_registers_has_a_form() -> None:
    form = MethodForm.of(State(SOURCE, SCHEMA))
    form.choose("toy_replacement")
    made, _, wrong = form.read()
    assert (type(made).__name__, wrong) == ("ToyReplacement", {})
    drawn = Form(Words("ja"), None, form.filled, lambda: None, lambda: None)  # type: ignore[arg-type]
    assert drawn.kind("toy_replacement") == "おもちゃの置換"
    assert drawn.about("toy_replacement")
    form.choose("generalization")
    form.filled["method"]["partition"] = {"kind": "toy_slices", "wide": 2}
    form.filled["method"]["constraints"] = [{"constraint": "toy_majority", "column": "income", "share": 0.9}]
    made, _, wrong = form.read()
    assert wrong == {}
    assert "toy_slices" in form.toml()
    assert drawn.label("toy_slices", "wide") == "Wide"  # which has no words of its own


def test_people_with_several_rows_and_pseudonyms(tmp_path: Path) -> None:
    frame = tk.example_census(rows=120, frame="pandas")
    frame["house"] = [each // 2 for each in range(120)]
    frame.to_csv(tmp_path / "people.csv", index=False)
    key = tmp_path / "a.key"
    key.write_text("ab" * 32, encoding="utf-8")
    key.chmod(0o600)
    with Session.open(tmp_path / "people.csv") as session:
        before = session.sizes_before().smallest
        session.give_role("house", "person")
        assert session.coded.people is not None
        assert session.sizes_before().smallest <= before
        session.change(method=tk.Generalization(k=3))
        risk = session.risk_after()
        assert risk.basis == "proved"
        assert risk.highest <= 1 / 3
        session.give_role("house", "identifier")
        session.change(prepare=(tk.prepare.Pseudonymize("person_id", f"file:{key}"),))
        assert "person_id" in session.release().table.column_names
        assert session.told(Words("en"))[-1]
        with pytest.raises(tk.errors.TokumeiError):
            session.change(prepare=(tk.prepare.Pseudonymize("person_id", f"file:{tmp_path / 'no.key'}"),))
