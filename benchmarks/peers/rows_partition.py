"""Cutting ten million rows into groups, against a pass over them for every halving, and against sorting them.

A sort is no bound that means the same everywhere: numpy's takes 4 to 5 times as long with AVX-512 as with AVX2 on processors whose compressing stores
are slow (`python -m benchmarks.vectors`).
"""

from __future__ import annotations

import math
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
    halvings, copied = math.ceil(math.log2(ROWS / problem.k)), np.ones_like(codes)

    def passes() -> None:
        for _ in range(halvings):
            np.copyto(copied, codes)

    for partition, most in ((Mondrian(), 8), (Mondrian(choose="gain"), 12)):
        yield Row(
            f"{ROWS // 10**6}M × 8 codes into groups, {partition.choose}",
            f"{halvings} copies of the codes, one for each halving",
            lambda partition=partition: partition.group(problem),
            passes,
            at_most=most,
            rounds=3,
        )
        yield Row(
            f"{ROWS // 10**6}M × 8 codes into groups, {partition.choose}",
            "sorting the rows as 8-byte words",
            lambda partition=partition: partition.group(problem),
            lambda: np.sort(words),
            rounds=3,
        )
