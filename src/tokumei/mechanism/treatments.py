"""What happens to a value of a column: statements, whose wording is in the catalogue."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import SerializeAsAny, StrictStr

from tokumei.table.domain import Dates, Domain, Numbers
from tokumei.words.statement import Count, Number, Statement


class Treatment(Statement, kind="treatment"):
    """What happens to a value."""


class AsItIs(Treatment):
    """Released unchanged."""


class SuppressedEverywhere(Treatment):
    """Suppressed in every row."""


class Recoded(Treatment):
    """Made coarser by a scheme, or left as it is where some cells are suppressed."""

    scheme: Literal["none", "global", "disjoint", "overlapping"]
    suppressed: Literal["or_suppressed"] | None = None
    variants: ClassVar[tuple[str, ...]] = ("scheme", "suppressed")


class Averaged(Treatment):
    """Replaced by what stands for its group."""

    by: Literal["mean", "median", "mode"]
    variants: ClassVar[tuple[str, ...]] = ("by",)


class Swapped(Treatment):
    """Exchanged with other rows of its group."""

    least: Count


class GroupNumber(Treatment):
    """The number of the row's group."""


class PerturbedInGroup(Treatment):
    """Perturbed within the box of its group."""


class ToldInGroup(Treatment):
    """Told by some rows of each group, kept there or replaced by any value of the group's box, and blank in the others."""


class WhatIsTold(Treatment):
    """Which columns the row tells."""


class Told(Treatment):
    """Told by some rows, kept there or replaced by any value, and blank in the others."""

    share: Number
    lowest: Number
    highest: Number
    coarser: Literal["coarser"] | None = None
    always: Literal["always"] | None = None  # with the same probability wherever it is told
    variants: ClassVar[tuple[str, ...]] = ("coarser", "always")


class Constant(Treatment):
    """The only value there is."""


class Retained(Treatment):
    """Kept, or replaced by any value."""

    probability: Number
    values: Count


class UniformOnGrid(Treatment):
    """Replaced by any point of the grid."""

    points: Count


class MovedOnGrid(Treatment):
    """Moved on its grid."""

    points: Count
    scale: Number


class PresenceFlipped(Treatment):
    """Missing and present may change places; a number that stays is treated further."""

    probability: Number
    then: SerializeAsAny[Treatment]


class ByMatrix(Treatment):
    """Released as one of other values by a transition matrix."""

    values: Count


class KeptByMatrix(Treatment):
    """Changed by a transition matrix."""

    lowest: Number
    highest: Number


class MovedBefore(Treatment):
    """Treated after values were moved to a grid: by at most ``distance``, or of dates by less than ``step`` units."""

    treatment: SerializeAsAny[Treatment]
    distance: Number | None = None
    step: Count | None = None
    unit: StrictStr | None = None

    @property
    def sentence_key(self) -> str:
        """One sentence for numbers, one for each unit of dates."""
        return f"{self.key}.{self.unit or 'numbers'}"


def moved_before(treatment: Treatment, domain: Domain | None) -> Treatment:
    """Add how far values may have been moved to the grid of their domain before."""
    if isinstance(domain, Numbers):
        return MovedBefore(treatment=treatment, distance=domain.half_step)
    if isinstance(domain, Dates):
        return MovedBefore(treatment=treatment, step=domain.step, unit=domain.unit)
    return treatment


class Problem(Statement, kind="problem"):
    """What cannot be done with a release, or with reservations only."""


class AveragedOverGroups(Problem):
    """A column was averaged, which cannot be undone."""

    column: StrictStr


class SwappedInGroups(Problem):
    """A column was swapped within groups, so how it goes with others is lost there."""

    column: StrictStr


class ToldBySome(Problem):
    """A column is told by some rows only, together with others."""

    column: StrictStr


class ToldByNone(Problem):
    """So few rows that none tells a column."""

    column: StrictStr


class UnweightedStrata(Problem):
    """The strata of a sample are hidden, so its rows cannot be weighted."""
