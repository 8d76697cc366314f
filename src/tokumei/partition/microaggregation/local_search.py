"""The default grouping: farthest rows first, then a local search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Literal, NamedTuple

import numpy as np
from pydantic import StrictBool

from tokumei.arrays import Floats, Integers, Labels, Unsigned64
from tokumei.memory import hand_back
from tokumei.parallel import in_chunks, one_blas_thread
from tokumei.partition.microaggregation.farthest_first import FarthestFirst
from tokumei.partition.microaggregation.path.cut import cut_sorted
from tokumei.partition.microaggregation.points import (
    PointPartition,
    Points,
    centroids,
    numbered,
    register_point_partition,
)
from tokumei.partition.microaggregation.tree import blocks_of
from tokumei.progress import Stage, stage
from tokumei.randomness import generator
from tokumei.values import value

BLOCK = 120  # groups that are searched together; their neighbours are looked for among them
FEW = 20_000  # rows of a table that is searched longer


class Effort(NamedTuple):
    """How long to search: rounds, each with other blocks, and in each how far a region reaches and how often."""

    rounds: int
    reach: int
    sweeps: int
    kicks: int


QUICK = Effort(rounds=2, reach=5, sweeps=1, kicks=0)
USUAL = Effort(rounds=4, reach=8, sweeps=1, kicks=4)
LONG = Effort(rounds=20, reach=12, sweeps=1, kicks=20)


@register_point_partition
@value
class LocalSearch(PointPartition):
    """Group the farthest rows first, then move, swap, split and merge among neighbouring groups while that gains.

    One column is cut into the best groups that there are, and needs no search. Threads search different neighbourhoods; the
    groups are the same whatever their number.

    Parameters
    ----------
    thorough
        Search longer, for a few per cent less loss: some seconds for a thousand rows.
    """

    thorough: StrictBool = False
    kind: Literal["local_search"] = field(default="local_search", kw_only=True, repr=False)

    def group(self, points: Points) -> Labels:
        """Number the groups from zero and return each row's."""
        if points.rows.shape[1] == 1:
            return cut_sorted(points)
        labels = FarthestFirst().group(points)
        effort = LONG if self.thorough else USUAL if len(labels) <= FEW else QUICK
        for better in improved(points, labels, effort):
            labels = better
        return labels


def improved(points: Points, labels: Labels, effort: Effort) -> Iterator[Labels]:
    """Search round after round, and give the groups after each."""
    with stage("Improving the groups", total=effort.rounds) as searching:
        for turn in range(effort.rounds):
            hand_back(points.rows.size)
            labels = _round(points, labels, effort, turn, searching)
            yield labels


def _round(points: Points, labels: Labels, effort: Effort, turn: int, searching: Stage) -> Labels:
    """Search each block of neighbouring groups once; every round has other blocks.

    Blocks share no row and each has its own chance, so threads may take them in any order.
    """
    rows, k = points.rows, points.k
    means, sizes = centroids(rows, labels)
    draws = generator(turn)
    turned = np.linalg.qr(draws.normal(size=(rows.shape[1], rows.shape[1])))[0]
    with one_blas_thread():  # each of which would hold some thirty megabytes
        means = means @ turned.astype(rows.dtype)
    order, cuts = blocks_of(means, BLOCK)
    del means
    hand_back(rows.size)
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    at = place[labels]
    row_order = np.argsort(at, kind="stable")
    first_row = np.concatenate([[0], np.cumsum(sizes[order])])[cuts]
    blocks = len(cuts) - 1
    states = draws.integers(1, 2**63, size=(blocks, 1), dtype=np.uint64)
    made = np.empty(len(rows), dtype=np.int32)

    def work(first: int, stop: int) -> None:
        for block in range(first, stop):
            inside = row_order[first_row[block] : first_row[block + 1]]
            mine = at[inside].astype(np.int64) - cuts[block]
            found = _searched(rows[inside].astype(np.float64, copy=False), mine, k, effort, states[block])
            # A block has fewer groups than rows, so numbers from its first row on are its own.
            made[inside] = found + first_row[block]
            searching.advance(1.0 / blocks)

    in_chunks(blocks, work, size=1)
    return numbered(made)


def _searched(rows: Floats, labels: Integers, k: int, effort: Effort, state: Unsigned64) -> Integers:
    """Search a block of neighbouring groups, and return its new labels; a region has the rows of ``reach`` groups at most."""
    from tokumei.partition.microaggregation._local_search_kernels import search

    columns, room = rows.shape[1], len(rows) // k + 1
    largest = max(3 * k, int(np.bincount(labels).max()))
    most = min(effort.reach * largest, len(rows))
    slots = max(most // k, effort.reach) + 1
    result = np.empty(len(rows), dtype=np.int64)
    search(
        rows, labels, k, effort.reach, effort.sweeps, effort.kicks, state,
        np.empty((room, columns)), np.empty((room, largest), dtype=np.int64), np.zeros(room, dtype=np.int64),
        np.empty(effort.reach), np.empty((3, slots), dtype=np.int64), np.empty((2, most), dtype=np.int64),
        np.empty((most, columns)), np.empty((most, most)), np.empty((slots, most)), np.empty(slots), result,
    )  # fmt: skip
    return result
