"""The best groups of rows that stay in a given order."""

from __future__ import annotations

import numpy as np

from tokumei.arrays import Integers, Labels
from tokumei.partition.microaggregation.points import Points, numbered


def cut(points: Points, order: Integers) -> Labels:
    """Cut an order of the rows into groups of k to 2k - 1 with the least sum of squares, in O(k n) steps.

    A group of 2k or more would lose no more when cut in two, so no cut is better. With one column and its sorted order
    these are the best groups that there are.

    >>> points = Points(np.array([[5.0], [0.0], [9.0], [1.0], [4.0]]), k=2)
    >>> cut(points, np.argsort(points.rows[:, 0])).tolist()
    [0, 1, 0, 1, 0]
    """
    from tokumei.partition.microaggregation.path._kernels import best_cut

    # Sums of squares are differences of running sums: around the mean they lose the fewest digits.
    centred = points.rows - points.rows.mean(axis=0)
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = best_cut(np.ascontiguousarray(centred[order]), points.k)
    return numbered(labels)


def cut_sorted(points: Points) -> Labels:
    """Return the best groups of rows that have one column."""
    return cut(points, np.argsort(points.rows[:, 0], kind="stable"))
