"""Is the recommendation good? Its regret against every method tried on all rows, and what it costs.

    python -m benchmarks.recommend regret [adult|census] [--minutes M]     Adult (48,842 rows, eight columns), or the example census (20,000 rows)
    python -m benchmarks.recommend cost       the CPU time of `tokumei recommend` and `tokumei compare` on the whole of Adult

For two duties and three purposes, `tk.recommend` chooses on its own sample of rows. Then every method is drawn on all rows and measured for the purpose
in the same way: the regret is how much more the recommended one loses there than the best of those that meet the duties. With `--minutes` it stops after
that time, and the same command again goes on (`benchmarks/pieces.py`).
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
from benchmarks.pieces import Pieces, minutes_of
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
    """Every method on all rows of one table: drawn and fitted once, and measured for every purpose."""

    def __init__(self, rows: Any, schema: tk.Schema, pieces: Pieces) -> None:
        self.rows, self.schema, self.pieces = rows, schema, pieces
        self.table = prepared_table(rows, schema, ())

    def losses(self, duty: str, purpose: str) -> dict[str, float]:
        """The loss of every method that meets the duties."""
        asked = Asked(read_duties(duty), read_purpose(purpose, self.schema))
        found = {}
        for name, method in candidates(self.schema, self.rows.num_rows, asked):
            if isinstance(method, Statement):
                continue
            made = self.pieces.piece(f"all rows, {method!r}", lambda method=method: self._measured(method))
            if made["held"].get(duty) and made["lost"][purpose] is not None:
                found[name] = made["lost"][purpose]
        return found

    def _measured(self, method: Any) -> dict[str, Any]:
        """Which duties a method meets on all rows, and what it loses for each purpose if it meets any."""
        try:
            release = tk.anonymize(self.rows, self.schema, method, seed=1)
        except tk.errors.TokumeiError:
            return {"held": {}, "lost": dict.fromkeys(PURPOSES)}
        held = {each: all(duty.holds for duty in hold(release.rungs, read_duties(each))) for each in DUTIES}
        lost: dict[str, float | None] = dict.fromkeys(PURPOSES)
        if any(held.values()):
            fitted = rebuilt(release)
            for purpose in PURPOSES:
                aim = read_purpose(purpose, self.schema)
                served = Measuring(self.table, aim, None, 0).served(release, [], fitted)
                lost[purpose] = min((each.lost for each in served), default=None)
        print("  ", repr(method)[:100], held, lost, f"{time.process_time():.0f} s", flush=True)
        return {"held": held, "lost": lost}


def recommended(rows: Any, schema: tk.Schema, duty: str, purpose: str) -> dict[str, Any]:
    """What is recommended, on how many rows, and what that cost."""
    start = time.process_time()
    found = tk.recommend(rows, schema, duty, purpose)
    taken = time.process_time() - start - found.compiled
    return {"name": found.chosen and found.chosen.name, "rows": found.looked_at, "CPU": taken}


def regret(which: str, minutes: float | None) -> None:
    warnings.simplefilter("ignore", tk.errors.TokumeiWarning)
    pieces, lines = Pieces(f"recommend_{which}", minutes), []
    for title, rows, schema in tables(which):
        everything = Everything(rows, schema, pieces)
        for duty in DUTIES:
            for purpose in PURPOSES:
                asked = rows, schema, duty, purpose
                found = pieces.piece(f"{duty}, {purpose}", lambda asked=asked: recommended(*asked))
                losses = everything.losses(duty, purpose)
                name, line = found["name"], [title, duty, purpose]
                if name is None or not losses:
                    lines.append([*line, "none", None, "", None, None, found["rows"], found["CPU"]])
                else:
                    best = min(losses, key=lambda each, losses=losses: losses[each])
                    lost = [losses[name], best, losses[best], losses[name] - losses[best]]
                    lines.append([*line, name, *lost, found["rows"], found["CPU"]])
                print(lines[-1], flush=True)
    keep(which, lines)
    pieces.finish()


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
    given, stop = minutes_of(sys.argv[1:])
    if given[:1] == ["cost"]:
        cost()
    else:
        regret(given[1] if len(given) > 1 else "adult", stop)
