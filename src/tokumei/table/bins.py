"""Intervals of equal width along a column of numbers or dates."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.plain_values import plain_value
from tokumei.table.domain import Dates, Numbers
from tokumei.table.hierarchy import Edge


def equal_edges(domain: Numbers | Dates, bins: int | Sequence[Edge], name: str) -> Sequence[Edge]:
    """Return the edges of this many intervals of equal width, or those that are given.

    >>> equal_edges(Numbers(0, 9, step=1), 3, "age")
    [0, 3, 6, 9]
    """
    bins = plain_value(bins)
    if not isinstance(bins, int):
        return bins
    if not 1 <= bins <= domain.size or isinstance(bins, bool):
        raise InvalidParameter(
            "bins of {name!r} must be between 1 and {size}. Got {bins}.", name=name, size=domain.size, bins=bins
        )
    if isinstance(domain, Numbers) and not domain.whole:  # edges need not be points of the grid, so they can be short
        inner = [float(f"{edge:.6g}") for edge in np.linspace(float(domain.low), float(domain.high), bins + 1)[1:-1]]
        if all(low < high for low, high in itertools.pairwise([domain.low, *inner, domain.high])):
            return [domain.low, *inner, domain.high]
    places = np.unique(np.rint(np.linspace(0, domain.size - 1, bins + 1)).astype(np.int64))
    edges: list[Edge] = domain.values_of(places).to_pylist() if domain.size > 1 else [domain.low, domain.high]
    if len(edges) == 2 and edges[0] == edges[1]:
        raise InvalidParameter("{name!r} has only one value and needs no bins.", name=name)
    return edges
