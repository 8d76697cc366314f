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

    return Tree(*grow(rows, leaf))


def blocks_of(rows: Floats, leaf: int) -> tuple[Integers, Integers]:
    """Order rows so that blocks of at most ``leaf`` neighbours follow each other; return the order and its cuts."""
    tree = tree_of(rows, leaf)
    return tree.order, np.append(np.sort(tree.start[tree.child < 0]), len(rows))
