from __future__ import annotations

import datetime as dt
import re
from dataclasses import MISSING, fields
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pytest

import tokumei as tk
from tokumei.anonymizers import METHODS
from tokumei.errors import DataError, InvalidParameter, PlanError
from tokumei.io.source import read_table
from tokumei.plan import Source
from tokumei.plan.draft import draft_plan, suggest_role

PLAN = """
[source]
path = "people.csv"
missing = ["", "?"]

[schema."name"]
role = "identifier"

[schema."age"]
role = "quasi_identifier"
domain = { kind = "numbers", low = 20, high = 60, step = 1 }
hierarchy = { edges = [[20, 40, 60]] }

[schema."sex"]
role = "quasi_identifier"
domain = { kind = "categories", values = ["Female", "Male"] }
hierarchy = { groups = { person = ["Female", "Male"] } }
missing = true

[schema."born"]
role = "insensitive"
domain = { kind = "dates", low = 1950-01-01, high = 2010-12-31 }

[[prepare]]
step = "recode"
column = "age"

[method]
method = "pk_perturbation"
k = 3
split = { age = 2, sex = 1 }
tells = "all"

[output]
path = "out"
format = "csv"
"""


def test_a_plan_is_read_whole() -> None:
    plan = tk.Plan.from_toml(PLAN, "somewhere")
    assert plan.schema["age"] == tk.Attribute(
        "age", "quasi_identifier", tk.Numbers(20, 60, step=1), tk.Hierarchy.intervals([20, 40, 60])
    )
    assert plan.schema["sex"].missing
    assert plan.schema["born"].domain == tk.Dates(dt.date(1950, 1, 1), dt.date(2010, 12, 31))
    assert plan.prepare == (tk.prepare.Recode("age"),)
    assert plan.method == tk.PkPerturbation(k=3, split={"age": 2, "sex": 1}, tells="all")
    assert plan.output.format == "csv"
    assert plan.source_path == Path("somewhere/people.csv")
    assert plan.output_path == Path("somewhere/out")


def test_a_plan_runs_and_equals_python(tmp_path: Path) -> None:
    rows = "name,age,sex,born\n" + "".join(
        f"p{i},{20 + i % 41},{['Female', 'Male', '?'][i % 3]},{1960 + i % 40}-01-01\n" for i in range(60)
    )
    (tmp_path / "people.csv").write_text(rows, encoding="utf-8")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    plan = tk.Plan.read(tmp_path / "plan.toml")
    release = tk.run(plan, seed=3)
    same = tk.anonymize(
        read_table(tmp_path / "people.csv", plan.schema, missing=("", "?")),
        plan.schema,
        plan.method,
        plan.prepare,
        seed=3,
    )
    assert release.table.equals(same.table)
    assert release.table.column("sex").null_count > 0


