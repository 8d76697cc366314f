"""A path through points that stays in a block while it has rows left."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from tokumei.arrays import Floats, Integers, Labels
from tokumei.partition.microaggregation.path.cut import cut
from tokumei.partition.microaggregation.points import Points, centroids


def within_range(rows: Floats) -> Floats:
    """Return where cells lie between the lowest and the highest of their column: from 0 to below 1."""
    low = rows.min(axis=0)
    width = rows.max(axis=0) - low
    shares: Floats = (rows - low) / np.where(width > 0, width, 1.0)
    return np.minimum(shares, np.nextafter(1.0, 0.0))


def neighbours_of(rows: Floats, blocks: Labels) -> Integers:
    """Return for each block at most two neighbours a column: the nearest block on either side, by the means of their rows.

    Another block is on the side that it is farthest out on. Neighbours are looked for among the nearest four a column.
    """
    from tokumei.partition.microaggregation.path._kernels import sided

    means, sizes = centroids(rows, blocks)
    near = cKDTree(means).query(means, k=np.arange(1, min(len(sizes), 4 * rows.shape[1] + 1) + 1))[1]
    found: Integers = sided(means, near.astype(np.int64))
    return found


def cut_through_blocks(points: Points, blocks: Labels, cells: Integers | None) -> Labels:
    """Go through the blocks from the row farthest from the mean on, and cut the path into groups.

    ``cells`` are the places of rows in a grid; without them blocks have neighbours.
    """
    from tokumei.partition.microaggregation.path._kernels import walk

    rows = points.rows
    members = np.argsort(blocks, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(blocks))])
    first = int(np.argmax(np.square(rows - rows.mean(axis=0)).sum(axis=1)))
    if cells is None:
        neighbours, grid = neighbours_of(rows, blocks), np.zeros((0, 0), dtype=np.int64)
    else:
        neighbours, grid = np.zeros((0, 0), dtype=np.int64), cells[members[starts[:-1]]]
    path = walk(rows, first, blocks.astype(np.int64), starts, members, grid, neighbours)
    return cut(points, path)
