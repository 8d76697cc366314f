"""The inner loop of choosing boxes: arrays in, array out."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.loops import inner, loop

WORD = 64


@inner()
def held_by(row: Any, starts: Any, inside: Any, w: Any) -> Any:
    """Return which bits of a word are set for the values of all columns."""
    found = inside[starts[0] + row[0], w]
    for j in range(1, row.size):
        if found == np.uint64(0):
            break
        found &= inside[starts[j] + row[j], w]
    return found


@loop()
def crowding(cells: Any, starts: Any, words: Any, inside: Any, densities: Any, out: Any) -> None:
    """Fill in the sum of the densities of all boxes that hold each row of cells.

    Bit b of word w in row ``starts[j] + v`` of ``inside`` says whether box ``64 w + b`` holds the value v of column j, and the bits of ``words`` in
    the same way which words have any bit set there.
    """
    for i in range(cells.shape[0]):
        total = 0.0
        for many in range(words.shape[1]):
            there, w = held_by(cells[i], starts, words, many), WORD * many
            while there != np.uint64(0):
                if there & np.uint64(1):
                    holding, box = held_by(cells[i], starts, inside, w), WORD * w
                    while holding != np.uint64(0):
                        if holding & np.uint64(1):
                            total += densities[box]
                        holding >>= np.uint64(1)
                        box += 1
                there >>= np.uint64(1)
                w += 1
        out[i] = total
