"""The tree of first cuts, which needs no Spark to be tried."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.engines.spark.cells import cut_cells
from tokumei.engines.spark.problems import TaskProblem, in_task
from tokumei.engines.spark.source import read_file
from tokumei.errors import DataError
from tokumei.io.batches import Files
from tokumei.io.source import Dialect
from tokumei.partition.mondrian_tree import CutTree
from tokumei.partition.partition import Problem
from tokumei.table.axis import axis_of

AGE = axis_of(tk.Attribute("age", domain=tk.Numbers(0, 99, step=1)))
AREA = axis_of(
    tk.Attribute(
        "area",
        domain=tk.Categories(["a1", "a2", "b1", "b2"]),
        hierarchy=tk.Hierarchy.groups({"a": ["a1", "a2"], "b": ["b1", "b2"]}),
        missing=True,
    )
)


def some_rows(count: int) -> Any:
    rng = np.random.default_rng(1)
    return np.stack([rng.integers(0, 100, count), rng.choice(5, count)], axis=1).astype(np.int32)


def one_by_one(tree: CutTree, rows: Any) -> Iterator[int]:
    for row in rows:
        node = 0
        while tree.axis[node] >= 0:
            inside = tree.low[node] <= row[tree.axis[node]] <= tree.high[node]
            node = tree.front[node] if inside else tree.back[node]
        yield node


@pytest.mark.parametrize("choose", ["gain", "widest"])
def test_cells_are_found_as_one_by_one_and_are_small_enough(choose: Any) -> None:
    rows = some_rows(4000)
    cells = cut_cells(Problem(rows, (AGE, AREA), 5), tk.partitions.Mondrian(choose=choose), 1.0, 500)
    found = cells.leaves(rows)
    np.testing.assert_array_equal(found, list(one_by_one(cells, rows)))
    sizes = np.unique(found, return_counts=True)[1]
    assert len(sizes) > 8
    assert sizes.max() <= 500
    assert sizes.min() >= 50


def test_values_that_the_sample_lacks_go_with_their_label_or_the_nearer_part() -> None:
    rows = np.array([[10, 0]] * 100 + [[20, 2]] * 100, dtype=np.int32)
    cells = cut_cells(Problem(rows[:, :1], (AGE,), 5), tk.partitions.Mondrian(), 1.0, 150)
    low, high, between = cells.leaves(np.array([[0], [99], [10]], dtype=np.int32))
    assert low == between != high
    cells = cut_cells(Problem(rows[:, 1:], (AREA,), 5), tk.partitions.Mondrian(), 1.0, 150)
    a1, a2, b1, b2 = cells.leaves(np.arange(4, dtype=np.int32)[:, None])
    assert a1 == a2 != b1 == b2


def test_cuts_that_left_too_few_rows_are_taken_back() -> None:
    tree = CutTree.whole().cut(0, 0, 0, 49).cut(1, 0, 0, 9)
    kept = tree.merged(np.array([0, 0, 50, 10, 40]), 10)
    assert set(kept.leaves(np.arange(100, dtype=np.int32)[:, None]).tolist()) == {2, 3, 4}
    merged = tree.merged(np.array([0, 0, 50, 9, 40]), 10)
    assert set(merged.leaves(np.arange(100, dtype=np.int32)[:, None]).tolist()) == {1, 2}
    merged = tree.merged(np.array([0, 0, 9, 30, 40]), 10)
    assert set(merged.leaves(np.arange(100, dtype=np.int32)[:, None]).tolist()) == {0}


def test_a_task_lets_out_a_sentence_and_no_cell() -> None:
    with pytest.raises(TaskProblem, match="stopped with ValueError") as told, in_task():
        raise ValueError("SECRET")
    assert "SECRET" not in "".join(traceback.format_exception(told.value))
    with pytest.raises(TaskProblem, match="The table has no rows"), in_task():
        raise DataError("The table has no rows.")


def test_cells_of_a_csv_file_are_read_or_refused_without_a_word_of_them(tmp_path: Path) -> None:
    for name, cell in (("a.csv", "18"), ("b.csv", "SECRET")):
        (tmp_path / name).write_text(f"age,town,pay\n17,x,\n?,y,\n{cell},z,\n")
    schema = tk.Schema([tk.Attribute("pay", "insensitive", tk.Numbers(0, 9), missing=True)])
    rows = Files([tmp_path / "a.csv", tmp_path / "b.csv"], schema, Dialect(missing=("", "?")))
    rows.settle()
    kinds = pa.schema(rows.types.items())
    found = pa.Table.from_batches(read_file(rows, 0, kinds))
    assert found.to_pydict() == {"age": [17, None, 18], "town": ["x", "y", "z"], "pay": [None] * 3}
    assert found.schema.field("pay").type == pa.float64()
    with pytest.raises(DataError, match="b.csv has a cell that is not of the same kind") as told:
        list(read_file(rows, 1, kinds))
    assert "SECRET" not in "".join(traceback.format_exception(told.value))
