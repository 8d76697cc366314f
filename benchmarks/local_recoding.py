"""Groups of at least k rows: how much each partition loses, and what it costs.

    TOKUMEI_DATA=folder python benchmarks/local_recoding.py [adult | large | trees | wide | mondrian ...]

The folder holds adult.csv (UCI Adult, train and test together, with a header) and adult_hierarchies/NAME.csv. Loss is the
mean over all cells of (values a cell stands for - 1) / (values there are - 1); nobody is suppressed. Seconds are CPU
seconds from codes, once compiled.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

import tokumei as tk

from tokumei.partition.partition import Partition, Problem, boxes, loss
from tokumei.table.axis import Axis, axis_of

QUASI_IDENTIFIERS = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
]
SIZES = (2, 5, 10, 50, 100)


def folder() -> Path:
    named = Path(os.environ.get("TOKUMEI_DATA", ""))
    if not (named / "adult.csv").is_file():
        sys.exit("Set TOKUMEI_DATA to a folder with adult.csv and adult_hierarchies/.")
    return named


def adult(k: int) -> Problem:
    """The 30,162 complete rows of the training part, with the hierarchies that ARX ships."""
    frame = pd.read_csv(folder() / "adult.csv", dtype=str, skipinitialspace=True).iloc[:32_561]
    frame = frame[~(frame == "?").any(axis=1)]
    axes, places = [], []
    for name in QUASI_IDENTIFIERS:
        tree = tk.Hierarchy.read_csv(folder() / "adult_hierarchies" / f"{name}.csv")
        leaves = [row[0] for row in tree.rows]
        axis = axis_of(tk.Attribute(name, domain=tk.Categories(leaves), hierarchy=tree))
        codes = frame[name].map({leaf: code for code, leaf in enumerate(leaves)}).to_numpy(dtype=np.int64)
        axes.append(axis)
        places.append(axis.place[codes])
    return Problem(np.stack(places, axis=1), tuple(axes), k)
