"""Groups to choose from, and the choice of the best grouping among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import scipy.sparse
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from tokumei.arrays import Booleans, Floats, Integers, Labels


class Columns:
    """Groups of k to 2k - 1 rows, each once, with what each costs: its sum of squares."""

    def __init__(self, rows: Floats, k: int) -> None:
        self.rows, self.k = rows, k
        self.members = np.empty((0, 2 * k - 1), dtype=np.int64)
        self.costs = np.empty(0)

    def add(self, groups: Iterable[Integers]) -> int:
        """Take in groups, given as rows of arrays, one array a size; return how many are new."""
        before = len(self.costs)
        wide = [np.pad(each, ((0, 0), (0, 2 * self.k - 1 - each.shape[1])), constant_values=-1) for each in groups]
        given = np.unique(np.concatenate([self.members, *wide]), axis=0, return_index=True)[1]
        fresh = np.concatenate([self.members, *wide])[np.sort(given)][before:]
        self.members = np.concatenate([self.members, fresh])
        self.costs = np.concatenate([self.costs, self._squares(fresh)])
        return len(fresh)

    def keep(self, chosen: Booleans) -> None:
        """Forget all groups but the chosen ones."""
        self.members, self.costs = self.members[chosen], self.costs[chosen]

    def dearer_than(self, prices: Floats) -> Floats:
        """Return by how much each group costs more than its rows' prices less the fee."""
        worth = np.append(prices[:-1], 0.0)[self.members].sum(axis=1)
        less: Floats = self.costs - worth + prices[-1]
        return less

    def relaxed(self) -> tuple[float, Floats] | None:
        """Choose shares of at most n // k groups that cover each row once at the least cost; return it and the prices.

        Prices are what each row is worth and, last, the fee that a group more would save. None where the solver gave up.
        """
        count = len(self.rows)
        found = linprog(
            self.costs,
            A_eq=self._cover(),
            b_eq=np.ones(count),
            A_ub=scipy.sparse.csc_array(np.ones((1, len(self.costs)))),
            b_ub=[count // self.k],
            bounds=(0, None),
            method="highs",
        )
        if not found.success:
            return None
        fee = max(0.0, -float(found.ineqlin.marginals[0]))
        return float(found.fun), np.append(found.eqlin.marginals, fee)

    def chosen(self, nodes: int, seconds: float) -> Integers | None:
        """Choose whole groups that cover each row once at nearly the least cost; None where the solver found none."""
        found = milp(
            self.costs,
            constraints=LinearConstraint(self._cover(), 1, 1),
            integrality=np.ones(len(self.costs)),
            bounds=Bounds(0, 1),
            options={"node_limit": nodes, "time_limit": seconds, "mip_rel_gap": 1e-4},
        )
        if found.x is None:
            return None
        groups = np.flatnonzero(found.x > 0.5)
        covered = np.bincount(self.members[groups].reshape(-1) + 1, minlength=len(self.rows) + 1)[1:]
        return groups if (covered == 1).all() else None

    def labels(self, chosen: Integers) -> Labels:
        """Number chosen groups, which cover each row once."""
        made = np.empty(len(self.rows) + 1, dtype=np.int32)  # one place more, for the gaps of short groups
        made[self.members[chosen]] = np.arange(len(chosen), dtype=np.int32)[:, None]
        return made[:-1]

    def _cover(self) -> scipy.sparse.csc_array:
        there = self.members >= 0
        starts = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
        rows = self.members[there]
        return scipy.sparse.csc_array((np.ones(len(rows)), rows, starts), shape=(len(self.rows), len(self.costs)))

    def _squares(self, members: Integers) -> Floats:
        costs = np.empty(len(members))
        sizes = (members >= 0).sum(axis=1)
        for size in np.unique(sizes):
            inside = self.rows[members[sizes == size, :size]]
            costs[sizes == size] = np.square(inside - inside.mean(axis=1, keepdims=True)).sum(axis=(1, 2))
        return costs


def groups_of(labels: Labels, k: int) -> Iterator[Integers]:
    """Return the groups of k to 2k - 1 rows as arrays of rows, one array a size."""
    sizes = np.bincount(labels)
    order = np.argsort(labels, kind="stable")
    of_row = sizes[labels[order]]
    for size in range(k, 2 * k):
        yield order[of_row == size].reshape(-1, size)
