"""Inner loops of counting a population in boxes."""

from __future__ import annotations

from typing import Any

from tokumei.loops import loop


@loop()
def _inside(row: Any, low: Any, high: Any) -> bool:
    inside = True
    for axis in range(len(row)):
        inside &= low[axis] <= row[axis] <= high[axis]
    return inside


@loop()
def count_inside(rows: Any, people: Any, low: Any, high: Any, start: Any, stop: Any, found: Any) -> None:
    """Count the people in each box; only rows from ``start`` to ``stop`` can be in it."""
    for box in range(len(low)):
        total = 0
        for row in range(start[box], stop[box]):
            if _inside(rows[row], low[box], high[box]):
                total += people[row]
        found[box] = total


@loop()
def reach(rows: Any, low: Any, high: Any, start: Any, stop: Any, most: Any, least: Any, upper: Any, lower: Any) -> None:
    """Give each row the sum of ``most`` and the largest ``least`` of the boxes that it lies in."""
    for box in range(len(low)):
        for row in range(start[box], stop[box]):
            if _inside(rows[row], low[box], high[box]):
                upper[row] += most[box]
                lower[row] = max(lower[row], least[box])


@loop()
def largest_inside(rows: Any, numbers: Any, low: Any, high: Any, start: Any, stop: Any, found: Any) -> None:
    """Find the largest number of the rows in each box."""
    for box in range(len(low)):
        for row in range(start[box], stop[box]):
            if numbers[row] > found[box] and _inside(rows[row], low[box], high[box]):
                found[box] = numbers[row]


@loop()
def rows_meeting(low: Any, high: Any, sizes: Any, found: Any) -> None:
    """Add up, for each box, the rows of the others that have a place in common with it; boxes come in the order of their first axis."""
    boxes, axes = low.shape
    for i in range(boxes):
        for j in range(i + 1, boxes):
            if low[j, 0] > high[i, 0]:
                break
            meet = True
            for axis in range(1, axes):
                if low[j, axis] > high[i, axis] or low[i, axis] > high[j, axis]:
                    meet = False
                    break
            if meet:
                found[i] += sizes[j]
                found[j] += sizes[i]
