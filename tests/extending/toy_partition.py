"""A partition of somebody else's package: rows sorted along the first axis, k by k."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

import numpy as np

from tokumei.arrays import Labels
from tokumei.partition.feasible import require_feasible
from tokumei.partition.groups import merge_failing
from tokumei.partition.partition import Partition, Problem, register_partition
from tokumei.values import value


@register_partition
@value
class ToySlices(Partition):
    """Sort the rows along the axes, and cut the line into slices of k rows."""

    wide: int = 1
    kind: Literal["toy_slices"] = field(default="toy_slices", kw_only=True, repr=False)

    def group(self, problem: Problem) -> Labels:
        require_feasible(problem)
        order = np.lexsort(problem.rows.T[::-1])
        size = self.wide * problem.k
        labels = np.empty(len(order), dtype=np.int32)
        labels[order] = np.minimum(np.arange(len(order)) // size, max(0, len(order) // size - 1))
        return merge_failing(problem, labels)
