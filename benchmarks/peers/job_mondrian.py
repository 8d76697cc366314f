"""Groups of at least k rows by Mondrian: anonypy and anonypyx, the same columns and k."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from benchmarks import adult
from benchmarks.peers.bench import Bench, table
from benchmarks.peers.contest import COSTS
from benchmarks.peers.inputs import Input, tables
from benchmarks.peers.judge import judged
from benchmarks.stored import Table

K = 10
QUALITIES = ["k", "loss", "C_AVG"]


def run(bench: Bench) -> dict[str, Table]:
    given = tables(bench.sizes([12_000, adult.COMPLETE, 100_000, 1_000_000], 2_000), bench.home)
    rows: list[list[Any]] = []
    stopped: set[str] = set()
    for each in given:
        rows += contest(bench, each, {"k": K}, stopped)
        stopped = {row[1] for row in rows if str(row[-1]).startswith(("stopped", "ran out", "not asked"))}
    return {"mondrian": table(["table"], QUALITIES, rows)}


def said(asked: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in asked.items())


def contest(bench: Bench, given: Input, asked: dict[str, Any], stopped: Collection[str] = ()) -> list[list[Any]]:
    """One table by everybody; who was stopped at a smaller one is not asked."""
    entrants = [
        bench.entrant("tokumei, Mondrian", "tokumei", "generalize", partition="mondrian"),
        bench.entrant("tokumei, Mondrian by gain", "tokumei", "generalize", partition="gain"),
        bench.entrant("tokumei, as it picks", "tokumei", "generalize", partition="automatic"),
        bench.entrant("anonypy", "anonypy", "generalize"),
        bench.entrant("anonypyx", "anonypyx", "generalize"),
    ]
    asking = [each for each in entrants if each.name not in stopped]
    rows: list[list[Any]] = []
    for outcome in bench.compete(asking, {**given.request, **asked}, f"{given.name}: {said(asked)}"):
        more = len(asked) > 1
        quality: list[Any] = [None] * (len(QUALITIES) + 3 * more)
        remark = outcome.failure
        if remark is None:
            listed = not outcome.entrant.name.startswith("tokumei")
            found = judged(outcome.folder / "released.csv", given, asked, listed=listed)
            quality = [found.k, found.loss, found.average, *([found.l, found.t, found.share] if more else [])]
            remark = found.broken(asked) or ("" if not found.missing else f"{found.missing:,} rows missing")
        rows.append([given.name, outcome.entrant.name, *outcome.costs(), *quality, remark])
    blank = [None] * (len(COSTS) + len(QUALITIES))
    return rows + [[given.name, name, *blank, "not asked: stopped at fewer rows"] for name in stopped]
