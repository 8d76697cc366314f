"""What lies beneath missing cells, behind labels that nobody has, and in rows that were left out is not in a release."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tokumei as tk

ROWS, NUMBER, TEXT = 120, 7_654_321, "QQHIDDENQQ"
NEEDLES = (np.int64(NUMBER).tobytes(), np.float64(NUMBER).tobytes(), TEXT.encode())


def hiding() -> pa.Table:
    """Return a table with a number beneath each missing cell, a label that nobody has, and a row of its own."""
    rng = np.random.default_rng(3)
    there = rng.random(ROWS) > 0.2
    bits = pa.array(there).buffers()[1]

    def covered(values: Any) -> Any:
        made = pa.array(np.where(there, values, NUMBER))
        return pa.Array.from_buffers(made.type, ROWS, [bits, made.buffers()[1]])

    town = ["n", "s"] * (ROWS // 2)
    note = [f"note {place % 3}" for place in range(ROWS)]
    town[5], note[5] = "e", TEXT
    labels = pa.DictionaryArray.from_arrays(pa.array(np.arange(ROWS) % 2), pa.array(["a", "b", TEXT]))
    columns = {"town": town, "age": covered(rng.integers(0, 3, ROWS)), "hours": covered(rng.integers(0, 9, ROWS))}
    return pa.table({**columns, "note": note, "label": labels})


SCHEMA = tk.Schema(
    [
        tk.Attribute("town", domain=tk.Categories(["n", "e", "s"])),
        tk.Attribute("age", domain=tk.Numbers(0, 2, step=1), missing=True),
        tk.Attribute("hours", "insensitive", missing=True),
        tk.Attribute("note", "insensitive"),
        tk.Attribute("label", "insensitive"),
    ]
)


def buffers(table: pa.Table) -> bytes:
    parts = [each for column in table.columns for each in column.chunks]
    parts += [each.dictionary for each in parts if isinstance(each, pa.DictionaryArray)]
    return b"".join(held.to_pybytes() for each in parts for held in each.buffers() if held is not None)


@pytest.mark.parametrize("kind", ["pyarrow", "pandas", "polars"])
@pytest.mark.parametrize(
    "method", [tk.RecordSuppression(k=3), tk.PkPerturbation(k=3, tells=1), tk.Microaggregation(k=3)]
)
def test_nothing_lies_beneath(method: Any, kind: str) -> None:
    table = hiding()
    held = buffers(table)
    assert NEEDLES[0] in held and NEEDLES[2] in held
    frames = {"pyarrow": lambda: table, "pandas": lambda: table.to_pandas(types_mapper=pd.ArrowDtype)}
    release = tk.anonymize(frames.get(kind, lambda: pl.from_arrow(table))(), SCHEMA, method, seed=1)
    shown = TEXT in release.table.column("note").to_pylist()
    assert shown == (not isinstance(method, tk.RecordSuppression))
    if shown:  # the cell itself is released; what it hides beside is looked for in the other columns
        release_rows, frame = release.table.drop_columns(["note"]), None
    else:
        release_rows, frame = release.table, release
    told = buffers(release_rows) + pickle.dumps(frame) + (b"" if frame is None else pickle.dumps(release.frame))
    assert release.table.column("hours").null_count
    assert not [needle for needle in NEEDLES if needle in told]
    assert buffers(table) == held
