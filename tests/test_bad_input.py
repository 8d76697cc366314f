"""Bad input gets one clear sentence, and never shows a cell."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.errors import DataError, InfeasiblePromise, InvalidParameter, TokumeiError

SECRET = "Grace Hopper"
AGE = tk.Attribute("age", domain=tk.Numbers(0, 99, step=1))
SEX = tk.Attribute("sex", domain=tk.Categories(["f", "m"]))
SCHEMA = tk.Schema([AGE, SEX])
GOOD = {"age": [30, 40, 50], "sex": ["f", "m", "m"]}


def change(**columns: object) -> pd.DataFrame:
    return pd.DataFrame({**GOOD, **columns})


CASES: dict[str, tuple[object, tk.Schema, object, type[TokumeiError], str]] = {
    "a column is not there": (pd.DataFrame({"age": [1, 2]}), SCHEMA, 2, DataError, "The table has no column 'sex'."),
    "a column has another name": (
        pd.DataFrame({"agee": [1, 2], "sex": ["f", "m"]}),
        SCHEMA,
        2,
        DataError,
        "The table has no column 'age'. Did you mean 'agee'?",
    ),
    "a column is not described": (
        change(diary=[SECRET] * 3),
        SCHEMA,
        2,
        DataError,
        "The schema does not describe 'diary'; describe it, as an identifier if it is to be dropped.",
    ),
    "a label is outside": (
        change(sex=["f", SECRET, "m"]),
        SCHEMA,
        2,
        DataError,
        "Column 'sex' has 1 value outside its domain (2 categories).",
    ),
    "a number is too large": (
        change(age=[30, 40, 123456]),
        SCHEMA,
        2,
        DataError,
        "Column 'age' has 1 value outside its domain (numbers 0 to 99, step 1).",
    ),
    "a number is infinite": (
        change(age=[30.0, 40.0, float("inf")]),
        SCHEMA,
        2,
        DataError,
        "Column 'age' has 1 value outside its domain (numbers 0 to 99, step 1).",
    ),
    "a cell is missing": (
        change(sex=["f", None, "m"]),
        SCHEMA,
        2,
        DataError,
        "Column 'sex' has 1 missing value; allow them in the schema (missing=True, in a plan missing = true), and they will be protected like any other value.",
    ),
    "a number is missing": (
        change(age=[30, None, 50]),
        SCHEMA,
        2,
        DataError,
        "Column 'age' has 1 missing value; allow them in the schema (missing=True, in a plan missing = true), and they will be protected like any other value.",
    ),
    "text for numbers": (
        change(age=["30", SECRET, "x"]),
        SCHEMA,
        2,
        DataError,
        "Column 'age' holds text but its domain is numbers.",
    ),
    "numbers for text": (
        change(sex=[1, 2, 3]),
        SCHEMA,
        2,
        DataError,
        "Column 'sex' holds numbers but its domain lists text.",
    ),
    "mixed kinds": (
        change(sex=["f", 7, SECRET]),
        SCHEMA,
        2,
        DataError,
        "Column 'sex' mixes kinds of values, or holds values that cannot be read; give it one type.",
    ),
    "text for dates": (
        change(day=["2020-01-01"] * 3),
        tk.Schema([AGE, SEX, tk.Attribute("day", domain=tk.Dates(dt.date(2020, 1, 1), dt.date(2020, 1, 2)))]),
        2,
        DataError,
        "Column 'day' holds text but its domain is dates; parse it first.",
    ),
    "no rows": (
        pd.DataFrame({"age": pd.Series([], dtype=int), "sex": pd.Series([], dtype=str)}),
        SCHEMA,
        2,
        DataError,
        "The table has no rows.",
    ),
    "one row": (
        change().head(1),
        SCHEMA,
        2,
        InfeasiblePromise,
        "k = 2 is not possible: the table has 1 row, so the largest k is 1.",
    ),
    "k above n": (
        change(),
        SCHEMA,
        4,
        InfeasiblePromise,
        "k = 4 is not possible: the table has 3 rows, so the largest k is 3.",
    ),
    "only identifiers": (
        pd.DataFrame({"id": [1, 2]}),
        tk.Schema([tk.Attribute("id", "identifier")]),
        2,
        DataError,
        "Every column is an identifier, so nothing is left to release.",
    ),
    "doubled names": (
        pd.DataFrame([[1, 2]], columns=["age", "age"]),
        SCHEMA,
        2,
        DataError,
        "Column names must be unique; these are not: 'age'.",
    ),
    "numbered names": (
        pd.DataFrame([[1, 2]]),
        SCHEMA,
        2,
        DataError,
        "Column names must be text; rename the columns first.",
    ),
    "not a frame": (
        [GOOD],
        SCHEMA,
        2,
        DataError,
        "A table must be a pandas or polars frame or a pyarrow table. Got list.",
    ),
    "a type too small for the domain": (
        pa.table({"age": pa.array([1, 2, 3], pa.int8()), "sex": ["f"] * 3}),
        tk.Schema([tk.Attribute("age", domain=tk.Numbers(0, 200, step=1)), SEX]),
        2,
        DataError,
        "Column 'age' has the type int8, which cannot hold every value of its domain (numbers 0 to 200, step 1).",
    ),
    "whole numbers on a broken grid": (
        change(),
        tk.Schema([tk.Attribute("age", domain=tk.Numbers(0, 99)), SEX]),
        2,
        DataError,
        "Column 'age' has the type int64, which cannot hold every value of its domain (numbers 0 to 99, 65,536 parts). "
        "Give the domain a whole step.",
    ),
    "a missing cell in a kept column": (
        change(note=["a", None, "b"]),
        tk.Schema([AGE, SEX, tk.Attribute("note", "insensitive")]),
        2,
        DataError,
        "Column 'note' has 1 missing value; allow them in the schema (missing=True, in a plan missing = true), and they will be protected like any other value.",
    ),
    "a kept value outside": (
        change(note=["a", SECRET, "b"]),
        tk.Schema([AGE, SEX, tk.Attribute("note", "sensitive", tk.Categories(["a", "b"]))]),
        2,
        DataError,
        "Column 'note' has 1 value outside its domain (2 categories).",
    ),
    "binary cells": (
        pa.table({"age": [1, 2, 3], "sex": [b"f", b"m", b"f"]}),
        SCHEMA,
        2,
        DataError,
        "Column 'sex' holds bytes but its domain lists text.",
    ),
    "a lazy frame": (
        __import__("polars").LazyFrame(GOOD),
        SCHEMA,
        2,
        DataError,
        "A lazy frame has no rows yet; collect it first.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_one_clear_sentence(case: str) -> None:
    frame, schema, k, error, message = CASES[case]
    with pytest.raises(error) as caught:
        tk.anonymize(frame, schema, tk.PkPerturbation(k=k, tells="all"))  # type: ignore[arg-type]
    assert str(caught.value) == message
    assert SECRET not in _everything(caught.value)


def _everything(error: BaseException | None) -> str:
    """All text that a printed traceback could show of an error and what it came from."""
    text = ""
    while error is not None:
        text += str(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"schema": {"age": "number"}}, "schema must be a Schema"),
        ({"method": "pk"}, "method must be an anonymizer"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"prepare": ["drop"]}, "prepare must be a list of steps"),
    ],
)
def test_wrong_arguments(arguments: dict[str, object], message: str) -> None:
    given = {"frame": change(), "schema": SCHEMA, "method": tk.PkPerturbation(k=2, tells="all"), **arguments}
    with pytest.raises(InvalidParameter, match=message):
        tk.anonymize(**given)  # type: ignore[arg-type]


def test_threads_must_be_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKUMEI_THREADS", "many")
    with pytest.raises(InvalidParameter, match="TOKUMEI_THREADS"):
        tk.anonymize(change(), SCHEMA, tk.PkPerturbation(k=2, tells="all"))
