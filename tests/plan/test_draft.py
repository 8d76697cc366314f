"""What a draft takes columns of a survey for: codes, quantities, weights, numbers of people and households."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import tokumei as tk
from tests.command_line import tokumei
from tokumei.plan import Plan, Source
from tokumei.plan.draft import draft_plan, suggest_attribute
from tokumei.plan.guessing import guess_role

ROWS = 300
RNG = np.random.default_rng(4)
HOUSEHOLDS = RNG.integers(1, 90, ROWS)
SURVEY = pa.table(
    {
        "hhid": HOUSEHOLDS + 1000,
        "pid": np.arange(ROWS),
        "region": (1 + np.arange(ROWS) % 30) * 101,
        "roof": RNG.choice([1, 2, 9], ROWS),
        "age": RNG.integers(0, 90, ROWS),
        "spent": np.round(RNG.gamma(2, 100, ROWS), 6),
        "hhweight": RNG.gamma(5, 30, ROWS),
        "case": RNG.permutation(ROWS * 7)[:ROWS],
    }
)


def drafted() -> tuple[str, dict[str, Any]]:
    text = draft_plan(SURVEY, Source("survey.csv"), "out", 3)
    return text, tomllib.loads(text)


def line(text: str, column: str, key: str) -> str:
    section = text.split(f"[schema.{column}]")[1].split("\n\n", maxsplit=1)[0]
    return next(each for each in section.splitlines() if each.startswith(key))


def test_every_column_of_a_survey_is_taken_for_what_it_is(tmp_path: Path) -> None:
    text, found = drafted()
    assert {name: column["role"] for name, column in found["schema"].items()} == {
        "hhid": "identifier",
        "pid": "identifier",
        "region": "quasi_identifier",
        "roof": "quasi_identifier",
        "age": "quasi_identifier",
        "spent": "quasi_identifier",
        "hhweight": "insensitive",
        "case": "identifier",
    }
    assert found["schema"]["roof"]["domain"] == {"kind": "categories", "values": [1, 2, 9]}
    assert found["schema"]["region"]["domain"]["kind"] == "categories"  # many codes, but the name says what they are
    assert found["schema"]["age"]["domain"]["quantity"] is False
    pa.csv.write_csv(SURVEY, tmp_path / "survey.csv")
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    release = tk.run(Plan.read(tmp_path / "plan.toml"), seed=1)
    assert sorted(release.table.column("hhweight").to_pylist()) == sorted(SURVEY.column("hhweight").to_pylist())


def test_every_guess_says_why_and_how_to_change_it() -> None:
    text, _ = drafted()
    assert 'numbers households, and its values repeat: it is dropped; use "person"' in line(text, "hhid", "role")
    assert "repeat" not in line(text, "pid", "role")
    assert "nearly every row has a different whole number" in line(text, "case", "role")
    assert "looks like a survey weight: it is released unchanged" in line(text, "hhweight", "role")
    assert "may be codes, so means are not used" in line(text, "roof", "domain")
    assert 'use { kind = "numbers", low = 1, high = 9, step = 1 }' in line(text, "roof", "domain")
    assert "set quantity = true if its mean makes sense" in line(text, "age", "domain")
    assert 'method = "generalization"' in text and "So few rows" in text
    many = draft_plan(pa.concat_tables([SURVEY] * 300), Source("survey.csv"), "out", 3)
    assert "the weights among them" in next(each for each in many.splitlines() if each.startswith("kept"))


def test_the_change_that_a_comment_names_is_one() -> None:
    """What the comment on codes offers stands for the same cells as a declared quantity."""
    text, _ = drafted()
    offered = line(text, "roof", "domain").split("for a count or an amount use ")[1].split(", or add")[0]
    domain = tomllib.loads(f"domain = {offered}")["domain"]
    assert tk.Numbers(domain["low"], domain["high"], step=domain["step"]).quantity
    changed = line(text, "age", "domain").split(" #")[0].replace("quantity = false", "quantity = true")
    assert tomllib.loads(changed)["domain"]["quantity"] is True


FRACTIONS = pa.chunked_array([RNG.gamma(2, 40, 50)])
KILOGRAMS = pa.chunked_array([np.round(RNG.normal(70, 12, 50), 1)])
WHOLE = pa.chunked_array([RNG.integers(100, 90_000, 50)])


@pytest.mark.parametrize(
    "name",
    [
        "weight",
        "wt",
        "pweight",
        "hhweight",
        "hh_weight",
        "w_final",
        "w1",
        "perwt",
        "asecwt",
        "wtfinl",
        "person_weight",
        "乗率",
    ],
)
def test_survey_weights(name: str) -> None:
    assert guess_role(name, FRACTIONS)[0] == "insensitive"


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("weight", KILOGRAMS),
        ("wt", KILOGRAMS),
        ("body_weight", FRACTIONS),
        ("birthweight", FRACTIONS),
        ("weight_kg", FRACTIONS),
        ("height", FRACTIONS),
        ("growth", FRACTIONS),
        ("hhweight", pa.chunked_array([RNG.normal(0, 1, 50)])),  # some below zero
        ("weight", pa.chunked_array([["light", "heavy"] * 25])),
    ],
)
def test_what_is_no_survey_weight(name: str, column: Any) -> None:
    assert guess_role(name, column)[0] == "quasi_identifier"


def test_a_weight_that_may_be_either_says_so() -> None:
    assert 'if it is a survey weight, not a body weight, use "insensitive"' in guess_role("weight", KILOGRAMS)[1]
    assert guess_role("fnlwgt", WHOLE)[0] == "insensitive"


@pytest.mark.parametrize("name", ["id", "hhid", "pid", "HHID", "hh_id", "caseid", "personId", "serial", "idno"])
def test_numbers_of_people_and_households(name: str) -> None:
    for column in (pa.chunked_array([np.arange(60)]), pa.chunked_array([np.arange(60) // 4])):
        assert guess_role(name, column)[0] == "identifier"


def test_whole_numbers_that_nearly_every_row_has_alone() -> None:
    alone = np.arange(100) * 13 % 1009
    assert guess_role("x", pa.chunked_array([alone]))[0] == "identifier"
    assert guess_role("x", pa.chunked_array([alone.astype(float)]))[0] == "identifier"  # beside gaps, in pandas
    assert guess_role("x", pa.chunked_array([alone + 0.5]))[0] == "quasi_identifier"
    assert guess_role("x", pa.chunked_array([alone % 40]))[0] == "quasi_identifier"
    assert guess_role("x", pa.chunked_array([alone[:10]]))[0] == "quasi_identifier"  # ten people may all differ in age
    assert guess_role("income", pa.chunked_array([alone]))[0] == "sensitive"


def test_drafted_codes_survive_every_method() -> None:
    """Nothing that a drafted schema averages is a value that nobody has."""
    schema = tk.Schema(tuple(suggest_attribute(name, SURVEY.column(name))[0] for name in SURVEY.column_names))
    release = tk.anonymize(SURVEY, schema, tk.Microaggregation(k=3))
    for name in schema.names("quasi_identifier"):
        assert set(release.table.column(name).to_pylist()) <= set(SURVEY.column(name).to_pylist()), name


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64(), pa.string()])
def test_a_number_within_households_is_told_from_a_number_of_people(kind: Any) -> None:
    households, within = np.repeat(np.arange(100), 3), np.tile([1, 2, 3], 100)
    table = pa.table({"hid": households, "persno": pa.array(within).cast(kind), "age": np.arange(300) % 80})
    text = draft_plan(table, Source("survey.csv"), "out", 3)
    assert "role = \"identifier\" # numbers the rows of each 'hid', so its values repeat" in text
    assert text.count("numbers households, and its values repeat") == 1  # said of the households only
    by_person = draft_plan(table, Source("survey.csv"), "out", 3, person="hid")
    assert "numbers the rows of each 'hid'" in by_person


def test_numbers_that_come_twice_in_a_household_number_nobody_within_it() -> None:
    households, within = np.repeat(np.arange(100), 3), np.tile([1, 2, 2], 100)
    table = pa.table({"hid": households, "persno": within, "age": np.arange(300) % 80})
    assert "numbers the rows of each" not in draft_plan(table, Source("survey.csv"), "out", 3)


DDI = """<codeBook xmlns="ddi:codebook:2_5"><dataDscr>
<var name="age"><labl>Age in years</labl><valrng><range min="18" max="80"/></valrng></var>
<var name="sex"><labl>Sex</labl><catgry><catValu>1</catValu><labl>male</labl></catgry>
<catgry><catValu>2</catValu><labl>female</labl></catgry>
<catgry missing="Y"><catValu>9</catValu><labl>no answer</labl></catgry></var>
</dataDscr></codeBook>"""


def test_a_plan_drafted_with_a_ddi_codebook_runs(tmp_path: Path) -> None:
    rows = "".join(f"{18 + row % 60},{9 if row % 50 == 0 else 1 + row % 2}\n" for row in range(300))
    (tmp_path / "people.csv").write_text(f"age,sex\n{rows}", encoding="utf-8")
    (tmp_path / "book.xml").write_text(DDI, encoding="utf-8")
    tokumei("init", "people.csv", "--codebook", "book.xml", "--k", 3, cwd=tmp_path)
    schema = Plan.read(tmp_path / "plan.toml").schema
    assert schema["age"].domain == tk.Numbers(18, 80, 1, quantity=False) and not schema["age"].observed
    assert schema["sex"].domain == tk.Categories(["male", "female"]) and schema["sex"].missing
    tokumei("anonymize", "plan.toml", cwd=tmp_path)


def test_party_identification_is_no_number_of_a_person_and_health_in_japanese_is_sensitive() -> None:
    """The election study's PID, seven answers of 944 people, was dropped as naming them; 健康 was taken for what a neighbor knows."""
    assert guess_role("PID", pa.chunked_array([[row % 7 for row in range(944)]]))[0] == "quasi_identifier"
    for numbers in (range(1000), [row // 3 for row in range(1000)]):
        assert guess_role("pid", pa.chunked_array([list(numbers)]))[0] == "identifier"
    assert guess_role("健康", pa.chunked_array([[1, 2, 3, 4, 5] * 20]))[0] == "sensitive"
    assert guess_role("健康保険番号", pa.chunked_array([list(range(500))]))[0] == "identifier"
