"""Equivalence classes: rows that agree in some columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Codes = npt.NDArray[np.integer[Any]]


def class_sizes(columns: Sequence[Codes], rows: int) -> npt.NDArray[np.int64]:
    """Count, for each class of rows that agree in all columns, its rows. Without columns all rows are one class.

    >>> class_sizes([np.array([0, 0, 1]), np.array([1, 1, 1])], 3)
    array([2, 1])
    """
    return np.bincount(class_of(columns, rows)).astype(np.int64)


def class_of(columns: Sequence[Codes], rows: int) -> npt.NDArray[np.int64]:
    """Number the classes from zero and return each row's number."""
    found, width = np.zeros(rows, dtype=np.int64), 1
    for codes in columns:
        found, width = joined(found, width, codes)
    return _ranked(found)


def joined(found: npt.NDArray[np.int64], width: int, codes: Codes) -> tuple[npt.NDArray[np.int64], int]:
    """Tell rows apart by one column more: return a number for each row, and one that is above all of them.

    >>> joined(np.array([0, 0, 1]), 2, np.array([0, 2, 0]))
    (array([0, 2, 3]), 6)
    """
    size = int(codes.max(initial=0)) + 1
    if width * size >= 2**62:  # make room: renumber what has been joined so far
        found = _ranked(found)
        width = int(found.max(initial=0)) + 1
    made = found * size
    made += codes.astype(np.int64, copy=False)
    return made, width * size


def _ranked(keys: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the rank of each key among the different ones; these alone are sorted."""
    coded = pa.array(keys).dictionary_encode()
    different = coded.dictionary.to_numpy()
    rank = np.empty(len(different), dtype=np.int64)
    rank[np.argsort(different)] = np.arange(len(different))
    return rank[coded.indices.to_numpy()]
