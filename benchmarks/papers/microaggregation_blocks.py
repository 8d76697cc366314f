"""FlexDice's blocks: how many there are, who their neighbours are, and how the time of a path through them grows.

The paper expects B = O(n / (p k)) blocks with its choice of C1 = p k C2, hardly dependent on the number p of columns, and a path in
O(C1² B + p B²), which is O(n² / (p k²)) for many rows. Both ways of halving are measured: along every column at once, as published, and
along the widest. Rows lie around 50 centres; C2 = 4. Times are CPU times of the path alone, without making the blocks or cutting.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

import tokumei as tk
from benchmarks.papers.microaggregation_growth import least_seconds
from benchmarks.papers.program import Run, Tables
from benchmarks.points import mixture
from benchmarks.stored import Table
from tokumei.partition.microaggregation.path.blocks import path_through_blocks
from tokumei.partition.microaggregation.path.cut import cut
from tokumei.partition.microaggregation.points import Points, information_loss

WAYS = {"every column": tk.partitions.FlexDice(), "widest": tk.partitions.FlexDice(halve="widest")}
COUNT, K, P = 4_000, 5, 10
ROWS, COLUMNS, KS = (8_000, 16_000, 32_000, 64_000), (5, 10, 20, 40), (5, 10, 20, 40)
AT = 16_000  # rows, where columns or k grow


def looked(name: str, points: Points) -> tuple[list[Any], float]:
    """Say what the blocks are like; return that, and the CPU seconds of the path."""
    blocks, neighbours = WAYS[name].blocks(points)
    count = int(blocks.max()) + 1
    block, side = np.nonzero(neighbours >= 0)
    links = csr_matrix((np.ones(len(block)), (block, neighbours[block, side])), shape=(count, count))
    pieces = int(connected_components(links, directed=False)[0])
    sizes = np.bincount(blocks)
    seconds, path = least_seconds(lambda p: path_through_blocks(p, blocks, neighbours=neighbours), points)
    lost = information_loss(points.rows, cut(points, path))
    rows, columns = points.rows.shape
    shape = [
        count,
        count * columns * points.k / rows,
        float(np.median(sizes)),
        int(sizes.max()),
        len(block) / count,
        pieces,
    ]
    return [*shape, 1000 * seconds, lost], seconds


def run(run: Run) -> Tables:
    warm = Points(mixture(300, 3), 3)
    for name in WAYS:
        looked(name, warm)
    shapes, growths, powers = [], [], []
    for p in (2, 10) if run.quick else (2, 3, 5, 10, 20, 40):
        points = Points(mixture(COUNT, p), K)
        shapes += [[p, name, *looked(name, points)[0]] for name in WAYS]
        run.say(f"{p} columns")
    for name in WAYS:
        for grows, cases in (
            ("rows", [(n, P, K) for n in ROWS]),
            ("columns", [(AT, p, K) for p in COLUMNS]),
            ("k", [(AT, P, k) for k in KS]),
        ):
            some = cases[:2] if run.quick else cases
            found = []
            for n, p, k in some:
                points = Points(mixture(n // 4 if run.quick else n, p), k)
                (count, *_), seconds = looked(name, points)
                found.append((dict(zip(("rows", "columns", "k"), (n, p, k), strict=True))[grows], count, seconds))
                growths.append([name, grows, n, p, k, count, 1000 * seconds])
            (low, few, short), (high, many, long) = found[0], found[-1]
            times = math.log(high / low)
            powers.append([name, grows, math.log(many / few) / times, math.log(long / short) / times])
            run.say(f"{name}, {grows}")
    heads = [
        "blocks",
        "blocks · p k / n",
        "median rows",
        "most rows",
        "neighbours each",
        "pieces",
        "path, ms",
        "loss, %",
    ]
    formats = {
        "blocks · p k / n": ".2f",
        "median rows": ".0f",
        "neighbours each": ".1f",
        "path, ms": ".1f",
        "loss, %": ".2f",
    }
    return {
        "shape": Table(["columns", "halved along", *heads], shapes, formats),
        "growth": Table(
            ["halved along", "grows", "rows", "columns", "k", "blocks", "path, ms"], growths, {"path, ms": ".1f"}
        ),
        "powers": Table(["halved along", "grows", "blocks", "path"], powers, {"blocks": ".2f", "path": ".2f"}),
    }


def charts(tables: Tables) -> dict[str, Any]:
    rows = [dict(zip(tables["shape"].columns, row, strict=True)) for row in tables["shape"].rows]
    return {"columns": tk.plots.curves(rows, x="columns", y="blocks", line="halved along", log_x=True, log_y=True)}


def figure_5(run: Run) -> Tables:
    """The figure's example drawn many times: points in a square, the plain path and that through 16 blocks, k = 5."""
    rows = []
    for count in (40, 80, 160) if not run.quick else (40,):
        for kind in ("evenly spread", "around four centres"):
            losses = []
            for seed in run.seeds:
                rng = np.random.default_rng([seed, count])
                made = rng.uniform(0, 4, (count, 2))
                if kind != "evenly spread":
                    made = rng.choice([1.0, 3.0], (count, 2)) + rng.normal(0, 0.35, (count, 2))
                points = Points(made, 5)
                ways = (tk.partitions.NearestPointNext(), tk.partitions.GridBlocks(4), tk.partitions.MDAV())
                losses.append([information_loss(made, way.group(points)) for way in ways])
            plain, blocks, mdav = np.array(losses).T
            better = float(np.mean(blocks < plain))
            rows.append([kind, count, float(plain.mean()), float(blocks.mean()), float(mdav.mean()), better])
    heads = ["plain path", "16 blocks", "MDAV", "sets where blocks lose less"]
    return {"squares": Table(["points", "number", *heads], rows, {**dict.fromkeys(heads[:3], ".2f"), heads[3]: ".0%"})}


def figure_5_charts(_: Tables) -> dict[str, Any]:
    """The first set of 80 points: the groups of both paths."""
    import altair as alt

    made = np.random.default_rng([0, 80]).uniform(0, 4, (80, 2))
    points, panels = Points(made, 5), []
    for title, way in (("plain path", tk.partitions.NearestPointNext()), ("16 blocks", tk.partitions.GridBlocks(4))):
        labels = way.group(points)
        rows = [{"x": float(x), "y": float(y), "group": int(label)} for (x, y), label in zip(made, labels, strict=True)]
        chart = alt.Chart(alt.Data(values=rows)).mark_point(filled=True, size=70, opacity=1)
        colour = alt.Color("group:N", scale=alt.Scale(scheme="tableau20"), legend=None)
        place = {each: alt.Axis(values=[0, 1, 2, 3, 4], title=None) for each in "xy"}
        encoded = chart.encode(x=alt.X("x:Q", axis=place["x"]), y=alt.Y("y:Q", axis=place["y"]), color=colour)
        panels.append(
            encoded.properties(width=260, height=260, title=f"{title}: loss {information_loss(made, labels):.1f} %")
        )
    return {"paths": alt.hconcat(*panels)}
