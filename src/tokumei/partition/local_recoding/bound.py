"""How little any partition could lose: a lower bound by Lagrangian prices.

Give every row a price. If each box could take the rows that pay best, even if other boxes take them too, and only where they pay
for it together, what is left of the prices when all boxes have taken theirs is no more than what any partition costs. The
prices are moved, step by step, to where the bound is high.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.partition.feasible import require_feasible
from tokumei.partition.local_recoding.boxes import Ladders, ladders_of, list_boxes
from tokumei.partition.local_recoding.greedy import open_cheapest
from tokumei.partition.partition import Problem
from tokumei.progress import stage
from tokumei.randomness import generator

ROOM = 40_000_000  # rows in all boxes that the prices are checked against
PATIENCE = 8  # steps without a better bound, after which the steps get shorter


@stage("Bounding the loss from below")
def lattice_bound(problem: Problem, max_iter: int = 150) -> float:
    """Return a loss that no partition of the problem, however found, can go below.

    Every axis must be a tree (`Axis.free` 0), because only then are the boxes of the lattice all there are. Constraints
    can only raise the loss, so the bound holds with them too.
    """
    require_feasible(problem)
    for axis in problem.axes:
        if axis.free:
            raise InvalidParameter(
                "the bound needs a hierarchy for every column, and {column!r} may take any range; give it one.",
                column=axis.name,
            )
    ladders = ladders_of(problem)
    cap, (entries, starts, cost, _) = _listed(ladders, problem.k)
    target = _greedy_cost(ladders, problem.k)
    lowest = _cheapest_box(entries, starts, cost, len(ladders.weight), cap)
    return _climb(ladders, problem.k, entries, starts, cost, lowest, cap, target, max_iter) / problem.rows.size


def _listed(ladders: Ladders, k: int) -> tuple[float, tuple[Any, Any, Any, Any]]:
    """List all boxes up to a cost, as high as there is room for. No row's price may exceed that cost.

    A dearer box then takes only rows that pay less than it costs, so it never opens and need not be listed.
    """
    low, cap, found = 0.0, ladders.dearest, None
    for _ in range(7):
        listed = list_boxes(ladders, k, np.full(len(ladders.weight), cap + 1e-9), room=ROOM)
        if listed is None:
            high = cap
        else:
            low, found = cap, listed
            if cap >= ladders.dearest:
                break
        cap = (low + high) / 2
    if found is None:
        raise InvalidParameter("the bound needs a list of boxes, and there are too many with this many columns.")
    return low, found


def _greedy_cost(ladders: Ladders, k: int) -> float:
    """What the greedy choice costs: what the bound is aimed at."""
    _, cost = open_cheapest(ladders, k, generator(0))
    return cost


def _cheapest_box(entries: Any, starts: Any, cost: Any, rows: int, cap: float) -> Any:
    """What each row costs in the cheapest box that holds it: a price that is never too high."""
    lowest = np.full(rows, cap)
    np.minimum.at(lowest, entries, np.repeat(cost, np.diff(starts)))
    return lowest


def _climb(
    ladders: Ladders,
    k: int,
    entries: Any,
    starts: Any,
    cost: Any,
    lowest: Any,
    cap: float,
    target: float,
    steps: int,
) -> float:
    """Raise the price of rows that too few boxes take and lower that of rows that too many take; return the best bound."""
    from tokumei.partition.local_recoding._kernels import dual

    weight = ladders.weight.astype(np.float64)
    price, best_price = lowest.copy(), lowest.copy()
    best, length, waited = float((lowest * weight).sum()), 1.0, 0
    use, direction = np.empty(len(weight)), np.zeros(len(weight))
    with stage("Bounding the loss from below", steps) as shown:
        for _ in range(steps):
            value = dual(entries, starts, cost, ladders.weight, k, price, use)
            waited = 0 if value > best * 1.00005 else waited + 1
            if value > best:
                best, best_price = value, price.copy()
            if waited >= PATIENCE:
                length, waited, price = 0.7 * length, 0, best_price.copy()
            direction = 0.6 * direction + 0.4 * (weight - use)
            slope = float((direction**2 / weight).sum())
            if slope <= 1e-9:
                break
            price = np.clip(price + length * (target - value) / slope * direction / weight, lowest, cap)
            shown.advance()
    return best
