"""Rows as numbers that a model can work on, made from codes a part at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.table.classes import class_of
from tokumei.utility.lines import Line

WIDEST = 2000
CHUNK = 2**15


@dataclass(frozen=True, eq=False)
class Features:
    """The features of rows: those of each column by its code, and products of some.

    Attributes
    ----------
    lookups
        For each column the features of each of its codes, one row per code.
    codes
        For each column the code of every row.
    products
        Pairs of features whose product is a feature too.
    """

    lookups: Sequence[Floats]
    codes: Sequence[Integers]
    products: Sequence[tuple[int, int]] = field(default=())

    @property
    def width(self) -> int:
        """How many features there are."""
        return sum(each.shape[1] for each in self.lookups) + len(self.products)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.codes[0])

    def part(self, start: int, stop: int) -> Floats:
        """Return the features of some rows."""
        made = np.concatenate(
            [lookup[code[start:stop]] for lookup, code in zip(self.lookups, self.codes, strict=True)], axis=1
        )
        if not self.products:
            return made
        first, second = np.array(self.products).T
        return np.concatenate([made, made[:, first] * made[:, second]], axis=1)

    def parts(self) -> Iterator[tuple[slice, Floats]]:
        """Yield the features of all rows, a part at a time."""
        for start in range(0, self.rows, CHUNK):
            stop = min(start + CHUNK, self.rows)
            yield slice(start, stop), self.part(start, stop)


def indicators(line: Line) -> Floats:
    """Return for each cell of a column an indicator of each cell but the first, and its place along the line, centred."""
    made = np.eye(line.cells)[:, 1:]
    if line.scored and line.present > 1 and line.cells > 2:
        place = np.zeros(line.cells)
        place[: line.present] = line.centres - line.centres.mean()
        made = np.concatenate([made, place[:, None]], axis=1)
    return made


def check_width(lines: Sequence[Line]) -> None:
    """Refuse columns with too many values together: no model would know what to do with them."""
    width = sum(line.cells for line in lines)
    if width > WIDEST:
        raise InvalidParameter(
            "the columns have {width:,} values together, more than {widest:,}; name fewer columns, or recode some first.",
            width=width,
            widest=WIDEST,
        )


def distinct(codes: Sequence[Integers], *weights: Floats) -> tuple[Any, ...]:
    """Return one row of each kind, by its number, and the sum of each weight over the rows of its kind.

    >>> [each.tolist() for each in distinct([np.array([0, 0, 1])], np.array([1.0, 2.0, 4.0]))]
    [[1, 2], [3.0, 4.0]]
    """
    classes = class_of(codes, len(weights[0]))
    example = np.empty(int(classes.max()) + 1, dtype=np.int64)
    example[classes] = np.arange(len(classes))
    return example, *(np.bincount(classes, weights=each).astype(np.float64) for each in weights)
