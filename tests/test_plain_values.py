"""Values of numpy, pandas, polars and pyarrow are taken for what they are, wherever users give some."""

from __future__ import annotations

import datetime as dt
import warnings
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.plain_values import plain_value

DAY = dt.date(2020, 1, 31)
LISTS: dict[str, Callable[[list[Any]], Any]] = {
    "numpy": np.array,
    "numpy objects": lambda cells: np.array(cells, dtype=object),
    "pandas series": pd.Series,
    "pandas objects": lambda cells: pd.Series(cells, dtype=object),
    "pandas index": pd.Index,
    "pandas categorical": pd.Categorical,
    "pandas unique": lambda cells: pd.Series(cells * 2).unique(),
    "pandas unique categories": lambda cells: pd.Series(cells * 2, dtype="category").unique(),
    "pandas nullable": lambda cells: pd.Series(cells).convert_dtypes().unique(),
    "pandas of arrow": lambda cells: pd.Series(pa.array(cells).to_pandas(types_mapper=pd.ArrowDtype)).array,
    "polars": pl.Series,
    "pyarrow": pa.array,
    "pyarrow in pieces": lambda cells: pa.chunked_array([cells[:1], cells[1:]]),
    "pyarrow dictionary": lambda cells: pa.array(cells).dictionary_encode(),
    "list of scalars": lambda cells: list(np.array(cells)),
    "tuple of arrow scalars": lambda cells: tuple(pa.array(cells)),
}


@pytest.mark.parametrize("kind", LISTS)
@pytest.mark.parametrize("labels", [[2, 1], ["b", "a"], [True, False]], ids=["whole", "text", "booleans"])
def test_labels_of_every_library(kind: str, labels: list[Any]) -> None:
    found = tk.Categories(LISTS[kind](labels)).values
    assert found == tuple(labels)
    assert [type(label) for label in found] == [type(label) for label in labels]


@pytest.mark.parametrize("kind", [kind for kind in LISTS if "nullable" not in kind])
def test_whole_numbers_stored_as_floats_are_whole_numbers(kind: str) -> None:
    found = tk.Categories(LISTS[kind]([0.0, 1.0]))
    assert found.values == (0, 1)
    assert all(type(label) is int for label in found.values)
    with pytest.raises(InvalidParameter, match="not numbers with a fraction; use Numbers"):
        tk.Categories(LISTS[kind]([0.5, 1.0]))


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series([1, None]).unique(),
        pd.Series(["a", None]).unique(),
        pd.Series([1, None], dtype="Int64").unique(),
        pd.Categorical(["a", None]),
        pl.Series(["a", None]).unique(),
        pa.array([1, None]),
        np.ma.array([1, 2], mask=[False, True]),
        [pd.NaT],
    ],
)
def test_what_is_missing_is_no_label(labels: Any) -> None:
    with pytest.raises(InvalidParameter, match=r"a missing value is not a label; .* set missing=True"):
        tk.Categories(labels)


def test_dates_and_bytes_are_no_labels() -> None:
    for labels in (pd.date_range("2020-01-01", periods=2), np.array(["2020-01-01"], dtype="datetime64[D]"), [DAY]):
        with pytest.raises(InvalidParameter, match="not dates; use Dates"):
            tk.Categories(labels)
    with pytest.raises(InvalidParameter, match="must be true or false or a whole number or text"):
        tk.Categories(np.array([b"a"]))
    with pytest.raises(InvalidParameter, match="must be a list"):
        tk.Categories("ab")


