"""How much two columns have to do with each other, from their joint table."""

from __future__ import annotations

import numpy as np

from tokumei.arrays import Floats

NOTHING = 1e-12  # a variance that is rounding only


def correlation(table: Floats, x: Floats, y: Floats) -> float:
    """Return Pearson's correlation of places ``x`` and ``y`` under a joint table; 0 where one of them does not vary.

    >>> correlation(np.array([[0.5, 0.0], [0.0, 0.5]]), np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    1.0
    """
    total = table.sum()
    if total <= 0:
        return 0.0
    share = table / total
    a, b = x - share.sum(axis=1) @ x, y - share.sum(axis=0) @ y
    spread = float(share.sum(axis=1) @ a**2), float(share.sum(axis=0) @ b**2)
    if min(spread) <= NOTHING:
        return 0.0
    return float(np.clip(a @ share @ b / (spread[0] * spread[1]) ** 0.5, -1.0, 1.0))


def cramers_v(table: Floats) -> float:
    """Return Cramér's V: 0 where rows and columns of a joint table are independent, 1 where one follows from the other.

        V² = sum (p_ab - p_a p_b)² / (p_a p_b) / (min(values) - 1)      values that nobody has left out

    >>> cramers_v(np.array([[0.5, 0.0], [0.0, 0.5]]))
    1.0
    """
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    kept = table[np.ix_(rows > 0, columns > 0)]
    if min(kept.shape) < 2:
        return 0.0
    share = kept / kept.sum()
    expected = np.outer(share.sum(axis=1), share.sum(axis=0))
    return float(min(1.0, (((share - expected) ** 2 / expected).sum() / (min(kept.shape) - 1)) ** 0.5))
