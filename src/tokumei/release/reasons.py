"""Why a fact of the data is disclosed: statements, whose wording is in the catalogue."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import StrictStr

from tokumei.privacy.assumptions import boxes_key
from tokumei.words.statement import Names, Statement


class Reason(Statement, kind="reason"):
    """Why a fact is disclosed."""


class RatesForLearning(Reason):
    """The data holder publishes how often values occur."""


class MarginalsInMatrix(Reason):
    """Invariant PRAM is built from the marginals."""


class StrataWeights(Reason):
    """Estimates weight strata by these."""


class HidingPlaces(Reason):
    """Promises count on these rows: of classes of known columns, or of strata where none is named."""

    columns: Names = ()

    @property
    def sentence_key(self) -> str:
        """One sentence for classes, one for strata."""
        return f"{self.key}.{'classes' if self.columns else 'strata'}"


class RowsCounted(Reason):
    """How many rows nobody has more of was counted."""


class LevelsFrom(Reason):
    """Where the levels come from."""

    how: Literal["holder", "rows"]
    variants: ClassVar[tuple[str, ...]] = ("how",)


class LabelsFrom(Reason):
    """Where the labels come from."""

    how: Literal["earlier", "groups"]
    variants: ClassVar[tuple[str, ...]] = ("how",)


class PartitionFrom(Reason):
    """How the partition was picked."""

    how: Literal["tried", "sizes", "engine"]
    variants: ClassVar[tuple[str, ...]] = ("how",)


class RareRowsCount(Reason):
    """How many rows were suppressed or left out."""

    how: Literal["suppressed", "left_out"]
    variants: ClassVar[tuple[str, ...]] = ("how",)


class SplitFrom(Reason):
    """Where the weights of the columns come from."""

    how: Literal["rows", "shared_pilot", "uncompared_pilot"]
    variants: ClassVar[tuple[str, ...]] = ("how",)


class SwappedWithin(Reason):
    """Values were exchanged within private groups."""


class GroupAverages(Reason):
    """Cells are averages over private groups."""


class GroupBoxes(Reason):
    """Groups' boxes are published, as `GroupedByRows` says."""

    rounded: Names = ()
    every: bool = False
    labels: Names = ()

    @property
    def sentence_key(self) -> str:
        """One sentence each for ends that are values of rows, rounded ones, and some of both, with sets of labels and without."""
        return f"{self.key}.{boxes_key(self.rounded, self.every, self.labels)}"


class CellsFromRows(Reason):
    """Which cells are suppressed follows from the rows."""


class SmallestClass(Reason):
    """The size of the smallest class was counted."""


class DomainsFrom(Reason):
    """Where domains come from: read from rows, from how rows were recoded, or both."""

    how: Literal["rows", "recoding", "both"]
    variants: ClassVar[tuple[str, ...]] = ("how",)


class LearnedHierarchy(Reason):
    """Labels follow from a hierarchy that was learned from rows."""


class ChosenFromRows(Reason):
    """The method was chosen by trying several on the rows."""


class CalibrationTotals(Reason):
    """Weighted totals of declared margins must not change."""

    weights: StrictStr


class Derived(Reason):
    """Follows from other disclosed facts."""
