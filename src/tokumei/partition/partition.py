"""What a partition works on, and what it gives: rows as places along axes, and a group for each row."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tokumei.arrays import Booleans, Labels, Places
from tokumei.table.axis import Axis
from tokumei.table.loss import mean_loss


class Constraint(Protocol):
    """Something that every group must satisfy in addition to its size, such as the diversity of a sensitive column."""

    def holds(self, labels: Labels, groups: int) -> Booleans:
        """Say for each of the groups whether it holds; rows with a negative label are in none."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows to be grouped.

    Attributes
    ----------
    rows
        One row per record, one column per axis: places along it.
    axes
        The columns' axes; what a group costs is the sum of their losses, times its rows.
    k
        How many rows a group needs at least.
    constraints
        What else every group must hold.
    """

    rows: Places
    axes: tuple[Axis, ...]
    k: int
    constraints: Sequence[Constraint] = ()


class Partition(ABC):
    """A way of putting rows into groups of at least k."""

    @abstractmethod
    def group(self, problem: Problem) -> Labels:
        """Number the groups from zero and return each row's; a row in no group (suppressed) has -1."""


def boxes(problem: Problem, labels: Labels) -> tuple[Places, Places]:
    """Return the smallest box that may stand for each group: one row per group, one column per axis."""
    groups = int(labels.max(initial=-1)) + 1
    low = np.full((groups, len(problem.axes)), np.iinfo(np.int32).max, dtype=np.int32)
    high = np.full((groups, len(problem.axes)), -1, dtype=np.int32)
    inside = labels >= 0
    for column, axis in enumerate(problem.axes):
        np.minimum.at(low[:, column], labels[inside], problem.rows[inside, column])
        np.maximum.at(high[:, column], labels[inside], problem.rows[inside, column])
        low[:, column], high[:, column] = axis.closure(low[:, column], high[:, column])
    return low, high


def loss(problem: Problem, labels: Labels) -> float:
    """Return the mean loss of a cell, 1 for each cell of a suppressed row."""
    low, high = boxes(problem, labels)
    losses = np.stack([axis.loss(low[:, c], high[:, c]) for c, axis in enumerate(problem.axes)], axis=1)
    counts = np.bincount(labels[labels >= 0], minlength=len(low))
    return mean_loss(losses, counts, int(np.count_nonzero(labels < 0)))
