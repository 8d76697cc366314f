"""Inner loops of reconstruction: arrays in, array out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def cell_sums(features: Any, values: Any, order: Any, bounds: Any, out: Any) -> None:
    """Fill ``out[c + 1]`` with the sum of features times value over the rows from ``bounds[c]`` to ``bounds[c + 1]``."""
    total = np.empty(features.shape[1])
    for cell in range(bounds.size - 1):
        total[:] = 0.0
        for row in range(bounds[cell], bounds[cell + 1]):
            value = values[order[row]]
            for f in range(total.size):
                total[f] += features[row, f] * value
        for f in range(total.size):
            out[cell + 1, f] = total[f]
