"""Microaggregation along paths through blocks (Suzaki, Hashimoto, Kamidoi and Wakabayashi, Hiroshima City University), measured.

    python -m benchmarks.papers.microaggregation [PART ...] [--quick]

Parts: `companies` (the paper's tables 1 and 2, step by step), `figure_5` (its figure 5, drawn many times), `loss` (over k, on Census and Tarragona), `columns` (over the number of
columns), `blocks` (FlexDice's blocks, and how the time of its path grows with rows, columns and k), `cut` (the best cut in k·n steps against k²·n), `growth` (time over rows and over k), `large` (100,000 and 1,000,000 rows)
and `bound` (what no grouping can fall below). The paper measures nothing; it claims orders of growth and expects groups that are no worse.
TOKUMEI_DATA names the folder with census.csv (1,080 rows) and tarragona.csv (834 rows), numbers with a header. Loss is
100 · SSE / SST on columns of mean 0 and variance 1; seconds are CPU seconds from points, once compiled. ``--quick``: fewer k,
fewer rows, no bound on Tarragona. See `benchmarks.papers.program` for the command line.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import tokumei as tk
from benchmarks.papers import microaggregation_blocks as dicing
from benchmarks.papers import microaggregation_companies as companies
from benchmarks.papers import microaggregation_cut as cutting
from benchmarks.papers import microaggregation_growth as growing
from benchmarks.papers.program import Part, Run, Tables, main
from benchmarks.points import mixture, table
from benchmarks.stored import Table
from tokumei.partition.microaggregation.points import PointPartition, Points, information_loss

PARTITIONS: dict[str, PointPartition] = {
    "nearest point next": tk.partitions.NearestPointNext(),
    "grid blocks": tk.partitions.GridBlocks(),
    "FlexDice": tk.partitions.FlexDice(),
    "FlexDice, widest": tk.partitions.FlexDice(halve="widest"),
    "MDAV": tk.partitions.MDAV(),
    "V-MDAV": tk.partitions.VMDAV(),
    "farthest first": tk.partitions.FarthestFirst(),
    "local search": tk.partitions.LocalSearch(),
    "thorough": tk.partitions.LocalSearch(thorough=True),
}
SHORT = [name for name in PARTITIONS if name != "thorough"]


def measured(partition: PointPartition, points: Points) -> tuple[float, float]:
    """Return the loss, and the CPU seconds."""
    start = time.process_time()
    labels = partition.group(points)
    seconds = time.process_time() - start
    assert np.bincount(labels).min() >= points.k
    return information_loss(points.rows, labels), seconds


def compiled() -> None:
    warm = Points(mixture(500), 3)
    for partition in PARTITIONS.values():
        partition.group(warm)


def side_by_side(cases: Iterable[tuple[list[Any], Points]], heads: list[str], names: list[str]) -> Tables:
    """Measure some partitions case by case: a table of losses, and one of CPU milliseconds."""
    compiled()
    losses, times = [], []
    for labels, points in cases:
        found = [measured(PARTITIONS[name], points) for name in names]
        losses.append([*labels, *(loss for loss, _ in found)])
        times.append([*labels, *(1000 * seconds for _, seconds in found)])
    return {
        "losses": Table([*heads, *names], losses, dict.fromkeys(names, ".2f")),
        "times": Table([*heads, *names], times, dict.fromkeys(names, ",.1f")),
    }


def loss(run: Run) -> Tables:
    ks = (3, 10) if run.quick else (3, 4, 5, 10, 20)
    cases = (([name.title(), k], Points(table(name), k)) for name in ("census", "tarragona") for k in ks)
    return side_by_side(cases, ["table", "k"], list(PARTITIONS))


def lines(found: Table, x: str) -> list[dict[str, Any]]:
    """One point a cell of a table whose first columns are labels."""
    names = list(found.columns)[1 if x == "columns" else 2 :]
    return [
        {
            **dict(zip(found.columns, row, strict=True)),
            "partition": name,
            "loss, %": row[list(found.columns).index(name)],
        }
        for row in found.rows
        for name in names
    ]


def loss_charts(tables: Tables) -> dict[str, Any]:
    rows = lines(tables["losses"], "k")
    return {"over_k": tk.plots.curves(rows, x="k", y="loss, %", line="partition", panel="table")}


def columns(run: Run) -> Tables:
    """Rows around 50 centres in few and in many columns, k = 5."""
    count, widths = (1000, (2, 10)) if run.quick else (4000, (2, 3, 5, 10, 20, 40))
    cases = (([width], Points(mixture(count, width), 5)) for width in widths)
    return side_by_side(cases, ["columns"], SHORT)


def columns_charts(tables: Tables) -> dict[str, Any]:
    rows = lines(tables["losses"], "columns")
    return {"loss": tk.plots.curves(rows, x="columns", y="loss, %", line="partition", log_x=True, log_y=True)}


def bound(run: Run) -> Tables:
    compiled()
    rows = []
    for name in ("census",) if run.quick else ("census", "tarragona"):
        points = Points(table(name), 3)
        searched, short = measured(PARTITIONS["thorough"], points)
        start = time.process_time()
        found = tk.partitions.NearExact().grouped(points)
        times = (time.process_time() - start) / short
        assert found.least is not None
        reached = information_loss(points.rows, found.labels)
        rows.append([name.title(), 3, searched, reached, found.least, 1 - found.least / reached, times])
    heads = ["table", "k", "thorough", "NearExact", "no grouping below", "at most to gain", "time, times thorough"]
    return {"gap": Table(heads, rows, {"at most to gain": ".1%", "time, times thorough": ".1f"})}


def large(run: Run) -> Tables:
    compiled()
    count, more = (10_000, 40_000) if run.quick else (100_000, 1_000_000)
    points = Points(mixture(count), 5)
    base, slow = measured(tk.partitions.MDAV(), points)
    rows: list[list[Any]] = [[f"{count:,}", "MDAV", base, 1.0, slow, 1.0, None]]
    for name in ("FlexDice", "FlexDice, widest", "farthest first", "local search"):
        lost, seconds = measured(PARTITIONS[name], points)
        rows.append([f"{count:,}", name, lost, lost / base, seconds, slow / seconds, None])
    points = Points(mixture(more), 5)
    held = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() - points.rows.nbytes
    lost, seconds = measured(tk.partitions.LocalSearch(), points)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - held
    rows.append([f"{more:,}", "local search", lost, None, seconds, None, peak / points.rows.nbytes])
    heads = [
        "rows",
        "partition",
        "loss",
        "of MDAV's loss",
        "CPU, s",
        "times as fast as MDAV",
        "memory, times the points",
    ]
    formats = {"loss": ".2f", "of MDAV's loss": ".3f", "CPU, s": ".2f", heads[5]: ".1f", heads[6]: ".1f"}
    return {"mixture": Table(heads, rows, formats)}


PARTS = {
    "companies": Part(companies.worked, companies.charts),
    "loss": Part(loss, loss_charts),
    "figure_5": Part(dicing.figure_5, dicing.figure_5_charts, seeds=range(200)),
    "blocks": Part(dicing.run, dicing.charts, seeds=[0]),
    "columns": Part(columns, columns_charts, seeds=[0]),
    "cut": Part(cutting.run, cutting.charts, seeds=[0]),
    "growth": Part(growing.run, growing.charts, seeds=[0]),
    "large": Part(large, seeds=[0]),
    "bound": Part(bound),
}

if __name__ == "__main__":
    main("microaggregation", "Microaggregation along paths, and other ways.", PARTS)
