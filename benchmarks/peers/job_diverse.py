"""Groups that must also be diverse, or close to the whole table: anonypy and anonypyx, the same l and t."""

from __future__ import annotations

from typing import Any

from benchmarks.peers.bench import Bench, table
from benchmarks.peers.inputs import census
from benchmarks.peers.job_mondrian import QUALITIES, contest, said
from benchmarks.stored import Table

ASKED: list[dict[str, Any]] = [{"k": 10, "l": 3}, {"k": 10, "t": 0.3}]


def run(bench: Bench) -> dict[str, Table]:
    given = census(1_000 if bench.quick else 5_000, bench.home)
    rows = [[said(asked), *row] for asked in ASKED for row in contest(bench, given, asked)]
    return {"diverse": table(["asked", "table"], [*QUALITIES, "l", "t", "share"], rows)}
