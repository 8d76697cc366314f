"""Points of large tables have half the digits: groups are as good, and hold as many rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.partition.microaggregation import coordinates as laid_out
from tokumei.partition.microaggregation.local_search import LocalSearch
from tokumei.partition.microaggregation.points import Points, information_loss, numbered
from tokumei.table.coded import encode

COLUMNS = ("age", "sex", "region", "education", "marital", "occupation", "hours")


def test_half_the_digits_lose_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    ratios = []
    for seed in range(4):
        table = encode(tk.example_census(rows=600, random_state=seed, frame="pyarrow"), tk.example_schema())
        whole = laid_out.coordinates(table, COLUMNS)
        with monkeypatch.context() as patched:
            patched.setattr(laid_out, "LARGE", 0)
            half = laid_out.coordinates(table, COLUMNS)
        assert (whole.dtype, half.dtype) == (np.float64, np.float32)
        np.testing.assert_array_equal(half, whole.astype(np.float32))
        labels = [LocalSearch().group(Points(rows, 4)) for rows in (whole, half)]
        assert min(np.bincount(each).min() for each in labels) >= 4
        before, after = (information_loss(whole, each) for each in labels)
        ratios.append(after / before)
    assert np.mean(ratios) <= 1.02


def test_coordinates_have_mean_0_and_columns_variance_1() -> None:
    table = encode(tk.example_census(rows=500, frame="pyarrow"), tk.example_schema())
    for name in COLUMNS:
        made = laid_out.coordinates(table, (name,))
        np.testing.assert_allclose(made.mean(axis=0), 0, atol=1e-12)
        assert made.var(axis=0).sum() == pytest.approx(1)


def test_missing_cells_lie_at_the_mean_and_are_told_apart() -> None:
    schema = tk.Schema([tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 9, step=1), missing=True)])
    table = encode(pa.table({"age": pa.array([1, 3, None, 5, None], pa.int64())}), schema)
    made = laid_out.coordinates(table, ("age",))
    assert made.shape == (5, 2)
    np.testing.assert_allclose(made[[2, 4], 0], 0, atol=1e-12)
    assert made[2, 1] == made[4, 1] > 0 > made[0, 1] == made[1, 1]


def test_groups_are_numbered_in_their_order() -> None:
    labels = np.array([9, 2, 2, 40, 9])
    assert numbered(labels).tolist() == np.unique(labels, return_inverse=True)[1].tolist()


def test_points_that_are_no_numbers_are_refused() -> None:
    for wrong in (np.nan, np.inf, -np.inf):
        with pytest.raises(tk.errors.InvalidParameter, match="finite"):
            Points(np.array([[0.0, 1.0], [wrong, 2.0]]), 1)
