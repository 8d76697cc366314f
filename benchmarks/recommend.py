"""Is the recommendation good? Its regret against every method tried on all rows, and what it costs.

    python -m benchmarks.recommend regret [adult|census]     Adult (48,842 rows, eight columns), or the example census (20,000 rows)
    python -m benchmarks.recommend cost       the CPU time of `tokumei recommend` and `tokumei compare` on the whole of Adult

For two duties and three purposes, `tk.recommend` chooses on its own sample of rows. Then every method is drawn on all rows and measured for the purpose
in the same way: the regret is how much more the recommended one loses there than the best of those that meet the duties.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.csv

import tokumei as tk
from benchmarks.data import adult
from benchmarks.stored import Table, store
from tokumei.engines.local import prepared_table
from tokumei.privacy.duties import hold, read_duties
from tokumei.reports.recommending.candidates import Asked, candidates
from tokumei.reports.recommending.purpose import Measuring, read_purpose, rebuilt
from tokumei.words import Statement

DUTIES = ("linking 1/10", "linking 1/10, inference 19/20")
PURPOSES = ("tables", "model:income", "records")
COLUMNS = ("age", "workclass", "education", "marital-status", "occupation", "sex", "hours-per-week", "income")
HEADS = ["table", "duties", "purpose", "recommended", "loss", "best on all rows", "loss of it", "regret", "rows", "CPU"]


def tables(which: str) -> Iterator[tuple[str, Any, tk.Schema]]:
    if which == "census":
        yield "example census", tk.example_census(rows=20_000, frame="pyarrow"), tk.example_schema()
        return
    rows = pyarrow.csv.read_csv(adult()).select(list(COLUMNS))
    roles: Any = {"income": "sensitive"}
    yield "Adult", rows, tk.Schema.observe(rows, roles)


class Everything:
    """Every method on all rows of one table; what was drawn and fitted once is kept."""

    def __init__(self, rows: Any, schema: tk.Schema) -> None:
        self.rows, self.schema = rows, schema
        self.table = prepared_table(rows, schema, ())
        self._made: dict[str, Any] = {}
        self._lost: dict[tuple[str, str], float | None] = {}

    def losses(self, duty: str, purpose: str) -> dict[str, float]:
        """The loss of every method that meets the duties."""
        aim, duties = read_purpose(purpose, self.schema), read_duties(duty)
        measuring, found = Measuring(self.table, aim, None, 0), {}
        for name, method in candidates(self.schema, self.rows.num_rows, Asked(duties, aim)):
            if isinstance(method, Statement):
                continue
            release, fitted = self._release(method)
            if release is None or not all(each.holds for each in hold(release.rungs, duties)):
                continue
            key = repr(method), purpose
            if key not in self._lost:
                served = measuring.served(release, [], fitted)
                self._lost[key] = min((each.lost for each in served), default=None)
            if self._lost[key] is not None:
                found[name] = self._lost[key]
            print("  ", duty, purpose, name, self._lost[key], f"{time.process_time():.0f} s", flush=True)
        return found

    def _release(self, method: Any) -> Any:
        if repr(method) not in self._made:
            try:
                release = tk.anonymize(self.rows, self.schema, method, seed=1)
                self._made[repr(method)] = release, rebuilt(release)
            except tk.errors.TokumeiError:
                self._made[repr(method)] = None, None
        return self._made[repr(method)]


def regret(which: str) -> None:
    warnings.simplefilter("ignore", tk.errors.TokumeiWarning)
    lines: list[list[Any]] = []
    for title, rows, schema in tables(which):
        everything = Everything(rows, schema)
        for duty in DUTIES:
            for purpose in PURPOSES:
                start = time.process_time()
                found = tk.recommend(rows, schema, duty, purpose)
                taken = time.process_time() - start - found.compiled
                losses = everything.losses(duty, purpose)
                if found.chosen is None or not losses:
                    lines.append([title, duty, purpose, "none", None, "", None, None, found.looked_at, taken])
                    continue
                best = min(losses, key=lambda name: losses[name])
                mine = losses[found.chosen.name]
                lines.append(
                    [
                        title,
                        duty,
                        purpose,
                        found.chosen.name,
                        mine,
                        best,
                        losses[best],
                        mine - losses[best],
                        found.looked_at,
                        taken,
                    ]
                )
                print(lines[-1], flush=True)
    keep(which, lines)


def keep(which: str, lines: list[list[Any]]) -> None:
    """Store what was found."""
    formats = {**dict.fromkeys(HEADS[4:8], ".3f"), "regret": "+.3f", "CPU": ".1f"}
    store(
        f"recommend_{which}",
        {"regret": Table(HEADS, lines, formats)},
        command=f"python -m benchmarks.recommend regret {which}",
        seeds=[0, 1],
    )


def cost() -> None:
    """Measure the two commands in processes of their own, once to compile, and then again."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "adult.csv"
        table.symlink_to(adult().resolve())
        for name, given in {
            "recommend": ["--duty", "linking 1/10"],
            "recommend, inference": ["--duty", "linking 1/10, inference 9/10"],
            "recommend, model": ["--purpose", "model:income"],
            "recommend, records": ["--purpose", "records"],
            "compare": [],
        }.items():
            command = [sys.executable, "-m", "tokumei", name.partition(",")[0], str(table), "--overwrite", *given]
            lines.append([f"`tokumei {name}`", _cpu(command)])
            print(lines[-1], flush=True)
    store(
        "recommend_cost",
        {"cost": Table(["command", "CPU seconds"], lines, {"CPU seconds": ".1f"})},
        command="python -m benchmarks.recommend cost",
        seeds=[0],
    )


def _cpu(command: list[str]) -> float:
    """The CPU time of a second run, the first having compiled what is needed; a recommendation of nothing ends with 1."""
    for _ in range(2):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            command, env={**os.environ, "TOKUMEI_PROGRESS": "0"}, capture_output=True, text=True, check=False
        )
        if done.returncode not in {0, 1} or "Traceback" in done.stderr:
            sys.exit(done.stderr)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    if sys.argv[1:2] == ["cost"]:
        cost()
    else:
        regret(sys.argv[2] if len(sys.argv) > 2 else "adult")
