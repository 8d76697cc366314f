"""The risk of a table, against counting by hand and against ARX on Adult."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from tests.command_line import tokumei
from tokumei.errors import DataError, InvalidParameter
from tokumei.table.sizes import ClassSizes

EIGHT = {
    "a": ["x", "x", "x", "x", "y", "y", "z", None],
    "b": [1, 1, 2, 2, 1, 1, 1, 1],
    "s": ["p", "q", "p", "p", "p", "q", "p", "p"],
    "w": [2.0, 3.0, 1.0, 1.0, 4.0, 6.0, 17.0, 1.0],
}


def test_eight_rows_by_hand() -> None:
    """Classes x1 x2 y1 of two, z and the missing one alone: 5 classes of 8 rows."""
    found = tk.assess(pa.table(EIGHT), ["a", "b"], "s", threshold=0.5)
    assert found.sizes == ClassSizes((1, 2), (2, 6))
    assert (found.k, found.unique, found.unique_share) == (1, 2, 0.25)
    for each in (found.prosecutor, found.journalist, found.marketer):
        assert (each.highest, each.average, each.above, each.rows) == (1, 5 / 8, 2, 8)
        assert each.expected == pytest.approx(5)
    assert found.records.class_size.tolist() == [2, 2, 2, 2, 2, 2, 1, 1]
    assert found.records.prosecutor.tolist() == [0.5] * 6 + [1, 1]
    assert found.sensitive["s"].distinct == 1
    assert found.sensitive["s"].disclosed == 4
    assert found.survey is found.population is found.uniqueness is None
    assert "At most" in found.journalist.how


@pytest.mark.parametrize(("rows", "known", "values"), [(1, 1, 1), (40, 60, 3), (300, 200, 7), (300, 5000, 40)])
def test_sensitive_columns_against_every_class(rows: int, known: int, values: int) -> None:
    rng = np.random.default_rng(rows + values)
    a, s = rng.integers(0, known, rows).tolist(), (values * rng.random(rows) ** 2).astype(int).tolist()
    share = np.bincount(s) / rows
    groups = [np.bincount([v for v, x in zip(s, a, strict=True) if x == one], minlength=len(share)) for one in set(a)]
    spread = [group / group.sum() for group in groups]
    found = tk.assess(pa.table({"a": a, "s": s}), "a", "s").sensitive["s"]
    assert found.distinct == min((group > 0).sum() for group in groups)
    assert found.entropy == pytest.approx(min(np.exp(-sum(p * np.log(p) for p in each if p)) for each in spread))
    assert found.t == pytest.approx(max(abs(each - share).sum() / 2 for each in spread))
    assert found.disclosed == sum(int(group.sum()) for group in groups if (group > 0).sum() == 1)


def test_a_threshold_is_not_exceeded_by_itself() -> None:
    table = pa.table({"a": [0] * 5 + [1] * 4})
    assert tk.assess(table, "a", threshold=0.2).prosecutor.above == 4
    assert tk.assess(table, "a", threshold=0.25).prosecutor.above == 0


def test_a_population_by_hand() -> None:
    """x has 2 of 4 people in the table, y 1 of 1; z, of 2, is not in it."""
    table, people = (
        pa.table({"a": ["x", "x", "y"]}),
        pa.table({"a": ["x"] * 4 + ["y", "z", "z"], "name": list("abcdefg")}),
    )
    found = tk.assess(table, "a", population=people, threshold=0.3)
    assert found.population is not None
    assert found.population.k_map == 1
    assert found.population.presence == (0, 1)
    assert (found.population.people, found.population.unique, found.population.unique_rows) == (7, 1, 1)
    assert found.records.journalist is not None
    assert found.records.journalist.tolist() == [0.25, 0.25, 1]
    assert found.journalist.average == pytest.approx(0.5)
    assert found.journalist.above == 1
    assert found.marketer.expected == pytest.approx(1.5)
    assert found.prosecutor.average == pytest.approx(2 / 3)
    assert found.uniqueness is not None
    assert (found.uniqueness.chosen, found.uniqueness.people) == ("counted", 1)
    kept = tk.assess(table, "a", population=pa.table({"a": ["x"] * 4 + ["y"] * 3}))
    assert kept.population is not None
    assert kept.population.presence == (pytest.approx(1 / 3), 0.5)
    assert kept.population.k_map == 3


def test_a_population_must_hold_the_table() -> None:
    with pytest.raises(DataError, match="more rows than the population in 1 class;"):
        tk.assess(pa.table({"a": ["x", "x"]}), "a", population=pa.table({"a": ["x", "y", "y"]}))
    with pytest.raises(DataError, match="convert both to one type") as raised:
        tk.assess(pa.table({"a": [1, 2]}), "a", population=pa.table({"a": ["Alice", "2"]}))
    assert "Alice" not in str(raised.value)
    assert tk.assess(pa.table({"a": [1, 2]}), "a", population=pa.table({"a": [1.0, 2.0]})).k == 1


def test_survey_weights_as_published() -> None:
    """The eight rows of Templ, Kowarik and Meindl (2015, Journal of Statistical Software 67(4), section 3)."""
    table = pa.table({"key": [0, 1, 1, 2, 3, 4, 5, 0], "w": [18.0, 45.5, 39.0, 17.0, 541.0, 8.0, 5.0, 92.0]})
    found = tk.assess(table, "key", weights="w")
    assert found.records.survey is not None
    assert found.records.survey.round(3).tolist() == [0.017, 0.022, 0.022, 0.177, 0.012, 0.297, 0.402, 0.017]
    assert found.survey is not None
    assert found.survey.above == 2
    assert found.survey.highest == pytest.approx(0.4024, abs=1e-4)


def test_survey_weights_of_one_are_a_census() -> None:
    found = tk.assess(pa.table(EIGHT), ["a", "b"], weights=[1.0] * 8)
    assert found.survey is not None
    assert found.survey.average == pytest.approx(found.prosecutor.average)
    assert np.allclose(found.records.survey, found.records.prosecutor)


def test_wildcards_by_hand() -> None:
    """(x, *) agrees with both rows of x, (*, 1) with the two that have 1 and with (x, *)."""
    table = pa.table({"a": ["x", "x", "x", "*", "y"], "b": ["1", "2", "*", "1", "1"]})
    own = tk.assess(table, ["a", "b"])
    wild = tk.assess(table, ["a", "b"], meaning="wildcard")
    assert own.records.class_size.tolist() == [1, 1, 1, 1, 1]
    assert wild.records.class_size.tolist() == [3, 2, 4, 4, 2]
    assert wild.k == 2
    assert wild.prosecutor.average == pytest.approx((1 / 3 + 1 / 2 + 1 / 4 + 1 / 4 + 1 / 2) / 5)
    assert "never overstates" in str(wild)
    assert "never understates" in str(own)
    missing = pa.table({"a": ["x", "x", "x", None, "y"], "b": [1, 2, None, 1, 1]})
    assert tk.assess(missing, ["a", "b"], meaning="wildcard", star=None).k == 2
    assert tk.assess(missing, ["a", "b"], meaning="wildcard").k == 1
    for more in ({"population": 100}, {"weights": [1.0] * 5}):
        with pytest.raises(InvalidParameter, match="use meaning='own_value'"):
            tk.assess(table, ["a", "b"], meaning="wildcard", **more)


@given(st.integers(0, 2**32))
@settings(max_examples=20)
def test_wildcards_against_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = rng.choice(["0", "1", "2", "*"], size=(30, 3), p=[0.3, 0.3, 0.2, 0.2])
    table = pa.table({name: cells[:, at] for at, name in enumerate("abc")})
    agrees = (cells[:, None] == cells[None]) | (cells[:, None] == "*") | (cells[None] == "*")
    wild = tk.assess(table, list("abc"), meaning="wildcard")
    assert wild.records.class_size.tolist() == agrees.all(axis=2).sum(axis=1).tolist()
    assert wild.prosecutor.average <= tk.assess(table, list("abc")).prosecutor.average


@given(st.integers(0, 2**32))
@settings(max_examples=20)
def test_what_is_a_probability_is_between_zero_and_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 60))
    frame = pd.DataFrame({"a": rng.integers(0, 8, rows), "b": rng.integers(0, 3, rows), "s": rng.integers(0, 2, rows)})
    people = pd.concat([frame, frame.sample(int(rng.integers(0, rows + 1)), random_state=0)])
    weights = rng.exponential(5, rows) + 1
    counted = tk.assess(frame, ["a", "b"], "s", population=people, weights=weights)
    guessed = tk.assess(frame, ["a", "b"], population=int(rows * rng.integers(1, 100)))
    for found in (counted, guessed):
        for each in (found.prosecutor, found.journalist, found.marketer, found.survey):
            if each is not None:
                assert 0 < each.average <= each.highest <= 1
                assert 0 <= each.above <= each.rows
        for risks in (found.records.prosecutor, found.records.journalist, found.records.survey):
            assert risks is None or ((risks > 0) & (risks <= 1)).all()
        assert found.uniqueness is not None
        models = (found.uniqueness.pitman, found.uniqueness.zayatz, found.uniqueness.slide_negative_binomial)
        for number in (*models, found.uniqueness.people):
            assert number is None or 0 <= number <= found.uniqueness.population * (1 + 1e-12)
        assert found.uniqueness.right_match is None or 0 < found.uniqueness.right_match <= 1
        for combination in found.singling_out.combinations:
            assert 0 < combination.distinction <= 1
            assert 0 <= combination.separation <= 1
    assert counted.journalist.average <= counted.prosecutor.average
    assert counted.population is not None
    assert 0 <= counted.population.presence[0] <= counted.population.presence[1] <= 1


def test_every_kind_of_frame_agrees(make: Any, people: dict[str, list[Any]], schema: tk.Schema) -> None:
    mine = tk.assess(make(people), schema, population=200, weights=[3.0] * 60)
    other = tk.assess(pa.table(people), ["age", "sex"], "ill", population=200, weights=[3.0] * 60)
    assert mine == other
    assert np.array_equal(mine.records.score, other.records.score)
    assert mine.columns == ("age", "sex")


def test_releases_of_rows_made_alike() -> None:
    frame, schema = tk.example_census(rows=500), tk.example_schema()
    release = tk.anonymize(frame, schema, tk.Generalization(k=5))
    found = tk.assess(release)
    assert found.k == release.guarantees[0].value
    assert found.prosecutor.highest <= 0.2
    assert set(found.sensitive) == {"income"}
    mixed = tk.anonymize(frame, schema, tk.Microaggregation(k=4))
    assert tk.assess(mixed, ["age", "hours"]).k >= 4
    with pytest.raises(InvalidParameter, match=r"tk\.assess_release"):
        tk.assess(tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all")))


def test_the_risks_of_rows_are_shown_nowhere() -> None:
    found = tk.assess(
        pa.table({"a": ["Alice", "Bob", "Bob"], "b": ["Paris", "Rome", "Rome"]}), ["a", "b"], population=9
    )
    shown = f"{found!r}{found}{json.dumps(found.facts())}"
    assert not any(cell in shown for cell in ("Alice", "Bob", "Paris", "Rome", "records", "class_size"))
    assert repr(found.records).startswith("<")
    assert "records" not in found.facts()
    assert dataclasses.replace(found, rows=4) != found


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"columns": None}, "some columns, or a schema"),
        ({"columns": []}, "at least one column"),
        ({"columns": ["agee"]}, "Did you mean 'age'"),
        ({"columns": ["age"], "sensitive": "age"}, "named twice"),
        ({"columns": "age", "threshold": 1}, "threshold must be a probability"),
        ({"columns": "age", "largest": 0}, "largest must be a whole number of at least 1"),
        ({"columns": "age", "meaning": "star"}, "'own_value' or 'wildcard'"),
        ({"columns": "age", "population": 5}, "at least the 60 of the table"),
        ({"columns": "age", "weights": "ago"}, "Did you mean 'age'"),
        ({"columns": "age", "weights": "age"}, "among the columns"),
        ({"columns": "age", "weights": "name"}, "one number for each row"),
        ({"columns": "age", "weights": [1.0]}, "one number for each row"),
        ({"columns": "age", "weights": [0.5] * 60}, "60 rows have another"),
        ({"columns": tk.Schema([tk.Attribute("x", domain=tk.Categories([0]))])}, "none of the schema's"),
    ],
)
def test_bad_questions(arguments: dict[str, Any], message: str, people: dict[str, list[Any]]) -> None:
    with pytest.raises(InvalidParameter, match=message):
        tk.assess(pa.table(people), **arguments)


@pytest.mark.skipif("TOKUMEI_DATA" not in os.environ, reason="TOKUMEI_DATA does not name the folder of the data")
def test_adult_as_arx_counts_it() -> None:
    from benchmarks import adult

    found = tk.assess(adult.complete(), adult.schema(), largest=1)
    assert found.rows == 30_162
    assert found.prosecutor.average == pytest.approx(0.6004, abs=5e-5)
    assert found.prosecutor.above_share == pytest.approx(0.7286, abs=5e-5)
    assert found.unique_share == pytest.approx(0.4649, abs=5e-5)


def test_from_the_command_line(tmp_path: Path) -> None:
    lines = ["name,age,town,ill,w"] + [f"n{i},{20 + i % 7},{'AB'[i % 2]},{i % 3},2" for i in range(50)]
    (tmp_path / "people.csv").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "all.csv").write_text("\n".join(lines + lines[1:]), encoding="utf-8")
    done = tokumei("risk", "table", "people.csv", "--qi", "age,town", "--population", 5000, cwd=tmp_path)
    assert "k = 3" in done.stdout
    assert "of 5,000 people" in done.stdout
    assert "prosecutor: " in done.stdout
    facts = json.loads(
        tokumei(
            "risk", "table", "people.csv", "--qi", "age,town", "--population-table", "all.csv", "--weights", "w", "--json",
            cwd=tmp_path,
        ).stdout
    )  # fmt: skip
    assert facts["population"]["k_map"] == 6
    assert facts["survey"]["highest"] < facts["prosecutor"]["highest"]
    for arguments, message in (
        (["--qi", "age", "--meaning", "star"], "'own_value' or 'wildcard'"),
        (["--qi", "age", "--population", "500", "--population-table", "all.csv"], "not both"),
        ([], "give --qi or --plan"),
    ):
        failed = tokumei("risk", "table", "people.csv", *arguments, cwd=tmp_path, code=1)
        assert message in failed.stderr
        assert failed.stderr.count("\n") == 1
    tokumei("init", "people.csv", "--k", 3, cwd=tmp_path)
    planned = tokumei("risk", "table", "people.csv", "--plan", "plan.toml", cwd=tmp_path)
    assert "seen by an attacker who knows" in planned.stdout


def test_one_row_is_told_in_the_singular() -> None:
    table = pd.DataFrame({"a": ["x"]})
    for told in (str(tk.assess(table, ["a"], population=table)), str(tk.check(table, ["a"]))):
        assert not any(wrong in told for wrong in (" 1 rows", "\n1 rows", " 1 classes", "with 1 people"))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"threshold": "a"}, "threshold must be"),
        ({"largest": 1.5}, "largest must be a whole number"),
        ({"largest": True}, "largest must be a whole number"),
        ({"population": "100"}, "population must be its number of people"),
        ({"population": 100.0}, "population must be its number of people"),
        ({"sensitive": "a"}, "'a' is named twice"),
    ],
)
def test_odd_questions_get_a_sentence(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        tk.assess(pd.DataFrame({"a": [1, 2, 2]}), ["a"], **asked)


def test_minus_zero_is_zero() -> None:
    assert tk.assess(pd.DataFrame({"a": [0.0, -0.0, 1.0, 1.0]}), ["a"]).k == 2
