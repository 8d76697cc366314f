"""Occurrence rates of the values that a cell may stand for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse

from tokumei.arrays import Floats, Integers
from tokumei.learning.encoders._base import Block, CellEncoder
from tokumei.learning.encoders._leaves import Leaves
from tokumei.learning.encoders._ranges import ranges, sparse
from tokumei.learning.encoders._rates import Reach, Source, Wanted, rates_along
from tokumei.release.artifact import Release
from tokumei.table.reading import CellReader, Cells
from tokumei.table.schema import Schema


class RateEncoder(CellEncoder):
    """One feature for each value of a column; a cell holds how probable each value is that it may stand for.

    The probabilities follow the rates at which values occur in the whole table, so a row of features is what a one-hot row
    would be on average. A raw cell has a single one; a suppressed or unseen cell has the rates of the column.

    Parameters
    ----------
    schema
        What the columns were before their cells were made coarser: a schema with domains and hierarchies, or a release.
        Without it the values are taken as they come.
    rates
        ``"release"``: those that the release publishes. ``"uniform"``: every value is as frequent as any other.
        ``"auto"``: those of the release where it publishes some, else uniform ones. ``"estimated"``: the likeliest ones
        given the training cells, if what a cell hides does not depend on its value. Or `Rates`, or for each column the
        rates of its labels.
    sparse_output
        Whether `transform` returns a sparse matrix (CSR).

    Attributes
    ----------
    sources_
        Where the rates of each column came from.

    Examples
    --------
    >>> import pandas as pd
    >>> import tokumei as tk
    >>> schema = tk.Schema([tk.Attribute("age", domain=tk.Numbers(20, 22, step=1))])
    >>> rates = {"age": {"20": 0.5, "21": 0.3, "22": 0.2}}
    >>> encoder = RateEncoder(schema, rates, sparse_output=False)
    >>> encoder.fit_transform(pd.DataFrame({"age": ["[21, 22]", "20", "*"]}))
    array([[0. , 0.6, 0.4],
           [1. , 0. , 0. ],
           [0.5, 0.3, 0.2]])
    """

    def __init__(
        self, schema: Schema | Release | None = None, rates: Wanted = "auto", *, sparse_output: bool = True
    ) -> None:
        self.schema = schema
        self.rates = rates
        self.sparse_output = sparse_output

    def _learn(self, cells: Sequence[Cells]) -> None:
        self.sources_: dict[str, Source] = {}
        super()._learn(cells)

    def _block(self, reader: CellReader, cells: Cells) -> Block:
        source, along = rates_along(self.rates, self.schema, reader, cells)
        self.sources_[reader.attribute.name] = source
        return Shares(Leaves(reader, cells), along)


class Shares:
    """The share of each leaf in a stretch."""

    def __init__(self, leaves: Leaves, along: Floats) -> None:
        self.leaves, self.names, self.reach = leaves, leaves.names, Reach(along)

    def rows(self, low: Integers, high: Integers) -> scipy.sparse.csr_matrix:
        """Encode stretches, one row each."""
        columns, starts = ranges(self.leaves.at(low), self.leaves.at(high))
        lengths = np.diff(starts)
        whole = np.repeat(low, lengths), np.repeat(high, lengths)
        part = np.maximum(self.leaves.starts[columns], whole[0]), np.minimum(self.leaves.ends[columns], whole[1])
        return sparse(self.reach.shares(*part, *whole), columns, starts, len(self.leaves))
