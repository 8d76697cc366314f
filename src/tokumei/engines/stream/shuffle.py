"""The shuffle of rows that do not fit into memory.

Each row's bucket is the top of a keyed word of its own, and each bucket is shuffled in memory, every order of it being equally
likely. Words are independent of each other, so rows can be exchanged without changing the likelihood of anything: every
order of all rows is equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.anonymizers.anonymizer import Design
from tokumei.arrays import Bytes
from tokumei.engines.stream.cells import Shown
from tokumei.engines.stream.spool import Spool, deal
from tokumei.engines.stream.survey import Chosen
from tokumei.mechanism.repeating import Draws
from tokumei.progress import stage
from tokumei.randomness import Key, permutation

PIECE = 2**18  # rows that are turned into values at a time
MOST_BUCKETS = 256  # each is an open file, or two
BLOCK = 2**16  # rows of a block at least


@dataclass(frozen=True)
class Buckets:
    """Drawn rows, assigned to buckets at random. They come out bucket by bucket, each shuffled."""

    shown: Shown
    buckets: Sequence[Spool]
    key: Key
    types: Any
    piece: int

    @classmethod
    def fill(cls, spool: Spool, drawn: Chosen, design: Design, shown: Shown, draws: Draws, memory: int) -> Buckets:
        """Draw the values of all released rows and deal them out."""
        bits = _bits(spool.bytes, memory // 6)
        buckets = [Spool(shown.layout) for _ in range(1 << bits)]
        key = draws.key
        words = key.stream("shuffle", "buckets")
        none: Any = None
        with stage("Drawing and shuffling", spool.rows, rows=True) as drawing:
            for place, chunk in enumerate(spool.chunks()):
                packed, cells = shown.draw(chunk, design, draws)
                keep = drawn.of(place, chunk.rows)
                if design.left_out is not None:
                    keep &= ~design.left_out[chunk.start : chunk.start + chunk.rows]
                none = shown.no_rows(chunk.cells) if none is None else none
                bucket = words.words(chunk.start, chunk.rows) >> np.uint64(63 - bits) >> np.uint64(1)
                deal(buckets, bucket.astype(np.int64), packed, cells, keep)
                drawing.advance(chunk.rows)
        spool.close()
        piece = max(2**10, min(PIECE, memory // 8 // (64 * len(shown.columns))))
        return cls(shown, buckets, key, none.schema, piece)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return sum(bucket.rows for bucket in self.buckets)

    @property
    def group(self) -> int:
        """How many rows make a row group of a file: where buckets end tells of the size of the original."""
        return self.piece

    def __iter__(self) -> Iterator[pa.Table]:
        """Yield the rows in the order of their release."""
        for place, bucket in enumerate(self.buckets):
            if bucket.rows:
                whole = bucket.whole()
                order = permutation(self.key.stream("shuffle", "bucket", place), whole.rows)
                for low in range(0, whole.rows, self.piece):
                    part = order[low : low + self.piece]
                    cells = None if whole.cells is None else whole.cells.take(pa.array(part))
                    yield self.shown.table(whole.packed[part], cells)


def _bits(total: int, most: int) -> int:
    """Return of how many bits a bucket's number is, so that a bucket is expected to hold this many bytes at most."""
    return min(MOST_BUCKETS.bit_length() - 1, max(0, -(-total // most) - 1).bit_length())


def block_starts(spool: Spool) -> list[int]:
    """Cut rows into blocks of whole chunks, each of at least `BLOCK` rows if there are this many."""
    starts, last = [0], 0
    for size in spool.sizes:
        last += size
        if last - starts[-1] >= BLOCK:
            starts.append(last)
    if len(starts) > 1 and spool.rows - starts[-1] < BLOCK:
        starts.pop()  # what is left over goes with the block before it
    return starts


@dataclass(frozen=True)
class Blocks:
    """Rows shuffled within blocks of consecutive rows only: nothing is dealt out, values are drawn as they are asked for."""

    spool: Spool
    starts: Sequence[int]
    design: Design
    shown: Shown
    key: Key

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.spool.rows

    @property
    def group(self) -> int:
        """How many rows make a row group of a file: where blocks end tells of the cells of the original."""
        return BLOCK

    @property
    def types(self) -> Any:
        """The names and types of the columns."""
        return self.shown.no_rows(next(self.spool.chunks()).cells).schema

    def __iter__(self) -> Iterator[pa.Table]:
        """Yield the rows in the order of their release, block by block."""
        ends = [*self.starts[1:], self.spool.rows]
        waiting: list[tuple[Bytes, pa.Table | None]] = []
        block = 0
        for chunk in self.spool.chunks():
            waiting.append(self.shown.draw(chunk, self.design, Draws(self.key)))
            if chunk.start + chunk.rows == ends[block]:
                packed = np.concatenate([part for part, _ in waiting])
                cells = [each for _, each in waiting if each is not None]
                order = permutation(self.key.stream("shuffle", "block", block), len(packed))
                taken = pa.concat_tables(cells).take(pa.array(order)) if cells else None
                yield self.shown.table(packed[order], taken)
                waiting, block = [], block + 1
