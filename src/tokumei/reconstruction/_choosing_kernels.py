"""The inner loop of choosing boxes: arrays in, array out."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.loops import loop

WORD = 64


@loop()
def crowding(cells: Any, starts: Any, inside: Any, densities: Any, out: Any) -> None:
    """Fill in the sum of the densities of all boxes that hold each row of cells.

    Bit b of word w in row ``starts[j] + v`` of ``inside`` says whether box ``64 w + b`` holds the value v of column j.
    """
    for i in range(cells.shape[0]):
        total = 0.0
        for w in range(inside.shape[1]):
            holding = inside[starts[0] + cells[i, 0], w]
            for j in range(1, cells.shape[1]):
                if holding == np.uint64(0):
                    break
                holding &= inside[starts[j] + cells[i, j], w]
            box = WORD * w
            while holding != np.uint64(0):
                if holding & np.uint64(1):
                    total += densities[box]
                holding >>= np.uint64(1)
                box += 1
        out[i] = total
