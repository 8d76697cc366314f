"""The lattice of a table: labels over its distinct rows, and the boxes they make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tokumei.arrays import AnyIntegers, Places
from tokumei.errors import InvalidParameter
from tokumei.partition.partition import Problem
from tokumei.table.axis import Axis
from tokumei.table.classes import class_of

RUNGS = (
    8  # levels above the places themselves that a free axis is given at most: ranges of doubling width, if that will do
)
ROOM = 60_000_000  # rows in all boxes that are listed at once, four bytes each
SHORT = 2**16 - 1  # labels of all axes together up to which two bytes number them


class Boxes(NamedTuple):
    """Boxes, cheapest first, with the rows they hold; and for each row the boxes that hold it, cheapest first."""

    entries: Any
    starts: Any
    cost: Any
    number: Any
    row_starts: Any
    row_boxes: Any


@dataclass(frozen=True, eq=False)
class Ladders:
    """The labels over each distinct row, axis by axis and level by level, as numbers that run through all axes.

    Attributes
    ----------
    labels, base, levels
        Level l of the j-th axis is row ``base[j] + l`` of ``labels``.
    price, share
        What a label costs a cell, and what it adds to the number of a box. The number of a box is the sum.
    weight
        How many records each distinct row has.
    order, distinct
        The records sorted by distinct row, and the distinct row of each so sorted.
    """

    labels: AnyIntegers
    base: Any
    levels: Any
    price: Any
    share: Any
    weight: Any
    order: Any
    distinct: Any

    @property
    def dearest(self) -> float:
        """What the box around everything costs a row."""
        return float(self.price[self.labels[self.base + self.levels - 1, 0]].sum())


def ladders_of(problem: Problem) -> Ladders:
    """Climb every axis. The axis whose values are spread most evenly comes first, since it parts the rows best."""
    classes = class_of(list(problem.rows.T), len(problem.rows))
    weight = np.bincount(classes)
    order = np.argsort(classes, kind="stable")
    rows = problem.rows[order[np.cumsum(weight) - weight]]
    levels: list[Any] = []
    price: list[Any] = []
    share: list[Any] = []
    nodes, radix = 0, 1
    spread = [_entropy(np.bincount(problem.rows[:, j])) for j in range(len(problem.axes))]
    along = np.argsort(spread, kind="stable")[::-1]
    for j in along:
        axis = problem.axes[j]
        first, last = ladder(axis)
        known, label = np.unique(first.astype(np.int64) * axis.size + last, return_inverse=True)
        levels.append(label.reshape(first.shape) + nodes)
        price.append(axis.loss(known // axis.size, known % axis.size))
        share.append(np.arange(len(known), dtype=np.int64) * radix)
        nodes += len(known)
        radix *= len(known)
        if radix >= 2**62:
            raise InvalidParameter("Lattice: there are too many columns to number their boxes; use NearestGroups.")
    narrow: Any = np.uint16 if nodes <= SHORT else np.int32
    many = np.array([len(part) for part in levels])
    base = np.cumsum(many) - many
    labels = np.empty((int(many.sum()), len(rows)), dtype=narrow)
    for j, part, first in zip(along, levels, base, strict=True):
        for level, label in enumerate(part.astype(narrow)):
            labels[first + level] = label[rows[:, j]]
    return Ladders(
        labels=labels,
        base=base,
        levels=many,
        price=np.concatenate(price),
        share=np.concatenate(share),
        weight=weight,
        order=order,
        distinct=np.repeat(np.arange(len(weight)), weight),
    )


def ladder(axis: Axis) -> tuple[Places, Places]:
    """Return where the labels of each level begin and end. A free axis gets rungs of rising width."""
    if not axis.free:
        return axis.first, axis.last
    line = np.arange(axis.size, dtype=np.int32)
    free = line < axis.free
    step = max(2, int(np.ceil(axis.free ** (1 / RUNGS))))
    first, last = [line], [line]
    for rung in range(1, RUNGS):
        width = step**rung
        if width >= axis.free:
            break
        begin = line // width * width
        first.append(np.where(free, begin, line))
        last.append(np.where(free, np.minimum(begin + width, axis.free) - 1, line))
    if axis.free < axis.size:
        first.append(np.where(free, 0, line))
        last.append(np.where(free, axis.free - 1, line))
    first.append(np.zeros_like(line))
    last.append(np.full_like(line, axis.size - 1))
    return np.stack(first).astype(np.int32), np.stack(last).astype(np.int32)


def list_boxes(
    ladders: Ladders, k: int, cap: Any, rows: Any = None, room: int = ROOM
) -> tuple[Any, Any, Any, Any] | None:
    """List the closed boxes with at least k of the distinct ``rows`` (all of them without), or nothing if too many."""
    from tokumei.partition.local_recoding._kernels import closed_boxes

    labels = np.ascontiguousarray(ladders.labels if rows is None else ladders.labels[:, rows])  # compiled for once
    weight = ladders.weight if rows is None else ladders.weight[rows]
    axes, many = len(ladders.base), len(weight)
    work = np.zeros((9, max(axes + 1, len(ladders.price), 3)), dtype=np.int64)
    work[0, 0], work[2, 0] = -1, many
    held, paid = np.empty((axes + 1, many), dtype=np.int32), np.zeros(axes + 1)
    held[0] = np.arange(many)
    entries, starts = np.empty(min(room, 4 * many + 1024), dtype=np.int32), np.empty(many + 256, dtype=np.int64)
    cost, number = np.empty(many + 256), np.empty(many + 256, dtype=np.int64)
    while not closed_boxes(
        labels, ladders.base, ladders.levels, ladders.price, ladders.share, weight, k, cap, work, held, paid, entries,
        starts, cost, number,
    ):  # fmt: skip
        boxes, used = work[6, 1], work[6, 2]
        if boxes + 2 > len(starts):
            starts, cost, number = _longer(starts), _longer(cost), _longer(number)
        elif len(entries) >= room:
            return None
        else:
            entries = _longer(entries)[:room]
    boxes, used = work[6, 1], work[6, 2]
    return entries[:used], starts[: boxes + 1], cost[:boxes], number[:boxes]


def _longer(array: Any) -> Any:
    made = np.empty(2 * len(array) + 1024, dtype=array.dtype)
    made[: len(array)] = array
    return made


def _entropy(counts: Any) -> float:
    share = counts[counts > 0] / counts.sum()
    return float(-(share * np.log(share)).sum())
