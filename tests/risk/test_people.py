"""People with several rows, counted in tables as they stand."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import tokumei as tk
from tokumei.errors import DataError, InvalidParameter

ROWS = pd.DataFrame(
    {
        "who": ["a", "a", "b", "c", "d", "d", "e", "f"],
        "age": [1, 1, 1, 1, 2, 2, 2, 1],
        "ill": ["no", "yes", "no", "no", "yes", "yes", "no", "no"],
    }
)


def test_eight_rows_by_hand() -> None:
    found = tk.check(ROWS, ["age"], "ill", person="who")
    assert found.k == 3
    assert found.people is not None
    assert (found.people.people, found.people.most, found.people.k) == (6, 2, 1.5)  # d has two of the three rows of 2
    assert "They belong to 6 people with at most 2 rows each: for people, k = 1.5." in str(found)
    assert tk.check(ROWS, ["age"], "ill").people is None


def test_attackers_link_rows_to_people() -> None:
    found = tk.assess(ROWS, ["age"], "ill", person="who", threshold=0.45)
    assert found.people is not None
    assert found.people.k == 1.5
    assert found.prosecutor.highest == pytest.approx(2 / 3)
    assert found.prosecutor.average == pytest.approx((2 / 5 * 2 + 3 / 5 + 2 / 3 * 2 + 1 / 3) / 8)
    assert found.prosecutor.above == 2
    assert found.records.prosecutor.tolist() == pytest.approx([0.4, 0.4, 0.2, 0.2, 2 / 3, 2 / 3, 1 / 3, 0.2])
    assert found.facts()["people"] == {"people": 6, "most": 2, "k": 1.5, "unit": "person"}


def test_a_schema_says_it_itself() -> None:
    schema = tk.Schema(
        [
            tk.Attribute("who", "person"),
            tk.Attribute("age", "quasi_identifier", tk.Numbers(1, 2, step=1)),
            tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
        ]
    )
    found = tk.assess(ROWS, schema)
    assert found.people is not None
    assert found.people.k == 1.5


def test_one_row_each_is_as_without() -> None:
    alone = ROWS.assign(who=range(8))
    found, plain = tk.assess(alone, ["age"], person="who"), tk.assess(alone, ["age"])
    assert found.people is not None
    assert found.people.k == plain.k
    assert found.prosecutor.average == pytest.approx(plain.prosecutor.average)
    assert found.prosecutor.highest == plain.prosecutor.highest


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="cannot be among the columns"):
        tk.check(ROWS, ["age"], person="age")
    with pytest.raises(DataError, match="no column 'whom'"):
        tk.check(ROWS, ["age"], person="whom")
    with pytest.raises(DataError, match="1 cell of it is missing"):
        tk.check(ROWS.assign(who=[None, *"abcdefg"]), ["age"], person="who")
    with pytest.raises(InvalidParameter, match="leave out wildcards"):
        tk.assess(ROWS, ["age"], person="who", population=100)
    with pytest.raises(InvalidParameter, match="leave out wildcards"):
        tk.assess(ROWS, ["age"], person="who", meaning="wildcard")


def test_people_together_with_weights() -> None:
    """Two of the five rows of age 1 are a's: a journalist's risk of them is twice that of a row of someone who has one."""
    found = tk.assess(ROWS.assign(w=10.0), ["age"], person="who", weights="w")
    alone = tk.assess(ROWS.assign(w=10.0), ["age"], weights="w")
    assert found.survey is not None
    assert alone.survey is not None
    risks, single = found.records.survey, alone.records.survey
    assert (risks / single).tolist() == pytest.approx([2, 2, 1, 1, 2, 2, 1, 1])
    assert found.people is not None


def test_on_the_command_line(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from tokumei.cli.app import app

    file = tmp_path / "visits.csv"
    ROWS.to_csv(file, index=False)
    run = CliRunner().invoke
    told = run(app, ["check", str(file), "--qi", "age", "--person", "who"])
    assert told.exit_code == 0
    assert "for people, k = 1.5" in told.stdout
    told = run(app, ["risk", "table", str(file), "--qi", "age", "--person", "who"])
    assert told.exit_code == 0
    assert "for people, k = 1.5" in told.stdout
    plan = tmp_path / "plan.toml"
    told = run(app, ["init", str(file), "--k", "2", "--person", "who", "-o", str(plan)])
    assert told.exit_code == 0, told.output
    assert 'role = "person"' in plan.read_text()
    assert tk.Plan.read(plan).schema["who"].role == "person"
    told = run(app, ["init", str(file), "--k", "2", "--person", "nobody", "-o", str(plan), "--overwrite"])
    assert told.exit_code != 0
