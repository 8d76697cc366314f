"""What is seen of the columns, without its zeros: a value that lies in a small box cannot be most of the others.

The values of all columns stand side by side, and so do the things that can be seen of them. Of a group's box of a few values most
probabilities are zero, and only the others are worked on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Codes, Floats, Integers
from tokumei.reconstruction import _mixture_kernels as kernels
from tokumei.table.coded import in_few_bytes


@dataclass(frozen=True)
class Nonzero:
    """P(seen | value) of everything that can be seen, thing by thing.

    Attributes
    ----------
    starts
        Where the probabilities of each thing begin, and where those of the last one end.
    places
        The value that each probability is given, among the values of all columns.
    values
        The probabilities.
    """

    starts: Integers
    places: Integers
    values: Floats

    @classmethod
    def of(cls, likelihoods: Sequence[Floats]) -> Nonzero:
        """Leave the zeros of matrices out: each has a row for every thing, and a column for every value.

        >>> Nonzero.of([np.array([[0.0, 0.5], [1.0, 0.0]]), np.array([[0.25]])])
        Nonzero(starts=array([0, 1, 2, 3]), places=array([1, 0, 2]), values=array([0.5 , 1.  , 0.25]))
        """
        found = [
            np.flatnonzero(each != 0) for each in likelihoods
        ]  # of numbers themselves it takes seven times as long
        sizes = np.cumsum([0, *(each.shape[1] for each in likelihoods)]).tolist()
        rows = [flat // each.shape[1] for flat, each in zip(found, likelihoods, strict=True)]
        many = [np.bincount(row, minlength=len(each)) for row, each in zip(rows, likelihoods, strict=True)]
        parts = zip(found, rows, likelihoods, sizes, strict=False)
        return cls(
            np.concatenate([[0], np.cumsum(np.concatenate(many))]).astype(np.int64),
            np.concatenate([flat - row * each.shape[1] + start for flat, row, each, start in parts]),
            np.concatenate([each.ravel()[flat] for each, flat in zip(likelihoods, found, strict=True)]).astype(
                np.float64
            ),
        )

    def masses(self, flat: Floats, values: Floats | None = None, out: Floats | None = None) -> Floats:
        """Return what each class gives to each thing; ``flat`` has a row for every value, and a column for every class."""
        out = np.empty((len(self.starts) - 1, flat.shape[1])) if out is None else out
        kernels.mass(self.starts, self.places, self.values if values is None else values, flat, out)
        return out

    def shared(self, added: Floats, masses: Floats, flat: Floats, values: Floats | None = None) -> Floats:
        """Share out among the values what rows of each class have shown of things: how many are expected to have each value."""
        out, ratios = np.zeros_like(flat), np.empty(flat.shape[1])
        kernels.share_values(
            self.starts, self.places, self.values if values is None else values, added, masses, ratios, out
        )
        return out * flat

    def of_others(self, matrices: Sequence[Floats]) -> Floats:
        """Return the numbers that matrices like those that this was made of have at its places."""
        found = [each.ravel()[flat] for each, (_, flat) in zip(matrices, self._flat(matrices), strict=True)]
        return np.concatenate(found).astype(np.float64)

    def matrices(self, values: Floats, likelihoods: Sequence[Floats]) -> tuple[Floats, ...]:
        """Return matrices like those that this was made of, with other probabilities."""
        made = []
        for each, (here, flat) in zip(likelihoods, self._flat(likelihoods), strict=True):
            made.append(np.zeros(each.shape))
            made[-1].ravel()[flat] = values[here]
        return tuple(made)

    def _flat(self, matrices: Sequence[Floats]) -> Iterator[tuple[slice, Integers]]:
        """Yield for each matrix which of the probabilities are its own, and where they stand in it."""
        row, column = 0, 0
        for each in matrices:
            ends = self.starts[row : row + len(each) + 1]
            here = slice(int(ends[0]), int(ends[-1]))
            yield here, np.repeat(np.arange(len(each)), np.diff(ends)) * each.shape[1] + self.places[here] - column
            row, column = row + len(each), column + each.shape[1]


@dataclass(frozen=True)
class Packed:
    """A matrix without its zeros, of which rows are written out when they are asked for.

    Attributes
    ----------
    shape
        That of the matrix.
    starts
        Where the entries of each row begin, and where those of the last one end.
    places, values
        The column of each entry, and the entry.
    """

    shape: tuple[int, int]
    starts: Integers
    places: Codes
    values: Floats

    @classmethod
    def of(cls, matrix: Floats) -> Packed:
        """Leave the zeros of a matrix out.

        >>> packed = Packed.of(np.array([[0.0, 0.5], [0.0, 0.0], [1.0, 0.25]]))
        >>> packed[np.array([2, 1, 0, 2])].tolist()
        [[1.0, 0.25], [0.0, 0.0], [0.0, 0.5], [1.0, 0.25]]
        """
        flat = np.flatnonzero(matrix != 0)
        row = flat // matrix.shape[1]
        starts = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(matrix)))])
        place = in_few_bytes(flat - row * matrix.shape[1])
        return cls((matrix.shape[0], matrix.shape[1]), starts, place, matrix.ravel()[flat])

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: Integers) -> Floats:
        made, begin = np.zeros((len(rows), self.shape[1])), self.starts[rows]
        wide = self.starts[rows + 1] - begin
        at = np.repeat(begin - np.cumsum(wide) + wide, wide) + np.arange(int(wide.sum()))
        made[np.repeat(np.arange(len(rows)), wide), self.places[at]] = self.values[at]
        return made


def side_by_side(thetas: Sequence[Floats]) -> Floats:
    """Put the distributions of all columns below each other: a row for every value, a column for every class."""
    return np.ascontiguousarray(np.concatenate([each.T for each in thetas]), dtype=np.float64)
