"""P(released row | true row) for many pairs of rows: a product over columns of look-ups, never stored whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tokumei.arrays import AnyIntegers, Codes, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.channel import Conditional
from tokumei.mechanism.grid_laplace import FlaggedGridLaplace, GridLaplace
from tokumei.parallel import in_chunks, threads
from tokumei.table.classes import class_of

MANY_LABELS = 4000
JOINT = 4096  # joint released codes of a group of columns


@dataclass(frozen=True)
class Seen:
    """One column of true and of released rows, with P(released | true): one row per true value."""

    matrix: Floats
    true: Integers
    released: Integers


def seen(conditional: Conditional, true: Codes, released: Codes, fine: int) -> Seen:
    """Look at one column. Grids of numbers finer than ``fine`` points are looked at in bins, by their middles."""
    if conditional.size <= fine and conditional.outputs <= fine:
        return Seen(conditional.matrix().T, true.astype(np.int64), released.astype(np.int64))
    if not isinstance(conditional, GridLaplace | FlaggedGridLaplace):  # labels: only those that occur
        occur, codes = np.unique(np.concatenate([true, released]), return_inverse=True)
        if len(occur) > MANY_LABELS:
            raise InvalidParameter(
                "A column with more than {many_labels:,} labels that occur is too large for this; recode it first.",
                many_labels=MANY_LABELS,
            )
        return Seen(conditional.probability(occur[None, :], occur[:, None]), codes[: len(true)], codes[len(true) :])
    points = conditional.points if isinstance(conditional, FlaggedGridLaplace) else conditional.size
    bins = np.arange(points) * fine // points
    widths = np.bincount(bins)
    middles = np.searchsorted(bins, np.arange(fine)) + widths // 2
    if isinstance(conditional, FlaggedGridLaplace):  # being missing is a bin of its own
        bins, middles, widths = np.append(bins, fine), np.append(middles, points), np.append(widths, 1)
    matrix = conditional.probability(middles[None, :], middles[:, None]) * widths
    return Seen(matrix / matrix.sum(axis=1, keepdims=True), bins[true], bins[released])


@dataclass(frozen=True)
class Packed:
    """The columns laid out for the loops, which multiply the probabilities of a group of columns out for a true row.

    ``tables`` holds, column after column, one row per true value over the released values that occur; ``groups`` says how
    many columns are looked up together, by the joint codes ``rows`` of the released rows.
    """

    tables: Floats
    starts: Integers
    widths: Integers
    groups: Integers
    rows: Integers

    @classmethod
    def of(cls, matrices: Sequence[Floats], released: Integers) -> Packed:
        """Lay out matrices with one row per true value, for released rows with one column per matrix."""
        tables, starts, widths, codes = [], [], [], []
        groups: list[int] = []
        place, joint, size = 0, np.zeros(len(released), dtype=np.int64), 1
        for column, matrix in enumerate(matrices):
            occur, compact = np.unique(released[:, column], return_inverse=True)
            rows = matrix[:, occur]
            if groups and size * len(occur) <= JOINT:
                groups[-1] += 1
            else:
                if groups:
                    codes.append(joint)
                groups.append(1)
                joint, size = np.zeros(len(released), dtype=np.int64), 1
            joint = joint * len(occur) + compact
            size *= len(occur)
            tables.append(rows.ravel())
            starts.append(place)
            widths.append(len(occur))
            place += rows.size
        codes.append(joint)
        return cls(
            np.concatenate([*tables, np.zeros(0)]),
            np.array(starts, dtype=np.int64),
            np.array(widths, dtype=np.int64),
            np.array(groups, dtype=np.int64),
            np.array(codes, dtype=np.int32),
        )

    def arrays(self) -> tuple[Floats, Integers, Integers, Integers, Integers]:
        """Return what the loops take."""
        return self.tables, self.starts, self.widths, self.groups, self.rows

    def whole(self, true: Integers) -> npt.NDArray[np.float32]:
        """Return P(released row | true row) of every pair, one row per true row."""
        from tokumei.mechanism._kernels import fill_pairs

        out = np.empty((len(true), self.rows.shape[1]), dtype=np.float32)

        def part(start: int, stop: int) -> None:
            fill_pairs(true[start:stop], *self.arrays(), out[start:stop])

        in_chunks(len(true), part, max(1, -(-len(true) // (4 * threads()))))
        return out

    def forward(self, true: Integers, masses: Floats) -> Floats:
        """Return for each released row the sum of P(it | true row) times the true row's mass."""
        from tokumei.mechanism._kernels import spread_masses

        size = max(1, -(-len(true) // (4 * threads())))
        sums = np.zeros((-(-len(true) // size), self.rows.shape[1]))

        def part(start: int, stop: int) -> None:
            spread_masses(true[start:stop], masses[start:stop], *self.arrays(), sums[start // size])

        in_chunks(len(true), part, size)
        return sums.sum(axis=0)

    def backward(self, true: Integers, weights: Floats) -> Floats:
        """Return for each true row the sum of P(released row | it) times the released row's weight."""
        from tokumei.mechanism._kernels import gather_weights

        out = np.empty(len(true))

        def part(start: int, stop: int) -> None:
            gather_weights(true[start:stop], weights, *self.arrays(), out[start:stop])

        in_chunks(len(true), part, max(1, -(-len(true) // (4 * threads()))))
        return out


def distinct(columns: Sequence[AnyIntegers], rows: int) -> tuple[Integers, Integers, Floats]:
    """Return the distinct rows, the place among them of each row, and how many rows each stands for."""
    which = class_of(columns, rows)
    first = np.full(int(which.max(initial=-1)) + 1, rows, dtype=np.int64)
    np.minimum.at(first, which, np.arange(rows))
    made = np.zeros((len(first), max(1, len(columns))), dtype=np.int64)
    for place, each in enumerate(columns):
        made[:, place] = each[first]
    return made, which, np.bincount(which).astype(np.float64)
