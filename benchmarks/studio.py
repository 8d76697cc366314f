"""What the studio's session costs on Adult, in seconds of CPU: what a person waits for.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.studio [PART …] [--store] [--millions N]

Parts: `frontier`, `compare`, `export`, `cards`, `cancel`, `browser`. CPU time is user and system time of the whole process, so that a busy machine counts
little; compiling loops is left out. Of a part that is measured anew the others stay as they are stored. `cancel` is the CPU time between being asked
to stop, in the middle of the work, and having stopped, on the rows of `cards`.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

import tokumei as tk
from benchmarks import data, stored
from benchmarks.adult import COLUMNS
from tokumei.compiling import compiling
from tokumei.errors import Cancelled
from tokumei.studio.session import Session
from tokumei.studio.session.frontier import lines
from tokumei.table.hierarchy import Tree

NAME = "studio"
UNKNOWN = "?"
PARTS = ("frontier", "compare", "export", "cards", "cancel", "browser")
Lines = Iterator[tuple[str, float, float | None]]
EVERYTHING: Any = ("release", "plan", "script", "report", "public_report")
WIDE = 300
MILLIONS = 3.0


def session_of(file: Path) -> Session:
    """Open the rows, with ARX's hierarchies and the eight columns that are usual for them."""
    session = Session.open(file)
    attributes = []
    for found in session.state.schema:
        if found.name == "income":
            attributes.append(tk.Attribute("income", "sensitive", found.domain))
        elif found.name not in COLUMNS:
            attributes.append(tk.Attribute(found.name, "identifier"))
        else:
            tree = tk.Hierarchy.read_csv(data.path(f"adult_hierarchies/{found.name}.csv"))
            if found.name != "age":
                tree = Tree((*tree.rows, (UNKNOWN, *[UNKNOWN] * (tree.depth - 1), tree.rows[0][-1])))
            domain: Any = (
                tk.Numbers(1, 100, step=1) if found.name == "age" else tk.Categories([r[0] for r in tree.rows])
            )
            attributes.append(tk.Attribute(found.name, "quasi_identifier", domain, tree))
    session.change(schema=tk.Schema(attributes))
    return session


def repeated(millions: float, place: Path) -> Path:
    """Write Adult so often that there are so many million rows; ages move, so that rows are not merely copies."""
    table = pyarrow.csv.read_csv(data.adult())
    rows = int(millions * 10**6)
    rng = np.random.default_rng(0)
    many = table.take(pa.array(rng.integers(0, table.num_rows, rows)))
    age = np.clip(many.column("age").to_numpy() + rng.integers(-5, 6, rows), 1, 90)
    file = place / "adult.parquet"
    pa.parquet.write_table(many.set_column(0, "age", pa.array(age)), file)
    return file


def wide(place: Path) -> Path:
    """Write a table of 300 columns and 2,000 rows."""
    rng = np.random.default_rng(0)
    file = place / "wide.csv"
    pyarrow.csv.write_csv(pa.table({f"c{i}": rng.integers(0, 3 + i % 40, 2000) for i in range(WIDE)}), file)
    return file


def cpu(work: Callable[[], Any]) -> float:
    with compiling() as compiled:
        start = time.process_time()
        work()
        return time.process_time() - start - compiled.seconds


def frontier() -> Lines:
    session = session_of(data.adult())
    for name in lines():
        session.point(name, 10)
    session._frontiers.clear()
    yield "the whole frontier", cpu(session.frontier), 20.0
    new = {name: cpu(lambda name=name: session.point(name, 7)) for name in lines()}  # type: ignore[misc]
    slowest = max(new, key=lambda name: new[name])
    for name, seconds in new.items():
        yield f"a new k: {name}", seconds, None if name == slowest else 2.0
    yield "a new k: all lines but the slowest", sum(new.values()) - new[slowest], None
    made = session.frontier_now()
    yield "the slider: looking up one k in all lines", cpu(lambda: [made.lookup(k) for k in range(2, 102)]) / 100, 0.05


def compare() -> Lines:
    session = session_of(data.adult())
    session._quick()
    for name, make in lines().items():
        session.change(method=make(10), seed=1)

        def shown() -> None:
            session.before_after(reconstruct=bool(session.release().mechanism.perturbed))

        yield f"release, before and after: {name}", cpu(shown), 5.0


def export() -> Lines:
    session = session_of(data.adult())
    for name, make in lines().items():
        session.change(method=make(10), seed=1)
        with tempfile.TemporaryDirectory() as place:

            def written(folder: str = place) -> None:
                session.export(Path(folder) / "all", EVERYTHING)

            yield f"export of everything: {name}", cpu(written), 10.0


def cards(millions: float) -> Lines:
    with tempfile.TemporaryDirectory() as place:
        for file, what, limit in (
            (wide(Path(place)), f"{WIDE} columns to cards", 3.0),
            (repeated(millions, Path(place)), f"{millions:g} million rows to cards", 10.0),
        ):
            yield what, cpu(lambda file=file: Session.open(file).columns()), limit  # type: ignore[misc]


def cancel(millions: float) -> Lines:
    """Ask for a stop half a second of CPU time after the work began."""
    with tempfile.TemporaryDirectory() as place:
        session = Session.open(repeated(millions, Path(place)))
        session.columns()
        works: dict[str, Callable[..., Any]] = {
            "counting the risk": session.risk_before,
            "making a release": session.release,
            "building the frontier": session.frontier,
        }
        session.change(method=tk.GroupedPkPerturbation(k=10), seed=1)
        for name, work in works.items():
            start, asked = time.process_time(), [0.0]

            def stop(start: float = start, asked: list[float] = asked) -> bool:
                now = time.process_time()
                if now - start > 0.5 and not asked[0]:
                    asked[0] = now
                return bool(asked[0])

            watch = threading.Timer(0.0, _until, [stop])
            watch.start()
            try:
                work(cancelled=stop)
            except Cancelled:
                yield f"cancel while {name}", time.process_time() - asked[0], 1.0
            watch.join()


def in_browser(millions: float) -> Lines:
    from benchmarks.studio_browser import measured  # which needs a browser

    yield from measured(repeated, millions)


def _until(stop: Callable[[], bool]) -> None:
    while not stop():
        time.sleep(0.01)


def keep(rows: list[list[Any]]) -> None:
    """Store rows; those that are measured elsewhere stay."""
    known = stored.read(NAME)[1]["seconds"].rows if (stored.RESULTS / f"{NAME}.json").exists() else []
    every = {row[0]: list(row) for row in (*known, *rows)}
    table = stored.Table(["what", "CPU, s", "must, s"], [*every.values()], {"CPU, s": ".3f", "must, s": ".2f"})
    packages = ("tokumei", "numpy", "pyarrow")
    stored.store(NAME, {"seconds": table}, command="python -m benchmarks.studio --store", packages=packages)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("parts", nargs="*", choices=[*PARTS, []])
    asked.add_argument("--store", action="store_true")
    asked.add_argument("--millions", type=float, default=MILLIONS)
    given = asked.parse_args()
    for part in given.parts or PARTS:
        large = {"cards": cards, "cancel": cancel, "browser": in_browser}
        found: Lines = (
            large[part](given.millions)
            if part in large
            else {"frontier": frontier, "compare": compare, "export": export}[part]()
        )
        rows = []
        for what, seconds, limit in found:
            rows.append([what, seconds, limit])
            print(f"{what:<45}{seconds:9.3f} s{'' if limit is None else f'   (must {limit:g})'}", flush=True)
        if given.store:
            keep(rows)


if __name__ == "__main__":
    main()
