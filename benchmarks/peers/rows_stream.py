"""The shuffle of rows on disk, beside the one in memory; `stream.py` measures whole runs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.row import Row
from tokumei.engines.stream.shuffle import deal
from tokumei.engines.stream.spool import Layout, Spool
from tokumei.randomness import Key, permutation

ROWS, WIDTH, BITS, CHUNK = 4_000_000, 10, 3, 2**18


def rows() -> Iterator[Row]:
    layout = Layout.of({f"c{place}": np.uint8 for place in range(WIDTH)})
    table = np.random.default_rng(0).integers(0, 255, (ROWS, WIDTH), dtype=np.uint8)
    spool = Spool(layout)
    for low in range(0, ROWS, CHUNK):
        spool.append(table[low : low + CHUNK])
    key = Key.fresh()

    def on_disk() -> None:
        buckets, words = [Spool(layout) for _ in range(1 << BITS)], key.stream("shuffle", "buckets")
        for chunk in spool.chunks():
            bucket = (words.words(chunk.start, chunk.rows) >> np.uint64(64 - BITS)).astype(np.int64)
            deal(buckets, bucket, chunk.packed, None, np.ones(chunk.rows, dtype=np.bool_))
        for place, each in enumerate(buckets):
            whole = each.whole()
            whole.packed[permutation(key.stream("shuffle", "bucket", place), whole.rows)]

    def in_memory() -> None:
        table[permutation(key.stream("shuffle"), ROWS)]

    yield Row("shuffle on disk, 4M × 10 bytes", "shuffle in memory", on_disk, in_memory, at_most=1.5)
