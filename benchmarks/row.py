"""One row of the board, and how it is measured."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line: ``ours`` against ``other``; ``at_most`` bounds ours / other, ``at_least`` bounds other / ours."""

    what: str
    against: str
    ours: Callable[[], object]
    other: Callable[[], object]
    at_most: float | None = None
    at_least: float | None = None
    rounds: int = 5


@dataclass(frozen=True)
class Measured:
    """Median seconds of both, the median ratio ours / other over rounds, and half the range of the middle half of the ratios."""

    ours: float
    other: float
    ratio: float
    spread: float


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(row: Row) -> Measured:
    """Time ours and the other one after the other, round by round, so that a busy machine slows both."""
    row.ours()  # compile and warm up
    row.other()
    pairs = [(seconds(row.ours), seconds(row.other)) for _ in range(row.rounds)]
    ratios = [ours / other for ours, other in pairs]
    low, _, high = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else [ratios[0]] * 3
    return Measured(
        statistics.median(ours for ours, _ in pairs),
        statistics.median(other for _, other in pairs),
        statistics.median(ratios),
        (high - low) / 2,
    )
