"""Whole jobs from the file on: a release written and reported on by every method, and the other long commands, at several sizes.

    python -m benchmarks.jobs [--only JOB …] [--rows N …] [--columns N …]    measure the cells that are not stored yet, the smallest first
    python -m benchmarks.jobs --minutes 7                                    begin no cell after so many minutes; call it again to go on
    python -m benchmarks.jobs --again --only attack                          measure these anew
    python -m benchmarks.jobs --table                                        store the tables anew from the cells, measure nothing

Every cell is a process of its own, from a CSV file on: CPU seconds (user and system, all threads, start and imports included) and the largest
resident memory, as the system counts them. A cell that needs more CPU than its limit (`--limit`) is stored as over it. Loops were
compiled before, on 1,000 rows; what that costs is in `benchmarks.first_call`. Cells are stored one by one as they are found. A report and a
reconstruction are of a release that stands already, as of somebody who ran `anonymize` before; an attack draws a release of its own.

The table is made up: 8 or 30 columns that depend on each other, all but the last of them quasi-identifiers and that one sensitive; k = 10. Where records are left out three columns are quasi-identifiers, since
hardly two rows agree in all. `start` is what every cell needs before it begins: Python, imports, and reading 1,000 rows.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from benchmarks import job_tables
from benchmarks.peers.environments import PEERS, environment
from benchmarks.stored import RESULTS, read

ROWS, COLUMNS, K = (10_000, 100_000, 1_000_000), (8, 30), 10
SIZES = (74, 9, 16, 7, 15, 5, 42, 2)  # how many values the columns have, over and over; the last column has two
METHODS = {
    "noise, some columns a row": 'method = "pk_perturbation"\nk = 10',
    "noise on every column": 'method = "pk_perturbation"\nk = 10\ntells = "all"',
    "noise in groups": 'method = "grouped_pk_perturbation"\nk = 10',
    "PRAM": 'method = "pram"\ncolumns = {MATRICES}',
    "sample": 'method = "sampling"\nsample = 0.5\nknown = 100',
    "generalized": 'method = "generalization"\nk = 10',
    "generalized, Mondrian": 'method = "generalization"\nk = 10\n[method.partition]\nkind = "mondrian"',
    "averaged": 'method = "microaggregation"\nk = 10',
    "swapped": 'method = "swapping"\nk = 10',
    "records left out": 'method = "record_suppression"\nk = 10',
    "cells suppressed": 'method = "local_suppression"\nk = 10',
}
ATTACKED = ("noise, some columns a row", "noise on every column", "noise in groups", "sample")
READ = "read and code"
READING = ("report", "reconstruct")  # jobs on a release that stands already
HERE = [sys.executable, "-m", "benchmarks.jobs", "--do"]
TOKUMEI = [sys.executable, "-m", "tokumei"]


@dataclass(frozen=True)
class Cell:
    """One job at one size; ``method`` is empty where the job needs none."""

    job: str
    method: str
    rows: int
    columns: int

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What it is stored under."""
        return self.job, self.method, self.rows, self.columns


def jobs() -> Iterator[tuple[str, str]]:
    """Every job, with its method."""
    for job in ("start", READ, "read Parquet", "assess", "compare", "frontier", "anonypy, Mondrian", "pycanon, k"):
        yield job, ""
    for job, methods in (
        ("release", METHODS),
        ("report", METHODS),
        ("attack", ATTACKED),
        ("reconstruct", ATTACKED[:3]),
    ):
        for method in methods:
            yield job, method


def names(columns: int) -> list[str]:
    return [f"c{place:02}" for place in range(columns)]


def sizes(columns: int) -> list[int]:
    return [SIZES[place % len(SIZES)] for place in range(columns - 1)] + [2]


def table(rows: int, columns: int) -> pa.Table:
    """Make people who differ by what they have in common: every column leans on one of three hidden ones."""
    rng = np.random.default_rng(0)
    hidden = rng.random((3, rows))
    made = {}
    for place, (name, size) in enumerate(zip(names(columns), sizes(columns), strict=True)):
        lean = 0.6 * hidden[place % 3] + 0.4 * rng.random(rows) ** 2
        code = np.minimum(lean * size, size - 1).astype(np.int64)
        made[name] = pa.array(code if size > 30 else np.array([f"v{each:02}" for each in range(size)])[code])
    return pa.table(made)


