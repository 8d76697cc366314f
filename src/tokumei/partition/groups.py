"""Groups as boxes: fitting, taking rows in, and merging until every group may stand."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tokumei.arrays import Labels
from tokumei.partition.feasible import holds
from tokumei.partition.lines import Lines, lines_of
from tokumei.partition.partition import Problem
from tokumei.progress import stage

PAIRS = 200_000_000  # comparisons of groups up to which every failing group is compared with every other
WINDOW = 200  # beyond that, with this many before and behind it in an order along each axis
FEW = 64  # rows without a group that are placed one by one
GENTLE = 40  # rounds in which a failing group takes one partner; later it takes ever more, so that rounds stay few


class Fitted(NamedTuple):
    """The smallest box around each group (before closure), its rows, and what it costs each of them."""

    low: Any
    high: Any
    size: Any
    cost: Any


def fit(lines: Lines, problem: Problem, labels: Labels) -> Fitted:
    """Fit a box around each group."""
    from tokumei.partition._kernels import fit_boxes

    groups, axes = int(labels.max(initial=-1)) + 1, len(problem.axes)
    shape = groups, axes
    made = Fitted(np.empty(shape, np.int32), np.empty(shape, np.int32), np.empty(groups, np.int64), np.empty(groups))
    fit_boxes(lines, problem.rows, labels, *made)
    return made


def place_rest(problem: Problem, labels: Labels) -> Labels:
    """Put every row without a group (-1) into the one whose total loss grows least; there must be a group."""
    from tokumei.partition._kernels import take_in

    rest = np.flatnonzero(labels < 0)
    if not len(rest):
        return labels
    labels = labels.copy()
    if len(rest) <= FEW:
        made = fit_few(problem, labels)
        for row in rest:
            labels[row] = _take_one(problem, int(row), made)
        return labels
    lines = lines_of(problem.axes)
    take_in(lines, problem.rows, labels, *fit(lines, problem, labels))
    return labels


def fit_few(problem: Problem, labels: Labels) -> Fitted:
    """Fit a box around each group without a compiled loop, which is not worth compiling for one look."""
    inside = np.flatnonzero(labels >= 0)
    inside = inside[np.argsort(labels[inside], kind="stable")]
    size = np.bincount(labels[inside])
    there = np.flatnonzero(size)
    starts = (np.cumsum(size) - size)[there]
    shape = len(size), len(problem.axes)
    low, high, cost = np.zeros(shape, np.int32), np.zeros(shape, np.int32), np.full(len(size), np.inf)
    rows = problem.rows[inside]
    low[there], high[there] = np.minimum.reduceat(rows, starts), np.maximum.reduceat(rows, starts)
    cost[there] = _costs(problem, low[there], high[there])
    return Fitted(low, high, size, cost)


def _costs(problem: Problem, low: Any, high: Any) -> Any:
    """Return what a row costs in each of these boxes."""
    total = np.zeros(len(low))
    for j, axis in enumerate(problem.axes):
        total += axis.loss(*axis.closure(low[:, j], high[:, j]))
    return total


def _take_one(problem: Problem, row: int, made: Fitted) -> int:
    """Put a row into the group whose total grows least, and return which that is."""
    low, high = np.minimum(made.low, problem.rows[row]), np.maximum(made.high, problem.rows[row])
    cost = _costs(problem, low, high)
    there = made.size > 0
    home = int(np.argmin(np.where(there, (made.size + 1) * cost - made.size * np.where(there, made.cost, 0.0), np.inf)))
    made.low[home], made.high[home], made.cost[home] = low[home], high[home], cost[home]
    made.size[home] += 1
    return home


def fill_up(problem: Problem, labels: Labels) -> Labels:
    """Make the rows without a group (-1) one, with the dearest rows that other groups can spare to make k."""
    alone = labels < 0
    need = problem.k - int(alone.sum())
    if need == problem.k:
        return labels
    labels = labels.copy()
    boxes = fit_few(problem, labels)
    if need > 0:
        order = np.argsort(-boxes.cost[labels], kind="stable")
        order = order[~alone[order]]
        # A group can spare its rows beyond k: leave the first k of each where they are.
        by_group = np.argsort(labels[order], kind="stable")
        starts = np.concatenate([[0], np.cumsum(boxes.size)[:-1]])
        rank = np.empty(len(order), dtype=np.int64)
        rank[by_group] = np.arange(len(order)) - np.repeat(starts, boxes.size)
        spare = order[rank >= problem.k]
        if len(spare) < need:
            return place_rest(problem, labels)
        labels[spare[:need]] = -1
    labels[labels < 0] = len(boxes.size)
    return labels


def merge_failing(problem: Problem, labels: Labels) -> Labels:
    """Merge groups that are too small or hold some constraint not, each with its cheapest partner, until all may stand.

    The problem must be feasible: the whole table is where merging ends at the latest. With very many groups partners are
    looked for among neighbours along each axis only.
    """
    from tokumei.partition._kernels import cheapest_partners, pair_off

    lines = lines_of(problem.axes)
    with stage("Merging groups"):
        for turn in range(len(labels)):
            labels = renumbered(labels)
            groups = int(labels.max()) + 1
            size = np.bincount(labels, minlength=groups)
            failing = np.flatnonzero((size < problem.k) | ~holds(problem, labels, groups))
            if not len(failing) or groups == 1:
                return labels
            boxes = fit(lines, problem, labels)
            exact = len(failing) * groups <= PAIRS
            orders = [np.arange(groups)] if exact else [_along(boxes, j) for j in range(len(problem.axes))]
            failing = failing[np.argsort(size[failing], kind="stable")]
            partner = np.full(len(failing), -1)
            window = groups if exact else WINDOW
            cheapest_partners(lines, *boxes, failing, np.stack(orders), window, partner)
            if turn < GENTLE:
                into = pair_off(groups, failing, partner)
            else:
                into = _joined(boxes, failing, partner, 2 ** (turn - GENTLE))
            labels = into[labels].astype(np.int32)
    return labels


def renumbered(labels: Any) -> Labels:
    """Number the groups that occur from zero, in their order."""
    return np.unique(labels, return_inverse=True)[1].astype(np.int32)


def _joined(boxes: Fitted, failing: Any, partner: Any, many: int) -> Any:
    """Join each failing group with its partner and with ``many`` neighbours along the first axis, and all that hangs together."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    order = _along(boxes, 0)
    groups = len(order)
    place = np.empty(groups, dtype=np.int64)
    place[order] = np.arange(groups)
    if len(failing) * many >= groups * GENTLE:
        return np.zeros(groups, dtype=np.int64)
    near = order[np.clip(place[failing, None] + np.arange(-many, many + 1), 0, groups - 1)]
    ends = np.column_stack([near, partner])
    starts = np.repeat(failing, ends.shape[1])
    graph = coo_array((np.ones(ends.size), (starts, ends.ravel())), shape=(groups, groups))
    return connected_components(graph, directed=False)[1]


def _along(boxes: Fitted, axis: int) -> Any:
    """Order the groups along one axis, and along the next ones where they lie at the same place."""
    keys = np.roll(boxes.low + boxes.high, -axis, axis=1)
    return np.lexsort(keys.T[::-1])
