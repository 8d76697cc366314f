"""Open the cheapest box that still holds k rows, and again, until no row is left."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.partition.local_recoding.boxes import Ladders, list_boxes

STAGES = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)  # cost of a row up to which boxes are listed at a time
LAST = 20  # this many times k rows come last, when little is left to choose from ...
TRIALS = 8  # ... for which several orders are tried
NOISE = 0.05


def open_cheapest(ladders: Ladders, k: int, rng: np.random.Generator) -> tuple[Any, float]:
    """Return the number of each distinct row's box, -1 for the last few, fewer than k; and about what all cost.

    Boxes are listed in stages of rising cost and only over the rows that are left, so that most of the lattice is never
    looked at; boxes open in the same order of cost as if all were listed at once. The last rows are dear and depend much
    on the order, so the best of a few orders is taken for them.
    """
    from tokumei.partition.local_recoding._kernels import cheapest_first

    weight, total = ladders.weight, int(ladders.weight.sum())

    def finish(left: Any, reached: float, noise: float, *, alone: bool) -> tuple[Any, float]:
        """Open boxes for the rows left, from a cost on; return their boxes' numbers and what they cost in all."""
        number, paid = np.full(len(left), -1, dtype=np.int64), 0.0
        rest = np.arange(len(left))
        limits = [limit for limit in (*STAGES, ladders.dearest) if reached < limit <= ladders.dearest]
        while limits and weight[left[rest]].sum() >= k:
            if not alone and weight[left[rest]].sum() <= min(LAST * k, total // 10):
                tried = [finish(left[rest], reached, NOISE * (trial > 0), alone=True) for trial in range(TRIALS)]
                best, more = min(tried, key=lambda one: one[1])
                number[rest] = best
                return number, paid + more
            some = None if len(rest) == len(weight) else left[rest]  # all of them need no copy
            listed = list_boxes(ladders, k, np.full(len(rest), limits[0] + 1e-9), some)
            if listed is None:
                if limits[0] - reached < 1e-3:
                    raise InvalidParameter(
                        "Lattice: there are too many boxes with this many columns; use NearestGroups."
                    )
                limits.insert(0, (reached + limits[0]) / 2)
                continue
            entries, starts, price, name = listed
            there = weight[left[rest]]
            box = np.full(len(there), -1, dtype=np.int64)
            cheapest_first(entries, starts, _by_cost(entries, starts, price, there, noise, rng), there, k, box)
            found = box >= 0
            number[rest[found]] = name[box[found]]
            paid += float((price[box[found]] * there[found]).sum())
            rest, reached = rest[~found], limits.pop(0)
        # Rows of no box cost all they can, and others will have to keep them company.
        lonely = int(weight[left[rest]].sum())
        return number, paid + (lonely + (k - lonely) / 2 if lonely else 0) * ladders.dearest

    return finish(np.arange(len(weight)), -1.0, 0.0, alone=False)


def _by_cost(entries: Any, starts: Any, price: Any, weight: Any, noise: float, rng: np.random.Generator) -> Any:
    """Order boxes by cost, and where that is the same the one with the fewest rows first: they have fewer other ways to go."""
    if not len(price):
        return np.zeros(0, dtype=np.int64)
    if noise:
        return np.argsort(price * (1 + noise * rng.random(len(price))))
    return np.lexsort((np.add.reduceat(weight[entries], starts[:-1]), np.round(price, 9)))
