"""Part the rows around two that are far apart, and again, then mend the small groups (Xu et al. 2006)."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

import numpy as np

from tokumei.arrays import Labels
from tokumei.partition.feasible import require_feasible
from tokumei.partition.groups import merge_failing
from tokumei.partition.lines import lines_of
from tokumei.partition.partition import Partition, Problem, register_partition
from tokumei.progress import stage
from tokumei.randomness import generator
from tokumei.values import value

ROUNDS = 6  # of looking for the row farthest from the last one found
PAIRS = 4_000_000_000  # comparisons of small with other groups up to which small groups may borrow rows


@register_partition
@value
class TopDown(Partition):
    """Part the rows around two that are far apart, and each part again while one side has k; then mend what is too small.

    Every row goes to the side whose total loss rises less. A group below k then borrows rows from one that can spare them or
    is merged with another, whichever raises the loss less (Xu, Wang, Pei, Wang, Shi and Fu, KDD 2006). With millions of
    groups small ones are merged only, with a neighbour.

    Attributes
    ----------
    random_state
        Where the search for far-apart rows starts from; the same number gives the same groups.
    """

    random_state: int = 0
    kind: Literal["top_down"] = field(default="top_down", kw_only=True, repr=False)

    def group(self, problem: Problem) -> Labels:
        """Number the groups from zero and return each row's."""
        from tokumei.partition._top_down_kernels import mend, part_down

        require_feasible(problem)
        rows, lines, rng = np.ascontiguousarray(problem.rows), lines_of(problem.axes), generator(self.random_state)
        labels = np.empty(len(rows), dtype=np.int32)
        with stage("Splitting the rows"):
            groups = part_down(lines, rows, problem.k, rng.permutation(len(rows)), ROUNDS, labels, rng)
        small = int(np.count_nonzero(np.bincount(labels) < problem.k))
        if small * groups <= PAIRS:
            with stage("Repairing small groups"):
                mend(lines, rows, problem.k, labels, groups)
        return merge_failing(problem, labels)
