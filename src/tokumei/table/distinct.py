"""The different rows of a table, and how often each occurs: what can be counted without holding all rows at once.

Rows come in pieces. Memory grows with the number of different rows, in the columns that are looked at, and not with the number of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tokumei.arrays import Codes, Integers
from tokumei.table.canonical import canonical
from tokumei.table.classes import class_of
from tokumei.table.coded import in_few_bytes, numbered

COUNT = "rows"
LARGE = 2**21  # different rows that are put together at once


@dataclass(frozen=True)
class Shares:
    """How often the most frequent value of a column occurs in each class.

    ``rows`` are those of each class, ``most`` those that have the value which most of them have.
    """

    rows: Integers
    most: Integers

    @property
    def largest(self) -> float:
        """The largest share of a value in any class."""
        return float((self.most / self.rows).max())

    @property
    def average(self) -> float:
        """The share of rows that have the most frequent value of their class: how often guessing it is right."""
        return float(self.most.sum() / self.rows.sum())

    @property
    def agreed(self) -> float:
        """The share of rows in classes that agree in one value."""
        return float(self.rows[self.most == self.rows].sum() / self.rows.sum())


@dataclass(frozen=True, repr=False)
class DistinctRows:
    """Different rows: the cells of each column as numbers, and how many rows each stands for."""

    codes: Mapping[str, Codes]
    count: Integers

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.count.sum())

    def sizes(self, columns: Sequence[str]) -> Integers:
        """Count the rows of each class of rows that agree in all columns.

        >>> rows = distinct_rows([pa.table({"a": [1, 1, 2], "b": [1, 2, 2]})], ["a", "b"])
        >>> sorted(rows.sizes(["a"]).tolist()), rows.smallest(["a", "b"])
        ([1, 2], 1)
        """
        return self._summed(self._classes(columns))

    def smallest(self, columns: Sequence[str]) -> int:
        """Count the rows of the smallest class."""
        return int(self.sizes(columns).min())

    def shares(self, within: Sequence[str], column: str) -> Shares:
        """Count how often the most frequent value of a column occurs in each class of rows that agree in other columns.

        >>> rows = distinct_rows([pa.table({"a": [1, 1, 1, 2], "b": [5, 5, 6, 6]})], ["a", "b"])
        >>> found = rows.shares(["a"], "b")
        >>> found.largest, found.average, found.agreed
        (1.0, 0.75, 0.25)
        """
        classes = self._classes(within)
        joint = class_of([classes, self.codes[column]], len(self.count))
        counts = self._summed(joint)
        of = np.empty(len(counts), dtype=np.int64)
        of[joint] = classes
        most = np.zeros(int(classes.max()) + 1, dtype=np.int64)
        np.maximum.at(most, of, counts)
        return Shares(self._summed(classes), most)

    def _classes(self, columns: Sequence[str]) -> Integers:
        return class_of([self.codes[name] for name in columns], len(self.count))

    def _summed(self, classes: Integers) -> Integers:
        total = np.zeros(int(classes.max(initial=-1)) + 1, dtype=np.int64)
        np.add.at(total, classes, self.count)
        return total


def distinct_rows(pieces: Iterable[pa.Table], columns: Sequence[str]) -> DistinctRows:
    """Count the different rows of pieces of a table in at least one column, cell for cell; a missing cell is a value."""
    made = _different(pieces, columns)
    codes = {name: numbered(canonical(made.column(place))) for place, name in enumerate(columns)}
    return DistinctRows(codes, made.column(COUNT).combine_chunks().to_numpy().astype(np.int64))


def distinct_in(table: pa.Table, columns: Sequence[str]) -> DistinctRows:
    """Count the different rows of a table in memory: its cells as numbers are far smaller than a table of the different ones would be.

    >>> found = distinct_in(pa.table({"a": [1, 1, 2], "b": ["x", "x", None]}), ["a", "b"])
    >>> sorted(found.count.tolist()), found.rows
    ([1, 2], 3)
    """
    codes = {name: in_few_bytes(numbered(canonical(table.column(name)))) for name in columns}
    classes = class_of(codes.values(), table.num_rows)
    count = np.bincount(classes)
    example = np.empty(len(count), dtype=np.int64)
    example[classes] = np.arange(len(classes))
    del classes
    return DistinctRows({name: each[example] for name, each in codes.items()}, count)


def counted_pieces(pieces: Iterable[pa.Table], columns: Sequence[str]) -> pa.Table:
    """Return the different rows of pieces of a table in at least one column, each with its ``count``.

    >>> counted_pieces([pa.table({"a": [1, 1]}), pa.table({"a": [1, 2]})], ["a"]).to_pydict()
    {'a': [1, 2], 'count': [3, 1]}
    """
    return _different(pieces, columns).rename_columns([*columns, "count"])


def _different(pieces: Iterable[pa.Table], columns: Sequence[str]) -> pa.Table:
    held: list[pa.Table] = []
    for piece in pieces:
        held.append(_counted(_plain(piece, columns), len(columns)))
        if sum(each.num_rows for each in held) > LARGE:
            held = [_merged(held, len(columns))]
    return held[0] if len(held) == 1 else _merged(held, len(columns))


def _plain(piece: pa.Table, columns: Sequence[str]) -> pa.Table:
    cells = [canonical(piece.column(name)) for name in columns]
    return pa.table([*cells, pa.array(np.ones(piece.num_rows, dtype=np.int64))], names=_names(len(columns)))


def _names(columns: int) -> list[str]:
    return [*map(str, range(columns)), COUNT]


def _merged(held: Sequence[pa.Table], columns: int) -> pa.Table:
    return _counted(pa.concat_tables(held, promote_options="permissive"), columns)


def _counted(table: pa.Table, columns: int) -> pa.Table:
    keys = _names(columns)[:-1]
    made = table.group_by(keys, use_threads=False).aggregate([(COUNT, "sum")])
    return made.select([*keys, f"{COUNT}_sum"]).rename_columns(_names(columns))
