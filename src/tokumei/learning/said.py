"""What is said about complete rows: statements, whose wording is in the catalogue."""

from __future__ import annotations

from typing import ClassVar, Literal

from tokumei.words.statement import Count, Names, Statement


class Complete(Statement, kind="complete"):
    """Something that the card of complete rows says."""


class ImputedRows(Complete):
    """One for each released row."""

    rows: Count
    copies: Count


class DrawnRows(Complete):
    """As many as were asked for."""

    rows: Count
    copies: Count
    released: Count


class NobodysRows(Complete):
    """No row is a person's."""


class RowsAsReleased(Complete):
    """There was nothing to draw."""


class KeptCells(Complete):
    """Columns whose cells are those of the release."""

    columns: Names


class PostProcessing(Complete):
    """The guarantees of the release hold for them."""


class GoodForTables(Complete):
    """Tables, means and shares."""


class GoodForModels(Complete):
    """Models that predict a column, from one copy or several."""

    variants: ClassVar[tuple[str, ...]] = ("copies",)
    copies: Literal["one", "several"]


class GoodForCode(Complete):
    """Trying out programs."""


class NotForPeople(Complete):
    """Single rows."""


class NotForDetail(Complete):
    """What the model does not have."""


class NotDetermined(Complete):
    """Fits disagree about how columns go together."""


class NotForOneCopy(Complete):
    """Intervals from one copy."""


class CoefficientsShrink(Complete):
    """Regression coefficients."""


class OthersShrink(Complete):
    """Coefficients of models of other columns than one."""

    target: str


class MixtureAssumed(Complete):
    """What the model is."""

    classes: Count


class FittedAgain(Complete):
    """Each copy comes from a fit of its own."""


class GivenTarget(Complete):
    """Columns were modelled for each value of one."""

    target: str


class SpreadEvenly(Complete):
    """Columns that the release tells in cells only."""

    columns: Names


class NeverTogether(Complete):
    """Pairs of columns that no row tells together."""

    pairs: Names
    count: Count


class CoarsenedAtRandom(Complete):
    """What cells that were made coarser are taken to say."""


class TightBoxes(Complete):
    """What the groups of rows are taken to say."""


class SuppressedEvenly(Complete):
    """What suppressed cells are taken to be."""


class LabelsEvenly(Complete):
    """What labels that stand for several values are taken to say."""


class AveragedCells(Complete):
    """Columns whose cells are averages."""

    columns: Names


class SwappedCells(Complete):
    """Columns whose cells were exchanged within groups."""

    columns: Names


class RowsLeftOut(Complete):
    """Rows that are not in the release."""

    rows: Count


class SampledRows(Complete):
    """The release is a sample."""

    rows: Count
    of: Count


class WeighRows(Complete):
    """Released rows count differently."""

    column: str


class WeightedBy(Complete):
    """A column of survey weights was used."""

    column: str


class NoIntervalMeasured(Complete):
    """Intervals from completed rows of such a release were not found to hold."""


class CoefficientsUncertain(Complete):
    """Coefficients from rows that tell some columns each."""


class MeansInCells(Complete):
    """Means from rows that tell some columns each."""


class TargetWeakensTables(Complete):
    """Shares from rows that were completed for models of a column."""

    target: str


class NumbersSayNothing(Complete):
    """Numbers that may be coefficients."""


class HiddenWasChosen(Complete):
    """What boxes hide was not chosen at random."""


class SampleSaysNothing(Complete):
    """Copies do not show who is missing from a sample."""


class PoolImputed(Complete):
    """Rubin's rules."""

    copies: Count


class DrawnRowsSayNothing(Complete):
    """Copies of drawn rows do not show how uncertain an estimate is."""


__all__ = ["Complete"]
