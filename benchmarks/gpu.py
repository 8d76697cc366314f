"""Reconstruction steps on a GPU against the CPU: the same code, the same numbers.

    python -m benchmarks.gpu [torch|cupy|numpy] [rows]

Rows like the ten quasi-identifiers of Adult and a kept target, invented; the noise is that of k = 3 by an even split.
A step is one EM step: a product with P(released row | true row) and one with its transpose.
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction
from typing import Any

import numpy as np

from tokumei.mechanism.grid_laplace import GridLaplace
from tokumei.mechanism.likelihood import seen
from tokumei.mechanism.retention import Retention
from tokumei.reconstruction._arrays import Arrays, arrays
from tokumei.reconstruction._products import Product, product

LABELS, NUMBERS, STEPS = (74, 9, 7, 15, 6, 2), (16, 4096, 4096, 99), 100


def rows_like_adult(rows: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Invent perturbed rows; return the matrix of each column and the codes."""
    rng = np.random.default_rng(0)
    swap = Fraction(2, rows - 1)  # of the whole record, for k = 3
    each = Fraction(float(swap) ** (1 / 10)).limit_denominator(10**9)
    matrices, codes = [], []
    for size in (*LABELS, *NUMBERS):
        channel = Retention.solve(size, each) if size in LABELS else GridLaplace.solve(size, each)
        drawn = (rng.beta(1, 3, rows) * size).astype(np.int64) if size in NUMBERS else rng.integers(0, size, rows)
        column = seen(channel, drawn, drawn, 256)
        matrices.append(column.matrix)
        codes.append(column.true)
    matrices.append(np.eye(2))
    codes.append((rng.random(rows) < 0.24).astype(np.int64))
    return matrices, np.stack(codes, axis=1)


def steps(made: Product, rows: int, count: int, where: Arrays) -> tuple[Any, float]:
    """Take EM steps from even weights; return the weights and the seconds, the first step not counted."""
    weights = where.put(np.full(rows, 1 / rows))

    def step(p: Any) -> Any:
        return p * made.backward(1 / rows / made.forward(p))

    wait(step(weights), where)
    begun = time.perf_counter()
    for _ in range(count):
        weights = step(weights)
    wait(weights, where)
    return weights, time.perf_counter() - begun


def wait(values: Any, where: Arrays) -> None:
    where.get(values[:1])


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "torch"
    asked = [int(sys.argv[2])] if len(sys.argv) > 2 else [16_281, 48_842, 1_000_000]
    where = arrays(name)
    print(f"{name} on {where.device or 'this machine'}, {STEPS} steps")
    for rows in asked:
        matrices, codes = rows_like_adult(rows)
        for way in ("dense", "structured"):
            if way == "dense" and rows > 60_000:
                continue
            begun = time.perf_counter()
            made = product(matrices, codes, codes, way, where)
            set_up = time.perf_counter() - begun
            seconds = steps(made, rows, STEPS, where)[1]
            print(f"  {rows:>9,} rows {way:<10} set-up {set_up:6.2f} s, steps {seconds:7.3f} s", flush=True)
    if name != "numpy":
        rows, here = 4000, arrays("numpy")
        matrices, codes = rows_like_adult(rows)
        for way in ("dense", "structured", "blocks"):
            pair = [
                each.get(steps(product(matrices, codes, codes, way, each), rows, 20, each)[0]) for each in (here, where)
            ]
            print(f"  {way}: largest relative difference from numpy {np.abs(pair[1] / pair[0] - 1).max():.1e}")


if __name__ == "__main__":
    main()
