"""Adult with ARX's hierarchies."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.csv

import tokumei as tk
from benchmarks import data

COLUMNS = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]
TRAINING = 32_561
COMPLETE = 30_162  # of these have every cell


def whole() -> pa.Table:
    """All 48,842 rows, a question mark being a value."""
    return pyarrow.csv.read_csv(data.adult()).select([*COLUMNS, "income"])


def complete() -> pa.Table:
    """The 30,162 rows of the training part that have every cell."""
    table = pyarrow.csv.read_csv(data.adult()).slice(0, TRAINING)
    keep = np.ones(table.num_rows, dtype=bool)
    for name in table.column_names:
        if pa.types.is_string(table.column(name).type):
            keep &= np.array(table.column(name)) != "?"
    return table.filter(pa.array(keep)).select([*COLUMNS, "income"])


def schema() -> tk.Schema:
    """The columns with ARX's example hierarchies; a domain is what its hierarchy names."""
    attributes = []
    for name in COLUMNS:
        tree = tk.Hierarchy.read_csv(data.path(f"adult_hierarchies/{name}.csv"))
        domain = tk.Numbers(1, 100, step=1) if name == "age" else tk.Categories([row[0] for row in tree.rows])
        attributes.append(tk.Attribute(name, "quasi_identifier", domain, tree))
    return tk.Schema([*attributes, tk.Attribute("income", "sensitive", tk.Categories(["<=50K", ">50K"]))])
