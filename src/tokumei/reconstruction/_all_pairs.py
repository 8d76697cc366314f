"""The tables of many pairs of columns at once, where rows show boxes of many groups.

Within a class columns are independent, so a row that is of class c with weight w adds ``w · q_a · q_b`` to the cells a and b of two
columns, q being what is believed of them given what the row shows. With the vectors q of all columns below each other, times the root of w, all
tables of two columns are one product of a matrix with itself, which takes no more for many tables than what is believed of each column takes once.

Of columns that a row does not show, q is what the class says, whatever the row. Where rows show few columns, those that show the same ones are therefore added up
class by class before they are multiplied, and only what they show is multiplied row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tokumei.arrays import Booleans, Floats, Integers
from tokumei.reconstruction import _all_pairs_kernels as kernels
from tokumei.reconstruction._nonzero import Nonzero

LEAST = 1e-5  # classes that a row is of with less than this probability are left out, and the others count for them
WIDEST = 2048  # cells of all columns together
ROOM = 2**20  # numbers that are laid out at a time
SHOWN = 0.5  # of the columns, on average, up to which it is quicker to add up rows that show the same ones before
ALIKE = 4  # rows that show the same columns, on average, from which on it is

Asked = tuple[
    Sequence[int], Sequence[Floats]
]  # the columns of a table, and the matrices that bring their values to its cells


@dataclass(frozen=True)
class Views:
    """Columns, each with the matrices that bring its values to cells; the cells of all stand below each other."""

    columns: tuple[int, ...]
    parts: tuple[tuple[Floats, ...], ...]

    @classmethod
    def of(cls, asked: Sequence[Asked]) -> Views:
        """Find the different ones in what tables are asked for."""
        found: dict[int, list[Floats]] = {}
        for columns, matrices in asked:
            for column, matrix in zip(columns, matrices, strict=True):
                own = found.setdefault(column, [])
                if not any(np.array_equal(matrix, each) for each in own):
                    own.append(matrix)
        return cls(tuple(found), tuple(tuple(own) for own in found.values()))

    @cached_property
    def matrices(self) -> list[Floats]:
        """The matrices of each column side by side."""
        return [np.concatenate(own, axis=1) for own in self.parts]

    @cached_property
    def ends(self) -> Integers:
        """Where the cells of each column begin, and where those of the last end."""
        return np.cumsum([0, *(each.shape[1] for each in self.matrices)])

    def where(self, column: int, matrix: Floats) -> slice:
        """Return the cells of a column."""
        place = self.columns.index(column)
        start = int(self.ends[place])
        for each in self.parts[place]:
            if np.array_equal(matrix, each):
                break
            start += each.shape[1]
        return slice(start, start + matrix.shape[1])

    def listed(self, starts: Sequence[int]) -> tuple[Integers, Integers, Floats]:
        """List the cells of every value, all columns side by side: where they begin, which they are, and their shares.

        ``starts`` are the places of the columns' first values, and of the end.
        """
        rows, cells, shares = [], [], []
        for column, matrix, start in zip(self.columns, self.matrices, self.ends[:-1], strict=True):
            value, cell = np.nonzero(matrix)
            rows.append(value + starts[column])
            cells.append(cell + start)
            shares.append(matrix[value, cell])
        of, order = np.concatenate(rows), np.argsort(np.concatenate(rows), kind="stable")
        first = np.concatenate([[0], np.cumsum(np.bincount(of, minlength=starts[-1]))])
        return first.astype(np.int64), np.concatenate(cells)[order].astype(np.int64), np.concatenate(shares)[order]


@dataclass(frozen=True)
class Told:
    """What is seen without zeros, its probabilities, those of cells spread evenly, how many are, which things are loose, and what classes give to all."""

    found: Nonzero
    values: Floats
    even: Floats
    spread: Floats
    loose: Booleans
    masses: Floats
    trust: float

    @property
    def arrays(self) -> tuple[Integers, Integers, Floats, Floats, Floats, Booleans, Floats]:
        """What inner loops take."""
        return (
            self.found.starts,
            self.found.places,
            self.values,
            self.even,
            self.spread,
            self.loose,
            self.masses,
        )


def gram(views: Views, starts: Sequence[int], told: Told, thetas: Floats, entries: Integers, weights: Floats) -> Floats:
    """Return the sums over rows and classes of the products of what is believed of each two cells; of each alone in the last row.

    ``entries`` are the things that rows show of each view's column, ``weights`` how many of the rows like each are of each class, and ``thetas``
    the distributions of all columns, one row for every value.
    """
    nothing = np.concatenate(
        [
            matrix.T @ thetas[starts[c] : starts[c] + len(matrix)]
            for c, matrix in zip(views.columns, views.matrices, strict=True)
        ]
    )
    bent = thetas**told.trust if told.loose.any() else thetas
    given = *told.arrays, thetas, bent, *views.listed(starts)
    least = LEAST * weights.sum(axis=1)
    shown = entries >= 0
    if shown.mean() <= SHOWN:
        patterns, of, rows = np.unique(np.packbits(shown, axis=1), axis=0, return_inverse=True, return_counts=True)
        if len(patterns) * ALIKE <= len(entries):
            order = np.argsort(of.reshape(-1), kind="stable")
            ends = np.concatenate([[0], np.cumsum(rows)])
            return _added_before(views, entries[order], weights[order], least[order], given, nothing, ends)
    return _laid_out(views, entries, weights, least, given, nothing)


def _laid_out(
    views: Views, entries: Integers, weights: Floats, least: Floats, given: tuple[Any, ...], nothing: Floats
) -> Floats:
    """Multiply what is believed of all columns, row by row."""
    size, classes = int(views.ends[-1]) + 1, weights.shape[1]
    # laid out in 32 bits, which takes half the time and moves tables by some 1e-8; sums of pieces have 64
    room, made = np.empty((size, max(ROOM // size, classes)), dtype=np.float32), np.zeros((size, size))
    active, ratios = np.empty(classes, dtype=np.int64), np.empty(classes)
    row = 0
    while row < len(entries):
        row, used = kernels.lay_out(row, entries, weights, least, *given, nothing, views.ends, active, ratios, room)
        laid = room[:, :used]
        made += laid @ laid.T
    return made


def _added_before(
    views: Views,
    entries: Integers,
    weights: Floats,
    least: Floats,
    given: tuple[Any, ...],
    nothing: Floats,
    ends: Integers,
) -> Floats:
    """Multiply what is believed of the columns that rows show row by row, and of the others once for all rows from one of the ``ends`` to the next, which show the same."""
    columns, size, classes = len(views.columns), int(views.ends[-1]) + 1, weights.shape[1]
    made, beside = np.zeros((size, size)), np.zeros((columns + 1, size, classes))
    neither = np.zeros((columns + 1, columns + 1, classes))
    active, seen = np.empty(classes, dtype=np.int64), np.empty(size, dtype=np.int64)
    room = active, np.empty(classes), np.empty(classes), seen, *np.zeros((2, size, classes)), np.zeros(classes)
    kernels.add_shown(ends, entries, weights, least, *given, views.ends, *room, made, beside, neither)
    nothing = np.append(nothing, np.ones((1, classes)), axis=0)
    of = np.repeat(np.arange(columns + 1), [*np.diff(views.ends), 1])  # the column of each cell
    for c in range(classes):
        made += nothing[:, c, None] * nothing[:, c] * neither[of[:, None], of, c]
    crossed = np.concatenate([each @ nothing[of == w].T for w, each in enumerate(beside)], axis=1)
    return made + crossed + crossed.T
