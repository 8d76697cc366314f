"""Full-domain recoding of Adult: the optimum, and its cost against one exhaustive pass over the lattice.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.full_domain

The 30,162 complete rows of the training part, eight columns, ARX's example hierarchies: 6,480 combinations of levels.
The exhaustive pass joins the classes of every combination from those of a finer one and judges them for one k. ARX 3.9.2
finds the same losses (to four digits) and the same numbers of suppressed rows. Ratios are medians over rounds in which
both are timed one after the other, in seconds of this process. What is found is stored, see benchmarks/stored.py.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable

from benchmarks.adult import COLUMNS, complete, schema
from benchmarks.stored import Table, store
from tokumei.partition.full_domain.frontier import every_best
from tokumei.partition.full_domain.nodes import Nodes
from tokumei.partition.full_domain.optimal import Optimal
from tokumei.partition.rows import problem_of, rows_allowed
from tokumei.table.coded import encode

ROUNDS = 7
HEADS = [
    "k",
    "may be suppressed",
    "loss",
    "suppressed",
    "ARX 3.9.2",
    "combinations looked at",
    "CPU, times one pass over all",
]
# k, limit, and what ARX 3.9.2 finds: loss, suppressed rows
ASKED = [
    (5, 0.05, 0.26176, 1248),
    (2, 0.0, 0.5900, 0),
    (2, 0.05, 0.1754, 1240),
    (10, 0.05, 0.3315, 1484),
    (5, 0.0, 0.6608, 0),
    (5, 1.0, 0.2271, 3049),
]


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def ratio(ours: Callable[[], object], other: Callable[[], object]) -> float:
    ours(), other()
    return statistics.median(seconds(ours) / seconds(other) for _ in range(ROUNDS))


def main() -> None:
    table = encode(complete(), schema())
    shape = Nodes(problem_of(table, COLUMNS, 2)).shape
    print(f"{table.rows:,} rows, {math.prod(shape):,} combinations of levels")
    rows = []
    for k, share, loss, suppressed in ASKED:
        limit = rows_allowed(share, table.rows)

        def search(k: int = k, limit: int = limit) -> object:
            return Optimal().search(problem_of(table, COLUMNS, k), limit)

        def exhaustive(k: int = k, limit: int = limit) -> object:
            return every_best(problem_of(table, COLUMNS, k), [k], limit)

        found, (best,) = search(), exhaustive()
        same = abs(found.loss - loss) < 6e-5 and found.suppressed == suppressed
        agrees = abs(found.loss - best.loss) < 1e-12 and found.suppressed == best.suppressed
        if not agrees:
            raise AssertionError(f"k = {k}: the search and the exhaustive pass differ")
        answer = "the same" if same else "another"
        rows.append([k, share, found.loss, found.suppressed, answer, found.checked, ratio(search, exhaustive)])
    made = Table(HEADS, rows, {HEADS[1]: ".0%", HEADS[2]: ".5f", HEADS[-1]: ".3f"})
    print(made.markdown())
    command = "python -m benchmarks.full_domain"
    store("full_domain", {"optimum": made}, command=command, packages=("tokumei", "numpy"))
    limit = rows_allowed(0.05, table.rows)
    problem = problem_of(table, COLUMNS, 2)
    cost = ratio(lambda: every_best(problem, list(range(2, 101)), limit), lambda: every_best(problem, [5], limit))
    print(f"all k from 2 to 100 in one pass: {cost:.2f} {'ok' if cost <= 2 else 'MISSED'} (limit 2)")
    for best in every_best(problem, list(range(2, 101)), limit)[::14]:
        alone = Optimal().search(problem_of(table, COLUMNS, best.k), limit)
        print(f"  k = {best.k:3d}: loss {best.loss:.5f}, the search for this k alone {alone.loss:.5f}")


if __name__ == "__main__":
    main()
