"""Leaves set to one."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from tokumei.arrays import Integers
from tokumei.learning.encoders._base import Block, CellEncoder
from tokumei.learning.encoders._leaves import Leaves
from tokumei.learning.encoders._ranges import ranges, sparse
from tokumei.release.artifact import Release
from tokumei.table.reading import CellReader, Cells
from tokumei.table.schema import Schema


class LeafEncoder(CellEncoder):
    """One feature for each value of a column; a cell sets every value that it may stand for to one.

    This is the usual way to feed generalized tables to a learner. A raw cell has a single one, and a suppressed or unseen
    one has them all.

    Parameters
    ----------
    schema
        What the columns were before their cells were made coarser: a schema with domains and hierarchies, or a release.
        Without it the values are taken as they come.
    sparse_output
        Whether `transform` returns a sparse matrix (CSR).

    Examples
    --------
    >>> import pandas as pd
    >>> import tokumei as tk
    >>> schema = tk.Schema([tk.Attribute("age", domain=tk.Numbers(20, 23, step=1))])
    >>> encoder = LeafEncoder(schema, sparse_output=False)
    >>> encoder.fit_transform(pd.DataFrame({"age": ["[20, 21]", "23", "*"]}))
    array([[1., 1., 0., 0.],
           [0., 0., 0., 1.],
           [1., 1., 1., 1.]])
    """

    def __init__(self, schema: Schema | Release | None = None, *, sparse_output: bool = True) -> None:
        self.schema = schema
        self.sparse_output = sparse_output

    def _block(self, reader: CellReader, cells: Cells) -> Block:
        return _Ones(Leaves(reader, cells))


class _Ones:
    def __init__(self, leaves: Leaves) -> None:
        self.leaves, self.names = leaves, leaves.names

    def rows(self, low: Integers, high: Integers) -> scipy.sparse.csr_matrix:
        columns, starts = ranges(self.leaves.at(low), self.leaves.at(high))
        return sparse(np.ones(len(columns)), columns, starts, len(self.leaves))
