"""The best cut of an order: with running sums in k·n steps, and with every group's sum of squares added up anew in k²·n."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

import tokumei as tk
from benchmarks.papers.microaggregation_growth import least_seconds
from benchmarks.papers.program import Run, Tables
from benchmarks.points import mixture
from benchmarks.stored import Table
from tokumei.partition.microaggregation.path._kernels import best_cut
from tokumei.partition.microaggregation.points import Points

COUNT = 4_000


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def cut_anew(rows: Any, k: Any) -> Any:
    """Cut rows, in their order, into groups of k to 2k - 1; each group's squares are added up from its rows."""
    count, columns = rows.shape
    least, came = np.full(count + 1, np.inf), np.zeros(count + 1, dtype=np.int64)
    least[0] = 0.0
    for end in range(k, count + 1):
        for start in range(max(0, end - 2 * k + 1), end - k + 1):
            if least[start] == np.inf:
                continue
            cost = least[start]
            for column in range(columns):
                total = 0.0
                for row in range(start, end):
                    total += rows[row, column]
                mean = total / (end - start)
                for row in range(start, end):
                    gap = rows[row, column] - mean
                    cost += gap * gap
            if cost < least[end]:
                least[end], came[end] = cost, start
    labels = np.empty(count, dtype=np.int64)
    end, group = count, 0
    while end > 0:
        labels[came[end] : end] = group
        end = came[end]
        group += 1
    return labels


def run(run: Run) -> Tables:
    table = mixture(COUNT)
    best_cut(table[:50], 3), cut_anew(table[:50], 3)
    rows = []
    for k in (5, 20) if run.quick else (5, 10, 20, 40, 80, 160):
        points = Points(table, k)
        sums, one = least_seconds(lambda points: best_cut(points.rows, points.k), points)
        anew, other = least_seconds(lambda points: cut_anew(points.rows, points.k), points)
        same = bool((one == other).all())
        rows.append([k, 1000 * sums, 1000 * anew, anew / sums, "yes" if same else "no"])
    heads = ["k", "running sums, ms", "added up anew, ms", "times as long", "same groups"]
    return {"k": Table(heads, rows, {heads[1]: ".2f", heads[2]: ",.1f", heads[3]: ".1f"})}


def charts(tables: Tables) -> dict[str, Any]:
    rows = [
        {"k": k, "CPU, ms": taken, "line": line}
        for k, sums, anew, *_ in tables["k"].rows
        for line, taken in (("running sums", sums), ("added up anew", anew))
    ]
    return {"k": tk.plots.curves(rows, x="k", y="CPU, ms", log_x=True, log_y=True)}