def test_hierarchies_come_from_files_beside_the_plan(tmp_path: Path) -> None:
    (tmp_path / "sex.csv").write_text("Female;person\nMale;person\n", encoding="utf-8")
    text = PLAN.replace('{ groups = { person = ["Female", "Male"] } }', '"sex.csv"')
    assert tk.Plan.from_toml(text, tmp_path).schema["sex"].hierarchy == tk.Plan.from_toml(PLAN).schema["sex"].hierarchy


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('path = "people.csv"', "path = ", "not valid TOML"),
        ("[source]", "[sauce]", r"no section \[sauce\] in a plan. Did you mean 'source'"),
        ("[method]\n", "[output2]\n", r"no section \[output2\]"),
        ("k = 3", "k = 1", "k must be a number above 1"),
        ("k = 3", 'k = "3"', "method.k' must be"),
        ("k = 3", "kk = 3", "method.kk' is not known|method.k' is missing"),
        (
            'method = "pk_perturbation"',
            'method = "magic"',
            "method.method must be one of 'generalization', 'grouped_pk_perturbation', 'local_suppression'",
        ),
        (
            'kind = "numbers"',
            'kind = "number"',
            "schema.age.domain.kind must be one of 'categories', 'numbers', 'dates'",
        ),
        ('kind = "numbers", ', "", "schema.age.domain needs 'kind'"),
        ("low = 20, high = 60", "low = 60, high = 20", "schema.age.domain: low must not be above high"),
        (
            'step = "recode"',
            'step = "recodee"',
            "prepare.0.step must be one of 'drop', 'mask', 'pseudonymize', 'recode'",
        ),
        ('role = "insensitive"', 'role = "unsensitive"', "schema.born.role' must be"),
        ("edges = [[20, 40, 60]]", "edge = [[20, 40, 60]]", "a hierarchy is the name of a file"),
        ("edges = [[20, 40, 60]]", "edges = [[20, 40, 50]]", "lacks 1 value of its domain"),
        ("hierarchy = { edges = [[20, 40, 60]] }", 'hierarchy = "absent.csv"', "absent.csv cannot be read"),
        ("k = 3", 'k = 3\nsample = { by = "sex", size = 2 }', "method.sample needs 'design'"),
        (
            "k = 3",
            'k = 3\nsample = { design = "stratified", column = "sex", sizes = 2 }',
            "method.sample.sizes' is not known|size' is missing",
        ),
        ("k = 3", 'k = 3\nsample = { design = "bernoulli", rate = 0.5 }', "nothing is guaranteed for certain"),
        ('tells = "all"', 'tells = "few"', "method.tells' must be 'all'"),
        ('tells = "all"', "tells = [{ columns = 2, cell = 4 }]", "cell' is not known"),
        ('tells = "all"', "tells = [{ cells = 4 }]", "columns' is missing"),
        ('tells = "all"', "tells = 2", "say tells='all' too, or leave it out"),
        ("missing = true", 'missing = "yes"', "schema.sex.missing' must be"),
        ('format = "csv"', 'format = "xlsx"', "output.format' must be 'parquet', 'csv', 'sav', 'dta' or 'xpt'"),
        ('missing = ["", "?"]', 'delimiter = ";;"', "delimiter must be one character"),
        ('[schema."name"]\nrole = "identifier"', '[schema]\nname = "identifier"', "one section per column"),
    ],
)
def test_plans_that_cannot_be_used(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in PLAN
    file = tmp_path / "plan.toml"
    file.write_text(PLAN.replace(old, new), encoding="utf-8")
    with pytest.raises(PlanError, match=message) as caught:
        tk.Plan.read(file)
    assert str(caught.value).startswith(str(file))
    assert "\n" not in str(caught.value)


def test_plans_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="cannot be read: no such file"):
        tk.Plan.read(tmp_path / "plan.toml")
    with pytest.raises(PlanError, match="section 'source', 'schema', 'method' is missing"):
        tk.Plan.from_toml("")
    with pytest.raises(InvalidParameter, match="engine must be one of 'auto', 'local', 'stream'"):
        tk.run(tk.Plan.from_toml(PLAN), engine="moon")


# Drafts.


@pytest.mark.filterwarnings("ignore::tokumei.errors.ObservedDomainWarning")
def test_a_draft_can_be_run_as_it_is(tmp_path: Path) -> None:
    table = tk.example_census(rows=500, frame="pyarrow")
    pyarrow.csv.write_csv(table, tmp_path / "people.csv")
    text = draft_plan(read_table(tmp_path / "people.csv"), Source("people.csv"), "out", 5)
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    plan = tk.Plan.read(tmp_path / "plan.toml")
    assert plan.schema["person_id"].role == "identifier"
    assert plan.schema["income"].role == "sensitive"
    assert plan.schema["age"].observed
    assert plan.method == tk.PkPerturbation(k=5)
    assert plan.method.tells == "auto"
    release = tk.run(plan)
    assert release.rows == 500
    assert any("read from the data" in str(said) for said in release.guarantees[0].assumes)


