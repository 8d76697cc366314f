"""Groups of k rows that are nearest to each other, the cheapest group first: for tables with many columns."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

import numpy as np

from tokumei.arrays import Labels
from tokumei.partition.feasible import require_feasible
from tokumei.partition.groups import merge_failing, place_rest
from tokumei.partition.lines import lines_of
from tokumei.partition.mondrian import Mondrian
from tokumei.partition.partition import Partition, Problem, register_partition
from tokumei.progress import stage
from tokumei.table.classes import class_of
from tokumei.values import value

CELL = 1000  # rows of a cell at least (or 20 k): only rows of one cell are compared
LIST = 24  # neighbours that each row remembers (or 4 k)


@register_partition
@value
class NearestGroups(Partition):
    """Take the cheapest group of k rows there is around any row, and again, until fewer than k are left.

    With many columns hardly any box of the lattice holds k rows, and cutting loses much on the columns not cut; here a
    group is what lies close in all columns together. Rows with k or more copies are groups of their own. The others are
    compared within cells of some thousand rows, which are cut so as to save most loss, so time grows with
    rows × cell × columns.
    """

    kind: Literal["nearest_groups"] = field(default="nearest_groups", kw_only=True, repr=False)

    def group(self, problem: Problem) -> Labels:
        """Number the groups from zero and return each row's."""
        from tokumei.partition._nearest_kernels import group_cell

        require_feasible(problem)
        rows, k = np.ascontiguousarray(problem.rows), problem.k
        labels, groups = _copies(problem)
        neighbours = max(LIST, 4 * k)
        lists = np.empty((len(rows), neighbours), dtype=np.int32)
        listed, used = np.zeros(len(rows), dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
        lines, stamp = lines_of(problem.axes), 0
        with stage("Grouping the nearest rows", len(rows)) as shown:
            for cell in _cells(problem, np.flatnonzero(labels < 0)):
                groups, stamp = group_cell(lines, rows, k, cell, lists, listed, used, labels, groups, stamp)
                shown.advance(len(cell))
        if groups == 0:
            return np.zeros(len(rows), dtype=np.int32)
        return merge_failing(problem, place_rest(problem, labels))


def _copies(problem: Problem) -> tuple[Labels, int]:
    """Make a group of every row that has at least k copies; return the labels, -1 for the others, and how many groups."""
    classes = class_of(list(problem.rows.T), len(problem.rows))
    many = np.bincount(classes) >= problem.k
    number = np.where(many, np.cumsum(many) - 1, -1).astype(np.int32)
    return number[classes], int(many.sum())


def _cells(problem: Problem, rows: Any) -> list[Any]:
    """Cut rows into cells of some thousand that lie together."""
    target = max(CELL, 20 * problem.k)
    if len(rows) < 2 * target:
        return [rows] if len(rows) else []
    part = Problem(problem.rows[rows], problem.axes, target)
    labels = Mondrian(strict=False, choose="gain").group(part)
    order = np.lexsort((*part.rows.T, labels))
    cells = []
    for cell in np.split(rows[order], np.cumsum(np.bincount(labels))[:-1]):
        cells += np.array_split(cell, max(1, len(cell) // (4 * target)))
    return cells
