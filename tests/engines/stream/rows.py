"""Invented people for the tests of the streaming engine, and releases as multisets of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

import tokumei as tk
from tokumei.plan import Output, Plan, Source

TOWNS = ["Aarau", "Łódź", "大阪", "القاهرة"]

SCHEMA = tk.Schema(
    [
        tk.Attribute("name", "identifier"),
        tk.Attribute("age", "quasi_identifier", tk.Numbers(20, 60, step=1), tk.Hierarchy.intervals([20, 40, 60])),
        tk.Attribute("town", "quasi_identifier", tk.Categories(TOWNS), missing=True),
        tk.Attribute("ill", "sensitive", tk.Categories([False, True])),
        tk.Attribute("pay", "insensitive", tk.Numbers(0, 100, step=10)),
        tk.Attribute("note", "insensitive", missing=True),
        tk.Attribute("seen", "insensitive", tk.Dates("2020-01-01", "2020-12-31")),
    ]
)


def people(rows: int = 3000) -> pa.Table:
    rng = np.random.default_rng(5)
    towns = rng.integers(0, 5, rows)
    days = np.datetime64("2020-01-01") + rng.integers(0, 3, rows)
    return pa.table(
        {
            "name": [f"person {i}" for i in range(rows)],
            "age": rng.integers(20, 61, rows),
            "town": pa.array([*TOWNS, None][t] for t in towns),
            "ill": rng.random(rows) < 0.2,
            "pay": 10 * rng.integers(0, 11, rows),
            "note": pa.array(None if n == 0 else f"note {n}" for n in rng.integers(0, 4, rows)),
            "seen": pa.array(days.astype("datetime64[D]")),
        }
    )


def plan_for(path: Path, method: Any, prepare: Sequence[Any] = (), schema: tk.Schema = SCHEMA, **source: Any) -> Plan:
    return Plan(Source(str(path), **source), schema, method, tuple(prepare), Output(), Path())


def as_multiset(table: pa.Table) -> Counter[tuple[Any, ...]]:
    return Counter(zip(*(column.to_pylist() for column in table.columns), strict=True))


def in_parts(table: pa.Table, folder: Path, parts: int, kind: str) -> Path:
    """Write a table as some files of a folder."""
    folder.mkdir()
    size = -(-table.num_rows // parts)
    for part in range(parts):
        rows = table.slice(part * size, size)
        if kind == "parquet":
            pyarrow.parquet.write_table(rows, folder / f"part-{part}.parquet")
        else:
            pyarrow.csv.write_csv(rows, folder / f"part-{part}.csv")
    return folder