def test_drafts_of_awkward_tables() -> None:
    table = pa.table(
        {
            'a "quoted" name': ["x", None, "y"],
            "日本語": [1.5, 2.5, None],
            "when": [dt.date(2020, 1, 1)] * 3,
            "flag": [True, False, True],
            "dotted.name": [1, 2, 3],
            "empty": pa.nulls(3),
            "zoned": pa.array([dt.datetime(2020, 1, 1)] * 3, pa.timestamp("us", "UTC")),
            "huge": [2**60, 1, 2],
            "infinite": [1.0, float("inf"), 2.0],
            "flag01": [0, 1, 1],
        }
    )
    plan = tk.Plan.from_toml(draft_plan(table, Source("f.csv"), "out", 2.5))
    assert plan.schema.names() == tuple(table.column_names)
    assert plan.schema['a "quoted" name'].missing
    for name in ("empty", "zoned", "huge", "infinite"):  # one bad column does not stop the draft
        assert plan.schema[name].role == "identifier"
    assert plan.schema["flag01"].domain == tk.Categories([0, 1])
    assert plan.schema["flag"].domain == tk.Categories([False, True])
    assert plan.method == tk.PkPerturbation(k=2.5)


@pytest.mark.parametrize(
    ("name", "cells", "role"),
    [
        ("customer_id", [1, 2], "identifier"),
        ("E-Mail", ["a", "b"], "identifier"),
        ("Name", ["a", "a"], "identifier"),
        ("width", [1, 2], "quasi_identifier"),
        ("firstName", ["a", "a", "b"], "identifier"),
        ("氏名", ["山田", "山田", "佐藤"], "identifier"),
        ("電話番号", ["1", "1", "2"], "identifier"),
        ("年収", [1, 2], "sensitive"),
        ("salary", [1, 2], "sensitive"),
        ("comment", [f"text {i}" for i in range(50)], "identifier"),
        ("town", ["A", "B"] * 25, "quasi_identifier"),
    ],
)
def test_roles_are_guessed_safely(name: str, cells: list[object], role: str) -> None:
    assert suggest_role(name, pa.chunked_array([cells])) == role


def test_empty_tables_are_not_drafted() -> None:
    with pytest.raises(DataError, match="no rows"):
        draft_plan(pa.table({"a": pa.array([], pa.int64())}), Source("f.csv"), "out", 2)


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (
            'method = "pram"',
            "the method 'pram' needs 'columns'; write under [method], for example: `columns.sex = { kind = \"keep_or_replace\", keep = 0.5 }`.",
        ),
        (
            'method = "sampling"',
            "the method 'sampling' needs 'sample', 'known'; write under [method], for example: `sample = 500`, `known = 100`.",
        ),
        (
            'method = "sampling"\nsample = 5',
            "the method 'sampling' needs 'known'; write under [method], for example: `known = 100`.",
        ),
        (
            'method = "swapping"',
            "the method 'swapping' needs 'k'; write under [method], for example: `k = 10`.",
        ),
    ],
)
def test_a_method_that_lacks_something_says_what_to_write_and_the_line_does_it(method: str, message: str) -> None:
    before, after = PLAN[: PLAN.index("[method]")], PLAN[PLAN.index("[output]") :]
    with pytest.raises(PlanError) as caught:
        tk.Plan.from_toml(f"{before}[method]\n{method}\n{after}")
    assert str(caught.value) == message
    lines = "\n".join(re.findall("`([^`]+)`", message))
    tk.Plan.from_toml(f"{before}[method]\n{method}\n{lines}\n{after}")


def test_pram_is_shown_a_line_for_each_quasi_identifier_with_categories() -> None:
    town = '[schema."home town"]\nrole = "quasi_identifier"\ndomain = { kind = "categories", values = ["a", "b"] }\n'
    before = PLAN[: PLAN.index("[[prepare]]")]
    with pytest.raises(PlanError, match=r'`columns\.sex = .*`, `columns\."home town" = .*`\.$'):
        tk.Plan.from_toml(f'{before}{town}[method]\nmethod = "pram"\n')


def test_every_method_has_an_example_of_what_it_needs() -> None:
    before = PLAN[: PLAN.index("[method]")]
    for kind in METHODS:
        needs = [each for each in fields(kind) if each.default is MISSING and each.default_factory is MISSING]
        if needs:
            with pytest.raises(PlanError, match=r"; write under \[method\], for example: `"):
                tk.Plan.from_toml(f'{before}[method]\nmethod = "{kind.method}"\n')
