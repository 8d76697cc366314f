"""Whether a problem has any answer: if the whole table as one group will not do, nothing will."""

from __future__ import annotations

import numpy as np

from tokumei.arrays import Booleans, Labels
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.partition.partition import Problem


def require_feasible(problem: Problem) -> None:
    """Raise unless the whole table, as one group, is large enough and holds every constraint."""
    if problem.k < 1:
        raise InvalidParameter("k must be a whole number of at least 1. Got {k}.", k=problem.k)
    if not problem.axes:
        raise InvalidParameter("a partition needs at least one column to group by.")
    rows = len(problem.rows)
    if rows < problem.k:
        raise InfeasiblePromise("the table has {rows:row|rows}, too few for one group of {k}.", rows=rows, k=problem.k)
    if not holds(problem, np.zeros(rows, dtype=np.int32), 1).all():
        raise InfeasiblePromise("even the whole table as one group does not satisfy every constraint; ask for less.")


def holds(problem: Problem, labels: Labels, groups: int) -> Booleans:
    """Say for each group whether it holds every constraint, its size aside."""
    good = np.ones(groups, dtype=np.bool_)
    for constraint in problem.constraints:
        good &= constraint.holds(labels, groups)
    return good


def check_min_size(size: int | None) -> None:
    """Refuse a smallest group that cannot be."""
    if size is not None and size < 1:
        raise InvalidParameter("min_size must be a whole number of at least 1. Got {size}.", size=size)


def least_size(problem: Problem, size: int | None) -> int:
    """Return how many rows a group must have: k, or ``size`` if that is more, or all rows there are."""
    return max(problem.k, min(size or 0, len(problem.rows)))
