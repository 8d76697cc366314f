"""The board: what tokumei costs, as ratios against a bound or a peer measured in the same run.

    python -m benchmarks.board                    the whole board
    python -m benchmarks.board drawing risk       the rows of some files
    python -m benchmarks.board --store            keep what was measured (docs/board.md shows it)

A ratio is the median over rounds; in each round ours and the other are timed one after the other, so that a busy
machine slows both. A file `peers/rows_NAME.py` yields `Row`s; adding a row needs no change here. Ratios are compared with
the ones stored on a machine of the same kind (processor, vectors, cores): what is worse than those by more than a quarter and by more than three times the spread of the rounds, then and now,
is marked.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table as Shown

from benchmarks import stored
from benchmarks.row import Measured, Row, measure
from benchmarks.size import sizes

COLUMNS = ["what", "against", "ours, s", "other, s", "ratio", "spread", "limit", "holds"]
FORMATS = {"ours, s": ".4f", "other, s": ".4f", "ratio": ".2f", "spread": ".2f"}
SLACK = 0.25


def rows(asked: list[str]) -> Iterator[tuple[str, Row]]:
    files = sorted((Path(__file__).parent / "peers").glob("rows_*.py"))
    names = [file.stem.removeprefix("rows_") for file in files]
    if unknown := set(asked) - set(names):
        sys.exit(f"There are no rows named {', '.join(sorted(unknown))}; there are {', '.join(names)}.")
    for name in names:
        if not asked or name in asked:
            yield from ((name, row) for row in importlib.import_module(f"benchmarks.peers.rows_{name}").rows())


def verdict(row: Row, ratio: float) -> tuple[str, str, bool]:
    """Say the ratio the way the row is meant, its limit, and whether it holds."""
    if row.at_least is not None:
        return f"{1 / ratio:.2f}× faster", f"≥ {row.at_least:g}×", 1 / ratio >= row.at_least
    limit = "" if row.at_most is None else f"≤ {row.at_most:g}×"
    return f"{ratio:.2f}×", limit, row.at_most is None or ratio <= row.at_most


def place() -> str:
    """Name the result that was stored on a machine like this one: the first board, or one of its own for another kind of machine."""
    first = stored.RESULTS / "board.json"
    if not first.exists() or stored.kind(json.loads(first.read_text(encoding="utf-8"))["machine"]) == stored.kind():
        return "board"
    return f"board_{stored.kind()}"


def known() -> dict[tuple[str, str], tuple[float, float]]:
    """Return the stored ratio and spread of every row, of a machine like this one; of another they would tell nothing about us."""
    if not (stored.RESULTS / f"{place()}.json").exists():
        return {}
    _, tables = stored.read(place())
    return {(what, against): (ratio, spread) for what, against, _, _, ratio, spread, *_ in tables["rows"].rows}


def worse(now: Measured, before: tuple[float, float] | None) -> bool:
    """Whether a ratio is above the stored one by more than noise."""
    if before is None:
        return False
    ratio, spread = before
    return now.ratio > ratio * (1 + SLACK) and now.ratio > ratio + 3 * max(spread, now.spread)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--store", action="store_true")
    given = parser.parse_args()
    if given.store and given.rows:
        parser.error("--store keeps the whole board; leave out the names of rows")
    console = Console(width=max(130, Console().width))
    on = stored.machine()
    console.print(f"{on['processor']}, {on['cores']} cores, Python {on['python']}")
    table = Shown(box=None, header_style="bold")
    for title in ("what", "against", "ours", "other", "ratio", "limit", "", "stored"):
        table.add_column(title, justify="right" if title in {"ours", "other", "ratio", "limit", "stored"} else "left")
    before, found, bad = known(), [], 0
    for group, row in rows(given.rows):
        with console.status(f"{group}: {row.what}"):
            now = measure(row)
        told, limit, holds = verdict(row, now.ratio)
        mark = "" if not limit else "ok" if holds else "MISSED"
        then = before.get((row.what, row.against))
        lost = worse(now, then)
        bad += lost or not holds
        once = "" if then is None else verdict(row, then[0])[0] + (" WORSE" if lost else "")
        table.add_row(row.what, row.against, f"{now.ours:.4f} s", f"{now.other:.4f} s", told, limit, mark, once)
        found.append([row.what, row.against, now.ours, now.other, now.ratio, now.spread, limit, mark])
    console.print(table)
    if not given.rows:
        console.print(sizes())
    if given.store:
        stored.store(
            place(), {"rows": stored.Table(COLUMNS, found, FORMATS)}, command="python -m benchmarks.board --store"
        )
        return 0
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
