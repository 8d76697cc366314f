"""The first cuts of Mondrian, made on a sample: a tree that sends every row to one of a few cells.

A cell is then cut all the way down by one task. Whatever the sample was like, groups are made of all the rows of a cell and
are counted exactly; the sample only decides where the first cuts lie.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tokumei.partition.mondrian.mondrian import Mondrian, cut_once
from tokumei.partition.partition import Problem

Whole = npt.NDArray[np.int64]

FEWEST = 50  # sampled rows on either side of a cut: fewer say too little about where it should be


@dataclass(frozen=True)
class Node:
    """A cut: rows whose place on an axis lies from ``low`` to ``high`` go to ``inside``, the others to ``outside``.

    Both are numbers of nodes; a node without an axis is a cell.
    """

    axis: int = -1
    low: int = 0
    high: int = 0
    inside: int = -1
    outside: int = -1


@dataclass(frozen=True)
class Cells:
    """A tree of cuts, the first node its root; a cell's number is that of its node."""

    nodes: tuple[Node, ...]

    def of(self, rows: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Return the cell of each row."""
        found = np.zeros(len(rows), dtype=np.int32)
        members = {0: np.arange(len(rows))}
        for number, node in enumerate(self.nodes):  # a node comes before those below it
            here = members.pop(number, None)
            if here is None:
                continue
            if node.axis < 0:
                found[here] = number
                continue
            place = rows[here, node.axis]
            inside = (place >= node.low) & (place <= node.high)
            members[node.inside], members[node.outside] = here[inside], here[~inside]
        return found

    def merged(self, counts: Whole, least: int) -> Cells:
        """Take back every cut one of whose sides has fewer than ``least`` rows, from the bottom up."""
        counts, nodes = counts.copy(), list(self.nodes)
        for number in range(len(nodes) - 1, -1, -1):
            node = nodes[number]
            if node.axis < 0:
                continue
            sides = counts[node.inside], counts[node.outside]
            counts[number] = sum(sides)
            if min(sides) < least:
                nodes[number] = Node()  # what lies below is not reached any more
        return Cells(tuple(nodes))


def cut_cells(problem: Problem, partition: Mondrian, rate: float, rows_of_cell: int) -> Cells:
    """Cut a sample of rows, each standing for ``1 / rate``, until no cell has more than so many rows of the whole."""
    least = max(FEWEST, int(np.ceil(problem.k * rate)))
    nodes: list[Node] = [Node()]
    waiting = [(0, np.arange(len(problem.rows)))]
    while waiting:
        number, members = waiting.pop(0)
        if len(members) <= rows_of_cell * rate or len(members) < 2 * least:
            continue
        cut = first_cut(replace(problem, rows=problem.rows[members], k=least), partition)
        if cut is None:
            continue
        axis, low, high = cut
        place = problem.rows[members, axis]
        inside = (place >= low) & (place <= high)
        nodes[number] = Node(axis, low, high, len(nodes), len(nodes) + 1)
        waiting += [(len(nodes), members[inside]), (len(nodes) + 1, members[~inside])]
        nodes += [Node(), Node()]
    return Cells(tuple(nodes))


def first_cut(problem: Problem, partition: Mondrian) -> tuple[int, int, int] | None:
    """Return the axis of Mondrian's first cut of some rows and the stretch that it sets apart; none if they stay whole."""
    found = cut_once(problem, gain=partition.choose == "gain")
    if found is None:
        return None
    axis, front = found
    line = problem.axes[axis]
    places = problem.rows[front, axis]
    low, high = int(places.min()), int(places.max())
    others = np.delete(problem.rows[:, axis], front)
    if int(others.min()) > high and high < line.free:  # a range: everything up to the cut, seen in the sample or not
        return axis, 0, high
    level = 0  # a label of a tree: the coarsest that has none of the others in it
    for above in range(1, line.levels):
        first, last = int(line.first[above, low]), int(line.last[above, low])
        if last < high or np.any((others >= first) & (others <= last)):
            break
        level = above
    return axis, min(low, int(line.first[level, low])), max(high, int(line.last[level, low]))
