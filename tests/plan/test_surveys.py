"""Drafts of messy survey tables: roles, codes for no answer, steps, decimal commas, and what a changed method leaves over."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pyarrow as pa
import pytest

import tokumei as tk
from benchmarks import stored
from tests.command_line import tokumei
from tests.plan.surveys import HELD_OUT, SURVEYS, written
from tokumei.errors import ObservedDomainWarning, PlanError
from tokumei.io.delimiter import guess_decimal
from tokumei.io.source import read_to_draft
from tokumei.plan.cells import sentinels, stray_text
from tokumei.plan.draft import suggest_attribute
from tokumei.table.codebook import Variable


@pytest.mark.parametrize("name", [*SURVEYS, *HELD_OUT])
def test_roles_are_as_right_as_is_stored(name: str, tmp_path: Path) -> None:
    """Every guess gives a reason; as many are right as the page says."""
    _, tables = stored.read("drafts")
    due = next(row[2] for row in tables["roles"].rows if row[0] == name)
    file, encoding, roles = written(name, tmp_path)
    table, _ = read_to_draft(file, encoding=encoding)
    found = {column: suggest_attribute(column, table.column(column)) for column in roles}
    assert sum(each.role == roles[column] for column, (each, _) in found.items()) == due
    assert all(len(why) > 20 for _, why in found.values())


def drafted(name: str, folder: Path) -> tuple[str, dict[str, dict[str, object]]]:
    file, encoding, _ = written(name, folder)
    tokumei("init", file, "--k", "3", "--encoding", encoding, "--output", folder / "plan.toml", cwd=folder)
    text = (folder / "plan.toml").read_text(encoding="utf-8")
    return text, tomllib.loads(text)["schema"]


def test_a_draft_points_out_codes_for_no_answer(tmp_path: Path) -> None:
    text, columns = drafted("household survey", tmp_path)
    assert "# 999 stands in 7 rows, apart from all other values" in text
    assert columns["age"]["domain"]["kind"] == "numbers"  # type: ignore[index]
    assert columns["number_of_rooms"]["domain"]["kind"] == "numbers"  # type: ignore[index]
    assert columns["roof_type"]["domain"]["kind"] == "categories"  # type: ignore[index]
    assert "numbers households" in text
    assert "a stratum or cluster of the sample" in text


def test_a_draft_counts_stray_text_and_does_not_show_it_there(tmp_path: Path) -> None:
    text, _ = drafted("school survey", tmp_path)
    told = next(each for each in text.splitlines() if "all others are numbers" in each)
    assert "2 cells of it are text" in told
    assert "absent" not in told


def test_decimal_commas_are_read_as_numbers(tmp_path: Path) -> None:
    text, columns = drafted("budget survey (decimal commas)", tmp_path)
    assert tomllib.loads(text)["source"]["decimal"] == ","
    assert columns["food_expenditure"]["domain"]["kind"] == "numbers"  # type: ignore[index]
    assert columns["income"]["role"] == "sensitive"


@pytest.mark.parametrize(
    ("content", "mark"),
    [
        ("a;b\n1,5;x\n2,25;y\n", ","),
        ("a,b\n1.5,2\n", "."),
        ("a;b\n1,5;2.5\n", "."),
        ("a;b\nx,y;1\n", "."),
        ('a,b\n"1,5",2\n"3",1\n', ","),
    ],
)
def test_the_decimal_mark_is_guessed(content: str, mark: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(content, encoding="utf-8")
    assert guess_decimal(tmp_path / "t.csv", ";" if ";" in content else ",") == mark


def test_natural_steps(tmp_path: Path) -> None:
    _, columns = drafted("health survey", tmp_path)
    assert columns["height_cm"]["domain"]["step"] == 0.5  # type: ignore[index]
    assert columns["weight_kg"]["domain"]["step"] == 0.1  # type: ignore[index]


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ([1, 2, 3, 4, 5, 9], {}),
        ([18, 44, 60, 80, 86, 91, 97, 99], {}),
        ([0, 40, 80, -9, -9, -8], {-9: 2, -8: 1}),
        ([-12, -3, 4, -9], {}),
        ([1200, 45000, 99999, 99999, 99998], {99998: 1, 99999: 2}),
        ([999], {}),
    ],
)
def test_codes_for_no_answer_lie_apart(cells: list[int], found: dict[int, int]) -> None:
    assert sentinels(pa.chunked_array([cells])) == found


def test_text_that_is_no_number_is_stray_only_among_numbers() -> None:
    assert stray_text(pa.chunked_array([["a", "b", "1"]])) == 0
    assert stray_text(pa.chunked_array([[1, 2, 3]])) == 0


def test_what_a_codebook_says_counts() -> None:
    """A question with a number for a name is known by its description, and labelled codes are not names."""
    income = suggest_attribute("q17", pa.chunked_array([list(range(30))]), variable=Variable("q17", "Monthly income"))
    assert income[0].role == "sensitive"
    texts = pa.chunked_array([["yes", "no", "yes"]])
    number = suggest_attribute("number", texts, variable=Variable("number", values=((1, "yes"), (2, "no"))))
    assert number[0].role == "quasi_identifier"
    weight = suggest_attribute("v9", pa.chunked_array([[1.25, 2.5, 0.75]]), variable=Variable("v9", "Survey weight"))
    assert weight[0].role == "insensitive"


PLAN = """
[source]
path = "people.csv"
[schema.sex]
role = "quasi_identifier"
domain = { kind = "categories", values = ["a", "b"] }
[method]
method = "METHOD"
k = 5
tells = "auto"
kept = "unknown"
"""


def test_a_changed_method_names_everything_to_delete() -> None:
    assert tk.Plan.from_toml(PLAN.replace("METHOD", "pk_perturbation"))
    with pytest.raises(PlanError) as caught:
        tk.Plan.from_toml(PLAN.replace("METHOD", "generalization"))
    assert str(caught.value) == (
        "the method 'generalization' does not have 'tells', 'kept'; delete what is named here from [method], and keep 'method', 'k'."
    )
    left = PLAN.replace("METHOD", "generalization").replace('tells = "auto"\nkept = "unknown"\n', "")
    assert tk.Plan.from_toml(left).method == tk.Generalization(k=5)


def test_a_draft_for_households_with_weights_runs_as_it_is(tmp_path: Path) -> None:
    file, _, _ = written("household survey", tmp_path)
    tokumei("init", file, "--k", "3", "--person", "hhid", cwd=tmp_path)
    text = (tmp_path / "plan.toml").read_text(encoding="utf-8")
    assert "guarantees are for households" in text
    assert "the most rows that any household has" in text
    with pytest.warns(ObservedDomainWarning):
        release = tk.run(tmp_path / "plan.toml", seed=1)
    assert release.guarantees[0].value >= 3
    assert "most" in release.guarantees[0].numbers
