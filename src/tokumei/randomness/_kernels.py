"""Inner loops of exact uniform draws."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tokumei.loops import loop

FULL = np.uint64(2**64 - 1)


@njit(inline="always")
def below(word: Any, bound: Any) -> Any:
    """Return a number that is uniform below ``bound`` when it is below it; else the word must be drawn again.

    ``floor(word / q)`` with ``q = floor((2^64 - 1) / bound)`` hits every number below ``bound`` for exactly ``q`` of
    the 2^64 words, so given that the result is accepted it is exactly uniform.
    """
    return word // (FULL // bound)


@loop()
def below_place(words: Any, places: Any, targets: Any, rejected: Any) -> None:
    """Set ``targets[i]`` uniform on ``0 .. i`` for each place, and say which of the places must be drawn again."""
    for j in range(places.size):
        bound = np.uint64(places[j] + 1)
        drawn = below(words[j], bound)
        rejected[j] = drawn >= bound
        targets[places[j]] = np.int64(drawn)


@loop()
def swap_down(targets: Any, order: Any) -> None:
    """Turn independent uniform targets into a permutation of ``order``, from the last place down."""
    for i in range(targets.size - 1, 0, -1):
        j = targets[i]
        order[i], order[j] = order[j], order[i]


@loop()
def below_bound(words: Any, places: Any, bounds: Any, targets: Any, rejected: Any) -> None:
    """Set ``targets[i]`` uniform on ``0 .. bounds[i] - 1`` for each place, and say which of the places must be drawn again."""
    for j in range(places.size):
        bound = np.uint64(bounds[places[j]])
        drawn = below(words[j], bound)
        rejected[j] = drawn >= bound
        targets[places[j]] = np.int64(drawn)


@loop()
def swap_down_within(targets: Any, starts: Any, order: Any) -> None:
    """Turn independent uniform targets into a permutation of each group, whose first place ``starts`` names, from its last place down."""
    for i in range(targets.size - 1, -1, -1):
        j = starts[i] + targets[i]
        order[i], order[j] = order[j], order[i]


@loop()
def select(words: Any, strata: Any, left: Any, wanted: Any, first: Any, drawn: Any) -> Any:
    """Draw rows from place ``first`` on; return how far it came: at a word that must be drawn again it stops."""
    for i in range(first, words.size):
        s = strata[i]
        bound = np.uint64(left[s])
        number = below(words[i], bound)
        if number >= bound:
            return i
        drawn[i] = number < np.uint64(wanted[s])
        left[s] -= 1
        wanted[s] -= np.int64(drawn[i])
    return words.size
