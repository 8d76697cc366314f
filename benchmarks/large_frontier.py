"""How far the studio's frontier of a large table is from what all rows and whole fits say, which takes many times as long.

    python -m benchmarks.large_frontier [--columns N …] [--lines LINE …] [--store]

On the made-up tables of `benchmarks.jobs`, 100,000 rows, k = 5 and 50. As released: slow methods are shown by a sample of the rows, the others by all of them.
After reconstruction: shown by a short fit to all rows, and in whole by one that chooses its size and climbs to its end. Of a part that is measured anew the others
stay as they are stored.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import jobs, stored
from tokumei.plan import Plan
from tokumei.studio.session import Session
from tokumei.utility.tables import ReconstructedTables

NAME, ROWS, KS = "large_frontier", 100_000, (5, 50)
LINES = ("pk_perturbation", "pk_and_sampling", "swapping", "grouped_pk_perturbation", "microaggregation")
COLUMNS = ("columns", "line", "k", "rows used", "released, shown", "released, whole", "after, shown", "after, whole")


def found(columns: int, line: str) -> Iterator[list[Any]]:
    """Measure a line both ways."""
    folder = Path(os.environ.get("TOKUMEI_JOBS", Path(tempfile.gettempdir()) / "tokumei-jobs"))
    place = jobs.prepare(folder, ROWS, columns)
    session = Session.open_plan(Plan.read(place / "noise, some columns a row" / "plan.toml"))
    builder, quick = session._frontier_builder(), session._quick()
    for k in KS:
        point = session.point(line, k)
        assert point is not None
        release = builder._release(builder.rows, point.method, builder.coded)
        after = None
        if point.reconstructed is not None:
            after = quick.reconstructed(ReconstructedTables(release, n_init=1)).utility
        shown = point.utility, quick.released(release).utility, point.reconstructed, after
        yield [columns, line, k, point.sampled or release.rows, *shown]


def keep(rows: list[list[Any]]) -> None:
    """Store rows; those that are measured elsewhere stay."""
    known = stored.read(NAME)[1]["utility"].rows if (stored.RESULTS / f"{NAME}.json").exists() else []
    every = {tuple(row[:3]): list(row) for row in (*known, *rows)}
    table = stored.Table(COLUMNS, [every[key] for key in sorted(every)], dict.fromkeys(COLUMNS[4:], ".1%"))
    command = "python -m benchmarks.large_frontier --store"
    stored.store(NAME, {"utility": table}, command=command, packages=("tokumei", "numpy", "pyarrow"))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--columns", nargs="*", type=int, default=list(jobs.COLUMNS))
    asked.add_argument("--lines", nargs="*", default=list(LINES), choices=LINES)
    asked.add_argument("--store", action="store_true")
    given = asked.parse_args()
    warnings.simplefilter("ignore")
    for columns in given.columns:
        for line in given.lines:
            rows = []
            for row in found(columns, line):
                rows.append(row)
                print(*(f"{each:.4f}" if isinstance(each, float) else each for each in row), sep="  ", flush=True)
            if given.store:
                keep(rows)


if __name__ == "__main__":
    main()
