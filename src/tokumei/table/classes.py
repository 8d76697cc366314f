"""Equivalence classes: rows that agree in some columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from tokumei.arrays import AnyIntegers, Codes, Integers

NARROW = 4  # numbers of keys for each row, up to which each may have a place
LOOKED_AT = 2**14  # keys at equal steps, to see whether many differ


def class_sizes(columns: Sequence[Codes], rows: int) -> Integers:
    """Count, for each class of rows that agree in all columns, its rows. Without columns all rows are one class.

    >>> class_sizes([np.array([0, 0, 1]), np.array([1, 1, 1])], 3)
    array([2, 1])
    """
    return np.bincount(class_of(columns, rows)).astype(np.int64)


def class_of(columns: Iterable[Codes], rows: int) -> Integers:
    """Number the classes from zero and return each row's number."""
    found, width = np.zeros(rows, dtype=np.int64), 1
    for codes in columns:
        found, width = joined(found, width, codes)
    narrow = width <= NARROW * rows and found.min(initial=0) >= 0
    return _ranked_by_place(found, width) if narrow else _ranked(found)


def joined(found: Integers, width: int, codes: Codes) -> tuple[Integers, int]:
    """Tell rows apart by one column more: return a number for each row, and one that is above all of them.

    >>> joined(np.array([0, 0, 1]), 2, np.array([0, 2, 0]))
    (array([0, 2, 3]), 6)
    """
    size = int(codes.max(initial=0)) + 1
    if width * size >= 2**62:  # make room: renumber what has been joined so far
        found = _ranked(found)
        width = int(found.max(initial=0)) + 1
    made = found * size
    np.add(made, codes, out=made, casting="unsafe")  # codes of any type, a stretch at a time
    return made, width * size


def _ranked(keys: Integers) -> Integers:
    """Return the rank of each key among the different ones; only these are sorted where there are few of them."""
    if len(keys) > LOOKED_AT and len(np.unique(keys[:: len(keys) // LOOKED_AT])) > LOOKED_AT // 4:
        return _ranked_by_sorting(keys)
    coded = pa.array(keys).dictionary_encode()
    different, which = coded.dictionary.to_numpy(), coded.indices.to_numpy()
    rank = np.empty(len(different), dtype=np.int64)
    rank[np.argsort(different)] = np.arange(len(different))
    return rank[which]


def _ranked_by_place(keys: Integers, width: int) -> Integers:
    """Do it where keys are small: each that occurs is marked at its own place.

    >>> _ranked_by_place(np.array([7, 3, 7, 9]), 10).tolist()
    [1, 0, 1, 2]
    """
    occurs = np.zeros(width, dtype=np.bool_)
    occurs[keys] = True
    rank = np.cumsum(occurs, dtype=np.int64)
    rank -= 1
    return rank[keys]


def _ranked_by_sorting(keys: Integers) -> Integers:
    """Do it where most keys differ: a table of them all takes several times the memory of the keys, and longer.

    >>> _ranked_by_sorting(np.array([7, 3, 7, 9])).tolist()
    [1, 0, 1, 2]
    """
    order = np.argsort(keys)
    along = keys[order]
    new = np.empty(len(keys), dtype=np.bool_)
    new[:1] = False
    np.not_equal(along[1:], along[:-1], out=new[1:])
    found = np.empty(len(keys), dtype=np.int64)
    found[order] = np.cumsum(new, out=along)
    return found


def rows_of_classes(labels: AnyIntegers, classes: int) -> list[Integers]:
    """Return the rows of each of this many classes, in order; rows with a negative label are in none.

    >>> [rows.tolist() for rows in rows_of_classes(np.array([1, 0, -1, 1]), 2)]
    [[1], [0, 3]]
    """
    order = np.argsort(labels, kind="stable")
    ends = np.searchsorted(labels[order], np.arange(classes + 1))
    return np.split(order, ends)[1:-1]


def smallest_within(labels: AnyIntegers, groups: int, classes: Integers) -> Integers:
    """Return how many rows the smallest class has within each of this many groups; rows with a negative label are in none.

    >>> smallest_within(np.array([0, 0, 0, 1, -1]), 2, np.array([5, 5, 6, 5, 5]))
    array([1, 1])
    """
    inside = np.flatnonzero(labels >= 0)
    joint = class_of([labels[inside], classes[inside]], len(inside))
    smallest = np.full(groups, len(labels), dtype=np.int64)
    np.minimum.at(smallest, labels[inside], np.bincount(joint)[joint])
    return smallest
