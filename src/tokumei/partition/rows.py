"""From a coded table to the rows that a partition groups."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.partition.partition import Constraint, Problem
from tokumei.table.axis import axis_of
from tokumei.table.coded import CodedTable


def problem_of(table: CodedTable, columns: Sequence[str], k: int, constraints: Sequence[Constraint] = ()) -> Problem:
    """Lay the rows of some columns along their axes."""
    axes = tuple(axis_of(table.schema[name]) for name in columns)
    places = np.empty((table.rows, len(axes)), dtype=np.int32)
    for column, axis in enumerate(axes):
        places[:, column] = axis.place[table.codes(axis.name)]
    return Problem(places, axes, k, constraints)


def check_limit(limit: float) -> None:
    """Refuse a share of rows that cannot be."""
    if not 0 <= limit <= 1:
        raise InvalidParameter("suppression_limit must be a share between 0 and 1. Got {limit:g}.", limit=limit)


def rows_allowed(limit: float, rows: int) -> int:
    """Return how many rows a share means at most, the share read as the decimal it is written as.

    >>> rows_allowed(0.29, 100), rows_allowed(0.05, 30162)
    (29, 1508)
    """
    check_limit(limit)
    return math.floor(Fraction(Decimal(repr(limit))) * rows)
