"""How alike the rows of a table are: pycanon, measure by measure, and what all of them cost."""

from __future__ import annotations

import math
from typing import Any

from benchmarks.peers.bench import Bench, table
from benchmarks.peers.inputs import census
from benchmarks.stored import Table

COLUMNS = [["sex", "region"], ["age", "sex", "region"], ["age", "sex", "region", "education"]]
MEASURES = ["k", "l, distinct", "l, entropy", "t", "beta", "delta"]


def run(bench: Bench) -> dict[str, Table]:
    costs: list[list[Any]] = []
    numbers: list[list[Any]] = []
    for rows in bench.sizes([12_000, 100_000], 2_000):
        for columns in COLUMNS[:1] if bench.quick else COLUMNS:
            folder = bench.home / f"checks-{rows}-{len(columns)}"
            folder.mkdir()
            given = census(rows, folder, columns)
            name = f"{given.name}; {', '.join(columns)}"
            entrants = [
                bench.entrant("tokumei", "tokumei", "checks"),
                bench.entrant("pycanon", "pycanon", "checks"),
            ]
            found = bench.compete(entrants, given.request, f"{name}: checks")
            costs += [[name, each.entrant.name, *each.costs(), each.failure or ""] for each in found]
            if all(each.failure is None for each in found):
                numbers += [
                    [name, *compared(measure, *(each.facts[measure] for each in found))] for measure in MEASURES
                ]
    return {
        "checks": table(["table; columns"], [], costs),
        "measures": Table(["table; columns", "measure", "tokumei", "pycanon", "same"], numbers),
    }


def compared(measure: str, ours: float | None, other: float) -> list[Any]:
    """One measure by both; nothing of ours stands for infinity."""
    if ours is None:
        return [measure, "infinite", f"{other:.4f}", "no"]
    same = math.isclose(ours, other, rel_tol=1e-9)
    rounded = not same and other == math.floor(ours)
    return [measure, f"{ours:.4f}", f"{other:.4f}", "yes" if same else "rounded down" if rounded else "no"]
