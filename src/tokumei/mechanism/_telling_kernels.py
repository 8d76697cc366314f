"""Inner loops of drawing what rows tell: arrays in, arrays out.

Places are numbers without a sign: with one, every access would check whether it is meant from the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.loops import loop


@loop()
def pick(words: Any, places: Any, total: Any, again: Any, ends: Any, guide: Any, out: Any) -> Any:
    """Draw a cluster for each place from a word of 32 bits; return how many of the places, put first, must be drawn again.

    ``word * total`` spread over 2^32 is uniform below ``total`` once the ``again = 2^32 mod total`` words that would make some
    numbers likelier are left out. ``guide`` says at which cluster to begin looking among the ``ends`` of the weights.
    """
    rejected, one, shift = np.uint64(0), np.uint64(1), np.uint64(32)
    for i in range(np.uint64(places.size)):
        place = places[i]
        product = np.uint64(words[i]) * total
        if product & np.uint64(0xFFFFFFFF) < again:
            places[rejected] = place
            rejected += one
            continue
        drawn = product >> shift
        cluster = np.uint64(guide[np.uint64(words[i] >> 24)])
        while ends[cluster] <= drawn:
            cluster += one
        out[np.uint64(place)] = cluster
    return rejected


@loop()
def tell(
    words: Any,
    places: Any,
    choice: Any,
    other: Any,
    inverse: Any,
    top: Any,
    limit: Any,
    last: Any,
    begin: Any,
    column: Any,
    cells: Any,
    kept_at: Any,
    cell_at: Any,
    released: Any,
    codes: Any,
    out: Any,
) -> Any:
    """Draw what each place tells of its cluster; return how many of the places, put first, must be drawn again.

    A cluster's columns are ``column[begin[s]:begin[s + 1]]``. ``released`` holds, one after the other, the released code of every
    true code (from ``kept_at`` on) and of every cell (from ``cell_at`` on) of a column on a grid.

    The quotient by ``other`` is guessed by its reciprocal, ``inverse``, and put right: quotients are ``top`` at most, which is below 2^22,
    so that the guess is off by one at most.
    """
    rejected, one = np.uint64(0), np.uint64(1)
    for i in range(np.uint64(places.size)):
        place = np.uint64(places[i])
        s = np.uint64(choice[place])
        word = words[i]
        if word > last[s]:
            places[rejected] = place
            rejected += one
            continue
        first, j = np.uint64(begin[s]), np.uint64(begin[s + one])
        if word > limit[s]:
            while j > first:
                j -= one
                c = np.uint64(column[j])
                out[c, place] = released[np.uint64(kept_at[j]) + np.uint64(codes[c, place])]
            continue
        quotient = min(np.uint64(np.float64(word) * inverse[s]), top[s])
        product = quotient * other[s]
        if product > word:
            quotient -= one
        elif word - product >= other[s]:
            quotient += one
        drawn = np.uint32(quotient)
        j -= one
        while j > first:
            rest = drawn // cells[j]
            out[np.uint64(column[j]), place] = released[np.uint64(cell_at[j]) + np.uint64(drawn - rest * cells[j])]
            drawn = rest
            j -= one
        out[np.uint64(column[j]), place] = released[np.uint64(cell_at[j]) + np.uint64(drawn)]  # all that is left of it
    return rejected


@loop()
def true_tuples(
    choice: Any, begin: Any, column: Any, cells: Any, kept_at: Any, cell_of: Any, codes: Any, out: Any
) -> None:
    """Number the true cells of each place's cluster: the tuple of its columns' cells as a code of the cluster's channel."""
    for i in range(choice.size):
        joint = np.uint64(0)
        for j in range(begin[choice[i]], begin[choice[i] + 1]):
            joint = joint * np.uint64(cells[j]) + np.uint64(cell_of[kept_at[j] + codes[column[j], i]])
        out[i] = joint
