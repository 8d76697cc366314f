"""The same people every month: what independent and repeated draws guarantee together, and what repeated draws cost.

    python -m benchmarks.repeated

20,000 people of the example census, of whom one in a hundred moves to another region each month. Every month is released with k = 10, the
income unchanged and assumed to be unknown. Cost: two million draws by person and value over as many by row, medians over rounds in which both
are timed one after the other.
"""

from __future__ import annotations

import os
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd

import tokumei as tk
from benchmarks.row import Row, measure
from benchmarks.stored import Table, store
from tokumei.anonymizers.tells import Subsets, solve_telling
from tokumei.mechanism.repeating import Draws
from tokumei.mechanism.retention import Retention
from tokumei.prepare.person_tags import hashed_people
from tokumei.randomness import Key

PEOPLE, MONTHS, K, DRAWS = 20_000, 12, 10, 2_000_000
SHOWN = (1, 2, 3, 6, 12)
PLACE = "TOKUMEI_BENCHMARK_KEY"
HEADS = [
    "releases",
    "independent draws: k",
    "repeated: k, nothing changed",
    "share of people",
    "k, moved once",
    "share",
]
SIZES = (74, 9, 16, 7, 15, 6, 5, 2, 42, 99)  # like ten columns of Adult


def tables() -> list[pd.DataFrame]:
    """Return the table of each month."""
    rng = np.random.default_rng(1)
    made = [tk.example_census(rows=PEOPLE)]
    regions = np.array(sorted(made[0]["region"].unique()))
    for _ in range(MONTHS - 1):
        table = made[-1].copy()
        moving = rng.choice(PEOPLE, PEOPLE // 100, replace=False)
        place = np.searchsorted(regions, table["region"].to_numpy()[moving])
        table.loc[table.index[moving], "region"] = regions[
            (place + rng.integers(1, len(regions), len(moving))) % len(regions)
        ]
        made.append(table)
    return made


def months() -> list[list[object]]:
    schema, held = tk.example_schema(), tables()
    repeat = tk.Repeat(f"env:{PLACE}", "person_id")
    first = tk.anonymize(held[0], schema, tk.PkPerturbation(k=K, tells="all", repeat=repeat))
    later = tk.PkPerturbation(k=K, tells="all", repeat=tk.Repeat(f"env:{PLACE}", "person_id", like=first))
    releases = [first, *(tk.anonymize(table, schema, later) for table in held[1:])]
    fresh = [tk.anonymize(table, schema, tk.PkPerturbation(k=K, tells="all")) for table in held]
    rows: list[list[object]] = []
    for count in SHOWN:
        if count == 1:
            rows.append([1, fresh[0].guarantees[0].value, first.guarantees[0].value, 1.0, None, None])
            continue
        counted = tk.disclosure.repeats(held[:count], releases[:count], schema, "person_id")
        promised = counted.promised(releases[:count])
        still = max(promised, key=lambda each: each.people)
        once = [each for each in promised if each.changed and each.fewest > PEOPLE // 200]
        rows.append(
            [
                count,
                tk.combine(fresh[:count])[0].value,
                still.k,
                still.people / PEOPLE,
                min(each.k for each in once),
                sum(each.people for each in once) / PEOPLE,
            ]
        )
        print(rows[-1], flush=True)
    return rows


def cost() -> list[list[object]]:
    import pyarrow as pa

    rng = np.random.default_rng(0)
    tags = rng.integers(0, 2**64, (DRAWS, 2), dtype=np.uint64)
    channel, codes = Retention.solve(16, Fraction(1, 20)), rng.integers(0, 16, DRAWS, dtype=np.uint8)
    plain, repeated = Draws(Key.fresh()), Draws(Key.fresh(), Key.fresh().for_tasks(), {"c": "", "tells": ""})
    attributes = [tk.Attribute(f"c{place}", domain=tk.Categories(range(size))) for place, size in enumerate(SIZES)]
    telling = solve_telling([Subsets(1)], attributes, Fraction(1, 5000), tk.Schema(attributes))
    cells = {a.name: rng.integers(0, size, DRAWS, dtype=np.uint8) for a, size in zip(attributes, SIZES, strict=True)}
    people = pa.array([f"person {place}" for place in range(100_000)])
    schema, census = tk.example_schema(), tk.example_census(rows=100_000, frame="pyarrow")
    repeat = tk.Repeat(f"env:{PLACE}", "person_id")
    rows = [
        Row(
            "cells of one column",
            "by row",
            lambda: repeated.column("c", channel, codes, tags),
            lambda: plain.column("c", channel, codes),
        ),
        Row(
            "rows that tell one column",
            "by row",
            lambda: repeated.told(telling, cells, tags),
            lambda: plain.told(telling, cells),
        ),
        Row(
            "a release of 100,000 rows",
            "without repeat",
            lambda: tk.anonymize(census, schema, tk.PkPerturbation(k=K, repeat=repeat)),
            lambda: tk.anonymize(census, schema, tk.PkPerturbation(k=K)),
            rounds=3,
        ),
        Row(
            "the keyed hash of 100,000 people",
            "such a release without repeat",
            lambda: hashed_people(bytes(32), people),
            lambda: tk.anonymize(census, schema, tk.PkPerturbation(k=K)),
            rounds=3,
        ),
    ]
    return [[row.what, row.against, found.ratio] for row in rows for found in [measure(row)]]


def main() -> None:
    warnings.filterwarnings("ignore")
    os.environ[PLACE] = "5a" * 32
    costs = cost()
    print(costs, flush=True)
    shown = {HEADS[1]: ".4f", HEADS[2]: ".4f", HEADS[3]: ".1%", HEADS[4]: ".4f", HEADS[5]: ".1%"}
    store(
        "repeated",
        {"months": Table(HEADS, months(), shown), "cost": Table(["what", "against", "ratio"], costs, {"ratio": ".1f"})},
        command="python -m benchmarks.repeated",
        seeds=[1],
    )


if __name__ == "__main__":
    main()
