"""The board: what tokumei costs, as ratios against a bound or a peer measured in the same run.

    python benchmarks/board.py            the whole board
    python benchmarks/board.py drawing    the rows of one file

A ratio is the median over rounds; in each round ours and the other are timed one after the other, so that a busy
machine slows both. A row file `rows_NAME.py` yields `Row`s; adding a row needs no change here.
"""

from __future__ import annotations

import importlib
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Row:
    """One line: ``ours`` against ``other``; ``at_most`` bounds ours / other, ``at_least`` bounds other / ours."""

    what: str
    against: str
    ours: Callable[[], object]
    other: Callable[[], object]
    at_most: float | None = None
    at_least: float | None = None
    rounds: int = 5


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(row: Row) -> tuple[float, float, float]:
    """Return the median seconds of ours and of the other, and the median ratio ours / other."""
    row.ours()  # compile and warm up
    row.other()
    pairs = [(seconds(row.ours), seconds(row.other)) for _ in range(row.rounds)]
    return (
        statistics.median(ours for ours, _ in pairs),
        statistics.median(other for _, other in pairs),
        statistics.median(ours / other for ours, other in pairs),
    )


def rows(asked: list[str]) -> Iterator[tuple[str, Row]]:
    for file in sorted(Path(__file__).parent.glob("rows_*.py")):
        name = file.stem.removeprefix("rows_")
        if not asked or name in asked:
            yield from ((name, row) for row in importlib.import_module(file.stem).rows())


def verdict(row: Row, ratio: float) -> tuple[str, str, bool]:
    """Say the ratio the way the row is meant, its limit, and whether it holds."""
    if row.at_least is not None:
        return f"{1 / ratio:.2f}× faster", f"≥ {row.at_least:g}×", 1 / ratio >= row.at_least
    limit = "" if row.at_most is None else f"≤ {row.at_most:g}×"
    return f"{ratio:.2f}×", limit, row.at_most is None or ratio <= row.at_most


def main() -> int:
    console = Console(width=max(120, Console().width))
    console.print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    table = Table(box=None, header_style="bold")
    for title in ("what", "against", "ours", "other", "ratio", "limit", ""):
        table.add_column(title, justify="right" if title in {"ours", "other", "ratio", "limit"} else "left")
    missed = 0
    for group, row in rows(sys.argv[1:]):
        with console.status(f"{group}: {row.what}"):
            ours, other, ratio = measure(row)
        shown, limit, holds = verdict(row, ratio)
        missed += not holds
        mark = "" if not limit else "ok" if holds else "MISSED"
        table.add_row(row.what, row.against, f"{ours:.4f} s", f"{other:.4f} s", shown, limit, mark)
    console.print(table)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
