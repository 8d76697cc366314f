"""How far noise inside a box moves a number on average, as a share of how far uniform noise would move it.

Closed forms, so that a search may ask for millions of boxes. They take the cost E that a column may have, and choose between two kinds of
channel from what is public of a box: the smaller share is the better kind.
"""

from __future__ import annotations

import math


def along_grid(cost: float) -> float:
    """Return the share for bounded Laplace noise.

    With E the width of the box over the scale phi it falls by .15 E at first and like 3 / E in the end; in between the root is within 6 %
    of the true share, and above it for boxes of few points.

    >>> along_grid(0.0), round(along_grid(1.0), 2)
    (1.0, 0.84)
    """
    return 1.0 / math.sqrt(1.0 + 0.3 * cost + cost * cost / 9.0)


def by_replacing(values: float, cost: float) -> float:
    """Return the share for retention among this many values: the probability of being replaced.

    >>> by_replacing(4.0, 0.0), round(by_replacing(4.0, 1.0), 2)
    (1.0, 0.7)
    """
    return values / (math.expm1(cost) + values)


def prefers_retention(values: int, cost: float) -> bool:
    """Say whether a number in a box of this many values is moved less by retention than along a grid, at the same cost.

    >>> [values for values in range(2, 20) if prefers_retention(values, 0.1)][-1]
    6
    >>> [values for values in range(2, 99) if prefers_retention(values, 3.0)][-1]
    27
    """
    return by_replacing(values, cost) <= along_grid(cost)
