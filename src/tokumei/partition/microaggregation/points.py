"""What microaggregation groups: rows as points of real numbers, and what a grouping of them loses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from tokumei.arrays import Floats, Integers, Labels
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.parallel import one_blas_thread
from tokumei.registry import Registry


@dataclass(frozen=True, eq=False)
class Points:
    """Points to be grouped, at least k of them together.

    Attributes
    ----------
    rows
        One row per record, one column per coordinate. Distances are Euclidean, so coordinates come on one scale.
    k
        How many rows a group needs at least.
    """

    rows: Floats
    k: int

    def __post_init__(self) -> None:
        kind = np.float32 if getattr(self.rows, "dtype", None) == np.float32 else np.float64
        rows = np.ascontiguousarray(self.rows, dtype=kind)
        if rows.ndim != 2 or rows.shape[1] == 0:
            raise InvalidParameter("points need a table of numbers with at least one column.")
        if not (np.isfinite(rows.min()) and np.isfinite(rows.max())):  # NaN is the least of all
            raise InvalidParameter("points must be finite numbers; fill or drop missing and infinite ones first.")
        if self.k < 1:
            raise InvalidParameter("k must be a whole number of at least 1. Got {k}.", k=self.k)
        if len(rows) < self.k:
            raise InfeasiblePromise(
                "k = {k:,} is not possible with {rows:row|rows}; ask for less.", k=self.k, rows=len(rows)
            )
        object.__setattr__(self, "rows", rows)


class Grouping(NamedTuple):
    """Groups, and where it is known the information loss that no grouping of these points is below."""

    labels: Labels
    least: float | None


class PointPartition(ABC):
    """A way of putting points into groups of at least k."""

    @abstractmethod
    def group(self, points: Points) -> Labels:
        """Number the groups from zero and return each row's; every row has one."""

    def grouped(self, points: Points) -> Grouping:
        """Return the groups, and the loss that no grouping is below if this partition can tell."""
        return Grouping(self.group(points), None)


# The partitions of points that a plan may name; a name alone will do: partition = "mdav".
POINT_PARTITIONS: Registry[PointPartition] = Registry("kind", short=True)
register_point_partition = POINT_PARTITIONS.register
AnyPointPartition = Annotated[PointPartition, POINT_PARTITIONS]


def centroids(rows: Floats, labels: Labels) -> tuple[Floats, Integers]:
    """Return the mean of each group, and how many rows it has."""
    sizes = np.bincount(labels)
    means = np.empty((len(sizes), rows.shape[1]), dtype=rows.dtype)
    for at, column in enumerate(rows.T):
        means[:, at] = np.bincount(labels, weights=column)
    means /= sizes[:, None]
    return means, sizes


@one_blas_thread()
def information_loss(rows: Floats, labels: Labels) -> float:
    """Return the sum of squares within groups, as a percentage of the sum of squares of all rows.

    >>> rows, labels = np.array([[0.0], [1.0], [4.0], [5.0]]), np.array([0, 0, 1, 1], dtype=np.int32)
    >>> round(information_loss(rows, labels), 3)
    5.882
    """
    sizes, whole, within = np.bincount(labels), 0.0, 0.0
    for column in rows.T:  # one at a time: all together would be several copies of the rows
        centred = column.astype(np.float64)
        centred -= centred.mean()
        whole += float(centred @ centred)
        centred -= (np.bincount(labels, weights=centred) / sizes)[labels]
        within += float(centred @ centred)
    return 100.0 * within / whole if whole > 0.0 else 0.0


def numbered(labels: Integers | Labels) -> Labels:
    """Number groups from zero without gaps.

    >>> numbered(np.array([7, 3, 7])).tolist()
    [1, 0, 1]
    """
    there = np.zeros(int(labels.max(initial=-1)) + 1, dtype=np.bool_)
    there[labels] = True
    return (np.cumsum(there, dtype=np.int32) - np.int32(1))[labels]
