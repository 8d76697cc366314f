"""A partition: rows into groups, each of which is released as one class."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated

import numpy as np

from tokumei.arrays import AnyIntegers, Labels, Places
from tokumei.mechanism.recoding import Scheme as Overlap
from tokumei.memory import hand_back
from tokumei.partition.arrangement import Arrangement, Arranging, Constraint, Problem, apart, holding
from tokumei.partition.notes import GroupedBy
from tokumei.registry import Registry
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import LabelsFrom
from tokumei.table.boxes import enclosing
from tokumei.table.coded import CodedTable
from tokumei.table.loss import mean_loss
from tokumei.table.overlap import disjoint

GROUPS = Fact("groups", None, LabelsFrom(how="groups"))

__all__ = [
    "GROUPS",
    "PARTITIONS",
    "AnyPartition",
    "Constraint",
    "Partition",
    "Problem",
    "boxes",
    "loss",
    "register_partition",
    "standing",
]


class Partition(Arranging):
    """A way of putting rows into groups of at least k."""

    @abstractmethod
    def group(self, problem: Problem) -> Labels:
        """Number the groups from zero and return each row's; a row in no group (suppressed) has -1."""

    def chosen(self, problem: Problem) -> Partition:
        """Return the partition that groups these rows: itself, unless it is one that picks another."""
        return self

    def arrange(self, table: CodedTable, problem: Problem, limit: int) -> Arrangement:
        """Group the rows, and give each group the labels of its box."""
        return self.arranged(table, problem, standing(problem, self.group(problem)))

    def arranged(self, table: CodedTable, problem: Problem, labels: Labels, *facts: Fact) -> Arrangement:
        """Return what becomes of rows that this partition has put into groups."""
        hand_back(problem.rows.size)  # what grouping freed
        found = boxes(problem, labels)
        lost, gone = loss(problem, labels, found), int(np.count_nonzero(labels < 0))
        note = GroupedBy(partition=type(self).__name__, loss=lost, suppressed=gone, rows=table.rows)
        return Arrangement(table, problem, labels, *stretches(problem, labels, found), lost, (GROUPS, *facts), note)


# The partitions that a plan may name; a name alone will do: partition = "mondrian".
PARTITIONS: Registry[Partition] = Registry("kind", short=True)
register_partition = PARTITIONS.register
AnyPartition = Annotated[Partition, PARTITIONS]


def standing(problem: Problem, labels: Labels) -> Labels:
    """Return the groups that may stand: merged where their boxes overlap too much, else those that hold every constraint."""
    from tokumei.partition.groups import merge_failing

    if apart(problem) and labels.min() >= 0:
        labels = merge_failing(problem, labels)
    return holding(problem, labels)


def boxes(problem: Problem, labels: Labels) -> tuple[Places, Places]:
    """Return the smallest box that may stand for each group: one row per group, one column per axis."""
    return enclosing(problem.axes, problem.rows, labels, int(labels.max(initial=-1)) + 1)


def stretches(
    problem: Problem, labels: Labels, found: tuple[Places, Places] | None = None
) -> tuple[AnyIntegers, AnyIntegers, Overlap]:
    """Return from where to where the cells of each row reach, and whether the boxes of groups, which may have been ``found`` before, overlap."""
    if not np.any(labels >= 0):
        return problem.rows, problem.rows, "disjoint"
    low, high = boxes(problem, labels) if found is None else found
    overlap: Overlap = "disjoint" if disjoint(low, high) else "overlapping"
    group = np.maximum(labels, 0)  # rows without a group get some label that nobody sees
    narrow = np.min_scalar_type(max((axis.size for axis in problem.axes), default=1))
    return low.astype(narrow)[group], high.astype(narrow)[group], overlap


def loss(problem: Problem, labels: Labels, found: tuple[Places, Places] | None = None) -> float:
    """Return the mean loss of a cell, 1 for each cell of a suppressed row; the boxes of the groups may have been ``found`` before."""
    low, high = boxes(problem, labels) if found is None else found
    losses = np.stack([axis.loss(low[:, c], high[:, c]) for c, axis in enumerate(problem.axes)], axis=1)
    counts = np.bincount(labels[labels >= 0], minlength=len(low))
    return mean_loss(losses, counts, int(np.count_nonzero(labels < 0)))
