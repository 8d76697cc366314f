"""What a partition or a scheme decides about rows: which are a class, and how far their cells reach."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from tokumei.arrays import AnyIntegers, Booleans, Labels, Places
from tokumei.errors import TokumeiWarning
from tokumei.mechanism.recoding import Scheme as Overlap
from tokumei.privacy.assumptions import Assumption
from tokumei.release.disclosure import Fact
from tokumei.table.axis import Axis
from tokumei.table.coded import CodedTable
from tokumei.words import Statement

if TYPE_CHECKING:
    from tokumei.partition.mondrian import Mondrian

Stretch = tuple[int, int]


class Constraint(Protocol):
    """Something that every group must satisfy in addition to its size, such as the diversity of a sensitive column."""

    def holds(self, labels: Labels, groups: int) -> Booleans:
        """Say for each of the groups whether it holds; rows with a negative label are in none."""


@runtime_checkable
class Boxed(Constraint, Protocol):
    """A constraint that is about what stands for a group, not only about its rows."""

    def holds_within(self, labels: Labels, low: Places, high: Places) -> Booleans:
        """Say for each of the groups whether it holds in its box; there will be no other groups."""

    def told(self, table: CodedTable) -> Constraint:
        """Return the same for a table whose columns are told in other codes."""


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
    sets
        The names of the axes on which the labels that occur in a group will stand for it, not a stretch; a partition may count
        them.
    """

    rows: Places
    axes: tuple[Axis, ...]
    k: int
    constraints: Sequence[Constraint] = ()
    sets: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Rows arranged in classes.

    Attributes
    ----------
    table, problem
        The rows, as their cells are to be told, and their places.
    labels
        The class of each row; -1 for a row that has none, and is suppressed.
    low, high
        From where to where the cells of each row reach: one row a record, one column an axis.
    overlap
        Whether the same value has the same label everywhere (``"global"``), and if not, whether classes overlap.
    loss
        The mean loss of a cell, 1 for each cell of a suppressed row.
    facts, note
        What it took from the rows, and what the holder is told.
    levels
        The level of each column, where every cell has the label of its column's level.
    named
        The names of stretches, where somebody else has named them.
    chosen, assumes
        What is said of how classes were chosen, by default that it was by looking at the rows; and what is assumed beside.
    why, warning
        What to say of rows without a class, if they are too many; and what the holder is warned of.
    """

    table: CodedTable
    problem: Problem
    labels: Labels
    low: AnyIntegers
    high: AnyIntegers
    overlap: Overlap
    loss: float
    facts: tuple[Fact, ...]
    note: Statement
    levels: tuple[int, ...] | None = None
    named: Mapping[str, Mapping[Stretch, str | None]] | None = None
    chosen: Assumption | None = None
    assumes: tuple[Assumption, ...] = ()
    why: str = ""
    warning: tuple[str, type[TokumeiWarning]] | None = None


class Arranging(ABC):
    """A way of making rows alike: a `Partition`, which groups rows, or a `Scheme`, which gives labels to values."""

    @abstractmethod
    def arrange(self, table: CodedTable, problem: Problem, limit: int) -> Arrangement:
        """Say which rows are a class and how far their cells reach; a scheme may suppress ``limit`` rows at most."""

    def cuts(self) -> Mondrian | None:
        """Return the cuts that group the rows where they do not fit into memory; none where they have to."""
        return None


def apart(problem: Problem) -> bool:
    """Whether something counts on the boxes of groups not overlapping, or only little."""
    return any(getattr(each, "apart", False) for each in problem.constraints)


def judged(constraint: Constraint, labels: Labels, low: Places, high: Places) -> Booleans:
    """Say for each group of a scheme whether it holds a constraint; ``low`` and ``high`` say of each row how far its cells reach."""
    groups = int(labels.max(initial=-1)) + 1
    if not isinstance(constraint, Boxed):
        return constraint.holds(labels, groups)
    example = np.empty(groups, dtype=np.int64)
    inside = np.flatnonzero(labels >= 0)
    example[labels[inside]] = inside
    return constraint.holds_within(labels, low[example], high[example])


def holding(problem: Problem, labels: Labels, reach: tuple[Places, Places] | None = None) -> Labels:
    """Suppress the groups that do not hold every constraint, for partitions that do not look at constraints themselves.

    ``reach`` says how far the cells of each row reach, where that does not follow from the groups.
    """
    for each in problem.constraints:
        groups = int(labels.max(initial=-1)) + 1
        holds = each.holds(labels, groups) if reach is None else judged(each, labels, *reach)
        holds = np.append(holds, False)  # the last is for suppressed rows
        labels = np.where(holds[labels], labels, -1).astype(np.int32)
        kept, numbers = np.unique(labels, return_inverse=True)
        labels = (numbers.reshape(-1) - int(kept[0] < 0)).astype(np.int32)
    return labels
