"""Features of a column for linear models: one for each value, and one for each stretch of values that belong together.

What few rows say about a value is shared with its neighbours this way: those under the same label of the hierarchy, or, along an
order, those in the same half, quarter and so on. A label that stands for several values has the features of all stretches that it
lies in, so that it says what is true of all its values, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from tokumei.arrays import Integers
from tokumei.reconstruction._model_columns import ModelColumn
from tokumei.table.axis import Axis, axis_of


@dataclass(frozen=True)
class Nodes:
    """The features of a column.

    Attributes
    ----------
    ends
        The first and last place of each feature along the line that `axis_of` lays the values in, the values of the model
        first; a value whose codes do not lie side by side has no place.
    size
        How many values there are.
    """

    ends: Integers
    size: int

    @classmethod
    def of(cls, column: ModelColumn) -> Nodes:
        """Return the features of a column of a model."""
        axis, values = axis_of(column.attribute), _values(column)
        stretches = _halves(values, axis) if axis.free else _levels(axis)
        own = set(map(tuple, values.tolist()))
        whole = (0, axis.size - 1)
        several = [each for each in dict.fromkeys(stretches) if each not in own and each != whole]
        kept = [(low, high) for low, high in several if _parts(values, low, high) > 1]
        return cls(np.array([*values.tolist(), *kept], dtype=np.int64).reshape(-1, 2), column.size)

    def of_values(self) -> Any:
        """Return the features of each value, one row each."""
        made = self.of_stretches(self.ends[: self.size]).tolil()
        made[np.arange(self.size), np.arange(self.size)] = 1.0
        return made.tocsr()

    def of_stretches(self, spans: Integers) -> Any:
        """Return the features of labels that stand for these stretches: those of everything that a label lies in."""
        low, high = self.ends.T
        inside = (low <= spans[:, :1]) & (spans[:, 1:] <= high) & (spans[:, :1] >= 0)
        return sparse.csr_matrix(inside.astype(np.float64))


def _values(column: ModelColumn) -> Integers:
    """Return the first and last place of each value, or a place outside where its codes do not lie side by side."""
    place = axis_of(column.attribute).place.astype(np.int64)
    low = np.full(column.size, len(place))
    high = np.full(column.size, -1)
    np.minimum.at(low, column.bins, place)
    np.maximum.at(high, column.bins, place)
    together = high - low + 1 == np.bincount(column.bins, minlength=column.size)
    return np.stack([np.where(together, low, -1), np.where(together, high, -1)], axis=1)


def _parts(values: Integers, low: int, high: int) -> int:
    """Count the values that lie in a stretch; none where it cuts one."""
    touched = (values[:, 1] >= low) & (values[:, 0] <= high) & (values[:, 0] >= 0)
    inside = touched & (values[:, 0] >= low) & (values[:, 1] <= high)
    return int(np.count_nonzero(inside)) if np.array_equal(touched, inside) else 0


def _levels(axis: Axis) -> list[tuple[int, int]]:
    """Return the stretches of every label of a hierarchy."""
    found = []
    for first, last in zip(axis.first[1:].tolist(), axis.last[1:].tolist(), strict=True):
        found += list(zip(first, last, strict=True))
    return found


def _halves(values: Integers, axis: Axis) -> list[tuple[int, int]]:
    """Return the halves, quarters and so on of values along an order.

    >>> from tokumei.table.axis import Axis
    >>> line = Axis("x", np.arange(3), np.zeros((1, 3)), np.zeros((1, 3)), free=3)
    >>> _halves(np.array([[0, 0], [1, 1], [2, 2]]), line)
    [(0, 2), (0, 0), (1, 2), (1, 1), (2, 2)]
    """
    along = values[(values[:, 0] >= 0) & (values[:, 1] < axis.free)]
    along = along[np.argsort(along[:, 0])]
    found, at = [(0, len(along) - 1)] if len(along) else [], 0
    while at < len(found):
        first, last = found[at]
        if first < last:
            middle = (first + last + 1) // 2
            found += [(first, middle - 1), (middle, last)]
        at += 1
    return [(int(along[first, 0]), int(along[last, 1])) for first, last in found]
