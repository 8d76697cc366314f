"""A node and all nodes above it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse

from tokumei.arrays import Booleans, Integers
from tokumei.learning.encoders._base import Block, CellEncoder
from tokumei.learning.encoders._leaves import Leaves, stretch_names
from tokumei.release.artifact import Release
from tokumei.table.cells import CellNames
from tokumei.table.reading import CellReader, Cells
from tokumei.table.schema import Schema

PIECES = 64  # of a column without a tree, which then get one


class AncestorEncoder(CellEncoder):
    """One feature for each node of a column's tree; a cell switches on its own node and all nodes above.

    A raw cell then has whatever its generalized training cells had, and more: what was learned about a node holds for
    everything below it. The root is left out, so a suppressed or unseen cell is all zeros.

    A column of numbers, dates or ordered categories without a tree gets one: its line is cut into 64 pieces where the
    training cells begin and end, and its nodes are the halves, quarters and so on of these pieces. A cell switches on
    every node that it lies in.

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
    >>> tree = tk.Hierarchy.groups({"north": ["A", "B"], "south": ["C"]})
    >>> schema = tk.Schema([tk.Attribute("place", domain=tk.Categories(["A", "B", "C"]), hierarchy=tree)])
    >>> encoder = AncestorEncoder(schema, sparse_output=False).fit(pd.DataFrame({"place": ["north", "C"]}))
    >>> encoder.get_feature_names_out().tolist()
    ['place=A', 'place=B', 'place=C', 'place=north']
    >>> encoder.transform(pd.DataFrame({"place": ["A", "north", "*"]}))
    array([[1., 0., 0., 1.],
           [0., 0., 0., 1.],
           [0., 0., 0., 0.]])
    """

    def __init__(self, schema: Schema | Release | None = None, *, sparse_output: bool = True) -> None:
        self.schema = schema
        self.sparse_output = sparse_output

    def _block(self, reader: CellReader, cells: Cells) -> Block:
        return _Halves(reader, cells) if reader.axis.free else _Nodes(reader)


class _Nodes:
    """The nodes of a tree, level by level; a node that a finer level has is that level's."""

    def __init__(self, reader: CellReader) -> None:
        self.axis = reader.axis
        self.number = np.full(self.axis.first.shape, -1, dtype=np.int64)
        named = CellNames(reader.attribute, reader.axis)
        names: dict[str, None] = {}
        number: dict[tuple[int, int], int] = {reader.whole: -1}
        for level in range(self.axis.levels):
            for stretch, name in named.at_level(level).items():
                if stretch not in number:
                    number[stretch] = len(names)
                    label = "missing" if name is None else name
                    names[label if label not in names else f"{label} (level {level})"] = None
            spans = zip(self.axis.first[level].tolist(), self.axis.last[level].tolist(), strict=True)
            self.number[level] = [number[span] for span in spans]
        for level in range(1, self.axis.levels):  # nothing is counted twice
            self.number[level, (self.number[:level] == self.number[level]).any(axis=0)] = -1
        self.names: Sequence[str] = tuple(names)

    def rows(self, low: Integers, high: Integers) -> scipy.sparse.csr_matrix:
        on = np.where(self.axis.last[:, low] >= high, self.number[:, low], -1).T
        return _switched(on >= 0, on[on >= 0], len(self.names))


class _Halves:
    """A tree over a line that has none."""

    def __init__(self, reader: CellReader, cells: Cells) -> None:
        leaves = Leaves(reader, cells, PIECES)
        missing = [(leaves.starts[-1], leaves.ends[-1])] if reader.attribute.missing else []
        halves = [(leaves.starts[at], leaves.ends[to]) for at, to in _halves(len(leaves) - len(missing))]
        nodes = [node for node in halves + missing if node != reader.whole] or halves
        self.low, self.high = np.array(nodes, dtype=np.int64).T
        self.names = stretch_names(reader, self.low, self.high)

    def rows(self, low: Integers, high: Integers) -> scipy.sparse.csr_matrix:
        on = (self.low <= low[:, None]) & (high[:, None] <= self.high)
        return _switched(on, np.nonzero(on)[1], len(self.names))


def _halves(count: int) -> list[tuple[int, int]]:
    """Return the first and last of the pieces of each half, quarter and so on, down to single pieces.

    >>> _halves(3)
    [(0, 2), (0, 0), (1, 2), (1, 1), (2, 2)]
    """
    found, at = [(0, count - 1)], 0
    while at < len(found):
        first, last = found[at]
        if first < last:
            middle = (first + last + 1) // 2
            found += [(first, middle - 1), (middle, last)]
        at += 1
    return found


def _switched(on: Booleans, columns: Integers, width: int) -> scipy.sparse.csr_matrix:
    starts = np.append(0, np.cumsum(on.sum(axis=1)))
    made = scipy.sparse.csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(on), width))
    made.sort_indices()
    return made
