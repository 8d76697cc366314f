"""How many people the rows on disk are of, where draws repeat."""

from __future__ import annotations

from collections.abc import Iterator

from tokumei.arrays import Unsigned64
from tokumei.engines.stream.counting import tallies
from tokumei.engines.stream.spool import Spool
from tokumei.progress import stage


def count_people(spool: Spool, memory: int) -> int:
    """Count the different tags of people."""

    def rows() -> Iterator[tuple[Unsigned64, None]]:
        with stage("Counting people", spool.rows, rows=True) as counting:
            for chunk in spool.chunks():
                assert chunk.tags is not None
                yield chunk.tags, None
                counting.advance(chunk.rows)

    return sum(len(tally.result()[0]) for tally in tallies(rows, 2, 1, memory // 2))
