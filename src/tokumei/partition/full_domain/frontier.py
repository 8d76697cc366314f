"""The best levels for every k, in one pass over all nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers32
from tokumei.errors import InvalidParameter
from tokumei.partition.full_domain import _kernels
from tokumei.partition.full_domain.nodes import Nodes
from tokumei.partition.partition import Problem
from tokumei.partition.rows import problem_of, rows_allowed
from tokumei.plain_values import plain_arguments
from tokumei.progress import stage
from tokumei.table.coded import encode
from tokumei.table.frames import to_arrow
from tokumei.table.people import one_row_each
from tokumei.table.schema import Schema


@dataclass(frozen=True)
class BestLevels:
    """The levels that lose least for a k.

    Attributes
    ----------
    k
        The size that every class has at least.
    levels
        The level of each quasi-identifier, 0 being its values themselves.
    suppressed
        How many rows lie in smaller classes and are suppressed.
    loss
        The mean loss of a cell, 1 for each cell of a suppressed row.
    """

    k: int
    levels: Mapping[str, int]
    suppressed: int
    loss: float


@stage("Searching levels")
@plain_arguments
def frontier(
    frame: Any, schema: Schema, ks: Iterable[int] = range(2, 101), suppression_limit: float = 0.0
) -> tuple[BestLevels, ...]:
    """Find the best full-domain recoding for every k at once.

    It visits each combination of levels once and judges it for all k, so a hundred values of k cost hardly more than one.
    It looks at the rows: what it returns is for the data holder.

    Parameters
    ----------
    frame
        A pandas or polars frame or a pyarrow table, one row per person.
    schema
        Its columns; the quasi-identifiers are recoded by their hierarchies.
    ks
        The class sizes to ask for, each from 2 to the number of rows.
    suppression_limit
        The share of the rows that may be suppressed.

    Examples
    --------
    >>> import tokumei as tk
    >>> schema = tk.example_schema()
    >>> schema = schema.without(*(name for name in schema.names() if schema[name].hierarchy is None))
    >>> frame = tk.example_census(rows=500, frame="pyarrow").select(schema.names())
    >>> best = tk.partitions.frontier(frame, schema, ks=[2, 10], suppression_limit=0.1)
    >>> best[0].loss <= best[1].loss
    True
    """
    table = encode(to_arrow(frame)[0], schema)
    one_row_each(table.people, "frontier")
    wanted = sorted({int(k) for k in ks})
    if not wanted or wanted[0] < 2 or wanted[-1] > table.rows:
        raise InvalidParameter("ks must be whole numbers from 2 to the {rows:,} rows of the table.", rows=table.rows)
    columns = table.schema.names("quasi_identifier")
    return every_best(problem_of(table, columns, wanted[0]), wanted, rows_allowed(suppression_limit, table.rows))


@dataclass(frozen=True, eq=False)
class EveryNode:
    """Every combination of levels, looked at once for all k.

    Attributes
    ----------
    columns
        The columns, one axis of the arrays each; an index is a node: the level of each column.
    ks
        The class sizes that were asked for, rising.
    best
        The levels that lose least, for each k.
    reach
        For how many of the ``ks`` a node is good: the first this many of them.
    smallest, classes
        The rows of a node's smallest class, and how many classes it has, before anything is suppressed.
    least
        The mean loss of a cell at a node, before anything is suppressed.
    """

    columns: tuple[str, ...]
    ks: tuple[int, ...]
    best: tuple[BestLevels, ...]
    reach: Integers32
    smallest: Integers32
    classes: Integers32
    least: Floats


def every_best(problem: Problem, ks: list[int], limit: int) -> tuple[BestLevels, ...]:
    """Find the best levels for each of the rising ``ks``, with ``limit`` rows suppressed at most."""
    return every_node(problem, ks, limit).best


def every_node(problem: Problem, ks: Sequence[int], limit: int) -> EveryNode:
    """Look at every node for each of the rising ``ks``, with ``limit`` rows suppressed at most."""
    nodes = Nodes(problem)
    nodes.check()
    best = np.full(len(ks), np.inf)
    levels = np.zeros((len(ks), len(problem.axes)), dtype=np.int64)
    suppressed = np.zeros(len(ks), dtype=np.int64)
    reach, smallest, classes = (np.zeros(nodes.shape, dtype=np.int32) for _ in range(3))
    keys, counts, _ = nodes.packed
    pivot = int(np.argmax(nodes.heights))  # in parts, so that somebody sees it move on and may stop it
    label = "Examining every combination of levels (loops are compiled on the first run)"
    with stage(label, total=int(nodes.heights[pivot])) as shown:
        for level in range(int(nodes.heights[pivot])):
            _kernels.best_of_every_node(
                keys,
                counts,
                nodes.heights,
                nodes.first,
                nodes.loss,
                *nodes.packing,
                pivot,
                level,
                np.searchsorted(ks, np.arange(ks[-1] + 1), side="right"),
                limit,
                best,
                levels,
                suppressed,
                reach.reshape(-1),
                smallest.reshape(-1),
                classes.reshape(-1),
            )
            shown.advance()
    names = tuple(axis.name for axis in problem.axes)
    found = tuple(
        BestLevels(k, dict(zip(names, map(int, levels[at]), strict=True)), int(suppressed[at]), float(best[at]))
        for at, k in enumerate(ks)
    )
    return EveryNode(names, tuple(ks), found, reach, smallest, classes, nodes.least)
