"""Boxes that were drawn tightly around groups of rows: what a box says beyond that its rows lie in it.

A box is the smallest that holds its m rows, so some of them lie at its ends (of a stretch), or have each of its values (of a
set), or lie in two parts of a label of a hierarchy at least. Given that a row has the value x, its box is as likely as the other
m - 1 rows do what x itself does not:

    P(box | x) = product over the values v needed, but x, of  1 - (product over the others of  1 - P(other has v))
    P(box | x) = 1 - (product over the others of  P(other lies in the part of x))

where the others are taken as independent given the box, and the values needed as attained independently. Without the factor
(rows "coarsened at random") rare values at the ends of boxes would be estimated far too low.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tokumei.arrays import Booleans, Floats, Integers
from tokumei.reconstruction import _mixture_kernels as kernels
from tokumei.reconstruction._nonzero import Nonzero, side_by_side

ROUNDS = 12  # until boxes are settled under a mixture that stays as it is


@dataclass(frozen=True)
class Hull:
    """The boxes of one column.

    Attributes
    ----------
    unit
        The group of each thing that can be seen of the column; -1 where nothing follows from its box.
    rows
        How many rows each group has.
    needed
        For each group (row) the values that some of its rows have.
    parts
        For each group (row) the part of its label that each value lies in, two parts being attained at least; -1 where no
        label of a hierarchy is meant.
    """

    unit: Integers
    rows: Floats
    needed: Booleans
    parts: Integers

    def of(self, things: Integers) -> Hull:
        """Return the boxes of some of the things seen, without the groups that none of them is of."""
        unit = self.unit[things]
        groups = np.unique(unit[unit >= 0])
        numbers = np.where(unit >= 0, np.searchsorted(groups, unit), -1)
        return Hull(numbers, self.rows[groups], self.needed[groups], self.parts[groups])

    def tightened(self, base: Floats, thetas: Floats, added: Floats) -> Floats:
        """Return P(seen, box | value) of everything seen of the column.

        ``base`` is what it is without the factor, and ``added`` how many rows of each class have shown it.
        """
        found = Nonzero.of([base])
        values, masses = np.empty_like(found.values), np.empty(added.shape)
        unknown = np.empty((len(base), 0))
        self.tighten(found, slice(0, len(base)), 0, side_by_side([thetas]), added, unknown, values, masses)
        return found.matrices(values, [base])[0]

    def tighten(
        self,
        nonzero: Nonzero,
        place: slice,
        column: int,
        flat: Floats,
        added: Floats,
        plain: Floats,
        values: Floats,
        masses: Floats,
    ) -> None:
        """Fill it in for the things of one column among those of all, and what classes give to them; ``column`` is the place of its first value.

        ``plain`` is what classes give to things without the factors, and has no columns where that is not known.
        """
        starts = nonzero.starts[place.start : place.stop + 1]
        told = self.rows, self.needed, self._parts, *self._listed
        seen = starts, nonzero.places, nonzero.values
        kernels.tighten(added[place], *seen, flat, column, *told, plain[place], values, masses[place])

    @cached_property
    def _parts(self) -> Integers:
        """The parts written out, where they are the same for all groups."""
        return np.ascontiguousarray(self.parts)

    @cached_property
    def _listed(self) -> tuple[Integers, Integers, Integers, Integers, Booleans]:
        """List things by their groups, and the values that groups need, each with where those of every group begin; and which groups have parts."""
        things, groups = np.argsort(self.unit, kind="stable"), np.arange(len(self.needed) + 1)
        group, listed = np.nonzero(self.needed)
        starts = [np.searchsorted(each, groups).astype(np.int64) for each in (self.unit[things], group)]
        parted = np.asarray((self.parts >= 0).any(axis=1))
        return things.astype(np.int64), starts[0], listed.astype(np.int64), starts[1], parted


Hulls = Sequence[Hull | None]


def tightened(
    hulls: Hulls,
    nonzero: Nonzero,
    flat: Floats,
    added: Floats,
    places: Sequence[slice],
    columns: Sequence[int],
    values: Floats,
    plain: Floats | None = None,
    out: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Fill in what is seen of all columns, that of boxes with its factors; return it, and what each class gives to it, in ``out`` if there is such room.

    ``places`` are the things of each column, and ``columns`` the places of their first values; ``plain`` is what each class gives to things without the
    factors, if that is known.
    """
    masses = np.empty(added.shape) if out is None else out
    known = np.empty((len(added), 0)) if plain is None else plain
    for hull, place, column in zip(hulls, places, columns, strict=True):
        if hull is not None:
            hull.tighten(nonzero, place, column, flat, added, known, values, masses)
            continue
        starts = nonzero.starts[place.start : place.stop + 1]
        values[starts[0] : starts[-1]] = nonzero.values[starts[0] : starts[-1]]
        kernels.mass(starts, nonzero.places, nonzero.values, flat, masses[place])
    return values, masses
