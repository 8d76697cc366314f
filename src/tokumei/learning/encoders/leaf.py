"""Leaves set to one."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import scipy.sparse

from tokumei.arrays import Integers
from tokumei.errors import InvalidParameter
from tokumei.learning.encoders._base import Block, CellEncoder
from tokumei.learning.encoders._leaves import Leaves
from tokumei.learning.encoders._ranges import ranges, sparse
from tokumei.release.artifact import Release
from tokumei.table.reading import CellReader, Cells
from tokumei.table.schema import Schema

Star = Literal["all", "empty"]


class LeafEncoder(CellEncoder):
    """One feature for each value of a column; a cell sets every value that it may stand for to one.

    This is the usual way to feed generalized tables to a learner. A raw cell has a single one, and a suppressed or unseen
    one has them all, or none at all with ``star="empty"``.

    Parameters
    ----------
    schema
        What the columns were before their cells were made coarser: a schema with domains and hierarchies, or a release.
        Without it the values are taken as they come.
    star
        What becomes of a cell that may stand for every value of its column, as a suppressed one does: ``"all"`` sets every value to
        one, ``"empty"`` sets none.
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
    >>> encoder.set_params(star="empty").fit_transform(pd.DataFrame({"age": ["[20, 21]", "*"]}))
    array([[1., 1., 0., 0.],
           [0., 0., 0., 0.]])
    """

    def __init__(
        self, schema: Schema | Release | None = None, *, star: Star = "all", sparse_output: bool = True
    ) -> None:
        self.schema = schema
        self.star = star
        self.sparse_output = sparse_output

    def _block(self, reader: CellReader, cells: Cells) -> Block:
        if self.star not in get_args(Star):
            raise InvalidParameter("star must be 'all' or 'empty'. Got {star!r}.", star=self.star)
        # A column of one value has no coarser cells: what looks like a star there is that value.
        empty = self.star == "empty" and reader.axis.size > 1
        return _Ones(Leaves(reader, cells), reader.whole if empty else None)


class _Ones:
    def __init__(self, leaves: Leaves, empty: tuple[int, int] | None) -> None:
        self.leaves, self.names, self.empty = leaves, leaves.names, empty

    def rows(self, low: Integers, high: Integers) -> scipy.sparse.csr_matrix:
        columns, starts = ranges(self.leaves.at(low), self.leaves.at(high))
        ones = np.ones(len(columns))
        if self.empty is not None:
            ones[np.repeat((low == self.empty[0]) & (high == self.empty[1]), np.diff(starts))] = 0.0
        return sparse(ones, columns, starts, len(self.leaves))
