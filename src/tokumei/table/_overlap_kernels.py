"""Inner loop of the overlap of boxes."""

from __future__ import annotations

from typing import Any

from tokumei.loops import loop


@loop()
def any_overlap(low: Any, high: Any, budget: int) -> bool:
    """Say whether two boxes overlap; they come in the order of their first axis. After ``budget`` pairs, say yes."""
    boxes, axes = low.shape
    for i in range(boxes):
        for j in range(i + 1, boxes):
            if low[j, 0] > high[i, 0]:
                break
            budget -= 1
            if budget < 0:
                return True
            meet = True
            for axis in range(1, axes):
                if low[j, axis] > high[i, axis] or low[i, axis] > high[j, axis]:
                    meet = False
                    break
            if meet:
                return True
    return False
