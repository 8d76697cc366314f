"""What the studio's session costs on Adult, in seconds of CPU: what a person waits for.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.studio [PART …] [--store] [--millions N]

Parts: `frontier`, `compare`, `export`, `cards`. CPU time is user and system time of the whole process, so that a busy machine does not
count; every loop was compiled, and every method used once, before anything is measured.
"""

from __future__ import annotations

import argparse
import tempfile
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
from tokumei.studio.session import Session
from tokumei.studio.session.frontier import lines
from tokumei.table.hierarchy import Tree

UNKNOWN = "?"
PARTS = ("frontier", "compare", "export", "cards")
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
    start = time.process_time()
    work()
    return time.process_time() - start


def frontier() -> Iterator[tuple[str, float, float | None]]:
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
    yield "the slider: one k, all lines", cpu(lambda: [made.lookup(k) for k in range(2, 102)]) / 100, 0.05


def compare() -> Iterator[tuple[str, float, float | None]]:
    session = session_of(data.adult())
    for name, make in lines().items():
        session.change(method=make(10))
        perturbed = bool(session.release().mechanism.perturbed)
        if name in {"groups", "pk_perturbation"}:
            session.before_after(reconstruct=perturbed)  # compiles
            session._drawn().views.clear()
        seconds = cpu(lambda perturbed=perturbed: session.before_after(reconstruct=perturbed))  # type: ignore[misc]
        yield f"before and after: {name}", seconds, 5.0


def export() -> Iterator[tuple[str, float, float | None]]:
    session = session_of(data.adult())
    for name in ("groups", "pk_perturbation"):
        session.change(method=lines()[name](10))
        with tempfile.TemporaryDirectory() as place:
            session.export(Path(place) / "first", EVERYTHING)
            yield (
                f"export of everything: {name}",
                cpu(lambda place=place: session.export(Path(place) / "again", EVERYTHING)),  # type: ignore[misc]
                10.0,
            )


def cards(millions: float) -> Iterator[tuple[str, float, float | None]]:
    with tempfile.TemporaryDirectory() as place:
        for file, what, limit in (
            (wide(Path(place)), f"{WIDE} columns to cards", 3.0),
            (repeated(millions, Path(place)), f"{millions:g} million rows to cards", 10.0),
        ):
            yield what, cpu(lambda file=file: Session.open(file).columns()), limit  # type: ignore[misc]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("parts", nargs="*", choices=[*PARTS, []])
    asked.add_argument("--store", action="store_true")
    asked.add_argument("--millions", type=float, default=MILLIONS)
    given = asked.parse_args()
    for part in given.parts or PARTS:
        found: Iterator[tuple[str, float, float | None]] = (
            cards(given.millions)
            if part == "cards"
            else {"frontier": frontier, "compare": compare, "export": export}[part]()
        )
        rows = []
        for what, seconds, limit in found:
            rows.append([what, seconds, limit])
            print(f"{what:<45}{seconds:9.3f} s{'' if limit is None else f'   (must {limit:g})'}", flush=True)
        if given.store:
            table = stored.Table(["what", "CPU, s", "must, s"], rows, {"CPU, s": ".2f", "must, s": ".2f"})
            command = f"python -m benchmarks.studio {part}"
            stored.store(
                f"studio_{part}", {"seconds": table}, command=command, packages=("tokumei", "numpy", "pyarrow")
            )


if __name__ == "__main__":
    main()
