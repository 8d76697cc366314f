"""The partition that suits a table, chosen by what can be known without its rows' values."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

import numpy as np

from tokumei.partition.feasible import require_feasible
from tokumei.partition.lattice.boxes import ladder
from tokumei.partition.lattice.lattice import Lattice
from tokumei.partition.mondrian.mondrian import Mondrian
from tokumei.partition.nearest.nearest import NearestGroups
from tokumei.partition.partition import Labels, Partition, Problem
from tokumei.values import value

MANY_ROWS = 1_000_000
COMBINATIONS = 30_000  # of levels, one for each axis
COMPARISONS = 20_000_000_000  # cells that NearestGroups may compare: some minutes


@value
class Automatic(Partition):
    """Choose by the size of the table: boxes of the lattice, nearest groups, or cuts.

    Few columns (at most 30,000 combinations of their levels): `Lattice`. More: `NearestGroups`. Over a million rows, or
    where either would take long: `Mondrian` by gain. Only the numbers of rows, columns and levels, and k, decide, so the choice
    tells nothing about anybody; `chosen` says what it is.

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
        return Mondrian(strict=False, choose="gain")

    def group(self, problem: Problem) -> Labels:
        """Number the groups from zero and return each row's."""
        require_feasible(problem)
        return self.chosen(problem).group(problem)
