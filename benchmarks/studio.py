"""How long the studio's session takes on Adult: what a person waits for, in milliseconds.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.studio [rows in millions]

With a number, the rows are repeated (with ages moved about) until there are so many million. Every figure is the median of
a few runs with loops compiled already.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

import tokumei as tk
from benchmarks import data
from benchmarks.adult import COLUMNS
from tokumei.studio.session import Session
from tokumei.studio.session.frontier import COARSE, QUICK, lines
from tokumei.table.hierarchy import Tree

UNKNOWN = "?"


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


def median(work: Callable[[], Any], rounds: int = 3) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        file = repeated(float(sys.argv[1]), Path(place)) if len(sys.argv) > 1 else data.adult()
        measure(file)


def measure(file: Path) -> None:
    def row(what: str, seconds: float) -> None:
        shown = f"{1000 * seconds:,.3g}" if seconds < 0.01 else f"{1000 * seconds:,.0f}"
        print(f"{what:<40}{shown:>10} ms", flush=True)

    session = session_of(file)
    print(f"{session.table.num_rows:,} rows, {len(COLUMNS)} quasi-identifiers, load {os.getloadavg()[0]:.1f}")
    row("open the file and guess roles", median(lambda: Session.open(file)))
    row("cards of all columns", median(lambda: session._made_cards(session.state.schema)))
    row("change a role", median(lambda: (session.give_role("race", "insensitive"), session.undo())))
    row("undo and redo", median(lambda: (session.redo(), session.undo()), 20))
    row("risk before", median(lambda: tk.assess(session.table, session.state.schema)))
    for name in lines():
        session.point(name, 10)  # compiles
    start = time.perf_counter()
    seen: list[float] = []
    session._frontiers.clear()
    made = session.frontier(partial=lambda found: seen.append(time.perf_counter() - start))
    row("first points of the frontier", seen[0])
    row("a point of every quick method", seen[len(COARSE) + len(QUICK) * len(COARSE) - 1])
    row("the whole frontier", seen[-1])
    for name in lines():

        def again(name: Any = name) -> None:
            session._frontiers.clear()
            session.point(name, 10)

        row(f"one point anew: {name}", median(again))
    row("slider: look one k up", median(lambda: [made.lookup(k) for k in range(2, 102)]) / 100)
    view = session.lattice()
    row("lattice: a hundred safest nodes", median(lambda: view.ranked(10, 100)))
    age = session.state.schema["age"]
    row("effect of every level of a hierarchy", median(lambda: session.level_effects(age)))
    session.change(method=tk.Generalization(k=10, partition=tk.partitions.Mondrian()), seed=1)
    row("make the release (groups)", median(lambda: (session._releases.clear(), session.release())))
    row("before and after", median(lambda: (session._drawn().views.clear(), session.before_after())))
    session.records()
    row("a page of records", median(lambda: session.records(3)))


if __name__ == "__main__":
    main()
