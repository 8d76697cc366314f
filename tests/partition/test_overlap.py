"""Boxes that overlap, against all pairs."""

from __future__ import annotations

import itertools

import numpy as np

from tokumei.partition.overlap import disjoint


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
