"""Microaggregation: how much each partition loses, and what it costs.

    TOKUMEI_DATA=folder python -m benchmarks.microaggregation [small bound large huge]

The folder holds census.csv (1,080 rows) and tarragona.csv (834 rows), numbers with a header. Loss is 100 · SSE / SST on
columns of mean 0 and variance 1; `bound` prints what no grouping can fall below. Seconds are CPU seconds from points, once compiled. `large` is a mixture of 50 Gaussians
with 100,000 rows and 10 columns, k = 5; `huge` has 1,000,000 rows.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

import tokumei as tk
from benchmarks import data
from tokumei.partition.microaggregation.points import Floats, PointPartition, Points, information_loss

PARTITIONS: dict[str, PointPartition] = {
    "MDAV": tk.Mdav(),
    "V-MDAV": tk.VMdav(),
    "nearest point next": tk.NearestPointNext(),
    "grid blocks": tk.GridBlocks(),
    "FlexDice": tk.FlexDice(),
    "farthest first": tk.FarthestFirst(),
    "local search": tk.LocalSearch(),
    "thorough": tk.LocalSearch(thorough=True),
}


def standardised(rows: Floats) -> Floats:
    return np.ascontiguousarray((rows - rows.mean(axis=0)) / rows.std(axis=0))


def table(name: str) -> Floats:
    return standardised(pd.read_csv(data.path(f"{name}.csv")).to_numpy(dtype=np.float64))


def mixture(count: int, columns: int = 10, parts: int = 50) -> Floats:
    """Rows around 50 centres, each with a shape of its own."""
    rng = np.random.default_rng(0)
    centres, shares = rng.normal(0, 3, (parts, columns)), rng.dirichlet(np.full(parts, 2.0))
    shapes = rng.normal(size=(parts, columns, columns)) / np.sqrt(columns) * rng.uniform(0.3, 1.2, (parts, 1, 1))
    part, rows = rng.choice(parts, count, p=shares), rng.normal(size=(count, columns))
    for at in range(parts):
        rows[part == at] = centres[at] + rows[part == at] @ shapes[at].T
    return standardised(rows)


def measured(partition: PointPartition, points: Points) -> tuple[float, float]:
    """Return the loss, and the CPU seconds."""
    start = time.process_time()
    labels = partition.group(points)
    seconds = time.process_time() - start
    assert np.bincount(labels).min() >= points.k
    return information_loss(points.rows, labels), seconds


def small() -> None:
    print("| table | k | " + " | ".join(PARTITIONS) + " | local search saves | thorough saves |")
    print("|---|---|" + "---|" * (len(PARTITIONS) + 2))
    for name in ("census", "tarragona"):
        rows = table(name)
        for k in (3, 4, 5, 10):
            losses = [measured(partition, Points(rows, k))[0] for partition in PARTITIONS.values()]
            saved = [f"{1 - loss / losses[0]:.1%}" for loss in losses[-2:]]
            print(f"| {name.title()} | {k} | " + " | ".join([*(f"{loss:.2f}" for loss in losses), *saved]) + " |")


def bound() -> None:
    print("| table | k | thorough | NearExact | no grouping below | at most to gain | time, times thorough |")
    print("|---|---|---|---|---|---|---|")
    for name in ("tarragona", "census"):
        points = Points(table(name), 3)
        searched, quick = measured(PARTITIONS["thorough"], points)
        start = time.process_time()
        found = tk.NearExact().grouped(points)
        times = (time.process_time() - start) / quick
        assert found.least is not None
        loss = information_loss(points.rows, found.labels)
        gain = 1 - found.least / loss
        print(
            f"| {name.title()} | 3 | {searched:.3f} | {loss:.3f} | {found.least:.3f} | {gain:.1%} | {times:.0f} |",
            flush=True,
        )


def large() -> float:
    points = Points(mixture(100_000), 5)
    base, slow = measured(tk.Mdav(), points)
    print(f"100,000 x 10, k = 5: MDAV loses {base:.4f}, {slow:.2f} s")
    seconds = 0.0
    for name in ("farthest first", "local search"):
        loss, seconds = measured(PARTITIONS[name], points)
        print(f"  {name}: {loss / base:.3f} of MDAV's loss, 1/{slow / seconds:.1f} of its time ({seconds:.2f} s)")
    return seconds


def huge() -> None:
    seconds = measured(tk.LocalSearch(), Points(mixture(100_000), 5))[1]
    points = Points(mixture(1_000_000), 5)
    held = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() - points.rows.nbytes
    loss, longer = measured(tk.LocalSearch(), points)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - held
    print(f"1,000,000 x 10, k = 5: loss {loss:.4f}, {longer:.2f} s, {longer / seconds:.1f} times 100,000 rows'")
    print(f"  memory at most {peak / points.rows.nbytes:.1f} times the points, themselves included")


def main() -> None:
    warm = Points(mixture(500), 3)
    for partition in PARTITIONS.values():
        partition.group(warm)
    asked = sys.argv[1:] or ["small", "bound", "large", "huge"]
    for name in asked:
        {"small": small, "bound": bound, "large": large, "huge": huge}[name]()


if __name__ == "__main__":
    main()
