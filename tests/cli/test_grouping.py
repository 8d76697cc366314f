"""Methods that make rows alike, from a plan file to a release and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tokumei as tk
from tests.command_line import tokumei

SCHEMA = """
[source]
path = "people.csv"
[schema.name]
role = "identifier"
[schema.age]
role = "quasi_identifier"
domain = { kind = "numbers", low = 0, high = 99, step = 1 }
hierarchy = { edges = [[0, 20, 40, 60, 99], [0, 40, 99], [0, 99]] }
[schema.town]
role = "quasi_identifier"
domain = { kind = "categories", values = ["A", "B", "C", "D"] }
hierarchy = "town.csv"
[schema.ill]
role = "sensitive"
domain = { kind = "categories", values = ["no", "yes"] }
"""
METHOD = """
[method]
method = "generalization"
k = 4
suppression_limit = 0.1
partition = "optimal"
constraints = [{ constraint = "l_diversity", column = "ill", l = 2 }, { constraint = "t_closeness", column = "ill", t = 0.9 }]
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    rows = [f"person {i},{(i * 17) % 90},{'ABCD'[i % 4]},{'yes' if i % 3 else 'no'}" for i in range(80)]
    (tmp_path / "people.csv").write_text("\n".join(["name,age,town,ill", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "town.csv").write_text("A;north\nB;north\nC;south\nD;south\n", encoding="utf-8")
    (tmp_path / "plan.toml").write_text(SCHEMA + METHOD, encoding="utf-8")
    return tmp_path


def test_the_whole_way(home: Path) -> None:
    done = tokumei("anonymize", "plan.toml", cwd=home)
    assert "Mean loss per cell" in done.stdout
    assert "k-anonymity, k = " in done.stdout
    assert "l-diversity, l = 2" in done.stdout
    release = tk.read_release(home / "release")
    assert release.guarantees[0].value >= 4
    assert set(release.frame["town"]) <= {"A", "B", "C", "D", "north", "south", "*"}
    shown = tokumei("inspect", "release", cwd=home).stdout
    for words in ("generalized in the same way in every row", "levels", "released unchanged", "tokumei proof k"):
        assert words in shown.replace("\n", " ")
    facts = json.loads(tokumei("inspect", "release", "--json", cwd=home).stdout)
    assert facts["declared"]["method"]["partition"] == {"kind": "optimal"}
    table = json.loads(tokumei("reconstruct", "release", "-c", "town,ill", "--json", cwd=home).stdout)
    assert sum(cell["share"] for cell in table["cells"]) == pytest.approx(1)


def test_record_suppression_from_a_plan(home: Path) -> None:
    method = (
        '[[prepare]]\nstep = "recode"\ncolumn = "age"\nlevel = 2\n[method]\nmethod = "record_suppression"\nk = 10\n'
    )
    (home / "plan.toml").write_text(SCHEMA + method, encoding="utf-8")
    assert "Left out: " in tokumei("anonymize", "plan.toml", cwd=home).stdout
    release = tk.read_release(home / "release")
    assert release.mechanism.left_out == 80 - release.rows > 0
    assert release.guarantees[0].value >= 10
    assert "were left out because too few rows were like them" in tokumei(
        "inspect", "release", cwd=home
    ).stdout.replace("\n", " ")


def test_microaggregation_from_a_plan(home: Path) -> None:
    method = '[method]\nmethod = "microaggregation"\nk = 4\npartition = { kind = "local_search", thorough = true }\n'
    (home / "plan.toml").write_text(SCHEMA + method, encoding="utf-8")
    assert "Within-group sum of squares" in tokumei("anonymize", "plan.toml", cwd=home).stdout.replace("\n", " ")
    assert tk.read_release(home / "release").guarantees[0].value >= 4
    shown = tokumei("inspect", "release", cwd=home).stdout.replace("\n", " ")
    assert "the mean of a group of rows" in shown and "the most frequent value" in shown
    counted = tokumei("reconstruct", "release", "-c", "town,ill", cwd=home).stdout.replace("\n", " ")
    assert "cannot be undone" in counted and "no honest interval" in counted and "counted as they are" in counted


@pytest.mark.parametrize(
    ("partition", "words"),
    [
        ('"near_exact"', "No groups of at least 4 rows have less than"),
        ('{ kind = "grid_blocks", parts = 3 }', "Partition: Path through blocks of a grid"),
        ('{ kind = "flex_dice", parts = 2 }', "Partition: Path through cells (FlexDice)"),
    ],
)
def test_other_partitions_of_points_from_a_plan(home: Path, partition: str, words: str) -> None:
    constraint = 'constraints = [{ constraint = "l_diversity", column = "ill", l = 2 }]'
    method = f'[method]\nmethod = "microaggregation"\nk = 4\npartition = {partition}\n{constraint}\n'
    (home / "plan.toml").write_text(SCHEMA + method, encoding="utf-8")
    assert words in tokumei("anonymize", "plan.toml", cwd=home).stdout.replace("\n", " ")
    release = tk.read_release(home / "release")
    assert [promise.notion for promise in release.guarantees] == ["k-anonymity", "l-diversity"]
    assert release.guarantees[0].value >= 4
    assert words not in (home / "release" / "manifest.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('column = "ill", l = 2', 'column = "il", l = 2', "'il', which is not a column"),
        ("k = 4", "k = 81", "k = 81 is not possible with 80 rows"),
        ("k = 4", "k = 0", "k must be a whole number of at least 2"),
        ('partition = "optimal"', 'partition = "fastest"', "partition"),
        ("l = 2", "l = 3", "not even the coarsest"),
        ("suppression_limit = 0.1", "suppression_limit = 10", "between 0 and 1"),
        ('values = ["A", "B", "C", "D"]', 'values = ["A", "B", "C", "D", "E"]', "lacks 1 value of its domain: 'E'"),
        ('values = ["A", "B", "C", "D"]', 'values = ["A", "B", "C"]', "20 values outside its domain"),
        ('"town.csv"', '"towns.csv"', "towns.csv"),
    ],
)
def test_mistakes_get_one_sentence(home: Path, old: str, new: str, message: str) -> None:
    text = (home / "plan.toml").read_text(encoding="utf-8")
    assert old in text
    (home / "plan.toml").write_text(text.replace(old, new), encoding="utf-8")
    failed = tokumei("anonymize", "plan.toml", cwd=home, code=1)
    assert message in failed.stderr
    assert failed.stderr.count("\n") == 1
    assert not (home / "release").exists()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("name,age,town,ill\n", "no rows"),
        ("name,age,town,ill\nx,30,A,yes\nx,,B,no\n", "1 missing value"),
        ("name,age,ill\nx,30,yes\n", "no column 'town'"),
    ],
)
def test_tables_that_do_not_fit(home: Path, lines: str, message: str) -> None:
    (home / "people.csv").write_text(lines, encoding="utf-8")
    failed = tokumei("anonymize", "plan.toml", cwd=home, code=1)
    assert message in failed.stderr
    assert failed.stderr.count("\n") == 1


