"""Inner loops of the kernel model: squared distances of rows by differences, number by number and label by label."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.loops import loop


@loop()
def apart(numbers: Any, labels: Any, row: Any, others: Any, their_labels: Any, other: Any, most: Any) -> Any:
    """Return the squared distance of two rows, or something beyond ``most`` once it is certain to be beyond it."""
    total = 0.0
    for column in range(labels.shape[1]):
        if labels[row, column] != their_labels[other, column]:
            total += 2.0
    for column in range(numbers.shape[1]):
        if total > most:
            return total
        gap = numbers[row, column] - others[other, column]
        total += gap * gap
    return total


@loop()
def fill_bumps(numbers: Any, labels: Any, others: Any, their_labels: Any, scale: Any, out: Any) -> None:
    """Fill ``out[row, other]`` with the kernel of every pair."""
    for row in range(numbers.shape[0]):
        for other in range(others.shape[0]):
            out[row, other] = np.exp(-apart(numbers, labels, row, others, their_labels, other, np.inf) / scale)


@loop()
def add_bumps(
    numbers: Any, labels: Any, others: Any, their_labels: Any, starts: Any, stops: Any, scale: Any, most: Any, values: Any, out: Any
) -> None:  # fmt: skip
    """Fill ``out[row]`` with the sum of kernel times value over the others, each kernel computed anew."""
    for row in range(numbers.shape[0]):
        total = 0.0
        for other in range(starts[row], stops[row]):
            square = apart(numbers, labels, row, others, their_labels, other, most)
            if square <= most:
                total += np.exp(-square / scale) * values[other]
        out[row] = total


@loop()
def count_near(
    numbers: Any, labels: Any, others: Any, their_labels: Any, starts: Any, stops: Any, most: Any, out: Any
) -> None:
    """Count for each row the others within the distance."""
    for row in range(numbers.shape[0]):
        found = 0
        for other in range(starts[row], stops[row]):
            if apart(numbers, labels, row, others, their_labels, other, most) <= most:
                found += 1
        out[row] = found


@loop()
def fill_near(
    numbers: Any, labels: Any, others: Any, their_labels: Any, starts: Any, stops: Any, scale: Any, most: Any, bounds: Any, places: Any, out: Any
) -> None:  # fmt: skip
    """Write down who is within the distance of each row, and the kernel of the pair."""
    for row in range(numbers.shape[0]):
        at = bounds[row]
        for other in range(starts[row], stops[row]):
            square = apart(numbers, labels, row, others, their_labels, other, most)
            if square <= most:
                places[at] = other
                out[at] = np.exp(-square / scale)
                at += 1
