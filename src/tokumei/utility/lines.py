"""A column as it is counted: which cell of a table each of its values belongs to, and where it lies along its line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.arrays import AnyIntegers, Floats, Integers
from tokumei.table.bins import equal_edges
from tokumei.table.domain import Categories
from tokumei.table.hierarchy import Edge, Hierarchy
from tokumei.table.schema import Attribute


@dataclass(frozen=True)
class Line:
    """One column of the tables that are compared.

    Attributes
    ----------
    attribute
        The column as it was before the method, its states being the values and, where allowed, a missing one at the end.
    cell_of
        The cell of each state: itself, or the interval it lies in; a missing cell has one of its own, the last.
    labels
        What the cells are called.
    edges
        The edges of the intervals, where there are any.
    """

    attribute: Attribute
    cell_of: Integers
    labels: tuple[str, ...]
    edges: Sequence[Edge] | None = None

    @property
    def small_cell_of(self) -> AnyIntegers:
        """The cell of each state in as few bytes as will do, for tables of many rows."""
        return self.cell_of.astype(np.min_scalar_type(self.cells))

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.attribute.name

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self.labels)

    @property
    def values(self) -> int:
        """How many states are values, a missing cell not being one."""
        return self.attribute.states - int(self.attribute.missing)

    @property
    def present(self) -> int:
        """How many cells are not that of missing ones."""
        return self.cells - int(self.attribute.missing)

    @property
    def scored(self) -> bool:
        """Whether its values lie along a line: numbers, dates, ordered categories, and categories of two values."""
        domain = self.attribute.domain
        return not isinstance(domain, Categories) or domain.ordered or domain.size <= 2

    @property
    def scores(self) -> Floats:
        """Where each value lies along the line, from 0 to 1."""
        return np.arange(self.values) / max(self.values - 1, 1)

    @property
    def centres(self) -> Floats:
        """Where the middle of each cell lies, missing ones left out."""
        cells = self.cell_of[: self.values]
        counts = np.bincount(cells, minlength=self.present)
        return np.bincount(cells, weights=self.scores, minlength=self.present) / np.maximum(counts, 1)

    def spread(self, shares: Floats) -> Floats:
        """Spread the shares of cells evenly over the states in them."""
        return (shares / np.maximum(np.bincount(self.cell_of, minlength=self.cells), 1))[self.cell_of]


def line_of(attribute: Attribute, n_bins: int) -> Line:
    """Lay out a column; numbers and dates with more than this many values are counted in intervals of equal width."""
    domain = attribute.domain
    assert domain is not None
    missing = ["(missing)"] if attribute.missing else []
    if isinstance(domain, Categories) or domain.size <= n_bins:
        return Line(attribute, np.arange(attribute.states), (*domain.labels(), *missing))
    edges = equal_edges(domain, n_bins, attribute.name)
    labels, cell_of = Hierarchy.intervals(edges).coarsen(domain, 1)
    if attribute.missing:
        cell_of = np.append(cell_of, labels.size)
    return Line(attribute, cell_of, (*labels.labels(), *missing), edges)