def test_missing_cells_are_a_value_of_their_own(home: Path) -> None:
    text = (home / "plan.toml").read_text(encoding="utf-8").replace("[schema.town]", "missing = true\n[schema.town]")
    (home / "plan.toml").write_text(text, encoding="utf-8")
    rows = (home / "people.csv").read_text(encoding="utf-8") + "".join(
        f"x,,A,{'yes' if i % 2 else 'no'}\n" for i in range(8)
    )
    (home / "people.csv").write_text(rows, encoding="utf-8")
    tokumei("anonymize", "plan.toml", cwd=home)
    assert tk.read_release(home / "release").rows == 88


def test_collation_counts_groups_and_writes_nothing(home: Path) -> None:
    before = sorted(home.iterdir())
    shown = tokumei("collation", "plan.toml", cwd=home).stdout
    assert "can be resolved" in shown
    assert "No row was pinned." in shown
    facts = json.loads(
        tokumei("collation", "plan.toml", "--statistics", "counts", "--random-state", 1, "--json", cwd=home).stdout
    )
    assert facts["resolved"] + facts["ambiguous"] + facts["undecided"] == facts["groups"]
    assert sorted(home.iterdir()) == before


def test_routes_compares_models_at_the_same_k(home: Path) -> None:
    done = tokumei("routes", "plan.toml", "--target", "ill", "--k", 2, "--cv", 2, "-o", "s.csv", "--json", cwd=home)
    assert len(json.loads(done.stdout)["scores"]) == 6
    assert len((home / "s.csv").read_text().splitlines()) == 7
    refused = tokumei("routes", "plan.toml", "--target", "ill", "--k", "2,2.5", cwd=home, code=1)
    assert "each k must be a whole number" in refused.stderr
    step = '[[prepare]]\nstep = "recode"\ncolumn = "age"\nlevel = 1\n'
    (home / "plan.toml").write_text(SCHEMA + step + METHOD, encoding="utf-8")
    assert "remove the steps" in tokumei("routes", "plan.toml", "--target", "ill", cwd=home, code=1).stderr
