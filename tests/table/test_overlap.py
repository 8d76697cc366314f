"""Boxes that overlap, against all pairs."""

from __future__ import annotations

import itertools

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


def test_beyond_its_budget_of_pairs_the_cautious_answer_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    low = np.stack([np.zeros(10, dtype=np.int64), np.arange(10)], axis=1)
    high = low + np.array([1, 0])
    monkeypatch.setattr(overlap, "PAIRS", 0)
    assert disjoint(low, high)  # one narrow axis tells them apart: nothing is compared
    wide = np.array([[0, 0], [0, 5], [5, 0], [5, 5]])
    assert not disjoint(wide, wide + 4)
    monkeypatch.undo()
    assert disjoint(wide, wide + 4)
