"""Which box a row was put into, of all that hold it: the formula by definition, and rows whose own boxes hold most of them."""

from __future__ import annotations

import numpy as np
import pytest

from tokumei.reconstruction import _choosing
from tokumei.reconstruction._choosing import chosen, crowded
from tokumei.reconstruction._mixture import Mixture, Observed, Products


@pytest.mark.parametrize(
    ("boxes", "share", "many"), [(150, 0.15, 2**15), (150, 0.15, 10), (5000, 0.03, 10)]
)  # more than bits of two words, and of one word of words
def test_crowding_is_the_sum_over_the_boxes_that_hold_a_row(
    boxes: int, share: float, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_choosing, "MANY", many)  # of more boxes, those that hold the same values are put together
    rng = np.random.default_rng(0)
    held = [rng.random((boxes, size)) < share for size in (5, 3, 7)]
    densities = rng.random(boxes)
    cells = np.stack([rng.integers(0, each.shape[1], 400) for each in held], axis=1)
    found = crowded(cells, held, densities)
    for row, z in zip(cells, found, strict=True):
        inside = [box for box in range(boxes) if all(each[box, v] for each, v in zip(held, row, strict=True))]
        assert z == pytest.approx(sum(densities[box] for box in inside))
    assert (found > 0).any() and (found == 0).any()


def seen(boxes: np.ndarray, rows: list[int]) -> Observed:
    """One column; boxes of values, each with some rows."""
    one = Products(np.ones(len(boxes)), np.arange(len(boxes) + 1), np.arange(len(boxes)))
    none = Products(np.zeros(len(boxes)), np.zeros(len(boxes) + 1, dtype=np.int64), np.zeros(0, dtype=np.int64))
    which = np.repeat(np.arange(len(boxes)), rows)
    loose = (np.count_nonzero(boxes, axis=1) > 1).astype(np.float64)
    return Observed(
        (boxes,),
        one,
        none,
        np.arange(len(boxes))[:, None],
        which,
        np.ones(len(which)),
        bases=(boxes,),
        loose=(loose,),
        spreads=(np.zeros(len(boxes)),),
        grouped_by=(0,),
        trust=0.5,
    )


def test_a_wide_box_holds_less_of_a_value_that_has_a_box_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = np.array([[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    rows = [400, 30, 10]
    monkeypatch.setattr(_choosing, "MOST", 200_000)
    even = Mixture(np.ones(1), (np.full((1, 4), 0.25),))
    made = chosen(seen(boxes, rows), even, np.random.default_rng(1))
    densities = np.array(rows) / boxes.sum(axis=1) ** _choosing.THIN
    z = densities @ boxes
    expected = np.where(boxes[1] > 0, 1 / z, 0.0)
    np.testing.assert_allclose(made.bases[0][1] / made.bases[0][1].sum(), expected / expected.sum(), atol=0.01)
    np.testing.assert_allclose(made.likelihoods[0][1], made.bases[0][1])
    np.testing.assert_array_equal(made.bases[0][[0, 2]], boxes[[0, 2]])  # nothing is open there


def test_boxes_that_do_not_overlap_say_nothing() -> None:
    boxes = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
    even = Mixture(np.ones(1), (np.full((1, 4), 0.25),))
    made = chosen(seen(boxes, [40, 3]), even, np.random.default_rng(1))
    np.testing.assert_allclose(made.bases[0], boxes)


def test_boxes_that_only_overlap_without_a_column_that_each_shows_say_nothing() -> None:
    """Of men and women each, rows are in boxes of their own: no box holds the rows of another, though ages overlap."""
    ages = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
    sexes = np.eye(2)
    things = Products(np.ones(5), np.arange(6), np.arange(5))
    none = Products(np.zeros(5), np.zeros(6, dtype=np.int64), np.zeros(0, dtype=np.int64))
    rows = np.array([[0, 3], [1, 4], [2, 4]])  # the first box is of women, the other two are of men
    which = np.repeat(np.arange(3), [50, 20, 5])
    seen_of_both = Observed(
        (ages, sexes),
        things,
        none,
        rows,
        which,
        np.ones(len(which)),
        bases=(ages, sexes),
        loose=(np.ones(3), np.zeros(2)),
        spreads=(np.zeros(3), np.zeros(2)),
        grouped_by=(0, 1),
        trust=0.5,
    )
    even = Mixture(np.ones(1), (np.full((1, 3), 1 / 3), np.full((1, 2), 0.5)))
    made = chosen(seen_of_both, even, np.random.default_rng(1))
    np.testing.assert_allclose(made.bases[0][0], ages[0])  # women's boxes: no other holds their rows
    assert made.bases[0][2][0] > 1.2 * made.bases[0][2][1]  # men's boxes do overlap
