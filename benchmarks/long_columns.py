"""Groups with noise and columns of a thousand numbers: tables of released rows as they are, and after reconstruction.

    python -m benchmarks.long_columns [SEEDS] [--minutes M]

The table is made up as in `benchmarks/jobs.py`, 5,000 rows, but its first columns hold numbers from 0 to 999; all columns are quasi-identifiers. Errors are mean total
variation distances from the original's tables, numbers in 20 intervals, as `tk.measure_utility` has them.
"""

from __future__ import annotations

import itertools
import sys
import warnings
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

import tokumei as tk
from benchmarks.jobs import SIZES, names
from benchmarks.pieces import Pieces, minutes_of
from benchmarks.stored import Table, store

ROWS, FIRST, NUMBERS = 5_000, 60, 1_000
SHAPES, KS, TELLS = ((4, 2), (8, 2), (8, 4), (16, 4)), (3, 10, 50), ("all", 1)


def made_up(columns: int, long: int, seed: int) -> tuple[pa.Table, tk.Schema]:
    """Make people who differ by what they have in common, and declare their columns."""
    rng = np.random.default_rng(seed)
    hidden, made, attributes = rng.random((3, ROWS)), {}, []
    for place, name in enumerate(names(columns)):
        size = NUMBERS if place < long else SIZES[place % len(SIZES)]
        lean = 0.6 * hidden[place % 3] + 0.4 * rng.random(ROWS) ** 2
        code = np.minimum(lean * size, size - 1).astype(np.int64)
        labels = np.array([f"v{each:02}" for each in range(size)])
        domain = tk.Numbers(0, size - 1, step=1) if size > 30 else tk.Categories(labels.tolist())
        made[name] = pa.array(code if size > 30 else labels[code])
        attributes.append(tk.Attribute(name, "quasi_identifier", domain))
    return pa.table(made), tk.Schema(attributes)


def errors(columns: int, long: int, k: int, tells: Any, seed: int) -> list[float]:
    """Return the errors of tables of one column and of two, as released and after reconstruction."""
    rows, schema = made_up(columns, long, seed)
    release = tk.anonymize(rows, schema, tk.GroupedPkPerturbation(k=k, tells=tells), seed=seed)
    found = tk.measure_utility(rows, release, schema)
    sides = [each for each in (found.released, found.reconstructed) if each is not None]
    assert len(sides) == 2
    return [*(each.marginal_distance for each in sides), *(each.pair_distance for each in sides)]


def main() -> None:
    warnings.filterwarnings("ignore")
    given, minutes = minutes_of(sys.argv[1:])
    seeds, pieces = range(FIRST, FIRST + int(given[0] if given else 1)), Pieces("long_columns", minutes)
    lines = []
    for (columns, long), k, tells in itertools.product(SHAPES, KS, TELLS):
        found = np.array(
            [
                pieces.piece(f"{columns}, {long}, {k}, {tells}, {seed}", partial(errors, columns, long, k, tells, seed))
                for seed in seeds
            ]
        )
        worst = float(np.max(found[:, [1, 3]] / found[:, [0, 2]]))
        lines.append([columns, long, k, "all columns" if tells == "all" else "one column", *found.mean(axis=0), worst])
        print(*lines[-1], flush=True)
    heads = [
        "columns",
        "long ones",
        "k",
        "each row tells",
        "one-way, as released",
        "one-way, model",
        "two-way, as released",
    ]
    heads += ["two-way, model", "model / as released, at most"]
    formats = {**dict.fromkeys(heads[4:8], ".3f"), heads[8]: ".2f"}
    command = f"python -m benchmarks.long_columns {len(seeds)}"
    store("long_columns", {"errors": Table(heads, lines, formats)}, command=command, seeds=list(seeds))
    pieces.finish()


if __name__ == "__main__":
    main()
