"""Open boxes one after the other wherever that saves anything at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.partition.local_recoding.boxes import Boxes, Ladders
from tokumei.partition.local_recoding.search import State

SWEEPS = 12


def open_boxes(ladders: Ladders, boxes: Boxes, box: Any, k: int) -> Any:
    """Return a box for each record (sorted by distinct row) that costs no more in all than ``box``."""
    from tokumei.partition.local_recoding._opening_kernels import open_all
    from tokumei.partition.local_recoding._search_kernels import link

    records, count = len(box), len(boxes.cost)
    state = State(box.copy(), *(np.empty(size, np.int64) for size in (count, count, records, records)))
    link(*state)
    first = np.concatenate([[0], np.cumsum(ladders.weight)])
    marks = [np.zeros(count, np.int64) for _ in range(5)]
    who, where = np.empty(2 * records, np.int64), np.empty(2 * records, np.int64)
    total = float(boxes.cost[box].sum())
    for sweep in range(SWEEPS):
        saved = open_all(boxes, first, ladders.distinct, state, *marks, who, where, k, 1 + sweep * count)
        total -= saved
        if saved < 1e-4 * total:
            break
    return state.box
