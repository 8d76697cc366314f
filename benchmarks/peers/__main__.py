"""The same jobs by other packages, in one run.

    python -m benchmarks.peers                     all jobs in full, stored for docs/peers.md
    python -m benchmarks.peers --quick             fewer rows, nothing stored
    python -m benchmarks.peers mondrian checks     some jobs; stored too, each by itself

Every package is installed once, in an environment of its own in the user's cache. A job runs in a process of its own within a limit of
time and memory, in turns. A file `job_NAME.py` has a function `run`; adding a job needs no change here. Ratios are compared with the
stored ones as on the board, and what of ours got slower is marked.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table as Shown

from benchmarks import stored
from benchmarks.board import worse
from benchmarks.peers.bench import Bench
from benchmarks.peers.contest import Limits
from benchmarks.row import Measured


def names() -> list[str]:
    return [file.stem.removeprefix("job_") for file in sorted(Path(__file__).parent.glob("job_*.py"))]


def earlier(name: str) -> dict[str, stored.Table]:
    """Return the tables that are stored, if there are any."""
    return stored.read(name)[1] if (stored.RESULTS / f"{name}.json").exists() else {}


def slower(before: stored.Table | None, table: stored.Table) -> list[str]:
    """Say where ours got slower against another package than it was when stored."""
    if before is None or "× ours" not in table.columns or list(before.columns) != list(table.columns):
        return []
    at, width = list(table.columns).index("× ours"), list(table.columns).index("package") + 1
    known = {tuple(row[:width]): row[at : at + 2] for row in before.rows}
    lost = []
    for row in table.rows:
        label, now, then = tuple(row[:width]), row[at : at + 2], known.get(tuple(row[:width]))
        if then is None or None in (*now, *then):
            continue
        if worse(Measured(0, 0, 1 / now[0], now[1] / now[0] ** 2), (1 / then[0], then[1] / then[0] ** 2)):
            lost.append(f"{' / '.join(map(str, label))}: {now[0]:.2f} times ours, and {then[0]:.2f} when stored")
    return lost


def show(console: Console, key: str, table: stored.Table) -> None:
    shown = Shown(title=key, box=None, header_style="bold", title_justify="left")
    for column in table.columns:
        shown.add_column(column)
    for row in table.rows:
        shown.add_row(*(table.cell(row, column) for column in table.columns))
    console.print(shown)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers")
    parser.add_argument("jobs", nargs="*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--limit", type=float, help="seconds of the processor for one process")
    parser.add_argument("--seeds", type=int, help="how many splits of the rows, in jobs that have several")
    parser.add_argument("--largest", type=int, help="leave out tables of more rows")
    given = parser.parse_args()
    if unknown := set(given.jobs) - set(names()):
        parser.error(f"there are no jobs named {', '.join(sorted(unknown))}; there are {', '.join(names())}")
    console = Console(width=max(180, Console().width))
    lost: list[str] = []
    options = "".join(
        f" --{option} {value:g}"
        for option, value in (("largest", given.largest), ("limit", given.limit), ("seeds", given.seeds))
        if value is not None
    )
    for name in given.jobs or names():
        before = earlier(f"peers_{name}")
        with tempfile.TemporaryDirectory(prefix="tokumei-peers-") as home:
            limits = Limits(seconds=given.limit or (20 if given.quick else 60), rounds=1 if given.quick else 3)
            bench = Bench(Path(home), given.quick, limits, given.largest, given.seeds)

            def keep(
                tables: dict[str, stored.Table], seeds: Sequence[int] = (), name: str = name, of: Bench = bench
            ) -> None:
                command = f"python -m benchmarks.peers {name}{options}"
                stored.store(f"peers_{name}", tables, command=command, seeds=seeds, versions_of=of.versions())

            if not given.quick:
                bench.keep = keep
            tables = importlib.import_module(f"benchmarks.peers.job_{name}").run(bench)
        for key, table in tables.items():
            show(console, key, table)
            lost += [] if given.quick else slower(before.get(key), table)
        if not given.quick:
            keep(tables, bench.done)
    for line in lost:
        console.print(f"WORSE {line}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
