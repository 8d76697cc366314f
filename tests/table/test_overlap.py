"""Boxes that overlap, against all pairs."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from tokumei.table import overlap
from tokumei.table.overlap import disjoint


def test_against_all_pairs() -> None:
    rng = np.random.default_rng(0)
    answers = []
    for _ in range(300):
        boxes, axes = int(rng.integers(1, 6)), int(rng.integers(1, 4))
        low = rng.integers(0, 12, (boxes, axes))
        high = low + rng.integers(0, 4, (boxes, axes))
        plain = True
        for i, j in itertools.combinations(range(boxes), 2):
            same = (low[i] == low[j]).all() and (high[i] == high[j]).all()
            if not same and (low[i] <= high[j]).all() and (low[j] <= high[i]).all():
                plain = False
        answers.append(plain)
        assert disjoint(low, high) == plain
    assert 50 < sum(answers) < 250


def cut_up(rng: np.random.Generator, low: list[int], high: list[int], boxes: int) -> list[tuple[list[int], list[int]]]:
    """Cut a box into many by planes, evenly or not, and make each a little smaller."""
    wide = [axis for axis in range(len(low)) if high[axis] > low[axis]]
    if boxes <= 1 or not wide:
        ends = [
            sorted(rng.integers(a, b + 1, 2).tolist()) if rng.random() < 0.3 else [a, b]
            for a, b in zip(low, high, strict=True)
        ]
        return [([a for a, _ in ends], [b for _, b in ends])]
    axis = int(rng.choice(wide))
    place = int(rng.integers(low[axis], high[axis]))
    left, right = list(high), list(low)
    left[axis], right[axis] = place, place + 1
    return [*cut_up(rng, low, left, boxes // 3 + 1), *cut_up(rng, right, high, boxes - boxes // 3 - 1)]


@pytest.mark.parametrize("widest", [20, 400, 10**9])  # fewer places than boxes, more of them, and more than bins
def test_many_boxes_against_all_pairs(widest: int) -> None:
    rng = np.random.default_rng(widest)
    answers = []
    for _ in range(40):
        axes = int(rng.integers(2, 5))
        boxes = cut_up(rng, [0] * axes, rng.integers(widest // 2, widest, axes).tolist(), 120)
        low, high = (np.array(side) for side in zip(*boxes, strict=True))
        order = rng.permutation(len(boxes))
        low, high = low[order], high[order]
        if rng.random() < 0.5:  # one box grows a little, perhaps into another
            one, axis = int(rng.integers(len(boxes))), int(rng.integers(axes))
            high[one, axis] += rng.integers(0, widest // 8 + 1)
        answers.append(not overlapping(low, high))
        assert disjoint(low, high) == answers[-1]
    assert 15 < sum(answers) < 35


def test_boxes_that_no_plane_tells_apart() -> None:
    """Five boxes laid like the vanes of a wheel, in many copies that planes do tell apart, and then two that meet."""
    wheel = np.array([[0, 0, 0, 1], [1, 0, 2, 0], [2, 1, 2, 2], [0, 2, 1, 2], [1, 1, 1, 1]])
    many = np.concatenate([wheel + np.tile([3 * x, 3 * y], 2) for x in range(6) for y in range(6)])
    low, high = many[:, :2], many[:, 2:]
    assert disjoint(low, high)
    worse = high.copy()
    worse[77, 1] += 1
    assert not disjoint(low, worse)


@pytest.mark.parametrize("empty", [1, 40])
def test_empty_boxes_hold_no_place(empty: int) -> None:
    """They end before they begin, and may lie beyond all others."""
    low = np.stack([np.full(40, 3), np.arange(40)], axis=1)
    high = low.copy()
    low[:empty] = 90
    high[:empty, 0] = 89 - np.arange(empty)
    high[:empty, 1] = 90 + np.arange(empty)
    assert disjoint(low, high)
    assert disjoint(low, high) == (not overlapping(low, high))


def overlapping(low: Any, high: Any) -> bool:
    """Look at every pair of boxes that are not the same."""
    meet = np.all((low[:, None] <= high[None]) & (low[None] <= high[:, None]), axis=2)
    same = np.all((low[:, None] == low[None]) & (high[:, None] == high[None]), axis=2)
    return bool(np.any(meet & ~same))


def test_boxes_are_compared_only_on_their_side_of_a_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = np.stack(np.meshgrid(np.arange(40), np.arange(40)), axis=-1).reshape(-1, 2) * 3
    monkeypatch.setattr(overlap, "PAIRS", 10 * 1600)  # along one axis it is 20 for each box
    assert disjoint(grid, grid + 2)


def test_beyond_its_budget_of_pairs_the_cautious_answer_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    low = np.stack([np.zeros(10, dtype=np.int64), np.arange(10)], axis=1)
    high = low + np.array([1, 0])
    monkeypatch.setattr(overlap, "PAIRS", 0)
    assert disjoint(low, high)  # one narrow axis tells them apart: nothing is compared
    wide = np.array([[0, 0], [0, 5], [5, 0], [5, 5]])
    assert not disjoint(wide, wide + 4)
    monkeypatch.undo()
    assert disjoint(wide, wide + 4)
