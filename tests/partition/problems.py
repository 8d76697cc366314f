"""Random small problems over axes of every kind, and slow answers to compare with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from tokumei.arrays import Labels
from tokumei.partition.partition import Problem
from tokumei.table.axis import Axis


def range_axis(size: int, missing: bool = False) -> Axis:
    line = np.arange(size + missing, dtype=np.int32)
    return Axis("range", line, np.stack([line, 0 * line]), np.stack([line, 0 * line + line[-1]]), size)


def tree_axis(cuts: list[set[int]], size: int) -> Axis:
    """A tree whose labels at each level, coarser and coarser, begin at the cuts (and at 0)."""
    line = np.arange(size, dtype=np.int32)
    first, last, kept = [line], [line], set(range(size))
    for level in cuts:
        kept = {0} | (kept & level)
        begins = np.array(sorted(kept))
        number = np.searchsorted(begins, line, side="right") - 1
        first.append(begins[number].astype(np.int32))
        last.append((np.append(begins[1:], size) - 1)[number].astype(np.int32))
    first.append(0 * line)
    last.append(0 * line + size - 1)
    return Axis("tree", line, np.stack(first), np.stack(last))


@st.composite
def axes(draw: st.DrawFn, trees_only: bool = False) -> Axis:
    size = draw(st.integers(1, 9))
    if not trees_only and draw(st.booleans()):
        return range_axis(size, missing=draw(st.booleans()))
    levels = draw(st.lists(st.sets(st.integers(0, size - 1)), max_size=3))
    return tree_axis(levels, size)


@st.composite
def problems(draw: st.DrawFn, most_rows: int = 40, most_k: int = 5, trees_only: bool = False) -> Problem:
    lines = tuple(draw(st.lists(axes(trees_only), min_size=1, max_size=4)))
    k = draw(st.integers(1, most_k))
    rows = draw(st.integers(k, most_rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    skew = draw(st.sampled_from([1.0, 3.0]))
    columns = [(axis.size * rng.random(rows) ** skew).astype(np.int32) for axis in lines]
    return Problem(np.stack(columns, axis=1), lines, k)


def adultish(rows: int = 3000, k: int = 5, seed: int = 0) -> Problem:
    """A table like a small census: five trees and a range, skewed."""
    rng = np.random.default_rng(seed)
    halves = [set(range(0, 16, 2)), set(range(0, 16, 4)), set(range(0, 16, 8))]
    lines = (range_axis(40), *(tree_axis(halves, 16) for _ in range(3)), tree_axis([], 2), tree_axis([{0, 2}], 5))
    columns = [(axis.size * rng.random(rows) ** 2).astype(np.int32) for axis in lines]
    return Problem(np.stack(columns, axis=1), lines, k)


@dataclass(frozen=True, eq=False)
class Distinct:
    """At least so many different values of a sensitive column in every group."""

    values: np.ndarray
    least: int

    def holds(self, labels: Labels, groups: int) -> np.ndarray:
        inside = labels >= 0
        seen = np.zeros((groups, int(self.values.max()) + 1), dtype=bool)
        seen[labels[inside], self.values[inside]] = True
        return seen.sum(axis=1) >= self.least


@dataclass(frozen=True, eq=False)
class NearShare:
    """The share of ones in every group within so much of the table's. Merging two groups that hold it keeps it."""

    values: np.ndarray
    within: float

    def holds(self, labels: Labels, groups: int) -> np.ndarray:
        inside = labels >= 0
        size = np.bincount(labels[inside], minlength=groups)
        ones = np.bincount(labels[inside], weights=self.values[inside], minlength=groups)
        return np.abs(ones / np.maximum(size, 1) - self.values.mean()) <= self.within + 1e-12


def all_partitions(rows: int, k: int) -> Iterator[np.ndarray]:
    """Every way of putting rows into groups of at least k."""

    def grow(labels: list[int], groups: int) -> Iterator[list[int]]:
        if len(labels) == rows:
            yield labels
            return
        for group in range(groups + 1):
            yield from grow([*labels, group], max(groups, group + 1))

    for labels in grow([0], 1):
        found = np.array(labels, dtype=np.int32)
        if np.bincount(found).min() >= k:
            yield found
