"""Rows as numbers that a model can work on, made from codes a part at a time; sums and products of them come from counts of codes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from tokumei.arrays import Codes, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.table.classes import class_of
from tokumei.utility import _features_kernels as kernels
from tokumei.utility.lines import Line

WIDEST = 2000
CHUNK = 2**15
ROOM = 2**20  # numbers that are weighed at a time


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
    codes: Sequence[Codes]
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
        made = [lookup[code[start:stop]] for lookup, code in zip(self.lookups, self.codes, strict=True)]
        return np.concatenate([*made, self._more[start:stop]], axis=1)

    def parts(self) -> Iterator[tuple[slice, Floats]]:
        """Yield the features of all rows, a part at a time."""
        for start in range(0, self.rows, CHUNK):
            stop = min(start + CHUNK, self.rows)
            yield slice(start, stop), self.part(start, stop)

    def times(self, beta: Floats) -> Floats:
        """Return the sum of a row's features, each times a number: one look-up for each column."""
        made, at = np.zeros(self.rows), 0
        for lookup, code in zip(self.lookups, self.codes, strict=True):
            made += (lookup @ beta[at : at + lookup.shape[1]])[code]
            at += lookup.shape[1]
        made += self._more @ beta[at:]
        return made

    def sums(self, weights: Floats) -> Floats:
        """Return the sum of each feature over the rows, by their weights."""
        parts = [
            lookup.T @ np.bincount(code, weights, minlength=len(lookup))
            for lookup, code in zip(self.lookups, self.codes, strict=True)
        ]
        return np.concatenate([*parts, self._more.T @ weights])

    def gram(self, weights: Floats) -> Floats:
        """Return the sum over the rows of the product of each two features, by their weights.

        It comes from the weighted tables of each two columns, so that no row's features are written out.
        """
        made = np.zeros((self.width, self.width))
        ends = np.cumsum([0, *(each.shape[1] for each in self.lookups)])
        places = [slice(int(a), int(b)) for a, b in itertools.pairwise(self._ends)]
        tables, weights = np.zeros((int(self._ends[-1]),) * 2), np.ascontiguousarray(weights, dtype=np.float64)
        kernels.count_pairs(self._placed, weights, tables)
        for i, j in itertools.combinations_with_replacement(range(len(self.lookups)), 2):
            table = tables[places[i], places[j]]
            if i == j:
                table = np.diag(np.bincount(self.codes[i], weights, minlength=len(self.lookups[i])))
            block = self.lookups[i].T @ table @ self.lookups[j]
            made[ends[i] : ends[i + 1], ends[j] : ends[j + 1]] = block
            made[ends[j] : ends[j + 1], ends[i] : ends[i + 1]] = block.T
        if not self.products:
            return made
        sums, step = np.zeros((len(tables), len(self.products))), max(1, ROOM // len(self.products))
        for low in range(0, self.rows, step):
            here = slice(low, low + step)
            weighed = self._more[here] * weights[here, None]
            kernels.sum_by_code(self._placed[here], weighed, sums)
            made[ends[-1] :, ends[-1] :] += self._more[here].T @ weighed
        for i, lookup in enumerate(self.lookups):
            block = lookup.T @ sums[places[i]]
            made[ends[i] : ends[i + 1], ends[-1] :] = block
            made[ends[-1] :, ends[i] : ends[i + 1]] = block.T
        return made

    @cached_property
    def _ends(self) -> Integers:
        """Where the codes of each column begin among those of all, and where the last end."""
        return np.cumsum([0, *map(len, self.lookups)])

    @cached_property
    def _placed(self) -> Codes:
        """The codes of each row among those of all columns."""
        kind = np.uint16 if self._ends[-1] < 2**16 else np.uint32
        made = np.empty((self.rows, len(self.codes)), dtype=kind)
        for column, (code, start) in enumerate(zip(self.codes, self._ends, strict=False)):
            np.add(code, start, out=made[:, column], casting="unsafe", dtype=kind)
        return made

    @cached_property
    def _more(self) -> Floats:
        """The products of features, row by row."""
        of_feature = [(column, at) for column, each in enumerate(self.lookups) for at in range(each.shape[1])]
        made = np.empty((self.rows, len(self.products)))
        for place, pair in enumerate(self.products):
            first, second = (self.lookups[c][self.codes[c], at] for c, at in (of_feature[each] for each in pair))
            made[:, place] = first * second
        return made


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


def distinct(codes: Sequence[Codes], *weights: Floats) -> tuple[Any, ...]:
    """Return one row of each kind, by its number, and the sum of each weight over the rows of its kind.

    >>> [each.tolist() for each in distinct([np.array([0, 0, 1])], np.array([1.0, 2.0, 4.0]))]
    [[1, 2], [3.0, 4.0]]
    """
    classes = class_of(codes, len(weights[0]))
    example = np.empty(int(classes.max()) + 1, dtype=np.int64)
    example[classes] = np.arange(len(classes))
    return example, *(np.bincount(classes, weights=each).astype(np.float64) for each in weights)
