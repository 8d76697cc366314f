"""How the time of each partition grows with the rows and with k.

Rows lie around 50 centres in 10 columns. A unit is the CPU time of one best cut of 1,000 rows with k = 5, measured in the
same run; every figure is the least of a few runs, as a multiple of it. The exponents say by which power of the rows, or of k, the time
grew over the last two doublings (of LocalSearch and rows over the last one: it searches more than 20,000 rows in a hurry).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import tokumei as tk
from benchmarks.papers.program import Run, Tables
from benchmarks.points import mixture
from benchmarks.stored import Table
from tokumei.partition.microaggregation.path._kernels import best_cut
from tokumei.partition.microaggregation.points import Points, information_loss

LINEAR = (1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000)
SQUARE = (1_000, 2_000, 4_000, 8_000, 16_000)
SMALL = (125, 250, 500)
K, SMALL_K = 5, 3
KS, SMALL_KS, MORE_KS = (5, 10, 20, 40), (2, 3, 4), (5, 10, 20, 40, 80, 160, 320)
AT, SMALL_AT = 8_000, 250  # rows, where k grows
UNIT = "times a cut of 1,000 rows"

Work = Callable[[Points], Any]


def only_cut(points: Points) -> Any:
    return best_cut(points.rows, points.k)


METHODS: dict[str, tuple[Work, tuple[int, ...]]] = {
    "best cut alone": (only_cut, LINEAR),
    "farthest first": (tk.partitions.FarthestFirst().group, LINEAR),
    "local search": (tk.partitions.LocalSearch().group, LINEAR),
    "grid blocks": (tk.partitions.GridBlocks().group, LINEAR),
    "FlexDice": (tk.partitions.FlexDice().group, LINEAR),
    "FlexDice, widest": (tk.partitions.FlexDice(halve="widest").group, LINEAR),
    "nearest point next": (tk.partitions.NearestPointNext().group, SQUARE),
    "MDAV": (tk.partitions.MDAV().group, SQUARE),
    "V-MDAV": (tk.partitions.VMDAV().group, SQUARE),
    "NearExact": (tk.partitions.NearExact().group, SMALL),
}


def least_seconds(work: Work, points: Points) -> tuple[float, Any]:
    """Return the CPU seconds of the fastest run, and what it gave; of what is quick more runs are made."""
    seconds, spent, made = math.inf, 0.0, None
    while spent < 0.3:
        start = time.process_time()
        made = work(points)
        seconds = min(seconds, time.process_time() - start)
        spent += max(seconds, 0.01)
    return seconds, made


def cases(work: Work, counts: tuple[int, ...], quick: bool) -> list[tuple[str, int, int]]:
    small = counts is SMALL
    at, k = (SMALL_AT, SMALL_K) if small else (AT // 4 if quick else AT, K)
    ks = SMALL_KS if small else MORE_KS if work is only_cut else KS
    most = 3 if quick else None
    return [*(("rows", count, k) for count in counts[:most]), *(("k", at, each) for each in ks[:most])]


def run(run: Run) -> Tables:
    table = mixture(max(SQUARE if run.quick else LINEAR))
    for work, _ in METHODS.values():
        work(Points(table[:200], 3))
    unit, _ = least_seconds(only_cut, Points(table[:1_000], K))
    rows: list[list[Any]] = []
    for name, (work, counts) in METHODS.items():
        for grows, count, k in cases(work, counts, run.quick):
            points = Points(table[:count], k)
            seconds, labels = least_seconds(work, points)
            lost = None if work is only_cut else information_loss(points.rows, labels)
            rows.append([name, grows, count, k, seconds / unit, 1000 * seconds, lost])
    heads = ["partition", "grows", "rows", "k", UNIT, "CPU, ms", "loss"]
    return {
        "curves": Table(heads, rows, {UNIT: ".3g", "CPU, ms": ".3g", "loss": ".2f"}),
        "exponents": exponents(rows),
    }


def exponents(rows: list[list[Any]]) -> Table:
    """By which power the time grew over the last doublings."""
    table = []
    for name in METHODS:
        powers = []
        for grows in ("rows", "k"):
            found = [(row[2] if grows == "rows" else row[3], row[4]) for row in rows if row[:2] == [name, grows]]
            (low, less), (high, more) = found[-2 if (name, grows) == ("local search", "rows") else -3], found[-1]
            powers.append(math.log(more / less) / math.log(high / low))
        table.append([name, *powers])
    return Table(["partition", "rows", "k"], table, {"rows": ".2f", "k": ".2f"})


def charts(tables: Tables) -> dict[str, Any]:
    found = [dict(zip(tables["curves"].columns, row, strict=True)) for row in tables["curves"].rows]
    made = {}
    for grows, other in (("rows", "k"), ("k", "rows")):
        some = [row for row in found if row["grows"] == grows]
        most, least = (next(row[other] for row in some if row["partition"] == name) for name in ("MDAV", "NearExact"))
        title = f"k = {most} (NearExact: {least})" if other == "k" else f"{most:,} rows (NearExact: {least})"
        made[grows] = tk.plots.curves(some, x=grows, y=UNIT, line="partition", log_x=True, log_y=True, title=title)
    return made
