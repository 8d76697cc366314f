"""Which box a row lies in."""

from __future__ import annotations

from typing import Any

from tokumei.loops import loop


@loop()
def find_boxes(rows: Any, low: Any, high: Any, axis: Any, bucket: Any, start: Any, listed: Any, found: Any) -> None:
    """Fill in the number of the box that each row lies in, -1 for none.

    Boxes are looked up along one axis: those that have a place of bucket b are ``listed[start[b] : start[b + 1]]``, and
    ``bucket`` is the bucket of each place.
    """
    for i in range(rows.shape[0]):
        found[i] = -1
        b = bucket[rows[i, axis]]
        for at in range(start[b], start[b + 1]):
            box = listed[at]
            inside = True
            for j in range(rows.shape[1]):
                if rows[i, j] < low[box, j] or rows[i, j] > high[box, j]:
                    inside = False
                    break
            if inside:
                found[i] = box
                break
