"""Grouping points: against MDAV, and against one pass over the rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import tokumei as tk
from benchmarks.points import mixture
from benchmarks.row import Row
from tokumei.partition.microaggregation.path.cut import cut
from tokumei.partition.microaggregation.points import Points

ROWS, MANY, K = 20_000, 50_000, 5
LONG = 1_000_000


def rows() -> Iterator[Row]:
    points = Points(mixture(ROWS), K)
    for partition, least in (
        (tk.partitions.FarthestFirst(), 8),
        (tk.partitions.GridBlocks(), 5),
        (tk.partitions.FlexDice(), 5),
    ):
        yield Row(
            f"{ROWS // 1000}k × 10 points into groups of {K}, {type(partition).__name__}",
            "MDAV",
            lambda partition=partition: partition.group(points),
            lambda: tk.partitions.MDAV().group(points),
            at_least=least,
            rounds=3,
        )
    many = Points(mixture(MANY), K)
    yield Row(
        f"{MANY // 1000}k × 10 points into groups of {K}, LocalSearch",
        "FarthestFirst, from which it starts",
        lambda: tk.partitions.LocalSearch().group(many),
        lambda: tk.partitions.FarthestFirst().group(many),
        at_most=6,
        rounds=3,
    )
    line = Points(mixture(LONG), K)
    order = np.arange(LONG)
    yield Row(
        f"best cut of {LONG // 10**6}M × 10 points in their order, k = {K}",
        "running sums of the columns",
        lambda: cut(line, order),
        lambda: np.cumsum(line.rows, axis=0),
        at_most=20,
        rounds=3,
    )
