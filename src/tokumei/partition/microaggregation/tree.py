"""A tree over points: halves of halves, each with its box."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tokumei.arrays import Floats, Integers


class Tree(NamedTuple):
    """The nodes of a tree, each a stretch of ``order``; the children of a node are ``child`` and the one after it."""

    order: Integers
    start: Integers
    stop: Integers
    child: Integers
    parent: Integers
    low: Floats
    high: Floats


def tree_of(rows: Floats, leaf: int) -> Tree:
    """Halve rows by their widest column until no part has more than ``leaf``."""
    from tokumei.partition.microaggregation._tree_kernels import grow

    count, columns = rows.shape
    room = 4 * (count // max(leaf, 1)) + 8
    order, start, stop, child, parent = (np.empty(size, dtype=np.int64) for size in (count, room, room, room, room))
    low, high = np.empty((room, columns), dtype=rows.dtype), np.empty((room, columns), dtype=rows.dtype)
    nodes = grow(rows, leaf, order, np.empty(count, dtype=rows.dtype), start, stop, child, parent, low, high)
    return Tree(order, start[:nodes], stop[:nodes], child[:nodes], parent[:nodes], low[:nodes], high[:nodes])


def blocks_of(rows: Floats, leaf: int) -> tuple[Integers, Integers]:
    """Order rows so that blocks of at most ``leaf`` neighbours follow each other; return the order and its cuts."""
    tree = tree_of(rows, leaf)
    return tree.order, np.append(np.sort(tree.start[tree.child < 0]), len(rows))
