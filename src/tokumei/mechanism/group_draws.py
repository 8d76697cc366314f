"""Draw the rows of one column through many channels at once: each group of rows has its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from tokumei.arrays import AnyUnsigned, Booleans, Integers
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.grid_laplace import FlaggedGridLaplace, GridLaplace
from tokumei.mechanism.retention import Retention
from tokumei.randomness import Stream

EVEN = 2**64  # a decay that leaves all weights equal; it does not fit a word, and is written as 0


def draw_through(
    channels: Sequence[Channel], which: Integers, true: Integers, rows: Integers, stream: Stream
) -> Integers:
    """Draw a released value for each true one through the channel that ``which`` names.

    Row ``rows[i]`` of the table reads word ``rows[i]`` of the stream, of the one that says whether a cell is missing if its channel has
    one, and of those of its retries: its own and nobody else's. The draws are those of `Retention.draw`, `GridLaplace.draw` and
    `FlaggedGridLaplace.draw`, made from the same integers.
    """
    out = np.empty(len(true), dtype=np.int64)
    if not len(true):
        return out
    replaced = np.array([isinstance(channel, Retention) for channel in channels])[which]
    first = int(rows.min())
    words = stream.words(first, int(rows.max()) + 1 - first)
    order = np.argsort(which, kind="stable")  # the rows of a channel stand together, so that its tables are made once
    for part, draws in ((order[replaced[order]], _Replaced), (order[~replaced[order]], _Moved)):
        if len(part):
            numbers, mine = np.unique(which[part], return_inverse=True)
            made = draws([channels[number] for number in numbers], mine, true[part], rows[part], stream)
            out[part] = made.drawn(words[rows[part] - first])
    return out


class _Draws(ABC):
    """Rows, in the order of their channels, and what is drawn for them."""

    def __init__(self, which: Integers, true: Integers, rows: Integers, stream: Stream) -> None:
        self.which, self.true, self.rows, self.stream = which, true, rows, stream
        self.out = np.empty(len(true), dtype=np.int64)

    def drawn(self, words: AnyUnsigned) -> Integers:
        """Draw for all rows, again for those whose words do not count, and return what was drawn."""
        first = int(self.rows.min())
        place = np.empty(int(self.rows.max()) + 1 - first, dtype=np.int64)
        place[self.rows - first] = np.arange(len(self.rows))

        def draw(words: AnyUnsigned, rows: Integers) -> Integers:
            return rows[self.fill(words, place[rows - first])]

        self.stream.redraw(0, draw(words, self.rows), draw)
        return self.out

    @abstractmethod
    def fill(self, words: AnyUnsigned, places: Integers) -> Booleans:
        """Draw for some of the rows; say which words do not count."""


class _Replaced(_Draws):
    """Cells that are kept or replaced."""

    def __init__(
        self, channels: Sequence[Retention], which: Integers, true: Integers, rows: Integers, stream: Stream
    ) -> None:
        super().__init__(which, true, rows, stream)
        self.tables = (
            np.array([each.other for each in channels], dtype=np.uint64),
            np.array([each.size * each.other - 1 for each in channels], dtype=np.uint64),
            np.array([each.total - 1 for each in channels], dtype=np.uint64),
            np.array([64 - each.bits for each in channels], dtype=np.uint64),
        )

    def fill(self, words: AnyUnsigned, places: Integers) -> Booleans:
        from tokumei.mechanism._group_kernels import replace_each

        drawn, again = np.empty(len(places), dtype=np.int64), np.empty(len(places), dtype=np.bool_)
        replace_each(words, self.true[places], self.which[places], *self.tables, drawn, again)
        self.out[places] = drawn
        return again


class _Moved(_Draws):
    """Cells that are moved along a grid; ``flip`` is 0 where none can be missing."""

    def __init__(
        self,
        channels: Sequence[GridLaplace | FlaggedGridLaplace],
        which: Integers,
        true: Integers,
        rows: Integers,
        stream: Stream,
    ) -> None:
        super().__init__(which, true, rows, stream)
        flips = [each.flip if isinstance(each, FlaggedGridLaplace) else 0 for each in channels]
        grids = [each.grid if isinstance(each, FlaggedGridLaplace) else each for each in channels]
        self.tables = (
            np.array([each.size for each in grids], dtype=np.int64),
            np.array([each.decay % EVEN for each in grids], dtype=np.uint64),
            np.array([each.shift for each in grids], dtype=np.uint64),
        )
        first, count = int(rows.min()), int(rows.max()) + 1 - int(rows.min())
        coins = (
            stream.sub("presence").words(first, count)[rows - first] if any(flips) else np.ones(len(rows), np.uint64)
        )
        self.flipped = coins < np.array(flips, dtype=np.uint64)[which]

    def fill(self, words: AnyUnsigned, places: Integers) -> Booleans:
        from tokumei.mechanism._group_kernels import step_each

        drawn, again = np.empty(len(places), dtype=np.int64), np.zeros(len(places), dtype=np.bool_)
        sums = np.empty(self.tables[0].max(), dtype=np.uint64)
        step_each(words, self.flipped[places], self.true[places], self.which[places], *self.tables, sums, drawn, again)
        self.out[places] = drawn
        return again
