"""A plan as text and as a program: both stand for the very same plan."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.plan import AnyMethod, Output, Plan, Source
from tokumei.plan.script import plan_script
from tokumei.table.hierarchy import Tree

HARD = "a \"b\" \\ \n 'c' # é 日本 {x} [y]"

SCHEMA = tk.Schema(
    (
        tk.Attribute("id", "identifier", missing=True),
        tk.Attribute(
            HARD,
            "quasi_identifier",
            tk.Categories((HARD, "x.y", "*")),
            tk.Hierarchy.groups({"all": [HARD, "x.y", "*"]}),
        ),
        tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 1.5, step=0.5), tk.Hierarchy.intervals([0, 1, 1.5])),
        tk.Attribute(
            "born",
            "quasi_identifier",
            tk.Dates(dt.date(2020, 1, 1), dt.date(2020, 12, 31)),
            tk.Hierarchy.intervals([dt.date(2020, 1, 1), dt.date(2020, 7, 1), dt.date(2020, 12, 31)]),
            missing=True,
        ),
        tk.Attribute("yes", "sensitive", tk.Categories((False, True)), observed=True),
        tk.Attribute("free", "insensitive"),
    )
)
METHODS = [
    tk.PkPerturbation(
        k=2.5,
        split={"age": 2.0, HARD: 1.0},
        sample=tk.samples.Stratified("yes", {"True": 3}),
        membership="known",
        tells="all",
    ),
    tk.PkPerturbation(k=3, sample=tk.samples.Bernoulli(0.5, delta=1e-6), tells="all"),
    tk.PkPerturbation(k=3, tells=2),
    tk.PkPerturbation(k=3, tells="auto"),
    tk.PkPerturbation(k=3, tells=tk.tells.Auto(target="yes")),
    tk.PkPerturbation(k=3, tells=[tk.tells.Subsets(2, cells={"age": 4, HARD: 2})]),
    tk.PkPerturbation(k=3, tells=tk.tells.Auto()),
    tk.PkPerturbation(k=3, tells=tk.tells.Auto("marginals")),
    tk.PkPerturbation(k=3, tells=[tk.tells.Subsets(3, cells=4), tk.tells.Subsets(1)]),
    tk.PkPerturbation(
        k=3, tells=[tk.tells.Subsets((HARD, "age"), weight=3), tk.tells.Subsets(("born",), cells=12)], sample=0.5
    ),
    tk.GroupedPkPerturbation(k=4, partition=tk.partitions.Mondrian(), edges={"age": 1}),
    tk.GroupedPkPerturbation(k=4, tells=[tk.tells.Subsets((HARD, "age"), weight=3), tk.tells.Subsets(1)]),
    tk.PRAM({HARD: tk.transitions.KeepOrReplace(0.5), "yes": tk.transitions.Matrix(((0.9, 0.1), (0.1, 0.9)))}, k=2),
    tk.Sampling(0.1, known=5),
    tk.Generalization(
        k=5,
        partition=tk.partitions.Optimal(),
        suppression_limit=0.05,
        constraints=(tk.constraints.LDiversity("yes", 2, "entropy"),),
    ),
    tk.Generalization(k=5, publish=(tk.rates.ValueRates(("age",), epsilon=1.0),)),
    tk.LocalSuppression(k=3, importance={"age": 2.0}),
    tk.RecordSuppression(k=3),
    tk.Microaggregation(k=3, partition=tk.partitions.MDAV(), cells="median"),
]


def plan_with(method: AnyMethod) -> Plan:
    steps = (
        tk.prepare.Recode("age", 1, tk.Hierarchy.intervals([0, 0.5, 1.5])),
        tk.prepare.TopBottomCode("born", low=dt.date(2020, 2, 1)),
        tk.prepare.Drop("free"),
    )
    source = Source("in put.csv", ";", ("", "NA"), "utf-16")
    return Plan(source, SCHEMA, method, steps, Output("out", "csv", overwrite=True))


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_the_text_of_a_plan_is_read_as_the_same_plan(method: AnyMethod) -> None:
    plan = plan_with(method)
    again = Plan.from_toml(plan.to_toml())
    assert again.method.describe() == method.describe()
    assert replace(again, method=method) == plan


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_the_program_of_a_plan_makes_the_same_plan(method: AnyMethod) -> None:
    plan = plan_with(method)
    made: dict[str, object] = {}
    program, _, rest = plan_script(plan, seed=7).partition("release = ")
    exec(compile(program, "script", "exec"), made)
    assert made["plan"] == plan
    assert rest == "tk.run(plan, seed=7)\nplan.write(release, allow_seeded=True)\n"


def test_what_rows_tell_is_written_in_words_that_can_be_read() -> None:
    plan = plan_with(tk.PkPerturbation(k=3, tells=[tk.tells.Subsets(3, cells=4), tk.tells.Subsets(1)]))
    assert "tells = [{columns = 3, cells = 4}, {columns = 1}]" in plan.to_toml()
    assert "tells=(tk.tells.Subsets(columns=3, cells=4), tk.tells.Subsets(columns=1))" in plan_script(plan)


def test_no_value_is_written_as_an_empty_table() -> None:
    assert 'tells = {purpose = "pairs"}' in plan_with(tk.PkPerturbation(k=3, tells=tk.tells.Auto())).to_toml()


def test_a_learned_tree_stays_one_that_was_learned() -> None:
    column = tk.Attribute("x", "quasi_identifier", tk.Categories(("a", "b", "c", "d")))
    tree = tk.hierarchies.frequency_hierarchy({"x": list("aaabbcd")}, column, n_clusters=[2])
    schema = tk.Schema((tk.Attribute("x", "quasi_identifier", column.domain, tree),))
    plan = Plan(Source("x.csv"), schema, tk.Generalization(k=2))
    again = Plan.from_toml(plan.to_toml())
    assert again == plan
    assert again.schema["x"].observed


def test_a_tree_whose_groups_lie_apart_keeps_the_order_of_its_values() -> None:
    tree = Tree((("a", "x"), ("b", "y"), ("c", "x")))
    column = tk.Attribute("v", "quasi_identifier", tk.Categories(("a", "b", "c")), tree)
    plan = Plan(Source("x.csv"), tk.Schema((column,)), tk.Generalization(k=2))
    assert Plan.from_toml(plan.to_toml()) == plan


def test_a_table_inside_a_method_cannot_be_written() -> None:
    pilot = tk.example_census(rows=10, frame="pyarrow")
    method = tk.PkPerturbation(k=2, split=tk.splits.OptimisedSplit(pilot=pilot), tells="all")
    plan = Plan(Source("x.csv"), tk.example_schema(), method)
    with pytest.raises(InvalidParameter, match="a table of its own"):
        plan.to_toml()
    with pytest.raises(InvalidParameter, match="a table of its own"):
        plan_script(plan)
