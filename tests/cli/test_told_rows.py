"""Rows that tell one thing each, from a plan file to a release and what commands say about it."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path

import pandas as pd
import pyarrow.csv
import pytest

import tokumei as tk
from tests.cli.test_grouping import SCHEMA
from tests.command_line import in_one_line, tokumei

MIXED = "[{ columns = 2, cells = 4 }, { columns = 1, weight = 3 }]"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    rows = [f"person {i},{(i * 17) % 90},{'ABCD'[i % 4]},{'yes' if i % 3 else 'no'}" for i in range(600)]
    (tmp_path / "people.csv").write_text("\n".join(["name,age,town,ill", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "town.csv").write_text("A;north\nB;north\nC;south\nD;south\n", encoding="utf-8")
    return tmp_path


def plan(home: Path, tells: str, more: str = "") -> None:
    method = f'\n[method]\nmethod = "pk_perturbation"\nk = 4\ntells = {tells}\n{more}'
    (home / "plan.toml").write_text(SCHEMA + method, encoding="utf-8")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_whole_way(home: Path, language: str) -> None:
    plan(home, MIXED)
    said = tokumei("anonymize", "plan.toml", cwd=home).stdout
    assert "Pk-anonymity, k = 4" in said
    assert "Wrote release (600 rows)" in said
    release = tk.read_release(home / "release", "pyarrow")
    assert release.method["tells"] == [
        {"columns": 2, "cells": 4, "weight": 1},
        {"columns": 1, "cells": None, "weight": 3},
    ]
    telling = release.mechanism.telling
    assert telling is not None
    shown = tokumei("inspect", "release", cwd=home, env={"TOKUMEI_LANGUAGE": language}).stdout
    # One line for each cluster: its columns, how many rows, how many values, and how often these are kept.
    total = sum(each.weight for each in telling.clusters)
    for cluster in telling.clusters:
        kept = cluster.channel.keep / cluster.channel.total
        cells = [", ".join(cluster.columns), f"{cluster.weight / total:.1%}", str(cluster.channel.size), f"{kept:.3f}"]
        assert cells in [re.split(r"\s{2,}", line.strip()) for line in shown.splitlines()]
    words = {"en": "they say nothing, and are not missing values", "ja": "欠測値ではありません"}
    assert words[language] in in_one_line(shown)
    assert "reconstruct release --columns age,town" in shown
    facts = json.loads(tokumei("inspect", "release", "--json", cwd=home).stdout)
    assert len(facts["declared"]["mechanism"]["telling"]["clusters"]) == 3


def test_many_clusters_are_summed_up(tmp_path: Path) -> None:
    people, schema = tk.example_census(rows=500, frame="pyarrow"), tk.example_schema()
    method = tk.PkPerturbation(k=4, tells=[tk.tells.Subsets(3, cells=4), tk.tells.Subsets(1)])
    tk.anonymize(people, schema, method, seed=1).write(tmp_path / "release", allow_seeded=True)
    shown = tokumei("inspect", "release", cwd=tmp_path).stdout
    told = [line for line in shown.splitlines() if line.startswith("any ")]
    assert [re.split(r"\s{2,}", line)[:2] for line in told] == [
        ["any 3 of 7 columns (35 combinations)", "50.0%"],
        ["any 1 of 7 columns (7 combinations)", "50.0%"],
    ]


def test_samples_say_what_they_gain(home: Path) -> None:
    plan(home, "1", "sample = 300\n")
    said = tokumei("anonymize", "plan.toml", cwd=home).stdout
    found = re.search(
        r"By sampling, what a row tells is kept with probability ([\d.]+), all rows released ([\d.]+)\.\n", said
    )
    assert found is not None  # both columns are told in four cells
    drawn = tk.read_release(home / "release").mechanism.telling
    plan(home, "1")
    tokumei("anonymize", "plan.toml", "--overwrite", cwd=home)
    whole = tk.read_release(home / "release").mechanism.telling
    assert drawn is not None
    assert whole is not None
    for number, telling in zip(found.groups(), (drawn, whole), strict=True):
        assert float(number) == pytest.approx(min(each.channel.retention for each in telling.clusters), abs=6e-4)


def test_the_noise_is_taken_out(home: Path) -> None:
    plan(home, "2")
    tokumei("anonymize", "plan.toml", "--seed", "1", cwd=home)
    release = tk.read_release(home / "release", "pyarrow")
    model = tk.reconstruct(release)
    found = json.loads(
        tokumei("reconstruct", "release", "-c", "age,town", "--bins", "age=4", "--json", cwd=home).stdout
    )
    shares = [each["share"] for each in found["cells"]]
    assert shares == pytest.approx(model.table(["age", "town"], {"age": 4}).pmf_.ravel())
    said = tokumei("reconstruct", "release", "-c", "town", cwd=home).stdout
    assert "Estimated by one model of all columns" in in_one_line(said)
    said = tokumei("reconstruct", "release", "-o", "release-complete.csv", cwd=home).stdout
    assert "Wrote release-complete.csv (600 complete rows)" in in_one_line(said).replace(f"{home}/", "")
    rows = pd.read_csv(home / "release-complete.csv")
    assert list(rows.columns) == ["age", "town", "ill"]
    assert rows.notna().all(axis=None)
    assert rows["age"].between(0, 99).all()
    assert sorted(rows["ill"]) == sorted(release.table["ill"].to_pylist())
    # True rows have the values that the release tells coarser.
    said = tokumei("reconstruct", "release", "--target", "ill", "--rows", "people.csv", cwd=home).stdout
    assert "600 rows" in said
    assert set(pd.read_csv(home / "people-predicted.csv")["predicted ill"]) <= {"no", "yes"}
    for options in (["--smoothing", "3"], ["--max-iter", "9"], ["-c", "town", "--tol", "1"], ["--model", "kernel"]):
        refused = in_one_line(tokumei("reconstruct", "release", *options, cwd=home, code=1).stderr)
        assert f"{options[-2]} is for releases whose rows tell every column" in refused


def test_a_draft_runs_and_what_is_said_of_its_release_works(tmp_path: Path) -> None:
    pyarrow.csv.write_csv(tk.example_census(rows=800, frame="pyarrow"), tmp_path / "people.csv")
    tokumei("init", "people.csv", "--k", 4, cwd=tmp_path)
    tokumei("anonymize", "plan.toml", cwd=tmp_path)
    shown = tokumei("inspect", "people-release", cwd=tmp_path).stdout
    said, more = re.findall(r"tokumei (reconstruct .*)", shown)
    assert tokumei(*shlex.split(more), cwd=tmp_path).stdout
    assert "share" in tokumei(*shlex.split(said), cwd=tmp_path).stdout


@pytest.mark.parametrize("tells", ['"auto"', '{ purpose = "marginals" }'])
def test_what_is_told_may_be_picked(home: Path, tells: str) -> None:
    plan(home, tells)
    said = in_one_line(tokumei("anonymize", "plan.toml", cwd=home).stdout)
    assert re.search(r"Each row tells [12] of 2 columns", said)
    assert "Kept with probability" in tokumei("inspect", "release", cwd=home).stdout


def test_a_suggested_split_says_that_every_row_tells_everything(home: Path) -> None:
    plan(home, '"auto"')
    pilot = [f"{(i * 31) % 90},{'ABCD'[(i * i) % 4]},{'yes' if i % 5 else 'no'}" for i in range(200)]
    named = [f"other {i},{row}" for i, row in enumerate(pilot)]
    (home / "pilot.csv").write_text("\n".join(["name,age,town,ill", *named]) + "\n", encoding="utf-8")
    said = tokumei(
        "suggest", "plan.toml", "--pilot", "pilot.csv", "--target", "ill", "--n", "9000", "--json", cwd=home
    ).stdout
    method = tomllib.loads(json.loads(said)["plan"])["method"]
    assert method["tells"] == "all"
    tk.PkPerturbation(k=3, **method)


@pytest.mark.parametrize(
    ("tells", "message"),
    [
        ("3", "a row cannot tell 3 columns, since only 2 are perturbed; tell fewer."),
        ('[{ columns = ["age"] }]', "no row would tell 'town'; name it in tells, or drop the column."),
        ('[{ columns = ["aeg"] }]', "tells names 'aeg', which is not perturbed. Did you mean 'age'?"),
        ("0", "'method.tells' must be"),
    ],
)
def test_what_cannot_be_told_is_one_sentence(home: Path, tells: str, message: str) -> None:
    plan(home, tells)
    done = tokumei("anonymize", "plan.toml", cwd=home, code=1)
    assert message in in_one_line(done.stderr)
    assert not (home / "release").exists()
