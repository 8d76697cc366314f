"""Cells are copied only when they are released: what a large table costs in memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pyarrow as pa

import tokumei as tk
from tokumei.memory import WORTH, hand_back
from tokumei.risk.assess import assess
from tokumei.table.coded import Column, encode, with_numbered_texts
from tokumei.table.distinct import distinct_in
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


def test_texts_that_are_numbered_say_the_same() -> None:
    table = pa.table({"a": pa.chunked_array([["x", None], ["y", "x"]]), "b": [3, 1, 2, 2], "c": list("abcd")})
    found = with_numbered_texts(table)
    assert found.column("a").type == pa.dictionary(pa.int8(), pa.string())
    assert found.to_pydict() == table.to_pydict()
    names = pa.table({"name": [str(number) for number in range(2**15)]})
    assert with_numbered_texts(names).column("name").type == pa.string()  # a dictionary of them all would be larger
    many = pa.table({"many": [str(number) for number in range(200)]})
    assert with_numbered_texts(many).column("many").type == pa.dictionary(pa.int16(), pa.string())
    taken = encode(with_numbered_texts(many), tk.Schema([tk.Attribute("many", domain=tk.Categories(many["many"]))]))
    assert taken.codes("many").tolist() == list(range(200))


def peak(work: Callable[[], object]) -> int:
    """Return the most bytes that arrays of numpy and of Arrow took meanwhile, each by themselves, added up."""
    before = pa.default_memory_pool()
    pool = pa.proxy_memory_pool(before)
    pa.set_memory_pool(pool)
    tracemalloc.start()
    try:
        work()
        return int(tracemalloc.get_traced_memory()[1]) + int(pool.max_memory())
    finally:
        tracemalloc.stop()
        pa.set_memory_pool(before)


def long_table(rows: int) -> pa.Table:
    """Columns of texts that are far longer than their numbers."""
    rng = np.random.default_rng(0)
    labels = np.array([f"{number:040}" for number in range(9)])
    return pa.table({name: labels[rng.integers(0, 9, rows)] for name in "abcdef"})


def test_counting_different_rows_keeps_no_cells() -> None:
    table = long_table(50_000)
    assert peak(lambda: distinct_in(table, table.column_names)) < 0.3 * table.nbytes


def test_risk_is_assessed_on_numbers_of_cells() -> None:
    table = with_numbered_texts(long_table(50_000))
    assess(table, ["a", "b", "c", "d"], "e", largest=1)  # loops are compiled
    assert peak(lambda: assess(table, ["a", "b", "c", "d"], "e", largest=1)) < 0.8 * long_table(50_000).nbytes
