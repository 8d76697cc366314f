"""The best full-domain recoding for one k, without looking at most of the nodes."""

from __future__ import annotations

import math
from dataclasses import field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tokumei.arrays import Integers
from tokumei.errors import InfeasiblePromise
from tokumei.partition.full_domain import _kernels
from tokumei.partition.full_domain.nodes import Nodes
from tokumei.partition.full_domain.recoding import Found, FullDomain
from tokumei.partition.partition import Constraint, Problem
from tokumei.partition.scheme import register_scheme
from tokumei.progress import Stage, stage
from tokumei.values import value

OPEN, GOOD, BAD = 0, 1, 2
MOST_KEPT = 500  # nodes whose classes are kept
KEPT_ROWS = 16  # times the distinct rows: how many classes are kept in all
FEW = 500  # classes that are joined at once, without keeping anything on the way
SLACK = 1e-12  # wider than the rounding of a sum of losses


@register_scheme
@value
class Optimal(FullDomain):
    """One level of its hierarchy for each column, chosen so that the whole table loses least.

    The search is exact. A node's loss before suppression is a sum over the columns, and bounds its loss from below;
    where more rows than allowed lie in classes below k, the same holds at all finer nodes. So most nodes are ruled out
    by another one, and the classes of the rest are joined from those of finer nodes.

    Examples
    --------
    >>> import tokumei as tk
    >>> method = tk.Generalization(k=5, partition=tk.partitions.Optimal(), suppression_limit=0.05)
    """

    kind: Literal["optimal"] = field(default="optimal", kw_only=True, repr=False)

    def search(self, problem: Problem, limit: int) -> Found:
        """Find the best node with ``limit`` rows suppressed at most."""
        nodes = Nodes(problem)
        nodes.check()
        with stage("Searching for the best levels (loops are compiled on the first run)") as shown:
            return _Search(nodes, limit).run(shown)


