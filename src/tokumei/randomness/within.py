"""Orders within groups: every group's rows change places among themselves, each way being exactly as likely as any other."""

from __future__ import annotations

import numpy as np

from tokumei.arrays import AnyUnsigned, Integers
from tokumei.parallel import in_chunks
from tokumei.randomness import Stream


def permutation_within(stream: Stream, labels: Integers) -> Integers:
    """Draw an order of the rows of each group: return for each row the one whose place it takes, a row of its own group.

    Of a group of m rows each of the m! orders is exactly as likely (Fisher-Yates), independently of other groups. Row i of the rows sorted by group
    reads word i of the stream, and no other: so no two groups share a draw.

    >>> from tokumei.randomness import Key
    >>> labels = np.array([0, 1, 0, 1, 1])
    >>> taken = permutation_within(Key.seeded(1).stream("example"), labels)
    >>> (labels[taken] == labels).all(), sorted(taken.tolist())
    (np.True_, [0, 1, 2, 3, 4])
    """
    from tokumei.randomness._kernels import below_bound, swap_down_within

    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels)
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    bounds = (
        np.arange(1, len(labels) + 1, dtype=np.int64) - starts
    )  # as many as there are places up to this one in its group
    targets = np.empty(len(labels), dtype=np.int64)

    def draw(words: AnyUnsigned, places: Integers) -> Integers:
        rejected = np.empty(len(places), dtype=np.bool_)
        below_bound(words, places, bounds, targets, rejected)
        return places[rejected]

    def chunk(start: int, stop: int) -> None:
        places = np.arange(start, stop, dtype=np.int64)
        stream.redraw(0, draw(stream.words(start, stop - start, scratch=True), places), draw)

    in_chunks(len(labels), chunk)
    taken, swapped = np.empty(len(labels), dtype=np.int64), np.arange(len(labels))
    swap_down_within(targets, starts, swapped)
    taken[order] = order[swapped]
    return taken
