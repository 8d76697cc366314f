"""Cells are copied only when they are released: what a large table costs in memory."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

import tokumei as tk
from tokumei.memory import WORTH, hand_back
from tokumei.table.coded import Column, encode
from tokumei.table.frames import to_arrow


def addresses(column: pa.ChunkedArray | pa.Array) -> list[int]:
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return [buffer.address for chunk in chunks for buffer in chunk.buffers() if buffer is not None]


def test_an_arrow_table_is_taken_as_it_is() -> None:
    table = tk.example_census(rows=50, frame="pyarrow")
    taken, origin = to_arrow(table)
    assert origin.kind == "pyarrow"
    assert origin.types == {field.name: field.type for field in table.schema}
    assert [addresses(taken[name]) for name in table.column_names] == [
        addresses(table[name]) for name in table.column_names
    ]


def test_what_a_table_says_of_itself_is_left_behind() -> None:
    table = tk.example_census(rows=5, frame="pyarrow").replace_schema_metadata({"secret": "1"})
    assert to_arrow(table)[0].schema.metadata is None


def test_checking_labels_copies_no_cell() -> None:
    table = tk.example_census(rows=50, frame="pyarrow")
    coded = encode(table, tk.example_schema())
    assert addresses(coded.columns["region"].cells) == addresses(table["region"])


def test_cells_of_some_rows_of_some_rows() -> None:
    column = Column(np.arange(5, dtype=np.uint8), pa.array(list("abcde")))
    some = column.taking(np.array([4, 3, 1, 1])).taking(np.array([3, 0, 1], dtype=np.int32))
    assert some.codes is not None
    assert some.codes.tolist() == [1, 4, 3]
    assert addresses(some.came) == addresses(column.came)
    assert some.cells.to_pylist() == ["b", "e", "d"]
    assert some.cells_of(np.array([2, 0])).to_pylist() == ["d", "b"]
    bare = Column(np.arange(5, dtype=np.uint8), None).taking(np.array([1]))
    assert bare.cells is None
    assert bare.cells_of(np.array([0])) is None
    assert not bare.told_by_cells


def test_several_chunks_are_coded_like_one() -> None:
    table = tk.example_census(rows=60, frame="pyarrow")
    parts = pa.concat_tables([table.slice(0, 7), table.slice(7, 20), table.slice(27)])
    one, several = (tk.anonymize(t, tk.example_schema(), tk.Generalization(k=3), seed=1).table for t in (table, parts))
    assert one.equals(several)


def test_memory_is_handed_back_and_nothing_is_lost() -> None:
    kept = np.arange(1000)
    hand_back(WORTH)
    assert kept.sum() == 499_500
