"""A path through points that stays in a block while it has rows left."""

from __future__ import annotations

import numpy as np

from tokumei.arrays import Floats, Integers, Labels
from tokumei.partition.microaggregation.path.cut import cut
from tokumei.partition.microaggregation.points import Points

NO_GRID, NO_NEIGHBOURS = np.zeros((0, 0), dtype=np.int32), np.zeros((0, 0), dtype=np.int64)


def within_range(rows: Floats) -> Floats:
    """Return where cells lie between the lowest and the highest of their column: from 0 to below 1."""
    low = rows.min(axis=0)
    width = rows.max(axis=0) - low
    shares: Floats = (rows - low) / np.where(width > 0, width, 1.0)
    return np.minimum(shares, np.nextafter(1.0, 0.0))


def cut_through_blocks(
    points: Points, blocks: Labels, *, cells: Integers | None = None, neighbours: Integers | None = None
) -> Labels:
    """Go through the blocks, and cut the path into groups."""
    return cut(points, path_through_blocks(points, blocks, cells=cells, neighbours=neighbours))


def path_through_blocks(
    points: Points, blocks: Labels, *, cells: Integers | None = None, neighbours: Integers | None = None
) -> Integers:
    """Go through the blocks from the row farthest from the mean on.

    ``cells`` are the places of rows in a grid; otherwise blocks have ``neighbours``, -1 for none.
    """
    from tokumei.partition.microaggregation.path._kernels import walk

    rows = points.rows
    members = np.argsort(blocks, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(blocks))])
    first = int(np.argmax(np.square(rows - rows.mean(axis=0)).sum(axis=1)))
    grid = NO_GRID if cells is None else np.ascontiguousarray(cells[members[starts[:-1]]].T, dtype=np.int32)
    near = NO_NEIGHBOURS if neighbours is None else neighbours
    path: Integers = walk(rows, first, blocks.astype(np.int64), starts, members, grid, near)
    return path
