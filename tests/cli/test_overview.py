"""`tokumei reconstruct RELEASE` without options: what is offered works, and what is expected is said."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

import tokumei as tk
from tests.command_line import in_one_line, tokumei

METHODS: dict[str, Any] = {
    "told": tk.PkPerturbation(k=3, tells=2),
    "all": tk.PkPerturbation(k=3, tells="all"),
    "groups": tk.GroupedPkPerturbation(k=5),
    "labels": tk.Generalization(k=5, partition=tk.partitions.Mondrian()),
    "averaged": tk.Microaggregation(k=5),
    "swapped": tk.Swapping(k=5),
    "sampled": tk.Sampling(known=30, sample=0.2),
}
COLUMNS = ["age", "sex", "marital", "income"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("overview")
    people = tk.example_census(rows=300)[COLUMNS]
    schema = tk.Schema(tuple(tk.example_schema()[name] for name in COLUMNS))
    for name, method in METHODS.items():
        tk.anonymize(people, schema, method).write(place / name)
    return place


@pytest.mark.parametrize("name", METHODS)
def test_every_command_that_is_offered_runs(home: Path, name: str) -> None:
    before = {path.name for path in home.iterdir()}
    facts = json.loads(tokumei("reconstruct", name, "--json", cwd=home).stdout)
    assert {path.name for path in home.iterdir()} == before, "nothing is written until it is asked for"
    offered = {each["what"]: shlex.split(each["command"])[1:] for each in facts["ask"]}
    wanted = {
        "told": {"table", "target", "rows"},
        "all": {"table", "target", "rows", "weights"},
        "groups": {"table", "target", "rows"},
        "labels": {"table", "target", "rows"},
        "averaged": {"table", "target", "rows"},
        "swapped": {"table", "target", "rows"},
        "sampled": {"table", "target", "rows"},
    }
    assert set(offered) == wanted[name]
    for words in offered.values():
        assert tokumei(*words, cwd=home).stdout


def test_it_says_how_good_tables_will_be(home: Path) -> None:
    facts = json.loads(tokumei("reconstruct", "told", "--json", cwd=home).stdout)
    said = in_one_line(tokumei("reconstruct", "told", cwd=home).stdout)
    one, two = (facts["expected"][name] for name in ("one", "two"))
    assert f"off by about {one:.2f} in total variation, tables of two by about {two:.2f}" in said
    for each in facts["columns"]:
        assert f"{each['name']} {each['alone']:.3f} {each['paired']:.3f}" in said
    assert "Released unchanged: 'income'" in said
    assert f"off by about {one:.2f}" in in_one_line(tokumei("inspect", "told", cwd=home).stdout)


def test_it_says_what_no_number_can_be_given_for(home: Path) -> None:
    assert "How people are spread within a label is not told" in in_one_line(
        tokumei("reconstruct", "labels", cwd=home).stdout
    )
    assert "The averages can be used as they are" in in_one_line(tokumei("reconstruct", "averaged", cwd=home).stdout)
    assert "Next to nothing is left of 'age'" in in_one_line(tokumei("reconstruct", "all", cwd=home).stdout)


def test_it_speaks_japanese(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKUMEI_LANGUAGE", "ja")
    said = tokumei("reconstruct", "told", cwd=home).stdout
    assert "どの程度の精度になるか" in said
    assert "What can be asked" not in said


def test_inspect_says_of_averaged_cells_what_each_is_and_explains_no_weights() -> None:
    from tokumei.cli.words import use_lines
    from tokumei.words import Words

    people = tk.example_census(rows=300)[["age", "sex", "hours"]].assign(w=2.0)
    schema = tk.Schema(
        [
            tk.Attribute("age", domain=tk.Numbers(17, 90, step=1, quantity=True)),
            tk.example_schema()["sex"],
            tk.Attribute("w", "insensitive", tk.Numbers(1, 3, step=1)),
        ]
    )
    release = tk.anonymize(people.drop(columns="hours"), schema, tk.Microaggregation(k=5), seed=1)
    means, typical, _, regression = use_lines(release, Path("there"), Words("en"))
    assert means.startswith("Means of 'age' are right") and typical.startswith("'sex': each cell is the median or the")
    assert regression.strip() == "tokumei regress there 'age ~ sex + w'"


def test_nothing_is_suggested_of_columns_that_were_suppressed_everywhere_or_have_many_labels() -> None:
    from tokumei.cli.words import use_lines
    from tokumei.reconstruction.quality import expected_quality, quality_lines
    from tokumei.words import Words

    words = Words("en")
    names = [f"name {at}" for at in range(800)]
    schema = tk.Schema([*tk.example_schema(), tk.Attribute("who", "sensitive", tk.Categories(names))])
    rows = tk.example_census(rows=800).assign(who=names)
    release = tk.anonymize(rows, schema, tk.LocalSuppression(k=10), seed=1)
    found = expected_quality(release)
    gone, some, kept = found.names("suppressed"), found.names("cells"), found.names("kept")
    assert "age" in gone and "region" in some and "income" in kept and not found.names("labels")
    said = " ".join(quality_lines(found, words))
    assert "Labels that stand for several values" not in said and "Suppressed in some rows" in said
    _, table, _, regression = use_lines(release, Path("there"), words)
    assert "age" not in table and "age" not in regression.split("~")[1]
    assert "who" not in regression.split("~")[0] and "name " not in regression
    target, outcome = regression.split("'")[1].split(" ~ ")[0], regression.partition("--outcome ")[2].strip(" '")
    found_one = tk.regress(release, regression.split("'")[1], outcome=outcome or None)
    assert found_one.target == target


def test_a_suggested_regression_runs_as_it_is_suggested() -> None:
    from tokumei.cli.words import use_lines
    from tokumei.words import Words

    people = tk.example_census(rows=300)[["age", "sex"]].assign(answer=["no", "maybe", "yes"] * 100)
    schema = tk.Schema(
        [
            tk.Attribute("age", domain=tk.Numbers(17, 90, step=1)),
            tk.example_schema()["sex"],
            tk.Attribute("answer", "sensitive", tk.Categories(["yes", "maybe", "no"])),
        ]
    )
    release = tk.anonymize(people, schema, tk.Swapping(k=5), seed=1)
    *_, about, regression = use_lines(release, Path("there"), Words("en"))
    assert regression.strip() == "tokumei regress there 'answer ~ age + sex' --outcome yes"
    found = tk.regress(release, "answer ~ age + sex", outcome="yes")
    assert "without standard errors" in about and "No honest interval" in str(found)


def test_what_is_said_of_cells_is_true_of_the_method() -> None:
    from tokumei.cli.words import use_lines
    from tokumei.reconstruction.quality import expected_quality, quality_lines
    from tokumei.words import Words

    rows, schema, words = tk.example_census(rows=800), tk.example_schema(), Words("en")
    few, aged = (tk.Schema([schema[n] for n in names]) for names in (("sex", "region", "income"), ("age", "income")))

    def first(method: Any, schema: tk.Schema = few) -> str:
        return use_lines(tk.anonymize(rows[list(schema.names())], schema, method, seed=1), Path("there"), words)[0]

    assert first(tk.LocalSuppression(k=60)).startswith("Cells are true or suppressed. ")
    assert first(tk.Generalization(k=5, partition=tk.partitions.Mondrian()), aged).startswith(
        "Cells are coarse but true: "
    )
    assert first(tk.Swapping(k=5)).startswith("'sex', 'region': every cell is a true one, of a similar person.")
    gone = tk.anonymize(rows[list(few.names())], few, tk.RecordSuppression(k=60), seed=1)
    assert gone.mechanism.left_out
    said = " ".join(quality_lines(expected_quality(gone), words))
    assert "no error" not in said and "Rare records were left out" in said
