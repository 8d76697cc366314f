"""Looking up rows in boxes that do not overlap."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.arrays import Integers, Places
from tokumei.table.classes import class_of

BUCKETS = (
    256  # parts of an axis, each with a list of the boxes that have a place in it: so the lists stay short, and few
)


def box_of(rows: Places, low: Places, high: Places) -> Integers:
    """Return the number of the box that each row lies in, -1 for none; no two boxes overlap, one row of ``low`` a box.

    >>> low, high = np.array([[0, 0], [3, 0]]), np.array([[2, 5], [4, 1]])
    >>> box_of(np.array([[1, 4], [4, 4], [3, 1]]), low, high)
    array([ 0, -1,  1])
    """
    from tokumei.partition._published_kernels import find_boxes

    if not len(low) or not len(rows):
        return np.full(len(rows), -1, dtype=np.int64)
    which = class_of(list(rows.T), len(rows))
    different = np.empty(int(which.max()) + 1, dtype=np.int64)
    different[which] = np.arange(len(rows))
    sizes = np.maximum(rows.max(axis=0), high.max(axis=0)).astype(np.int64) + 1
    axis, bucket, start, listed = _lists(low, high, sizes)
    found = np.empty(len(different), dtype=np.int64)
    find_boxes(np.ascontiguousarray(rows[different]), low, high, axis, bucket, start, listed, found)
    return found[which]


def _lists(low: Places, high: Places, sizes: Any) -> tuple[int, Any, Any, Any]:
    """List the boxes along the axis where the lists are shortest: a few buckets of places, and the boxes of each."""
    best: tuple[float, int, Any, Any, Any] | None = None
    for axis, size in enumerate(sizes.tolist()):
        buckets = min(size, BUCKETS)
        bucket = np.arange(size) * buckets // size
        first, last = bucket[low[:, axis]], bucket[high[:, axis]]
        length = float(np.sum(last - first + 1)) / buckets
        if best is None or length < best[0]:
            best = length, axis, bucket, first, last
    assert best is not None
    _, axis, bucket, first, last = best
    spans = last - first + 1
    boxes = np.repeat(np.arange(len(low)), spans)
    starts = np.cumsum(spans) - spans
    at = np.repeat(first, spans) + np.arange(len(boxes)) - np.repeat(starts, spans)
    order = np.argsort(at, kind="stable")
    counts = np.bincount(at, minlength=int(bucket[-1]) + 1)
    return axis, bucket, np.concatenate([[0], np.cumsum(counts)]), boxes[order]
