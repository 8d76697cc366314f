"""Fixtures that many tests share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tokumei as tk

MAKERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}


@pytest.fixture(params=sorted(MAKERS))
def kind(request: pytest.FixtureRequest) -> str:
    """Every kind of frame in turn."""
    return request.param


@pytest.fixture
def make(kind: str) -> Callable[[dict[str, Any]], Any]:
    """Make a frame of the kind from columns."""
    return MAKERS[kind]


@pytest.fixture
def people() -> dict[str, list[Any]]:
    """Sixty invented people, small enough to think about."""
    return {
        "name": [f"person {i}" for i in range(60)],
        "age": [20 + (7 * i) % 41 for i in range(60)],
        "sex": ["Female" if i % 3 else "Male" for i in range(60)],
        "ill": [i % 4 == 0 for i in range(60)],
    }


@pytest.fixture
def schema() -> tk.Schema:
    """The schema of `people`."""
    return tk.Schema(
        [
            tk.Attribute("name", "identifier"),
            tk.Attribute("age", "quasi_identifier", tk.Numbers(20, 60, step=1)),
            tk.Attribute("sex", "quasi_identifier", tk.Categories(["Female", "Male"])),
            tk.Attribute("ill", "sensitive", tk.Categories([False, True])),
        ]
    )


@pytest.fixture
def in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let partitions see rows in the order of the table, for tests whose partitions name rows by their places."""
    monkeypatch.setattr(tk.Generalization, "any_order", True)


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """The one session that all tests of Spark share; it reads files in small parts."""
    from tests.engines.small_spark import SMALL
    from tokumei.engines.spark.session import quietly

    with quietly(), pytest.MonkeyPatch.context() as patch:
        from pyspark.sql import SparkSession

        patch.setenv("PYSPARK_PYTHON", sys.executable)
        builder = SparkSession.builder.master("local[2]")
        for setting, given in SMALL.items():
            builder = builder.config(setting, given)
        session = builder.getOrCreate()
        yield session
        session.stop()


def columns_of(frame: Any) -> dict[str, list[Any]]:
    """Return a frame of any kind as lists."""
    if isinstance(frame, pd.DataFrame):
        return {name: [None if pd.isna(cell) else cell for cell in frame[name].tolist()] for name in frame.columns}
    return frame.to_dict(as_series=False) if isinstance(frame, pl.DataFrame) else frame.to_pydict()


def same_codes(one: Any, other: Any) -> bool:
    """Say whether two coded tables have the same columns and the same codes, row by row."""
    mine, theirs = ({n: c.codes for n, c in table.columns.items() if c.codes is not None} for table in (one, other))
    return set(mine) == set(theirs) and all(np.array_equal(mine[name], theirs[name]) for name in mine)
