"""Cutting ten million rows into groups, against numpy's passes over the same bytes, and against sorting them.

A row is 8 bytes of cells and 4 of its number. Every halving has to read all cells (to see how wide each column is), read them again to count one column, or each
of them where the best cut of any column is wanted, and move cells and number to their side. So for each of the log2(rows / k) halvings the bound reads
the cells once, and once more for each column that is counted, and copies cells and numbers. Twice that is allowed: half the time for memory, half for thinking.

A sort is no bound that means the same everywhere: numpy's takes 4 to 5 times as long with AVX-512 as with AVX2 on processors whose compressing stores
are slow (`python -m benchmarks.vectors`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

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
    numbers = np.arange(ROWS, dtype=np.uint32)
    halvings, to_words, to_numbers = math.ceil(math.log2(ROWS / problem.k)), words.copy(), numbers.copy()

    def passes(counted: int) -> None:
        for _ in range(halvings):
            for _ in range(1 + counted):
                words.max()
            np.copyto(to_words, words)
            np.copyto(to_numbers, numbers)

    for partition, counted in ((Mondrian(), 1), (Mondrian(choose="gain"), len(SIZES))):
        yield Row(
            f"{ROWS // 10**6}M × 8 codes into groups, {partition.choose}",
            f"{halvings} times {1 + counted} reads and a copy",
            partial(partition.group, problem),
            partial(passes, counted),
            at_most=2,
            rounds=3,
        )
        yield Row(
            f"{ROWS // 10**6}M × 8 codes into groups, {partition.choose}",
            "sorting the rows as 8-byte words",
            partial(partition.group, problem),
            lambda: np.sort(words),
            rounds=3,
        )
