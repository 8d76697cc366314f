"""The default grouping: farthest rows first, then a local search."""

from __future__ import annotations

from dataclasses import field
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from pydantic import StrictBool

from tokumei.partition.microaggregation.farthest.farthest_first import FarthestFirst
from tokumei.partition.microaggregation.path.cut import cut_sorted
from tokumei.partition.microaggregation.points import PointPartition, Points, centroids, numbered
from tokumei.partition.microaggregation.tree import blocks_of
from tokumei.partition.partition import Labels
from tokumei.progress import stage
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


@value
class LocalSearch(PointPartition):
    """Group the farthest rows first, then move, swap, split and merge among neighbouring groups while that gains.

    One column is cut into the best groups that there are, and needs no search.

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
        with stage("Making the groups better", total=effort.rounds) as searching:
            for turn in range(effort.rounds):
                labels = _round(points, labels, effort, turn)
                searching.advance()
        return labels


def _round(points: Points, labels: Labels, effort: Effort, turn: int) -> Labels:
    """Search each block of neighbouring groups once; every round has other blocks."""
    from tokumei.partition.microaggregation.search._kernels import search

    rows, k = points.rows, points.k
    means, sizes = centroids(rows, labels)
    draws = generator(turn)
    turned = np.linalg.qr(draws.normal(size=(rows.shape[1], rows.shape[1])))[0]
    order, cuts = blocks_of(np.ascontiguousarray(means @ turned), BLOCK)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    at = place[labels]
    row_order = np.argsort(at, kind="stable")
    first_row = np.concatenate([[0], np.cumsum(sizes[order])])[cuts]
    state = draws.integers(1, 2**63, size=1, dtype=np.uint64)
    made = np.empty(len(rows), dtype=np.int64)
    for block, (start, stop) in enumerate(pairwise(first_row)):
        inside = row_order[start:stop]
        found = search(rows[inside], at[inside] - cuts[block], k, effort.reach, effort.sweeps, effort.kicks, state)
        made[inside] = found + start  # a block has fewer groups than rows, so numbers from its first row on are its own
    return numbered(made)
