"""Sparse rows from ranges of neighbouring columns."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from tokumei.arrays import Floats, Integers


def ranges(first: Integers, last: Integers) -> tuple[Integers, Integers]:
    """Return each number from ``first`` to ``last``, one pair after the other, and where each pair begins.

    >>> ranges(np.array([4, 0]), np.array([6, 0]))
    (array([4, 5, 6, 0]), array([0, 3, 4]))
    """
    lengths = last - first + 1
    starts = np.append(0, np.cumsum(lengths))
    return np.arange(starts[-1]) - np.repeat(starts[:-1] - first, lengths), starts


def sparse(values: Floats, columns: Integers, starts: Integers, width: int) -> scipy.sparse.csr_matrix:
    """Put values into sparse rows; zeros are left out."""
    made = scipy.sparse.csr_matrix((values, columns, starts), shape=(len(starts) - 1, width))
    made.eliminate_zeros()
    return made
