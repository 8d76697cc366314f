"""Inner loops of sums over rows by their codes: arrays in, array out."""

from __future__ import annotations

from typing import Any

from tokumei.loops import loop


@loop()
def count_pairs(codes: Any, weights: Any, out: Any) -> None:
    """Add the weight of each row to the cell of each two of its codes, the earlier column's first."""
    for i in range(codes.shape[0]):
        for a in range(codes.shape[1]):
            one = codes[i, a]
            for b in range(a + 1, codes.shape[1]):
                out[one, codes[i, b]] += weights[i]


@loop()
def sum_by_code(codes: Any, values: Any, out: Any) -> None:
    """Add the values of each row to those of each of its codes."""
    for i in range(codes.shape[0]):
        for a in range(codes.shape[1]):
            one = codes[i, a]
            for p in range(values.shape[1]):
                out[one, p] += values[i, p]
