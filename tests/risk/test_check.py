"""Checking a table as it stands, against counting by hand."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tests.command_line import tokumei
from tokumei.errors import DataError, InvalidParameter

EIGHT = {
    "a": ["x", "x", "x", "x", "y", "y", "z", None],
    "b": [1, 1, 2, 2, 1, 1, 1, 1],
    "s": ["p", "q", "p", "p", "p", "q", "p", "p"],
}


def test_eight_rows_by_hand() -> None:
    found = tk.check(pa.table(EIGHT), ["a", "b"], "s", at_risk_below=2)
    assert (found.rows, found.classes, found.k, found.unique, found.at_risk) == (8, 5, 1, 2, 2)
    income = found.sensitive["s"]
    assert (income.distinct, income.disclosed) == (1, 4)
    assert income.entropy == pytest.approx(1)
    assert income.t == pytest.approx(0.25)
    assert found.singled_out == {1: 2, 2: 0}  # z and the missing one are alone by a, nobody by b
    assert [(each.columns, each.rows) for each in found.combinations] == [(("a",), 2)]


@pytest.mark.parametrize("seed", range(15))
def test_minimal_combinations_against_all_subsets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = ["a", "b", "c", "d"]
    frame = {name: rng.integers(0, 5, 25).tolist() for name in names}
    rows = list(zip(*frame.values(), strict=True))

    def alone(row: tuple[int, ...], some: tuple[int, ...]) -> bool:
        return sum(all(other[at] == row[at] for at in some) for other in rows) == 1

    expected: Counter[tuple[str, ...]] = Counter()
    smallest: Counter[int] = Counter()
    for row in rows:
        mine = [
            some
            for size in range(1, 5)
            for some in itertools.combinations(range(4), size)
            if alone(row, some)
            and not any(alone(row, left) for n in range(1, size) for left in itertools.combinations(some, n))
        ]
        expected.update(tuple(names[at] for at in some) for some in mine)
        if mine:
            smallest[len(mine[0])] += 1
    found = tk.check(pa.table(frame), names, largest=4)
    assert {each.columns: each.rows for each in found.combinations} == dict(expected)
    assert {size: n for size, n in found.singled_out.items() if n} == dict(smallest)
    assert sum(found.singled_out.values()) == found.unique


def test_every_kind_of_frame_and_several_sensitive_columns(make: Any, people: dict[str, list[Any]]) -> None:
    found = tk.check(make(people), "sex", ["ill", "age"])
    assert found.k == 20
    assert found.sensitive["ill"].distinct == 2
    assert set(found.sensitive) == {"ill", "age"}
    assert "k = 20" in str(found)
    assert "already unique" not in str(found)


def test_no_cell_is_shown() -> None:
    found = tk.check(pa.table({"a": ["Alice", "Bob", "Bob"], "b": ["Paris", "Rome", "Rome"]}), ["a", "b"], ())
    assert not any(cell in str(found) for cell in ("Alice", "Bob", "Paris", "Rome"))
    assert "by 1 column" in str(found)


def test_a_release_can_be_checked() -> None:
    method = tk.Generalization(k=5, suppression_limit=0.1)
    release = tk.anonymize(tk.example_census(rows=500), tk.example_schema(), method)
    columns = release.schema.names("quasi_identifier")
    assert tk.check(release.frame, columns).k == release.guarantees[0].value


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"columns": []}, "at least one column"),
        ({"columns": ["agee"]}, "Did you mean 'age'"),
        ({"columns": ["age"], "sensitive": "age"}, "named twice"),
        ({"columns": ["age"], "at_risk_below": 1}, "at_risk_below must be a whole number of at least 2"),
        ({"columns": ["age"], "largest": 0}, "largest must be a whole number of at least 1"),
    ],
)
def test_bad_questions(arguments: dict[str, Any], message: str, people: dict[str, list[Any]]) -> None:
    with pytest.raises(InvalidParameter, match=message):
        tk.check(pa.table(people), **arguments)


def test_bad_tables() -> None:
    with pytest.raises(DataError, match="no rows"):
        tk.check(pa.table({"a": pa.array([], pa.int64())}), ["a"])
    with pytest.raises(DataError, match="cannot be released"):
        tk.check(pa.table({"a": [[1], [2]]}), ["a"])


def test_from_the_command_line(tmp_path: Path) -> None:
    lines = ["name,age,town,ill"] + [f"n{i},{20 + i % 7},{'AB'[i % 2]},{i % 3}" for i in range(50)]
    (tmp_path / "people.csv").write_text("\n".join(lines), encoding="utf-8")
    done = tokumei("check", "people.csv", "--qi", "age,town", "--sensitive", "ill", cwd=tmp_path)
    assert "50 rows in 14 equivalence classes" in done.stdout
    facts = json.loads(tokumei("check", "people.csv", "--qi", "age", "--qi", "town", "--json", cwd=tmp_path).stdout)
    assert facts["k"] == 3
    assert facts["sensitive"] == {}
    assert list(tmp_path.iterdir()) == [tmp_path / "people.csv"]
    for arguments, message in (
        (["--qi", "agee"], "Did you mean 'age'"),
        (["--qi", "age", "--sensitive", "wealth"], "no column 'wealth'"),
        (["--qi", ","], "at least one column"),
    ):
        failed = tokumei("check", "people.csv", *arguments, cwd=tmp_path, code=1)
        assert message in failed.stderr
        assert failed.stderr.count("\n") == 1
    (tmp_path / "empty.csv").write_text("age\n", encoding="utf-8")
    assert "no rows" in tokumei("check", "empty.csv", "--qi", "age", cwd=tmp_path, code=1).stderr
    assert "does not exist" in tokumei("check", "absent.csv", "--qi", "age", cwd=tmp_path, code=1).stderr
    tokumei("check", "people.csv", cwd=tmp_path, code=2)
    assert "Example: tokumei check" in tokumei("check", "--help", cwd=tmp_path).stdout
