"""One level of its hierarchy for each column: anjana, the same hierarchies, k, l, t and share of rows that may be suppressed."""

from __future__ import annotations

from typing import Any

from benchmarks import adult
from benchmarks.peers.bench import Bench, table
from benchmarks.peers.inputs import tables
from benchmarks.peers.job_mondrian import said
from benchmarks.peers.judge import judged
from benchmarks.stored import Table

ASKED: list[dict[str, Any]] = [{"k": 10}, {"k": 10, "l": 2}, {"k": 10, "t": 0.4}]
SUPPRESSED = 0.05
QUALITIES = ["k", "l", "t", "rows missing", "loss"]


def run(bench: Bench) -> dict[str, Table]:
    given = tables(bench.sizes([12_000, adult.COMPLETE, 100_000], 2_000), bench.home)
    entrants = [
        bench.entrant("tokumei, Optimal", "tokumei", "generalize", partition="optimal", trees=True),
        bench.entrant("anjana", "anjana", "generalize"),
    ]
    rows: list[list[Any]] = []
    for each in given:
        for asked in ASKED if each.rows < 100_000 else ASKED[:1]:
            request = {**each.request, **asked, "suppressed": SUPPRESSED}
            for outcome in bench.compete(entrants, request, f"{each.name}: {said(asked)}, levels"):
                quality: list[Any] = [None] * len(QUALITIES)
                remark = outcome.failure
                if remark is None and outcome.facts.get("rows") == 0:
                    remark = "gave back no rows"
                elif remark is None:
                    found = judged(outcome.folder / "released.csv", each, {**asked, "trees": True}, listed=False)
                    quality = [found.k, found.l, found.t, found.missing, found.loss]
                    remark = found.broken(asked) or ""
                rows.append([said(asked), each.name, outcome.entrant.name, *outcome.costs(), *quality, remark])
    return {"full_domain": table(["asked", "table"], QUALITIES, rows)}