def prepare(folder: Path, rows: int, columns: int) -> Path:
    """Write the table and a plan for every method, once."""
    place = folder / f"{rows}x{columns}"
    if (place / "done").exists():
        return place
    place.mkdir(parents=True, exist_ok=True)
    made = table(rows, columns)
    pyarrow.csv.write_csv(made, place / "data.csv")
    pyarrow.parquet.write_table(made, place / "data.parquet")
    schema, matrices = [], []
    for name, size in zip(names(columns), sizes(columns), strict=True):
        role = "sensitive" if name == names(columns)[-1] else "quasi_identifier"  # all of them, but see `few`
        labels = ", ".join(f'"v{each:02}"' for each in range(size))
        numbers = size > 30
        domain = (
            f"{{kind = 'numbers', low = 0, high = {size - 1}, step = 1}}"
            if numbers
            else f"{{kind = 'categories', values = [{labels}]}}"
        )
        schema.append(f'[schema.{name}]\nrole = "{role}"\ndomain = {domain}\n')
        if role == "quasi_identifier" and not numbers:
            matrices.append(f'{name} = {{kind = "keep_or_replace", keep = 0.5}}')
    for method, text in METHODS.items():
        at = place / method
        at.mkdir(exist_ok=True)
        dropped = (
            [n for n, size in zip(names(columns), sizes(columns), strict=True) if size > 30] if method == "PRAM" else []
        )
        steps = "".join(f'[[prepare]]\nstep = "drop"\ncolumn = "{name}"\n' for name in dropped)
        chosen = text.replace("{MATRICES}", "{" + ", ".join(matrices) + "}")
        told = few("".join(schema)) if method == "records left out" else "".join(schema)
        (at / "plan.toml").write_text(
            f'[source]\npath = "../data.csv"\n{told}{steps}[method]\n{chosen}\n[output]\npath = "release"\n',
            encoding="utf-8",
        )
    (place / "done").write_text(str(made.nbytes), encoding="utf-8")
    return place


def few(schema: str) -> str:
    """Leave three quasi-identifiers of few values: no row is alike nine others in all of them, and all rows would be left out."""
    parts = schema.split("[schema.")
    kept = ("c01]", "c03]", "c05]")
    return "[schema.".join(
        each if each.startswith(kept) else each.replace('"quasi_identifier"', '"insensitive"') for each in parts
    )


def command(cell: Cell, place: Path) -> list[str] | str:
    """Return what is run for a cell, or why it cannot be."""
    at, known = place / (cell.method or "noise, some columns a row"), names(cell.columns)[:-1]
    secret = names(cell.columns)[-1]
    data, plan = str(place / "data.csv"), str(at / "plan.toml")
    if cell.job.startswith(("anonypy", "pycanon")):
        peer = environment(PEERS[cell.job.split(",", maxsplit=1)[0]])
        return peer.failure or [
            str(peer.python),
            str(Path(__file__).parent / "job_peers.py"),
            cell.job,
            data,
            secret,
            *known,
        ]
    made: dict[str, list[str]] = {
        "start": [*HERE, "read", str(place.parent / f"1000x{cell.columns}" / "noise, some columns a row" / "plan.toml")],
        READ: [*HERE, "read", plan],
        "read Parquet": [*HERE, "parquet", plan],
        "frontier": [*HERE, "frontier", plan],
        "assess": [*TOKUMEI, "check", data, "--qi", ",".join(known), "--sensitive", secret],
        "compare": [*TOKUMEI, "compare", data, "--qi", ",".join(known), "--sensitive", secret, "-o", str(place / "compared"), "--overwrite"],
        "release": [*TOKUMEI, "anonymize", plan, "--overwrite"],
        "report": [*TOKUMEI, "report", plan, "-o", str(at / "report.html"), "--overwrite"],
        "attack": [*TOKUMEI, "attack", plan, "--random-state", "1"],
        "reconstruct": [*TOKUMEI, "reconstruct", str(at / "release"), "-c", f"{known[1]},{known[2]}"],
    }  # fmt: skip
    return made[cell.job]


