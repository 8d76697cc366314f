"""What coarser cells cost: each measure by name, with one definition.

A cell leaves open which of the places from ``low`` to ``high`` of its column's line it was. Classes are rows that are
alike after recoding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.registry import load_extensions

Measure = Callable[[Any, Any, int], Floats]


@dataclass(frozen=True)
class CellLoss:
    """What a coarser cell costs, from 0 for a value itself to 1 for a suppressed cell; of a table, the mean over its cells.

    ``name`` is that of a column of a comparison; the catalogue has it in words, under ``utility_<name>``. ``of`` takes the first and the
    last place that a cell leaves open and the number of places of its column.
    """

    name: str
    of: Measure


# The losses that utility is measured by.
LOSSES: dict[str, CellLoss] = {}


def register_loss(name: str) -> Callable[[Measure], Measure]:
    """Register a loss of cells under a name; a decorator."""

    def registered(measure: Measure) -> Measure:
        if LOSSES.setdefault(name, CellLoss(name, measure)).of is not measure:
            raise InvalidParameter("There is another loss called {name!r}.", name=name)
        return measure

    return registered


def every_loss() -> dict[str, CellLoss]:
    """Return the losses by name, those of installed extensions too."""
    load_extensions()
    return dict(LOSSES)


@register_loss("loss")
def open_share(low: Any, high: Any, size: int) -> Floats:
    """Return the Loss of cells: the share of the other values of their column that they leave open.

        Loss = (values - 1) / (size - 1)      values = high - low + 1

    It is 0 for a value itself and 1 for a suppressed cell. A column with one value costs nothing.

    >>> open_share([0, 0, 3], [0, 4, 4], 5).tolist()
    [0.0, 1.0, 0.25]
    """
    return (np.asarray(high) - np.asarray(low)) / max(size - 1, 1)


def mean_loss(losses: Any, counts: Any, suppressed: int = 0) -> float:
    """Return the mean Loss of a cell in the whole table, 1 for every cell of a suppressed row.

        Loss = (sum of class losses · rows  +  suppressed) / all rows

    ``losses`` has one row per class and one column per column of the table, ``counts`` the rows of each class.

    >>> mean_loss([[0.5, 0.0], [0.0, 0.0]], [2, 1], suppressed=1)
    0.375
    """
    each = np.asarray(losses, dtype=np.float64).mean(axis=1)
    return float((each @ np.asarray(counts) + suppressed) / (np.sum(counts) + suppressed))


@register_loss("ncp")
def ncp(low: Any, high: Any, size: int) -> Floats:
    """Return the normalized certainty penalty of cells: 0 for a value itself, else the share of all values covered.

        NCP = values / size  where values > 1,  else 0

    >>> ncp([0, 0, 3], [0, 4, 4], 5).tolist()
    [0.0, 1.0, 0.4]
    """
    values = np.asarray(high) - np.asarray(low) + 1
    return np.where(values > 1, values / size, 0.0)


def gcp(penalties: Any, counts: Any, suppressed: int = 0) -> float:
    """Return the global certainty penalty: the mean NCP of a cell, 1 for every cell of a suppressed row.

    >>> gcp([[0.4, 0.0], [0.0, 0.0]], [3, 1], suppressed=0)
    0.15...
    """
    return mean_loss(penalties, counts, suppressed)


def discernibility(counts: Any, suppressed: int = 0) -> int:
    """Return how many pairs of rows cannot be told apart; a suppressed row cannot be told from any.

        DM = sum n_class²  +  suppressed · all rows

    >>> discernibility([3, 2], suppressed=1)
    19
    """
    sizes = np.asarray(counts, dtype=np.int64)
    return int(sizes @ sizes + suppressed * (sizes.sum() + suppressed))


def average_class_size(counts: Any, k: int) -> float:
    """Return the mean size of a class over the smallest that was asked for; 1 is the best there is.

        C_AVG = (rows / classes) / k

    >>> average_class_size([4, 6], 5)
    1.0
    """
    return float(np.mean(counts) / k)