class _Search:
    """The state of one search."""

    def __init__(self, nodes: Nodes, limit: int) -> None:
        self.nodes, self.limit, self.k = nodes, limit, nodes.problem.k
        self.rows, self.columns = nodes.problem.rows.shape
        self.state: npt.NDArray[np.int8] = np.zeros(nodes.shape, dtype=np.int8)
        self.bound = nodes.least - SLACK
        self.best, self.best_levels, self.checked = math.inf, nodes.heights - 1, 0
        keys, counts, _ = nodes.packed
        self.slots = np.empty(max(16, 1 << (2 * len(keys)).bit_length()), dtype=np.int32)
        self.keys, self.counts, self.came_from = np.empty_like(keys), np.empty_like(counts), np.empty_like(counts)
        self.sources: list[tuple[Any, Any]] = []  # classes that were kept
        self.where = np.zeros((MOST_KEPT, self.columns), dtype=np.int64)  # at which node
        self.sizes = np.zeros(MOST_KEPT, dtype=np.int64)
        self.kept = 0
        self._keep(np.zeros(self.columns, dtype=np.int64), keys, counts)
        self.by_effect = self._effects()
        self.lasting = all(_lasts(constraint, limit) for constraint in nodes.problem.constraints)

    def run(self, shown: Stage) -> Found:
        """Find a first solution, then look at every node that neither a bound nor a worse node has ruled out."""
        self._walk_down()
        # Coarse nodes come first: a bad one rules out all those below it.
        order = np.argsort(-self.nodes.least, axis=None, kind="stable")
        place = 0
        while True:
            place = _kernels.next_open(order, place, self.state.ravel(), self.bound.ravel(), self.best)
            if place == order.size:
                break
            self._judge(np.array(np.unravel_index(order[place], self.nodes.shape), dtype=np.int64))
            shown.advance()
        if math.isinf(self.best):
            raise InfeasiblePromise(
                "No combination of levels satisfies what is asked, not even the coarsest; allow more "
                "suppression, ask for less, or give the hierarchies a level that covers everything."
            )
        labels = self.nodes.labels(self.best_levels)
        return Found(tuple(int(level) for level in self.best_levels), labels, self.best, self.checked)

    def _walk_down(self) -> None:
        """Go from the coarsest node to a finer good one as long as there is one, the least bound first."""
        here = self.nodes.heights - 1
        self._judge(here)
        while self.state[tuple(here)] == GOOD:
            finer = [here - step for step in np.eye(self.columns, dtype=np.int64)]
            finer = [node for node in finer if node.min() >= 0 and self.state[tuple(node)] == OPEN]
            for node in sorted(finer, key=lambda levels: float(self.bound[tuple(levels)])):
                self._judge(node)
                if self.state[tuple(node)] == GOOD:
                    here = node
                    break
            else:
                return

    def _judge(self, levels: Integers) -> None:
        """Count the classes of a node, and note whether it is good, and what that says of finer nodes."""
        found = self._classes(levels)
        self.checked += 1
        finer = tuple(slice(0, level + 1) for level in levels)
        if _kernels.rows_below(self.counts, found, self.k) > self.limit:
            self.state[finer] = BAD
            return
        if self.nodes.problem.constraints:
            labels = self.nodes.labels(levels)
            if np.count_nonzero(labels < 0) > self.limit:
                self.state[finer if self.lasting else tuple(levels)] = BAD
                return
            mean = self.nodes.mean_loss(levels, labels)
        else:
            good = self.counts[:found] >= self.k
            loss = self.nodes.loss
            total = _kernels.loss_of(self.keys, self.counts, good, found, levels, loss, *self.nodes.packing)
            mean = total / (self.rows * self.columns)
        self.state[tuple(levels)] = GOOD
        if mean < self.best:
            self.best, self.best_levels = mean, levels
        if not self.nodes.problem.constraints:
            # What is suppressed here is suppressed at every finer node, and costs at least as much more there.
            more = mean - self.nodes.least[tuple(levels)] - SLACK
            self.bound[finer] = np.maximum(self.bound[finer], self.nodes.least[finer] + more)

    def _classes(self, levels: Integers) -> int:
        """Join the classes of a node from the fewest that a finer node has, one column at a time as long as they are many.

        What is made on the way is kept: other nodes with the same levels in those columns begin there.
        """
        known = len(self.sources)
        below = np.all(self.where[:known] <= levels, axis=1)
        source = int(np.argmin(np.where(below, self.sizes[:known], np.iinfo(np.int64).max)))
        while True:
            keys, counts = self.sources[source]
            changed = self.by_effect[self.where[source][self.by_effect] < levels[self.by_effect]]
            room = len(self.sources) < MOST_KEPT and self.kept < KEPT_ROWS * len(self.sources[0][0])
            if len(keys) < FEW or len(changed) < 2 or not room:
                return self._join(keys, counts, changed, levels)
            found = self._join(keys, counts, changed[:1], levels)
            at = self.where[source].copy()
            at[changed[0]] = levels[changed[0]]
            source = self._keep(at, self.keys[:found].copy(), self.counts[:found].copy())

    def _join(self, keys: Any, counts: Any, changed: Integers, levels: Integers) -> int:
        found: int = _kernels.roll_up(
            keys,
            counts,
            changed,
            levels,
            self.nodes.first,
            *self.nodes.packing,
            self.slots,
            self.keys,
            self.counts,
            self.came_from,
        )
        return found

    def _keep(self, levels: Integers, keys: Any, counts: Any) -> int:
        place = len(self.sources)
        self.where[place], self.sizes[place] = levels, len(keys)
        self.sources.append((keys, counts))
        self.kept += len(keys)
        return place

    def _effects(self) -> Integers:
        """Order the columns by how few classes are left when only they are at their coarsest."""
        keys, counts = self.sources[0]
        coarsest = self.nodes.heights - 1
        left = [self._join(keys, counts, np.array([column]), coarsest) for column in range(self.columns)]
        return np.argsort(left, kind="stable")


def _lasts(constraint: Constraint, limit: int) -> bool:
    """Whether a node that misses a constraint rules out all finer ones.

    A constraint may say so in ``lasting``: ``"always"`` if a group that holds it does so with any rows added,
    ``"together"`` if two groups that hold it do so as one. The latter is enough only if no row may be suppressed.
    """
    lasting = getattr(constraint, "lasting", "unknown")
    return lasting == "always" or (lasting == "together" and limit == 0)
