from __future__ import annotations

import numpy as np

from tokumei.table.classes import class_of, class_sizes


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
