"""The arithmetic of sensitive values in classes: diversity, closeness, disclosure and likeness.

Every function takes ``counts``, one row per class and one column per sensitive value, and returns one number per class.
``share`` is the distribution of the values in the whole table, in which every value occurs.
"""

from __future__ import annotations

import numpy as np

from tokumei.arrays import AnyIntegers, Booleans, Floats
from tokumei.table.domain import exact

NEAR = 1e-9  # wider than the rounding of a product
ROUNDING = 1e-12  # wider than the rounding of a share


def distinct(counts: AnyIntegers) -> Floats:
    """Count the different values of each class.

    >>> distinct(np.array([[2, 1, 0]])).tolist()
    [2.0]
    """
    return np.count_nonzero(counts, axis=1).astype(np.float64)


def effective(counts: AnyIntegers) -> Floats:
    """Return how many equally frequent values would have the entropy of each class: exp(-sum p ln p).

    >>> effective(np.array([[1, 1, 1, 1]])).round(9).tolist()
    [4.0]
    """
    p = _shares(counts)
    logs = np.log(p, out=np.zeros_like(p), where=p > 0)
    return np.exp(-(p * logs).sum(axis=1))


def recursive(counts: AnyIntegers, c: float) -> Floats:
    """Return the largest l for which each class is recursively (c, l)-diverse, 0 where there is none.

    With the counts sorted, r1 the largest, it is so where r1 < c (r_l + r_(l+1) + ... + r_m), c being the decimal it is
    written as: 55 < 1.1 * 50 does not hold.

    >>> recursive(np.array([[3, 2, 2]]), 1.0).tolist()
    [2.0]
    """
    falling = -np.sort(-counts.astype(np.float64), axis=1)
    tails = np.cumsum(falling[:, ::-1], axis=1)[:, ::-1]
    largest, enough = np.broadcast_to(falling[:, :1], tails.shape), c * tails
    holds = largest < enough
    near = np.abs(largest - enough) <= NEAR * largest
    top, bottom = exact(c).as_integer_ratio()
    holds[near] = (
        largest[near].astype(np.int64).astype(object) * bottom < tails[near].astype(np.int64).astype(object) * top
    )
    return holds.sum(axis=1).astype(np.float64)  # the tails fall with l, so the first ones hold


def variation(counts: AnyIntegers, share: Floats) -> Floats:
    """Return the distance to the whole table if all values are equally far apart: half of sum |p - q|.

    >>> variation(np.array([[1, 0]]), np.array([0.5, 0.5])).tolist()
    [0.5]
    """
    return 0.5 * np.abs(_shares(counts) - share).sum(axis=1)


def ordered_distance(counts: AnyIntegers, share: Floats) -> Floats:
    """Return the earth mover's distance if neighbouring values are 1 / (m - 1) apart: sum |cumulated p - q| / (m - 1).

    >>> ordered_distance(np.array([[1, 0, 0]]), np.array([1, 1, 1]) / 3).round(9).tolist()
    [0.5]
    """
    moved = np.abs(np.cumsum(_shares(counts) - share, axis=1)[:, :-1]).sum(axis=1)
    return moved / max(len(share) - 1, 1)


def tree_distance(counts: AnyIntegers, share: Floats, levels: AnyIntegers) -> Floats:
    """Return the earth mover's distance if two values are as far apart as the level that joins them, over all levels.

    ``levels[h, v]`` is the number of the label over value v at level h + 1; above the last level everything is joined.
    What a label's values have too much and too little, beyond what is evened out below it, meets at the label: it moves
    over a distance of its level.

    >>> levels = np.array([[0, 0, 1], [0, 0, 0]])
    >>> tree_distance(np.array([[1, 0, 0], [0, 0, 1]]), np.array([0.5, 0.5, 0.0]), levels).tolist()
    [0.25, 1.0]
    """
    extra = _shares(counts) - share  # of each label of the level below
    below = np.arange(extra.shape[1])
    cost = np.zeros(len(counts))
    for height, given in enumerate(levels, start=1):
        labels = np.unique(given, return_inverse=True)[1].reshape(-1)
        joins = np.zeros((extra.shape[1], int(labels.max()) + 1))
        joins[below, labels] = 1.0
        too_much, too_little = np.maximum(extra, 0) @ joins, np.maximum(-extra, 0) @ joins
        cost += height / len(levels) * np.minimum(too_much, too_little).sum(axis=1)
        extra, below = extra @ joins, labels
    return cost


def disclosure(counts: AnyIntegers, share: Floats) -> Floats:
    """Return the largest |ln(p / q)| of each class over all values: infinite where a class lacks one.

    >>> disclosure(np.array([[3, 1], [1, 0]]), np.array([0.5, 0.5])).round(6).tolist()
    [0.693147, inf]
    """
    with np.errstate(divide="ignore"):
        return np.abs(np.log(_shares(counts) / share)).max(axis=1)


def likeness(counts: AnyIntegers, share: Floats) -> Floats:
    """Return the largest relative gain of a value in each class: (p - q) / q.

    >>> likeness(np.array([[3, 1]]), np.array([0.5, 0.5])).tolist()
    [0.5]
    """
    return ((_shares(counts) - share) / share).max(axis=1)


def enhanced_likeness(counts: AnyIntegers, share: Floats) -> Floats:
    """Return the largest relative gain of a value in each class, infinite where a value gains more than -ln q.

    >>> enhanced_likeness(np.array([[3, 1], [1, 0]]), np.array([0.5, 0.5])).tolist()
    [0.5, inf]
    """
    gain = (_shares(counts) - share) / share
    return np.where(gain <= -np.log(share) + ROUNDING, gain, np.inf).max(axis=1)


def largest_share(counts: AnyIntegers, named: Booleans) -> Floats:
    """Return the largest share of each class that one of the named values has; 0 where none of them occurs in the table.

    >>> largest_share(np.array([[3, 1], [1, 1]]), np.array([False, True])).tolist()
    [0.25, 0.5]
    """
    return _shares(counts)[:, named].max(axis=1, initial=0.0)


def _shares(counts: AnyIntegers) -> Floats:
    return counts / counts.sum(axis=1, keepdims=True)
