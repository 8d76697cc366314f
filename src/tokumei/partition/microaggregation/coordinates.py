"""From coded columns to points: every column on one scale, so that none counts more for its unit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.arrays import Codes, Floats
from tokumei.errors import InvalidParameter
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute

MOST = 64  # labels of an unordered column: each is a coordinate


def coordinates(table: CodedTable, columns: Sequence[str]) -> Floats:
    """Lay rows out so that squared distances add up what columns differ by.

    Numbers, dates and ordered categories are one coordinate with mean 0 and variance 1. Unordered categories are one
    coordinate a label, scaled so that their variances add up to 1: two labels are as far apart as any other two. A
    missing cell of an ordered column lies at the mean, and one more coordinate of variance 1 says that it is missing.
    Columns that do not vary say nothing and are left out.
    """
    made: list[Floats] = []
    for name in columns:
        made += _of_column(table.schema[name], table.codes(name))
    return np.stack(made, axis=1) if made else np.zeros((table.rows, 1))


def nominal(attribute: Attribute) -> bool:
    """Whether the values of a column have no order."""
    return isinstance(attribute.domain, Categories) and not attribute.domain.ordered


def _of_column(attribute: Attribute, codes: Codes) -> list[Floats]:
    assert attribute.domain is not None
    if nominal(attribute):
        if attribute.states > MOST:
            raise InvalidParameter(
                "{column!r} has {rows:,} unordered categories, and microaggregation takes at most "
                "{limit}; make it coarser first with Recode, or declare an order.",
                column=attribute.name,
                rows=attribute.states,
                limit=MOST,
            )
        counts = np.bincount(codes, minlength=attribute.states)
        shares = counts / len(codes)
        spread = float((shares * (1 - shares)).sum())
        if spread == 0:
            return []
        return [((codes == code) - shares[code]) / np.sqrt(spread) for code in np.flatnonzero(counts)]
    there = codes < attribute.domain.size
    cells = codes.astype(np.float64)
    if not there.all():
        cells[~there] = cells[there].mean() if there.any() else 0.0
        return [*_standardised(cells), *_standardised((~there).astype(np.float64))]
    return _standardised(cells)


def _standardised(cells: Floats) -> list[Floats]:
    centred = cells - cells.mean()
    scale = float(np.sqrt(np.square(centred).mean()))
    return [centred / scale] if cells.min() < cells.max() else []
