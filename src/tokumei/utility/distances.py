"""How far one distribution is from another, each distance by name, all between 0 and 1."""

from __future__ import annotations

from typing import Any

import numpy as np


def total_variation(p: Any, q: Any) -> float:
    """Return the largest difference in the probability of any event.

        TV = sum |p - q| / 2

    >>> total_variation([0.5, 0.5, 0.0], [0.25, 0.5, 0.25])
    0.25
    """
    return float(np.abs(np.asarray(p) - np.asarray(q)).sum() / 2)


def hellinger(p: Any, q: Any) -> float:
    """Return the Hellinger distance, which minds differences in rare values more than in frequent ones.

        H = sqrt( sum (sqrt p - sqrt q)² / 2 )

    >>> hellinger([1.0, 0.0], [0.0, 1.0])
    1.0
    """
    apart = np.sqrt(np.asarray(p, dtype=np.float64)) - np.sqrt(np.asarray(q, dtype=np.float64))
    return float(np.sqrt((apart * apart).sum() / 2))


def wasserstein(p: Any, q: Any) -> float:
    """Return how far values must be moved on average to turn p into q, as a share of the whole line.

    The places of p and q stand in a line at equal distances.

        W = sum |P - Q| / (places - 1)      P, Q the cumulated p and q

    >>> wasserstein([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    0.5
    """
    apart = np.cumsum(np.asarray(p, dtype=np.float64) - np.asarray(q, dtype=np.float64))
    return float(np.abs(apart[:-1]).sum() / max(len(apart) - 1, 1))


def overlap(low: float, high: float, other_low: float, other_high: float) -> float:
    """Return how much of two intervals they have in common, the mean of both shares; 0 where they do not meet.

        overlap = ( common / length + common / other length ) / 2

    >>> overlap(0, 2, 1, 3)
    0.5
    """
    common = min(high, other_high) - max(low, other_low)
    if common < 0:
        return 0.0
    lengths = (high - low, other_high - other_low)
    if 0 in lengths:
        return float(lengths[0] == lengths[1])
    return (common / lengths[0] + common / lengths[1]) / 2
