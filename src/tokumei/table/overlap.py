"""Whether the boxes of groups overlap: only if they do not, a record can be in one of them alone."""

from __future__ import annotations

import numpy as np

from tokumei.arrays import Places
from tokumei.table import _overlap_kernels as _kernels
from tokumei.table.classes import class_of

PAIRS = 2**31  # some ten seconds of work


def disjoint(low: Places, high: Places) -> bool:
    """Say whether no two different boxes have a place in common; one row per box, one column per axis.

    Where boxes were not made by cuts, and no axis is narrow, nearly all pairs must be compared. Beyond `PAIRS` of them the answer is that boxes overlap,
    which guarantees less of a release than it may have, never more.

    >>> disjoint(np.array([[0, 0], [0, 3]]), np.array([[5, 2], [5, 4]]))
    True
    >>> disjoint(np.array([[0, 0], [5, 2]]), np.array([[5, 2], [6, 4]]))
    False
    """
    classes = class_of([*low.T, *high.T], len(low))
    different = np.empty(int(classes.max()) + 1, dtype=np.int64)
    different[classes] = np.arange(len(classes))  # equal boxes are one class of rows
    low, high = low[different], high[different]
    widest = [float(np.mean(high[:, axis] - low[:, axis])) / (np.ptp(low[:, axis]) + 1) for axis in range(low.shape[1])]
    along = np.argsort(widest, kind="stable")  # the axis on which boxes are narrowest tells most pairs apart
    order = np.argsort(low[:, along[0]], kind="stable")
    first, last = (np.ascontiguousarray(each[order][:, along], dtype=np.int64) for each in (low, high))
    many = len(order)
    spans, ends = (np.empty(2 * many + 2, dtype=np.int64) for _ in range(2))
    waiting = np.empty((many + 1, 2), dtype=np.int64)
    return not _kernels.any_overlap(
        first, last, PAIRS, np.arange(many), np.empty(many, dtype=np.int64), spans, ends, waiting
    )
