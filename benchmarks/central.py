"""Central differential privacy by shuffling: figures of docs/promises/central.md.

python -m benchmarks.central
"""

from __future__ import annotations

import time
from fractions import Fraction

import tokumei as tk
from benchmarks.stored import Table, store
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.retention import Retention
from tokumei.privacy.central import Shuffled, usual_delta
from tokumei.privacy.composed import composed_epsilon
from tokumei.privacy.shuffling import closed_form

VALUES = 10
COLUMNS = 5
ROWS = 16_281


def one(rows: int, k: float, of: int | None = None) -> Shuffled:
    """One column of ten values that has the whole budget of k."""
    return Shuffled(Mechanism({"a": Retention.solve(VALUES, Fraction(k - 1) / (rows - 1))}, of=of), rows)


def by_rows() -> Table:
    found = []
    for rows in (1_000, ROWS, 100_000, 1_000_000, 10_000_000):
        delta, k = usual_delta(rows), 10
        alone = one(rows, k)
        share = Fraction((float(k - 1) / (rows - 1)) ** (1 / COLUMNS))
        several = Mechanism({str(at): Retention.solve(VALUES, share) for at in range(COLUMNS)})
        start = time.perf_counter()
        mine = alone.epsilon(delta)
        seconds = time.perf_counter() - start
        closed = closed_form(rows, alone.local, delta)
        found.append(
            [
                rows,
                f"{delta:.0e}",
                alone.local,
                None if closed > alone.local else closed,
                mine,
                Shuffled(several, rows).epsilon(delta),
                one(rows, k, 10 * rows).epsilon(usual_delta(10 * rows)),
                seconds,
            ]
        )
    titles = ["rows", "δ", "local ε", "closed form", "one column", "five columns", "a tenth of more rows", "seconds"]
    return Table(titles, found, {"local ε": ".2f", **dict.fromkeys(titles[3:7], ".3f"), "seconds": ".2f"})


def by_method() -> Table:
    people, schema = tk.example_census(rows=ROWS), tk.example_schema()
    found = []
    for k in (3, 10, 50):
        row: list[object] = [k]
        for tells in ("auto", "all"):
            release = tk.anonymize(people, schema, tk.PkPerturbation(k=k, kept="perturb", tells=tells), seed=1)
            row += [each.value for each in release.guarantees if each.notion == "central differential privacy"]
        found.append(row)
    return Table(["k", 'tells="auto"', 'tells="all"'], found)


def by_epsilon() -> Table:
    people, schema = tk.example_census(rows=ROWS), tk.example_schema()
    found = []
    for epsilon in (2.0, 1.0, 0.5, 0.1):
        row: list[object] = [f"{epsilon:g}"]
        for tells in ("auto", "all"):
            method = tk.PkPerturbation(epsilon=epsilon, kept="perturb", tells=tells)
            row.append(tk.anonymize(people, schema, method, seed=1).guarantees[0].value)
        found.append(row)
    return Table(["ε", 'k with tells="auto"', 'k with tells="all"'], found, dict.fromkeys(['k with tells="auto"', 'k with tells="all"'], ".2f"))  # fmt: skip


def by_releases() -> Table:
    each, delta = one(ROWS, 10), 1e-6
    found = []
    for times in (1, 2, 4, 12, 52):
        found.append([times, times * each.epsilon(delta / times), composed_epsilon([each] * times, delta)])
    return Table(["releases", "sum of ε", "composed"], found, {"sum of ε": ".2f", "composed": ".2f"})


def main() -> None:
    tables = {"rows": by_rows(), "methods": by_method(), "epsilon": by_epsilon(), "releases": by_releases()}
    for table in tables.values():
        print(table.markdown())
    store("central", tables, command="python -m benchmarks.central", seeds=[1], packages=("tokumei", "numpy"))


if __name__ == "__main__":
    main()
