"""Groups from the boxes of the generalization lattice: the cheapest first, then searched for better ones."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

import numpy as np

from tokumei.arrays import Labels
from tokumei.memory import hand_back
from tokumei.partition.feasible import require_feasible
from tokumei.partition.groups import fill_up, merge_failing, place_rest, renumbered
from tokumei.partition.local_recoding.boxes import Boxes, Ladders, ladders_of, list_boxes
from tokumei.partition.local_recoding.greedy import open_cheapest
from tokumei.partition.local_recoding.opening import open_boxes
from tokumei.partition.local_recoding.search import improve
from tokumei.partition.partition import Partition, Problem, loss, register_partition
from tokumei.progress import stage
from tokumei.randomness import generator
from tokumei.values import value

# The search sees for each row the boxes that cost at most this many times what it costs now, and so much more; the next
# line where there are too many.
REACH = ((1.3, 0.6), (1.2, 0.4), (1.1, 0.3), (1.1, 0.1), (1.0, 0.05), (1.0, 0.0))
STEPS = {"default": 20.0, "thorough": 400.0}  # of the search, for each row and each 1 / k


@register_partition
@value
class Lattice(Partition):
    """Open the cheapest box of the generalization lattice that holds k rows, and again; then look for better boxes.

    A box is a label for each axis. All boxes that are the smallest around their rows are looked at, as far as they can
    matter, so this is for few columns (up to about ten). On a free axis ranges of doubling widths are taken
    for labels, which is coarse: where most columns are free, compare `NearestGroups` and `TopDown`.

    Attributes
    ----------
    effort
        ``"fast"`` stops after the greedy choice. ``"default"`` then closes and reopens neighbouring boxes many times, keeping
        what is better. ``"thorough"`` first opens every box that saves anything at once, then does so twenty times as often and
        may accept something worse on the way. The search is left out where the boxes it needs would not fit.
    random_state
        Where the search starts from; the same number gives the same groups.
    """

    effort: Literal["fast", "default", "thorough"] = "default"
    random_state: int = 0
    kind: Literal["lattice"] = field(default="lattice", kw_only=True, repr=False)

    def group(self, problem: Problem) -> Labels:
        """Number the groups from zero and return each row's."""
        require_feasible(problem)
        ladders = ladders_of(problem)
        hand_back(problem.rows.size)
        rng = generator(self.random_state)
        labels = greedy_groups(problem, ladders, rng)
        if self.effort != "fast":
            labels = self._searched(problem, ladders, labels, rng)
        return merge_failing(problem, renumbered(labels))

    def _searched(self, problem: Problem, ladders: Ladders, labels: Labels, rng: np.random.Generator) -> Labels:
        number, cost = _boxes_of(problem, ladders, labels)
        boxes = boxes_around(ladders, problem.k, cost)
        if boxes is None:
            return labels
        by_number = np.argsort(boxes.number)
        box = by_number[np.searchsorted(boxes.number[by_number], number)]
        if self.effort == "thorough":
            box = open_boxes(ladders, boxes, box, problem.k)
        box = improve(
            ladders,
            boxes,
            box,
            problem.k,
            steps=int(STEPS[self.effort] * len(labels) / problem.k),
            warm=0.25 * problem.k**0.55 if self.effort == "thorough" else 0.05,
            rng=rng,
        )
        found = np.empty(len(labels), dtype=np.int32)
        found[ladders.order] = box
        return found


def greedy_groups(problem: Problem, ladders: Ladders, rng: np.random.Generator) -> Labels:
    """Open the cheapest boxes; the last few rows, fewer than k, go where they cost least, or are filled up to a group."""
    with stage("Opening the cheapest boxes"):
        number, _ = open_cheapest(ladders, problem.k, rng)
        labels = np.empty(len(problem.rows), dtype=np.int32)
        names, numbered = np.unique(number, return_inverse=True)
        labels[ladders.order] = (numbered - (names[0] < 0))[ladders.distinct]
        return min(place_rest(problem, labels), fill_up(problem, labels), key=lambda found: loss(problem, found))


def boxes_around(ladders: Ladders, k: int, cost: Any) -> Boxes | None:
    """List the boxes that could better a solution in which each record (by distinct row) costs so much."""
    from tokumei.partition.local_recoding._kernels import boxes_of_rows, reorder

    rows = len(ladders.weight)
    now = np.zeros(rows)
    np.maximum.at(now, ladders.distinct, cost)
    with stage("Listing boxes"):
        for factor, more in REACH:
            listed = list_boxes(ladders, k, factor * now + more + 1e-9)
            if listed is not None:
                break
        else:
            return None
        entries, starts, price, number = listed
        order = np.argsort(price, kind="stable")
        sorted_entries, sorted_starts = np.empty_like(entries), np.empty_like(starts)
        reorder(entries, starts, order, sorted_entries, sorted_starts)
        row_starts = np.concatenate([[0], np.cumsum(np.bincount(entries, minlength=rows))])
        row_boxes = np.empty(len(entries), dtype=np.int32)
        boxes_of_rows(sorted_entries, sorted_starts, row_starts[:-1].copy(), row_boxes)
        return Boxes(sorted_entries, sorted_starts, price[order], number[order], row_starts, row_boxes)


def _boxes_of(problem: Problem, ladders: Ladders, labels: Labels) -> tuple[Any, Any]:
    """Return the number and the cost, in the lattice, of the box of each record's group, by distinct row."""
    sorted_labels = labels[ladders.order]
    groups = int(labels.max()) + 1
    order = np.argsort(sorted_labels, kind="stable")
    starts = np.searchsorted(sorted_labels[order], np.arange(groups))
    number = np.zeros(groups, dtype=np.int64)
    cost = np.zeros(groups)
    for base, levels in zip(ladders.base, ladders.levels, strict=True):
        todo = np.ones(groups, dtype=np.bool_)
        for level in range(levels):
            label = ladders.labels[base + level][ladders.distinct[order]]
            low, high = np.minimum.reduceat(label, starts), np.maximum.reduceat(label, starts)
            now = todo & (low == high)
            number[now] += ladders.share[low[now]]
            cost[now] += ladders.price[low[now]]
            todo &= ~now
    return number[sorted_labels], cost[sorted_labels]
