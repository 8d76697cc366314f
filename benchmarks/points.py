"""Points to group: reference tables on one scale, and rows around centres."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks import data
from tokumei.arrays import Floats


def standardised(rows: Floats) -> Floats:
    return np.ascontiguousarray((rows - rows.mean(axis=0)) / rows.std(axis=0))


def table(name: str) -> Floats:
    """Census (1,080 rows) or Tarragona (834 rows), 13 columns each."""
    return standardised(pd.read_csv(data.path(f"{name}.csv")).to_numpy(dtype=np.float64))


def mixture(count: int, columns: int = 10, parts: int = 50) -> Floats:
    """Rows around 50 centres, each with a shape of its own."""
    rng = np.random.default_rng(0)
    centres, shares = rng.normal(0, 3, (parts, columns)), rng.dirichlet(np.full(parts, 2.0))
    shapes = rng.normal(size=(parts, columns, columns)) / np.sqrt(columns) * rng.uniform(0.3, 1.2, (parts, 1, 1))
    part, rows = rng.choice(parts, count, p=shares), rng.normal(size=(count, columns))
    for at in range(parts):
        rows[part == at] = centres[at] + rows[part == at] @ shapes[at].T
    return standardised(rows)
