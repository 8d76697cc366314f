"""Axes as flat arrays, which is what compiled loops read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tokumei.table.axis import Axis

TABLE = 256  # an axis of at most this many places has the cost of every stretch looked up rather than worked out


class Lines(NamedTuple):
    """Axes one behind the other.

    Level l of axis j begins at ``start[j] + l * size[j]`` of ``first`` and ``cost`` (what the label over each
    place costs a cell). Stretches of the first ``free[j]`` places cost ``unit[j]`` a step. ``table`` holds, from
    ``pairs[j]`` on, what each stretch (low, high) costs; ``pairs[j]`` is -1 where the axis is too long for that.
    """

    start: Any
    size: Any
    free: Any
    unit: Any
    first: Any
    cost: Any
    pairs: Any
    table: Any


def lines_of(axes: Sequence[Axis]) -> Lines:
    """Lay the axes one behind the other."""
    lengths = [axis.first.size for axis in axes]
    tables = [_table(axis) if axis.size <= TABLE else np.zeros(0) for axis in axes]
    starts = np.cumsum([0, *(len(table) for table in tables)])[:-1]
    return Lines(
        start=np.cumsum([0, *lengths])[:-1].astype(np.int64),
        size=np.array([axis.size for axis in axes], dtype=np.int64),
        free=np.array([axis.free for axis in axes], dtype=np.int64),
        unit=np.array([float(axis.loss(0, 1)) if axis.free > 1 else 0.0 for axis in axes]),
        first=np.concatenate([axis.first.ravel() for axis in axes]).astype(np.int32),
        cost=np.concatenate([axis.loss(axis.first, axis.last).ravel() for axis in axes]),
        pairs=np.where([len(table) > 0 for table in tables], starts, -1).astype(np.int64),
        table=np.concatenate(tables),
    )


def _table(axis: Axis) -> Any:
    low, high = np.divmod(np.arange(axis.size**2), axis.size)
    inner, outer = np.minimum(low, high), np.maximum(low, high)
    return axis.loss(*axis.closure(inner, outer)).ravel()
