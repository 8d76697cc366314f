"""What complete rows are judged by, whoever made them, and the central epsilon that rows have once they are shuffled."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.common_grid import CommonGrid

SMALL = {"max_leaf_nodes": 8, "min_samples_leaf": 100}  # trees that cannot follow a few rows


def shuffled_epsilon(epsilon: float, rows: int, delta: float) -> float | None:
    """Return the central epsilon of rows that were perturbed one by one with a local epsilon, and then shuffled.

    The closed form of Feldman, McMillan and Talwar, Hiding Among the Clones (2021), for tables that differ in one row.
    It holds up to a local epsilon of log(n / (16 log(2 / delta))); beyond that there is none, and None is returned. Rows
    must be alike but for what was perturbed: a column that is released unchanged tells them apart.

    >>> round(shuffled_epsilon(3.7502, 16_281, 1e-6), 3)
    0.933
    >>> shuffled_epsilon(4.5, 16_281, 1e-6) is None
    True
    """
    if epsilon > math.log(rows / (16 * math.log(2 / delta))):
        return None
    odds = math.exp(epsilon)
    more = 8 * math.sqrt(odds * math.log(4 / delta) / rows) + 8 * odds / rows
    return min(epsilon, math.log1p((odds - 1) / (odds + 1) * more))


def local_epsilon(k: float, rows: int) -> float:
    """Return the local epsilon of rows that are perturbed so that they have Pk-anonymity."""
    return math.log((rows - 1) / (k - 1)) / 2


def places(path: Path, domains: Mapping[str, Sequence[Any]]) -> Any:
    """Read complete rows as places in their domains; a value outside its domain is an error."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    found = []
    for name, values in domains.items():
        cells = frame[name].str.removesuffix(".0") if isinstance(values[0], int) else frame[name]
        found.append(pd.Index([str(value) for value in values]).get_indexer(cells))
        if (found[-1] < 0).any():
            raise ValueError(f"{(found[-1] < 0).sum()} cells of {name} are not in its domain")
    return np.column_stack(found)


@dataclass(frozen=True)
class Quality:
    """How far tables are from those of the original rows, and the AUC of models on true rows that were not released."""

    two_way: float
    three_way: float
    regression: float
    boosting: float
    small_trees: float
    regression_of_one: float
    boosting_of_one: float


def judged(grid: CommonGrid, rows: Any, true: Any, test: Any) -> Quality:
    """Judge rows on the grid: all copies stacked, each row counting as one part of a person, and the first copy alone."""
    count = len(true)
    weights = np.full(len(rows), count / len(rows))
    one = rows[:count]
    whole = grid.auc(rows, test, weights), grid.boosted_auc(rows, test, weights)
    alone = whole if len(rows) == count else (grid.auc(one, test), grid.boosted_auc(one, test))
    small = grid.boosted_auc(rows, test, weights, **SMALL)
    return Quality(grid.error(true, rows, 2), grid.error(true, rows, 3), *whole, small, *alone)


def mean(values: Sequence[float]) -> float:
    return statistics.fmean(values)


def standard_error(values: Sequence[float]) -> float | None:
    """Return the standard error of a mean; one value has none."""
    return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else None
