"""Cutting ten million rows into groups, against sorting them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.row import Row
from tokumei.partition import Mondrian
from tokumei.partition.partition import Problem
from tokumei.table.axis import Axis

ROWS = 10_000_000
SIZES = (74, 9, 16, 7, 15, 5, 2, 99)


def rows() -> Iterator[Row]:
    rng = np.random.default_rng(0)
    lines = [np.arange(size, dtype=np.int32) for size in SIZES]
    axes = tuple(Axis("column", at, np.stack([at, 0 * at]), np.stack([at, 0 * at + at[-1]]), len(at)) for at in lines)
    codes = np.empty((ROWS, len(SIZES)), dtype=np.int32)
    for column, size in enumerate(SIZES):
        codes[:, column] = size * rng.random(ROWS) ** 3
    problem = Problem(codes, axes, 10)
    words = codes.astype(np.uint8).view(np.uint64)[:, 0]
    for partition, most in ((Mondrian(), 4), (Mondrian(choose="gain"), 6)):
        yield Row(
            f"{ROWS // 10**6}M × 8 codes into groups, {partition.choose}",
            "sorting the rows as 8-byte words",
            lambda partition=partition: partition.group(problem),
            lambda: np.sort(words),
            at_most=most,
            rounds=3,
        )
