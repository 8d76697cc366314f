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

import numpy as np

from tokumei.arrays import Booleans, Floats, Integers
from tokumei.reconstruction import _mixture_kernels as kernels

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

    def tightened(self, base: Floats, thetas: Floats, added: Floats) -> Floats:
        """Return P(seen, box | value) of everything seen of the column.

        ``base`` is what it is without the factor, and ``added`` how many rows of each class have shown it.
        """
        masses = np.maximum(base @ thetas.T, 1e-300)
        factors = np.ones(self.needed.shape)
        kernels.tighten(added, masses, thetas, base, self.unit, self.rows, self.needed, self.parts, factors)
        inside = self.unit >= 0
        made = base.copy()
        made[inside] *= factors[self.unit[inside]]
        return made


Hulls = Sequence[Hull | None]


def tightened(
    hulls: Hulls, bases: Sequence[Floats], thetas: Sequence[Floats], added: Floats, places: Sequence[slice]
) -> tuple[Floats, ...]:
    """Return the likelihoods of all columns, those of boxes with their factors."""
    return tuple(
        base if hull is None else hull.tightened(base, theta, added[place])
        for hull, base, theta, place in zip(hulls, bases, thetas, places, strict=True)
    )
