"""Large-neighbourhood search over boxes: close a few that lie together and open better ones, thousands of times."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tokumei.partition.local_recoding.boxes import Boxes, Ladders
from tokumei.progress import stage

ITEMS = 3_000_000  # records in all candidate boxes of one step
SLICES = 50  # how often progress is shown


class State(NamedTuple):
    """Which box each record is in, and the records of each box as a linked list."""

    box: Any
    size: Any
    head: Any
    after: Any
    before: Any


class Work(NamedTuple):
    """Room for one step: first what is kept by box or record of the table, then by candidate box or taken record."""

    closed: Any
    spared_at: Any
    spared: Any
    local: Any
    taken_at: Any
    taken: Any
    target: Any
    price: Any
    name: Any
    many: Any
    at: Any
    open: Any
    order: Any
    rank: Any
    items: Any
    best: Any


def improve(
    ladders: Ladders,
    boxes: Boxes,
    box: Any,
    k: int,
    *,
    steps: int,
    warm: float,
    rng: np.random.Generator,
) -> Any:
    """Return a box for each record (sorted by distinct row) that costs no more in all than ``box``.

    ``warm`` is the loss, in rows, that a step may well add at the beginning; at the end hardly any may.
    """
    from tokumei.partition.local_recoding._search_kernels import link, search

    records, count = len(box), len(boxes.cost)
    state = State(box.copy(), *(np.empty(size, np.int64) for size in (count, count, records, records)))
    link(*state)
    room = np.zeros(count, np.int64)
    work = Work(
        closed=room,
        spared_at=room.copy(),
        spared=room.copy(),
        local=np.full(count, -1),
        taken_at=np.zeros(records, np.int64),
        taken=np.empty(records, np.int64),
        target=np.empty(records, np.int64),
        price=np.empty(records),
        name=room.copy(),
        many=room.copy(),
        at=room.copy(),
        open=np.zeros(count, np.bool_),
        order=room.copy(),
        rank=np.empty(count),
        items=np.empty(ITEMS, np.int32),
        best=np.empty(k),
    )
    first = np.concatenate([[0], np.cumsum(ladders.weight)])
    price = np.zeros(len(ladders.weight))
    np.maximum.at(price, ladders.distinct, boxes.cost[box])
    # With small k several groups at once are closed and few boxes opened by hand; with large k it is the other way round.
    noise, groups, most, walk, hardest = (0.28, 6, 20 * k + 100, 24, 20) if k <= 5 else (0.14, 3, 8 * k, 100, 60)
    cold, saved, done = min(warm, 0.02), 0.0, 0
    luck = rng.integers(1, 2**63, size=1, dtype=np.uint64)
    cool = (cold / warm) ** (1 / SLICES)
    with stage("Searching for better groups", steps) as shown:
        for part in range(SLICES):
            many = steps * (part + 1) // SLICES - done
            saved += search(
                boxes, first, ladders.distinct, state, work, price, k, many, done,
                warm * cool**part, warm * cool ** (part + 1), noise, groups, most, walk, hardest, luck,
            )  # fmt: skip
            done += many
            shown.advance(many)
    return state.box if saved > 0 else box
