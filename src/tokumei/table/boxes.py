"""The smallest boxes that may stand for groups of rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.arrays import Labels, Places
from tokumei.table.axis import Axis


def enclosing(axes: Sequence[Axis], rows: Places, labels: Labels, groups: int) -> tuple[Places, Places]:
    """Return the smallest box that may stand for each group: one row per group, one column per axis.

    Rows with a negative label are in no group; every group must have a row.
    """
    low = np.full((groups, len(axes)), np.iinfo(np.int32).max, dtype=np.int32)
    high = np.full((groups, len(axes)), -1, dtype=np.int32)
    inside = labels >= 0
    for column, axis in enumerate(axes):
        np.minimum.at(low[:, column], labels[inside], rows[inside, column])
        np.maximum.at(high[:, column], labels[inside], rows[inside, column])
        low[:, column], high[:, column] = axis.closure(low[:, column], high[:, column])
    return low, high
