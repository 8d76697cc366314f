"""From coded columns to points: every column on one scale, so that none counts more for its unit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.arrays import Codes, Floats
from tokumei.errors import InvalidParameter
from tokumei.memory import hand_back
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute

MOST = 64  # labels of an unordered column: each is a coordinate
LARGE = 2**23  # coordinates of all rows together beyond which each has 32 bits
PIECE = 2**16  # rows that are laid out at a time


def coordinates(table: CodedTable, columns: Sequence[str]) -> Floats:
    """Lay rows out so that squared distances add up what columns differ by.

    Numbers, dates and ordered categories are one coordinate with mean 0 and variance 1. Unordered categories are one
    coordinate a label, scaled so that their variances add up to 1: two labels are as far apart as any other two. A
    missing cell of an ordered column lies at the mean, and one more coordinate of variance 1 says that it is missing.
    Columns that do not vary say nothing and are left out. Of large tables coordinates have half the digits, and half the memory.
    """
    places = [_of_codes(table.schema[name], table.codes(name)) for name in columns]
    width = sum(each.shape[1] for each in places)
    if width == 0:
        return np.zeros((table.rows, 1))
    hand_back(table.rows * width)
    made = np.empty((table.rows, width), dtype=np.float32 if table.rows * width > LARGE else np.float64)
    at = 0
    for name, each in zip(columns, places, strict=True):
        for low in range(0, table.rows, PIECE):
            made[low : low + PIECE, at : at + each.shape[1]] = each[table.codes(name)[low : low + PIECE]]
        at += each.shape[1]
    return made


def nominal(attribute: Attribute) -> bool:
    """Whether the values of a column have no order."""
    return isinstance(attribute.domain, Categories) and not attribute.domain.ordered


def _of_codes(attribute: Attribute, codes: Codes) -> Floats:
    """Return the coordinates of each code of a column: one row per code, one column per coordinate."""
    assert attribute.domain is not None
    if nominal(attribute):
        if attribute.states > MOST:
            raise InvalidParameter(
                "{column!r} has {rows:,} unordered categories, and microaggregation takes at most "
                "{limit}; recode it to fewer first, or declare an order.",
                column=attribute.name,
                rows=attribute.states,
                limit=MOST,
            )
        counts = np.bincount(codes, minlength=attribute.states)
        shares = counts / len(codes)
        spread = float((shares * (1 - shares)).sum())
        if spread == 0:
            return np.empty((attribute.states, 0))
        there = np.flatnonzero(counts)
        return np.asarray((np.eye(attribute.states)[:, there] - shares[there]) / np.sqrt(spread))
    present = codes < attribute.domain.size
    cells, line = codes.astype(np.float64), np.arange(attribute.states, dtype=np.float64)
    if present.all():
        return _standardised(cells, line)
    mean = cells[present].mean() if present.any() else 0.0
    cells[~present] = line[attribute.domain.size :] = mean
    lost = np.arange(attribute.states) >= attribute.domain.size
    told = _standardised(cells, line), _standardised((~present).astype(np.float64), lost.astype(np.float64))
    return np.concatenate(told, axis=1)


def _standardised(cells: Floats, line: Floats) -> Floats:
    """Return where the codes of a column lie, given the cells and where they lie before: with mean 0 and variance 1."""
    mean = cells.mean()
    scale = float(np.sqrt(np.square(cells - mean).mean()))
    return ((line - mean) / scale)[:, None] if cells.min() < cells.max() else np.empty((len(line), 0))
