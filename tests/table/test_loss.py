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