def test_the_idiom_of_every_library_makes_a_release(make: Callable[[dict[str, Any]], Any]) -> None:
    frame = make({"sex": [1, 2] * 20, "old": [0.0, 1.0] * 20, "age": list(range(20, 60))})
    schema = tk.Schema(
        [
            tk.Attribute("sex", domain=tk.Categories(_unique(frame, "sex"))),
            tk.Attribute("old", domain=tk.Categories(_unique(frame, "old"))),
            tk.Attribute("age", domain=tk.Numbers(*_range(frame, "age"), step=np.int8(1))),
        ]
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        release = tk.anonymize(frame, schema, tk.PkPerturbation(k=np.int64(3), tells="all"), seed=np.int64(1))
    assert release.schema["age"].domain == tk.Numbers(20, 59, step=1)
    assert release.method["k"] == 3
    assert type(release.method["k"]) is int


def _unique(frame: Any, name: str) -> Any:
    column = frame.column(name) if isinstance(frame, pa.Table) else frame[name]
    return column.unique()


def _range(frame: Any, name: str) -> Any:
    if isinstance(frame, pa.Table):
        return pa.compute.min_max(frame.column(name)).values()
    return frame[name].min(), frame[name].max()


def test_numbers_and_dates_of_every_library() -> None:
    tenth = tk.Numbers(0, 1, step=0.1)
    assert tk.Numbers(np.int64(0), np.uint8(1), np.float32(0.1)) == tenth
    assert tk.Numbers(pa.scalar(0), pa.scalar(1), pa.scalar(0.1, pa.float32())) == tenth
    assert tk.Numbers(pd.Series([0, 1]).min(), pl.Series([0, 1]).max(), step=np.array(0.1)) == tenth
    assert tk.Numbers(0, 1, step=pl.Series([0.1], dtype=pl.Float32).to_numpy()[0]) == tenth
    days = tk.Dates(DAY, DAY)
    for moment in (np.datetime64("2020-01-31"), pd.Timestamp("2020-01-31"), pa.scalar(DAY), pl.Series([DAY]).max()):
        assert tk.Dates(moment, moment).labels() == days.labels()
    seconds = tk.Dates(np.datetime64("2020-01-31T10:00", "ns"), pd.Timestamp("2020-01-31 11:00"), unit="hour")
    assert seconds.labels() == ["2020-01-31 10:00:00", "2020-01-31 11:00:00"]
    for missing in (pd.NaT, np.datetime64("NaT"), None):
        with pytest.raises(InvalidParameter, match="a bound must be a date"):
            tk.Dates(missing, DAY)
    with pytest.raises(InvalidParameter, match="'low' must be a number"):
        tk.Numbers(pd.NA, 1)


def test_hierarchies_and_steps_of_every_library() -> None:
    ages = tk.Hierarchy.intervals([0, 5, 10])
    for edges in (np.linspace(0, 10, 3), pd.Index([0, 5, 10]), pl.Series([0, 5, 10]), pa.array([0, 5, 10])):
        assert tk.Hierarchy.intervals(edges) == ages
    coarse = tk.Hierarchy.groups({"low": ["1", "2"], "high": ["3"]})
    assert tk.Hierarchy.groups({"low": np.array([1.0, 2.0]), "high": pd.Series([3])}) == coarse
    assert tk.Hierarchy.order(tk.Numbers(0, 9, step=1), fanout=np.array([2])).depth == 2
    assert tk.prepare.Recode("age", level=np.int64(2)) == tk.prepare.Recode("age", level=2)
    assert tk.prepare.TopBottomCode("age", low=np.int64(2)) == tk.prepare.TopBottomCode("age", low=2)
    assert tk.partitions.FixedLevels({"age": np.int64(1)}) == tk.partitions.FixedLevels({"age": 1})
    assert tk.Generalization(k=pa.scalar(5), suppression_limit=np.float32(0.1)).suppression_limit == 0.1
    assert tk.PRAM({"a": np.array([[0.9, 0.1], [0.1, 0.9]])}) == tk.PRAM({"a": [[0.9, 0.1], [0.1, 0.9]]})


def test_functions_of_the_library_take_them_too() -> None:
    frame = tk.example_census(rows=np.int64(300))
    columns = frame[["age", "sex"]].columns
    assert tk.check(frame, columns, at_risk_below=np.int64(5)) == tk.check(frame, ["age", "sex"], at_risk_below=5)
    found = tk.assess(frame, columns, population=np.int64(3000), threshold=np.float32(0.2))
    assert str(found) == str(tk.assess(frame, ["age", "sex"], population=3000))
    assert tk.samples.largest_sample(np.int64(100), np.int64(10), np.float64(2)) == tk.samples.largest_sample(
        100, 10, 2.0
    )


@pytest.mark.parametrize(
    "given",
    [pd.DataFrame({"a": [1]}), pl.DataFrame({"a": [1]}), pa.table({"a": [1]}), np.random.default_rng(1), Decimal(1)],
)
def test_tables_and_other_things_stay_what_they_are(given: Any) -> None:
    assert plain_value(given) is given


def test_lists_with_nothing_to_change_are_not_copied() -> None:
    for given in ([1, "a"], (1.5, None), [(1, 2), ("a",)], {"a": [1]}):
        assert plain_value(given) is given
