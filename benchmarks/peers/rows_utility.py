"""Tables of all pairs of columns of a recoded release, against counting as many pairs of plain codes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

import tokumei as tk
from benchmarks.row import Row
from tokumei.utility.pairing import pairing
from tokumei.utility.tables import ReleasedTables

ROWS = 200_000


def rows() -> Iterator[Row]:
    schema, people = tk.example_schema(), tk.example_census(rows=ROWS, frame="pyarrow")
    release = tk.anonymize(people, schema, tk.Generalization(k=10, partition=tk.partitions.Mondrian()), seed=1)
    both = pairing(people, release, schema)
    pairs = list(itertools.combinations(both.lines, 2))
    codes = {line.name: both.table.codes(line.name).astype(np.int64) for line in both.lines}

    def plain() -> None:
        for first, second in pairs:
            size = second.attribute.states
            np.bincount(codes[first.name] * size + codes[second.name], minlength=first.attribute.states * size)

    def ours() -> None:
        tables = ReleasedTables(release)
        for first, second in pairs:
            tables.pair(first, second)

    yield Row(
        f"{len(pairs)} tables of two columns, {ROWS // 1000}k recoded rows spread over their boxes",
        "counting the same pairs of original codes",
        ours,
        plain,
        at_most=4,
        rounds=3,
    )
