"""Whole-number noise with exact probabilities."""

from __future__ import annotations

import numpy as np

from tokumei.arrays import Integers
from tokumei.randomness import Stream


def two_sided_geometric(stream: Stream, count: int, decay: int) -> Integers:
    """Draw noise z with a probability of exactly (1 - q) / (1 + q) q^|z|, where q = ``decay`` / 2^64.

    The difference of two geometric numbers has this law, and a geometric number counts how many words in a row are below
    ``decay``: whole numbers are compared, and nothing is rounded.
    """
    return _geometric(stream.sub("above"), count, decay) - _geometric(stream.sub("below"), count, decay)


def _geometric(stream: Stream, count: int, decay: int) -> Integers:
    drawn = np.zeros(count, dtype=np.int64)
    going, trial = np.arange(count), 0
    while len(going):
        going = going[stream.sub("trial", trial).words_at(going) < np.uint64(decay)]
        drawn[going] += 1
        trial += 1
    return drawn
