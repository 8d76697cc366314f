"""Rows in small classes, which are counted on disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tokumei.anonymizers.anonymizer import SmallClasses
from tokumei.arrays import Unsigned64
from tokumei.engines.stream.counting import tallies
from tokumei.engines.stream.identity import Identity
from tokumei.engines.stream.spool import Spool
from tokumei.progress import stage


def small_classes(spool: Spool, columns: Sequence[str], by_cells: Sequence[str], k: int, memory: int) -> SmallClasses:
    """Find the rows that agree in all columns with fewer than k, themselves included."""
    left_out = np.zeros(spool.rows, dtype=np.bool_)
    smallest = spool.rows
    identity = Identity(columns, by_cells, spool.layout, memory // 4)

    def rows() -> Iterator[tuple[Unsigned64, None]]:
        with stage("Counting classes", spool.rows, rows=True) as counting:
            for chunk in spool.chunks():
                yield identity.keys(chunk), None
                counting.advance(chunk.rows)

    for tally in tallies(rows, identity.words, 1, memory // 2):
        sizes = tally.result()[1][:, 0]
        smallest = min(smallest, int(sizes[sizes >= k].min(initial=spool.rows)))
        if np.any(sizes < k):
            for chunk in spool.chunks():
                found = tally.first_counts(identity.keys(chunk))
                left_out[chunk.start : chunk.start + chunk.rows] |= (found > 0) & (found < k)
    return SmallClasses(int(np.count_nonzero(left_out)), smallest, left_out)
