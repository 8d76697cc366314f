from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tokumei.table.classes import class_of, class_sizes
from tokumei.table.coded import numbered


def test_eight_rows_one_can_count() -> None:
    a, b = np.array([0, 0, 0, 1, 1, 1, 1, 2]), np.array([0, 0, 1, 0, 0, 0, 0, 5])
    assert sorted(class_sizes([a, b], 8)) == [1, 1, 2, 4]
    assert sorted(class_sizes([a], 8)) == [1, 3, 4]
    assert class_sizes([], 8).tolist() == [8]


def test_many_wide_columns_do_not_overflow() -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2**31, (500, 9))
    rows[100:200] = rows[:100]
    found = class_of(list(rows.T), 500)
    assert np.array_equal(found[:100], found[100:200])
    assert len(np.unique(found)) == len(np.unique(rows, axis=0)) == 400


def test_classes_are_numbered_in_the_order_of_their_codes() -> None:
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 7, (300, 3))
    expected = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
    assert np.array_equal(class_of(list(rows.T), 300), expected)


def test_numbered_cells_of_a_dictionary() -> None:
    indices = pa.array([0, 1, None, 2, 0, 3], pa.int8())
    cells = pa.DictionaryArray.from_arrays(indices, pa.array(["a", "b", "a", None]))
    assert numbered(cells).tolist() == [0, 1, 2, 0, 0, 2]


@pytest.mark.parametrize(("different", "apart"), [(3, 1), (3, 1000), (100_000, 1), (100_000, 1000)])
def test_classes_of_many_rows_are_numbered_in_the_order_of_their_rows(different: int, apart: int) -> None:
    """Many rows of many kinds are ranked by sorting, those of few kinds by a table of the kinds, or by their places if these are few."""
    rng = np.random.default_rng(0)
    columns = [apart * rng.integers(0, different, 70_000), rng.integers(0, 3, 70_000)]
    expected = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)[1].reshape(-1)
    assert np.array_equal(class_of(columns, 70_000), expected)
    columns[0] -= apart  # numbers below zero have no place
    assert np.array_equal(class_of(columns, 70_000), expected)
