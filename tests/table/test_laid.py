"""Rows laid out by nearness: every row stands once, bounds are theirs, and looking up a box finds what a look at every row finds."""

from __future__ import annotations

import numpy as np
import pytest

from tokumei.mechanism._kernels import locate
from tokumei.risk._collation_kernels import rows_in_box
from tokumei.table.laid import ABOVE, BLOCK, Laid, bounds


@pytest.mark.parametrize("sizes", [(74, 9, 16, 2), (1, 3), (300,), (2,) * 70])
@pytest.mark.parametrize("rows", [1, BLOCK + 1, 3 * BLOCK * ABOVE + 7])
def test_rows_in_a_box_are_those_that_a_look_at_every_row_finds(sizes: tuple[int, ...], rows: int) -> None:
    rng = np.random.default_rng(rows)
    places = np.stack([rng.integers(0, size, rows) for size in sizes], axis=1).astype(np.int32)
    laid = Laid.of(places)
    assert np.array_equal(np.sort(laid.order), np.arange(rows))
    assert np.array_equal(laid.rows, places[laid.order])
    for block, start in enumerate(range(0, rows, BLOCK)):
        here = laid.rows[start : start + BLOCK]
        assert np.array_equal(laid.low[block], here.min(axis=0))
        assert np.array_equal(laid.high[block], here.max(axis=0))
    for above, start in enumerate(range(0, len(laid.low), ABOVE)):
        assert np.array_equal(laid.lowest[above], laid.low[start : start + ABOVE].min(axis=0))
        assert np.array_equal(laid.highest[above], laid.high[start : start + ABOVE].max(axis=0))
    for _ in range(20):
        low, high = np.sort(places[rng.integers(0, rows, 2)], axis=0)
        chosen = np.empty(rows, dtype=np.int64)
        found = rows_in_box(
            laid.order, laid.rows, laid.low, laid.high, laid.lowest, laid.highest, BLOCK, ABOVE, low, high, chosen
        )
        inside = np.flatnonzero(((places >= low) & (places <= high)).all(axis=1))
        assert len(inside)
        assert np.array_equal(np.sort(chosen[:found]), inside)


def test_neighbours_are_near() -> None:
    """Blocks of rows along two axes take a small part of the plane: else every box would have to look at every block."""
    places = np.random.default_rng(0).integers(0, 64, (4096, 2)).astype(np.int32)
    laid = Laid.of(places)
    areas = (laid.high - laid.low + 1).prod(axis=1)
    assert np.median(areas) < 64 * 64 / 50


def test_rows_are_found_in_boxes_that_do_not_overlap() -> None:
    """A plane is cut in two again and again, and some of the parts are taken away."""
    rng = np.random.default_rng(0)
    boxes = [(np.zeros(3, dtype=np.int32), np.full(3, 63, dtype=np.int32))]
    for _ in range(2000):
        at, axis = int(rng.integers(len(boxes))), int(rng.integers(3))
        low, high = boxes[at]
        if low[axis] < high[axis]:
            upper, lower = high.copy(), low.copy()
            upper[axis] = rng.integers(low[axis], high[axis])
            lower[axis] = upper[axis] + 1
            boxes[at] = (low, upper)
            boxes.append((lower, high))
    some = [each for each in boxes if rng.random() < 0.9]
    low, high = (np.stack(ends) for ends in zip(*some, strict=True))
    order = Laid.of((low + high) // 2).order
    near = bounds(low[order], high[order], BLOCK)
    places, found = rng.integers(0, 64, (3000, 3)), np.empty(3000, dtype=np.int64)
    locate(places, low[order], high[order], *near, *bounds(*near, ABOVE), BLOCK, ABOVE, found)
    inside = ((places[:, None] >= low) & (places[:, None] <= high)).all(axis=2)
    expected = np.where(inside.any(axis=1), inside.argmax(axis=1), -1)
    assert np.array_equal(np.where(found < 0, -1, order[found]), expected)
    assert (expected < 0).any()
