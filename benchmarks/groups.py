"""Rows perturbed in groups, as released: what boxes, the measure of noise and the domain make of it.

    python -m benchmarks.groups [--quick]
    python -m benchmarks.groups told [SEEDS]

Adult, ten columns, 16,281 rows released and 30,561 others for testing; on the common grid of `benchmarks.common_grid`, and with every value of the file as it is. Seconds are
those of CPU, of making a release.

`told` compares rows that tell every column, as they are and by `tk.reconstruct`, with rows that tell one column each inside their group's box, on the rows and
with the measures of `benchmarks.one_thing_a_row`.
"""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

import numpy as np

import tokumei as tk
from benchmarks.common_grid import CommonGrid
from benchmarks.one_thing_a_row import FIRST, Adult, Tried, summed, wide
from benchmarks.stored import Table, store
from benchmarks.ten_columns import COLUMNS, schema

KS, SEEDS = (3, 10, 50), range(4)
DEFAULT = "sets, distance"
WAYS: dict[str, dict[str, Any]] = {
    "stretches, scale": {"boxes": "stretches", "partition": tk.partitions.NoiseAware(measure="scale")},
    "sets, scale": {"boxes": "sets", "partition": tk.partitions.NoiseAware(measure="scale")},
    "stretches, distance": {"boxes": "stretches", "partition": tk.partitions.NoiseAware(measure="distance")},
    DEFAULT: {"boxes": "sets", "partition": tk.partitions.NoiseAware(measure="distance")},
    "sets, Mondrian": {"boxes": "sets", "partition": tk.partitions.Mondrian()},
}
HEADS = ["rows", "boxes, cuts by", "k", "2-D", "± 2-D", "AUC", "± AUC", "groups", "seconds"]


def released(grid: CommonGrid, domain: str, which: Any, method: Any, seed: int) -> tuple[Any, tk.Release, float]:
    """Return released rows on the grid, the release, and how long it took."""
    plain = domain == "plain"
    frame = grid.frame.iloc[which].reset_index(drop=True) if plain else grid.rows(which)
    described = schema(grid.frame, COLUMNS) if plain else grid.schema()
    start = time.process_time()
    release = tk.anonymize(frame, described, method, seed=seed)
    taken = time.process_time() - start
    rows = release.frame[[*COLUMNS, "target"]]
    return grid.to_grid(rows) if plain else rows.to_numpy(dtype=int), release, taken


def told(seeds: range) -> None:
    """Compare rows that tell every column with rows that tell one."""
    adult, found = Adult(), []
    for seed in seeds:
        tried, lines = Tried(adult, seed), []
        for k in KS:
            ways = [
                ("every column, as released", tried.as_released, tk.GroupedPkPerturbation(k=k)),
                ("every column, reconstructed", tried.told, tk.GroupedPkPerturbation(k=k)),
                ("one column, reconstructed", tried.told, tk.GroupedPkPerturbation(k=k, tells=1)),
            ]
            for name, judge, method in ways:
                lines.append((name, "", k, *judge(method)))
                print(seed, *lines[-1], flush=True)
        found.append(lines)
    compared = wide(summed(found))
    shown = Table(["rows tell", *compared.columns[2:]], [[row[0], *row[2:]] for row in compared.rows])
    command = f"python -m benchmarks.groups told {len(seeds)}"
    store("groups_told", {"compared": shown}, command=command, seeds=list(seeds))


def main() -> None:
    warnings.filterwarnings("ignore")
    quick = "--quick" in sys.argv
    ks, seeds = (KS[:1], range(1)) if quick else (KS, SEEDS)
    grid, rows = CommonGrid(), []
    for domain in ("grid", "plain"):
        for way in WAYS.values():  # loops are compiled or loaded
            released(grid, domain, grid.split(0)[0][:500], tk.GroupedPkPerturbation(k=3, **way), 0)
    original = [grid.auc(grid.codes[train], grid.codes[test]) for train, test in map(grid.split, seeds)]
    print(f"original rows: AUC {np.mean(original):.3f}", flush=True)
    for domain in ("grid", "plain"):
        for name, way in WAYS.items():
            for k in ks:
                found = []
                for seed in seeds:
                    train, test = grid.split(seed)
                    made, release, taken = released(grid, domain, train, tk.GroupedPkPerturbation(k=k, **way), seed)
                    assert release.guarantees[0].value >= k
                    grouping = release.mechanism.grouping
                    assert grouping is not None
                    off, area = grid.two_way_error(grid.codes[train], made), grid.auc(made, grid.codes[test])
                    found.append([off, area, len(grouping.groups), taken])
                off, area, groups, taken = map(float, np.mean(found, axis=0))
                error = np.std(found, axis=0, ddof=1) / len(seeds) ** 0.5 if len(seeds) > 1 else np.zeros(4)
                rows.append([domain, name, k, off, float(error[0]), area, float(error[1]), groups, taken])
                print(*rows[-1], flush=True)
    table = Table(HEADS, rows, {"± 2-D": ".4f", "± AUC": ".4f", "groups": ".0f", "seconds": ".2f"})
    print(table.markdown())
    if not quick:
        defaults = Table(
            ["k", "2-D, grid", "AUC, grid", "2-D, plain", "AUC, plain"],
            [
                [
                    k,
                    *(
                        part
                        for domain in ("grid", "plain")
                        for part in table.found(f"{domain} / {DEFAULT} / {k}")[3:6:2]
                    ),
                ]
                for k in ks
            ],
        )
        store("groups", {"ways": table, "default": defaults}, command="python -m benchmarks.groups", seeds=list(seeds))


if __name__ == "__main__":
    if "told" in sys.argv:
        warnings.filterwarnings("ignore")
        told(range(FIRST, FIRST + (int(sys.argv[2]) if len(sys.argv) > 2 else 4)))
    else:
        main()
