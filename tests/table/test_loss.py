"""Every measure on a table that one can count by hand.

Six rows: ages 0 0 1 3 4 4 of a line of five; places A B A C C C in a tree ((A B) C).
Classes: rows 1-3 as [0, 1] x AB, rows 4-5 as [3, 4] x C; row 6 is suppressed.
"""

from __future__ import annotations

import numpy as np
import pytest

from tokumei.table import loss

LOW, HIGH = np.array([[0, 0], [3, 2]]), np.array([[1, 1], [4, 2]])
COUNTS = [3, 2]
SIZES = (5, 3)


def test_loss() -> None:
    cells = np.stack([loss.open_share(LOW[:, c], HIGH[:, c], SIZES[c]) for c in range(2)], axis=1)
    assert cells.tolist() == [[1 / 4, 1 / 2], [1 / 4, 0]]
    assert loss.mean_loss(cells, COUNTS, 1) == pytest.approx((3 * 3 / 8 + 2 * 1 / 8 + 1) / 6)
    assert loss.open_share(0, 0, 1) == 0


def test_ncp_and_gcp() -> None:
    cells = np.stack([loss.ncp(LOW[:, c], HIGH[:, c], SIZES[c]) for c in range(2)], axis=1)
    assert cells == pytest.approx(np.array([[2 / 5, 2 / 3], [2 / 5, 0]]))
    assert loss.gcp(cells, COUNTS, 1) == pytest.approx((3 * (2 / 5 + 2 / 3) / 2 + 2 * (1 / 5) + 1) / 6)


def test_discernibility_and_class_size() -> None:
    assert loss.discernibility(COUNTS, 1) == 9 + 4 + 6
    assert loss.average_class_size(COUNTS, 2) == 1.25


def test_precision() -> None:
    levels = [[1, 1]] * 3 + [[1, 0]] * 2 + [[2, 2]]
    assert loss.precision(levels, [2, 2]) == pytest.approx(1 - (3 * 1 + 2 * 0.5 + 2) / 12)
    assert loss.precision([0, 0], [3, 0]) == 1


def test_nonuniform_entropy() -> None:
    places, labels = [0, 1, 0, 2, 2, 2], [0, 0, 0, 1, 1, 2]
    bits = loss.nonuniform_entropy(places, labels)
    assert bits == pytest.approx([np.log2(3 / 2), np.log2(3), np.log2(3 / 2), 0, 0, 0])
    everything = loss.nonuniform_entropy(places, [0] * 6)
    shares = np.array([2, 1, 3]) / 6
    assert everything.sum() == pytest.approx(-6 * (shares * np.log2(shares)).sum())


def test_kl_divergence() -> None:
    records = [[0, 0], [0, 1], [1, 0], [3, 2], [4, 2]]
    # in the first box three of four places are taken, in the second both
    expected = 3 / 5 * np.log((1 / 5) / (3 / 5 / 4)) + 2 / 5 * np.log((1 / 5) / (2 / 5 / 2))
    assert loss.kl_divergence(records, LOW, HIGH, COUNTS) == pytest.approx(expected)
    exact = np.array(records)
    assert loss.kl_divergence(records, exact, exact, [1] * 5) == pytest.approx(0)
    assert loss.kl_divergence([[0], [1]], [[0], [0]], [[1], [1]], [1, 1]) == pytest.approx(
        0
    )  # overlapping boxes add up


def test_kl_divergence_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    records = rng.integers(0, 5, (40, 2))
    low, high = np.array([[0, 0], [2, 0]]), np.array([[2, 4], [4, 4]])
    whole = loss.kl_divergence(records, low, high, [20, 20])
    monkeypatch.setattr(loss, "CHUNK", 3)
    assert loss.kl_divergence(records, low, high, [20, 20]) == pytest.approx(whole)


def test_sse() -> None:
    assert loss.sse([0, 0, 1, 3, 4], [0.5, 0.5, 0.5, 3.5, 3.5]) == 0.25 * 5
