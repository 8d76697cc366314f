"""Small partitions, and what every release of grouped rows must keep."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import Any, Literal

import numpy as np
import pyarrow as pa

import tokumei as tk
from tokumei.arrays import Labels
from tokumei.engines.local import Made, make_release
from tokumei.partition.partition import Partition, Problem
from tokumei.randomness import Key
from tokumei.table.frames import Origin
from tokumei.values import value


@value
class InTurn(Partition):
    """Sort the rows by their places and cut the order into pieces of k: boxes that may overlap."""

    partition: Literal["in_turn"] = field(default="in_turn", kw_only=True, repr=False)

    def group(self, problem: Problem) -> Labels:
        order = np.lexsort(problem.rows.T[::-1])
        labels = np.empty(len(order), dtype=np.int32)
        pieces = max(1, len(order) // problem.k)
        labels[order] = np.minimum(np.arange(len(order)) // problem.k, pieces - 1)
        return labels


@value
class Halving(Partition):
    """Cut along the first axis wherever both sides keep k rows: boxes that cannot overlap."""

    partition: Literal["halving"] = field(default="halving", kw_only=True, repr=False)

    def group(self, problem: Problem) -> Labels:
        labels = np.zeros(len(problem.rows), dtype=np.int32)
        places = problem.rows[:, 0]
        if problem.axes[0].free < problem.axes[0].size:
            return labels
        start, groups = 0, 0
        values, counts = np.unique(places, return_counts=True)
        held = 0
        for at, count in enumerate(counts):
            held += count
            if held >= problem.k and counts[at + 1 :].sum() >= problem.k:
                labels[(places >= start) & (places <= values[at])] = groups
                start, held, groups = values[at] + 1, 0, groups + 1
        labels[places >= start] = groups
        return labels


@value
class AllBut(Partition):
    """Everybody in one group, except the first few rows, who are suppressed."""

    few: int
    partition: Literal["all_but"] = field(default="all_but", kw_only=True, repr=False)

    def group(self, problem: Problem) -> Labels:
        labels = np.zeros(len(problem.rows), dtype=np.int32)
        labels[: self.few] = -1
        return labels


@value
class EachValue(Partition):
    """A group for each value of the first axis but the last one, which is suppressed."""

    partition: Literal["each_value"] = field(default="each_value", kw_only=True, repr=False)

    def group(self, problem: Problem) -> Labels:
        places = problem.rows[:, 0]
        return np.where(places == problem.axes[0].size - 1, -1, places).astype(np.int32)


@value
class LastOfSecond(Partition):
    """Everybody in one group, but for the last value of the second axis, which is suppressed."""

    partition: Literal["last_of_second"] = field(default="last_of_second", kw_only=True, repr=False)

    def group(self, problem: Problem) -> Labels:
        return np.where(problem.rows[:, 1] == problem.axes[1].size - 1, -1, 0).astype(np.int32)


def make(frame: Any, schema: tk.Schema, method: Any, seed: int = 0) -> Made:
    return make_release(pa.table(frame), Origin("pyarrow"), schema, method, (), Key.seeded(seed))


def check_release(made: Made, columns: tuple[str, ...], k: int) -> None:
    """No class below k, no row lost or doubled, every cell covers its original, and kept cells are as they were."""
    release, table = made.release, made.table
    rows = list(zip(*(release.table.column(name).to_pylist() for name in columns), strict=True))
    sizes = Counter(rows)
    assert min(sizes.values()) >= k
    assert release.guarantees[0].notion == "k-anonymity"
    assert release.guarantees[0].value == min(sizes.values())
    assert release.rows + release.mechanism.left_out == table.rows
    assert len(set(made.order.tolist())) == release.rows
    recoding = release.mechanism.recoding
    for name in release.schema.names():
        if recoding is not None and name in recoding.columns:
            covers = recoding.columns[name].covers
            assert covers[release.coded.codes(name), table.codes(name)[made.order]].all(), name
        else:
            assert (
                release.table.column(name).to_pylist()
                == table.columns[name].cells.take(pa.array(made.order)).to_pylist()
            )


def small_table() -> tuple[pa.Table, tk.Schema]:
    schema = tk.Schema(
        [
            tk.Attribute("a", "quasi_identifier", tk.Categories(["x", "y", "z"])),
            tk.Attribute("s", "sensitive", tk.Categories(["p", "q"])),
        ]
    )
    return pa.table({"a": ["x"] * 8 + ["y"] * 8 + ["z"] * 2, "s": ["p", "q"] * 9}), schema
