"""The partition that suits a table, chosen by what can be known without its rows' values."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

import numpy as np

from tokumei.arrays import Labels
from tokumei.partition.arrangement import Arrangement, apart
from tokumei.partition.feasible import require_feasible
from tokumei.partition.local_recoding.boxes import ladder
from tokumei.partition.local_recoding.lattice import Lattice
from tokumei.partition.mondrian import Mondrian
from tokumei.partition.nearest import NearestGroups
from tokumei.partition.partition import Partition, Problem, loss, register_partition, standing
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import PartitionFrom
from tokumei.table.coded import CodedTable
from tokumei.values import described, value

MANY_ROWS = 1_000_000
COMBINATIONS = 30_000  # of levels, one for each axis
CUTS = Mondrian(strict=False, choose="gain")
COMPARISONS = 20_000_000_000  # cells that NearestGroups may compare: some minutes


@register_partition
@value
class Automatic(Partition):
    """Choose by the size of the table: boxes of the lattice, nearest groups, or cuts.

    Few columns (at most 30,000 combinations of their levels): `Lattice`. More: `NearestGroups`. Over a million rows, or
    where either would take long: `Mondrian` by gain. Only the numbers of rows, columns and levels, and k, decide; `chosen` says what
    it is. Where groups must hold more than k, `Mondrian` by gain is tried beside it, since it never makes a group that would have to be
    merged, and what loses less is taken; where a constraint counts on boxes that do not overlap, so are strict cuts.

    Examples
    --------
    >>> from tokumei import Attribute, Numbers
    >>> from tokumei.table.axis import axis_of
    >>> age = axis_of(Attribute("age", domain=Numbers(20, 60, step=1)))
    >>> Automatic().chosen(Problem(np.zeros((50, 1), dtype=np.int32), (age,), k=5))
    Lattice(effort='default', random_state=0)
    """

    kind: Literal["automatic"] = field(default="automatic", kw_only=True, repr=False)

    def chosen(self, problem: Problem) -> Lattice | NearestGroups | Mondrian:
        """Return the partition that is used for this problem."""
        rows, axes = problem.rows.shape
        if rows <= MANY_ROWS:
            if np.prod([float(len(ladder(axis)[0])) for axis in problem.axes]) <= COMBINATIONS:
                return Lattice(effort="default" if rows <= MANY_ROWS // 10 else "fast")
            if rows * max(1000, 20 * problem.k) * axes <= COMPARISONS:
                return NearestGroups()
        return CUTS

    def candidates(self, problem: Problem) -> list[Lattice | NearestGroups | Mondrian]:
        """Return the partitions to try."""
        chosen = self.chosen(problem)
        if apart(problem):
            return [chosen, CUTS, Mondrian(choose="gain")] if chosen != CUTS else [CUTS, Mondrian(choose="gain")]
        return [chosen, CUTS] if problem.constraints and chosen != CUTS else [chosen]

    def cuts(self) -> Mondrian:
        """Return cuts by gain, which can be made of any number of rows."""
        return Mondrian(choose="gain")

    def group(self, problem: Problem) -> Labels:
        """Number the groups from zero and return each row's."""
        require_feasible(problem)
        return min((each.group(problem) for each in self.candidates(problem)), key=lambda labels: loss(problem, labels))

    def arrange(self, table: CodedTable, problem: Problem, limit: int) -> Arrangement:
        """Group the rows by every candidate, take what loses least, and say which it was."""
        made = [(each, standing(problem, each.group(problem))) for each in self.candidates(problem)]
        losses = [loss(problem, labels) for _, labels in made]
        best, labels = made[losses.index(min(losses))]
        why = PartitionFrom(how="tried" if len(made) > 1 else "sizes")
        return best.arranged(table, problem, labels, Fact("partition", described(best), why))
