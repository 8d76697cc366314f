"""`tokumei compare`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tokumei as tk
from tokumei.cli.app import app

RUN = CliRunner()


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    tk.example_census(rows=300).to_csv(path, index=False)
    return path


def test_it_writes_a_table_a_page_and_a_picture(people: Path) -> None:
    words = ["compare", str(people), "--methods", "local_suppression,generalization:mondrian", "--k", "2,5"]
    done = RUN.invoke(app, [*words, "--qi", "age,sex", "--sensitive", "income", "--target", "income"])
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader((people.parent / "people-compare.csv").read_text().splitlines()))
    assert {(row["method"], float(row["k"])) for row in rows} == {
        (method, k) for method in ("local_suppression", "generalization:mondrian") for k in (2.0, 5.0)
    }
    assert all(float(row["score"]) > 0 for row in rows if row["side"] == "released")
    assert "vegaEmbed" in (people.parent / "people-compare.html").read_text(encoding="utf-8")
    assert (people.parent / "people-compare.svg").read_text(encoding="utf-8").startswith("<svg")
    again = RUN.invoke(app, words)
    assert again.exit_code == 1
    assert "already exists" in again.output


def test_both_sides_are_printed(people: Path) -> None:
    words = ["compare", str(people), "--methods", "pk_perturbation", "--k", "3", "--qi", "sex,marital,income"]
    done = RUN.invoke(app, words)
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader((people.parent / "people-compare.csv").read_text().splitlines()))
    assert [row["side"] for row in rows] == ["released", "reconstructed"]
    before, after = done.output.split("After reconstruction")
    assert "As released" in before
    for block, row in zip((before, after), rows, strict=True):
        assert f"{float(row['pairs']):.3f}" in block
        assert f"{float(row['marginals']):.3f}" in block


def test_a_rung_is_printed_and_drawn_and_nothing_is_an_answer(people: Path) -> None:
    words = ["compare", str(people), "--methods", "local_suppression", "--k", "2", "--no-reconstruct", "--overwrite"]
    inferred = RUN.invoke(app, [*words, "--qi", "sex,region", "--sensitive", "income", "--rung", "inference"])
    assert inferred.exit_code == 0, inferred.output
    assert "(counted)" in inferred.output
    assert "Inference: those who infer a sensitive value" in " ".join(inferred.output.split())
    assert "largest belief in a sensitive value" in (people.parent / "people-compare.html").read_text(encoding="utf-8")
    differenced = RUN.invoke(app, [*words, "--rung", "differencing"])
    assert differenced.exit_code == 0, differenced.output
    assert "nothing" in differenced.output
    assert "nothing promised" in (people.parent / "people-compare.svg").read_text(encoding="utf-8")
    refused = RUN.invoke(app, [*words, "--rung", "infrence"])
    assert refused.exit_code == 1
    assert "Did you mean 'inference'?" in refused.output


def test_roles_are_guessed_and_said(people: Path, tmp_path: Path) -> None:
    done = RUN.invoke(
        app, ["compare", str(people), "--methods", "local_suppression", "--k", "2,3", "--k", "4", "--json"]
    )
    assert done.exit_code == 0, done.output
    assert [(row["method"], row["k"], row["side"]) for row in json.loads(done.stdout)["rows"]] == [
        ("local_suppression", k, side) for k in (2, 3, 4) for side in ("released", "reconstructed")
    ]
    done = RUN.invoke(
        app, ["compare", str(people), "--methods", "local_suppression", "--k", "2", "-o", str(tmp_path / "other")]
    )
    assert "Guessed that an attacker may know 'age'" in done.output
    assert (tmp_path / "other.html").exists()


def test_a_plan_says_the_roles(people: Path) -> None:
    plan = people.parent / "plan.toml"
    assert RUN.invoke(app, ["init", str(people), "-o", str(plan), "--k", "2"]).exit_code == 0
    done = RUN.invoke(app, ["compare", str(plan), "--methods", "local_suppression", "--k", "2"])
    assert done.exit_code == 0, done.output
    assert "Guessed" not in done.output
    assert (people.parent / "plan-compare.csv").exists()
    refused = RUN.invoke(app, ["compare", str(plan), "--qi", "age", "-o", str(people.parent / "x")])
    assert "a plan already gives the roles" in refused.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--k", "two"], "--k must hold numbers"),
        (["--measure", "nothing"], "--measure must be one of"),
        (["--methods", "nothing"], "method must be one of"),
        (["--qi", "agee"], "Did you mean 'age'"),
    ],
)
def test_problems_are_one_sentence_and_nothing_is_written(people: Path, words: list[str], message: str) -> None:
    done = RUN.invoke(app, ["compare", str(people), *words])
    assert done.exit_code == 1
    assert message in done.output
    assert not list(people.parent.glob("people-compare*"))
