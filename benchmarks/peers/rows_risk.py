"""The risk of a table of a million rows, against one pass that groups its rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

import tokumei as tk
from benchmarks.row import Row
from tokumei.risk.singling_out.combinations import singling_out
from tokumei.table.classes import class_of, class_sizes

ROWS = 1_000_000
SIZES = (74, 9, 16, 7, 15, 5, 2, 99)


def rows() -> Iterator[Row]:
    rng = np.random.default_rng(0)
    names = [f"c{place}" for place in range(len(SIZES))]
    codes = [(size * rng.random(ROWS) ** 3).astype(np.uint8) for size in SIZES]
    frame = pa.table({**dict(zip(names, codes, strict=True)), "s": rng.integers(0, 5, ROWS)})
    labels = class_of(codes, ROWS)
    yield Row(
        f"{ROWS // 10**6}M × 8: attackers, uniqueness, l, t, each column",
        "one pass that groups the rows",
        lambda: tk.assess(frame, names, "s", population=10 * ROWS, largest=1),
        lambda: class_sizes(codes, ROWS),
        at_most=10,
        rounds=3,
    )
    yield Row(
        f"{ROWS // 10**6}M × 8: all 255 sets of columns",
        "one pass that groups the rows",
        lambda: singling_out(names, codes, labels, len(names)),
        lambda: class_sizes(codes, ROWS),
        at_most=60,
        rounds=3,
    )