def do(what: str, path: str) -> None:
    """What a cell of our own runs in its process."""
    warnings.simplefilter("ignore")
    from tokumei.plan import Plan
    from tokumei.runner import rows_of
    from tokumei.table.coded import encode

    plan = Plan.read(path)
    if what == "frontier":
        from tokumei.studio.session import Session

        Session.open_plan(plan).frontier()
        return
    rows = rows_of(plan) if what == "read" else pyarrow.parquet.read_table(Path(path).parent.parent / "data.parquet")
    encode(rows, plan.schema)


def run(given: list[str], limit: int, cache: str) -> list[Any]:
    """Run a process; return how it ended, its CPU seconds and its largest memory in MiB."""
    environ = {**os.environ, "NUMBA_CACHE_DIR": cache, "TOKUMEI_PROGRESS": "0"}
    limited = ["bash", "-c", f'ulimit -S -t {limit}; exec "$@"', "job", *given]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(limited, stdout=subprocess.DEVNULL, stderr=said, env=environ)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        error = [line for line in said.read().decode(errors="replace").splitlines() if line.strip()]
    cpu, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    if process.returncode < 0:
        return [f"over {limit} s" if process.returncode == -signal.SIGXCPU else "killed", cpu, memory]
    if process.returncode:
        print("   ", *error[-2:], sep="\n    ")
    return ["done" if process.returncode == 0 else "refused", cpu, memory]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--methods", nargs="*", default=[])
    parser.add_argument("--rows", nargs="*", type=int, default=list(ROWS))
    parser.add_argument("--columns", nargs="*", type=int, default=list(COLUMNS))
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--do", nargs=2)
    asked = parser.parse_args()
    if asked.do:
        do(*asked.do)
        return
    found: dict[tuple[Any, ...], list[Any]] = {}
    if (RESULTS / "jobs.json").exists():
        found = {tuple(row[:4]): list(row[4:]) for row in read("jobs")[1]["all"].rows}
    if asked.table:
        job_tables.keep(found, list(jobs()), ROWS, COLUMNS)
        return
    begun, folder = time.monotonic(), Path(os.environ.get("TOKUMEI_JOBS", Path(tempfile.gettempdir()) / "tokumei-jobs"))
    cells = [
        Cell(job, method, rows, columns) for rows in asked.rows for columns in asked.columns for job, method in jobs()
    ]
    for cell in sorted(cells, key=lambda each: each.rows * each.columns):
        wanted = (not asked.only or cell.job in asked.only) and (not asked.methods or cell.method in asked.methods)
        if not wanted or (cell.key in found and not asked.again) or time.monotonic() - begun > asked.minutes * 60:
            continue
        found[cell.key] = measured(cell, folder, asked.limit)
        status, cpu, memory, *_ = found[cell.key]
        print(
            f"{cell.rows:>9,} × {cell.columns:<3}{cell.job:14}{cell.method:28}{status:12}{cpu or 0:8.1f} s{memory or 0:8.0f} MiB",
            flush=True,
        )
        job_tables.keep(found, list(jobs()), ROWS, COLUMNS)


def measured(cell: Cell, folder: Path, limit: int) -> list[Any]:
    """Measure a cell: loops are compiled on a small table before, and what needs a release gets one."""
    place, cache = prepare(folder, cell.rows, cell.columns), str(folder / "loops")
    size = int((place / "done").read_text(encoding="utf-8")) / 2**20
    small = prepare(folder, 1000, cell.columns)
    for at in (small, place):
        if cell.job in READING and not (at / cell.method / "release").exists():
            made = command(Cell("release", cell.method, cell.rows, cell.columns), at)
            assert isinstance(made, list)
            if run(made, limit, cache)[0] != "done":
                return ["no release", None, None, size]
    given, warm = command(cell, place), small / cell.method / f"{cell.job}.warm"
    if isinstance(given, str):
        return [given, None, None, size]
    first = command(cell, small)
    if not warm.exists() and isinstance(first, list):
        run(first, 600, cache)
        warm.write_text("", encoding="utf-8")
    return [*run(given, limit, cache), size]


if __name__ == "__main__":
    main()
