"""The first cuts of Mondrian, made on a sample: a tree that sends every row to one of a few cells.

A cell is then cut all the way down by one task. Whatever the sample was like, groups are made of all the rows of a cell and
are counted exactly; the sample only decides where the first cuts lie.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.arrays import Integers
from tokumei.partition.lines import lines_of
from tokumei.partition.mondrian import Mondrian
from tokumei.partition.mondrian_tree import CutTree
from tokumei.partition.partition import Problem
from tokumei.table.axis import Axis

FEWEST = 50  # sampled rows on either side of a cut: fewer say too little about where it should be


def cut_cells(problem: Problem, partition: Mondrian, rate: float, rows_of_cell: int) -> CutTree:
    """Cut a sample of rows, each standing for ``1 / rate``, until no cell has more than this many rows of the whole."""
    from tokumei.partition._mondrian_kernels import cut_by_counts

    least = max(FEWEST, int(np.ceil(problem.k * rate)))
    axes, lines = problem.axes, lines_of(problem.axes)
    begin = np.cumsum([0, *(axis.size for axis in axes)])[:-1]
    tree = CutTree.whole()
    waiting: list[tuple[int, Any]] = [(0, problem.rows)]
    while waiting:
        leaf, rows = waiting.pop(0)
        if len(rows) <= rows_of_cell * rate:
            continue
        counts = [np.bincount(rows[:, place], minlength=axis.size) for place, axis in enumerate(axes)]
        cut = np.empty(5, dtype=np.int64)
        found = cut_by_counts(lines, begin, np.concatenate(counts), least, partition.choose == "gain", cut)
        if found < 0:
            continue
        low, high = widened(axes[found], counts[found], int(cut[0]), int(cut[1]))
        tree = tree.cut(leaf, found, low, high)
        inside = (rows[:, found] >= low) & (rows[:, found] <= high)
        waiting += [(len(tree) - 2, rows[inside]), (len(tree) - 1, rows[~inside])]
    return tree


def widened(line: Axis, counts: Integers, low: int, high: int) -> tuple[int, int]:
    """Widen the stretch of a cut over values that the sample lacks: in a range all below, in a tree the coarsest label."""
    there = np.flatnonzero(counts)
    others = there[(there < low) | (there > high)]
    if int(others.min()) > high and high < line.free:
        return 0, high
    level = 0
    for above in range(1, line.levels):
        first, last = int(line.first[above, low]), int(line.last[above, low])
        if last < high or np.any((others >= first) & (others <= last)):
            break
        level = above
    return min(low, int(line.first[level, low])), max(high, int(line.last[level, low]))
