"""What is said about a regression: statements, whose wording is in the catalogue."""

from __future__ import annotations

from tokumei.words.statement import Count, Names, Statement


class RegressionSaid(Statement, kind="regression"):
    """Something that is said about a regression from a release."""


class FromRows(RegressionSaid):
    """Fitted to released rows as they are."""


class FromCommonRows(RegressionSaid):
    """Fitted to the rows that were not left out for being rare."""

    rows: Count
    of: Count


class FromAverages(RegressionSaid):
    """Fitted to rows whose cells are averages of groups."""


class FromWholeRows(RegressionSaid):
    """Fitted to the rows in which no column of the regression was made coarser."""

    rows: Count
    of: Count


class FromSpreadCells(RegressionSaid):
    """Hidden cells were drawn evenly from what they may stand for."""

    copies: Count


class FromCorrectedEquations(RegressionSaid):
    """The noise was taken out of the equations."""


class FromPairs(RegressionSaid):
    """Least squares from rows that tell two columns each."""


class FromTellingAll(RegressionSaid):
    """From the rows that tell all columns together."""

    rows: Count


class FromCopies(RegressionSaid):
    """Rubin's rules on completed rows."""

    copies: Count


class FromWeightedCopies(RegressionSaid):
    """Rows were completed, and copies weighted by how well the regression explains them."""

    copies: Count


class NotTold(RegressionSaid):
    """No row tells these columns together."""

    columns: Names


class ToldInCells(RegressionSaid):
    """Rows tell columns in cells of several values."""

    columns: Names


class Swapped(RegressionSaid):
    """Values were exchanged within groups."""

    columns: Names


class Hidden(RegressionSaid):
    """Too few rows show the values of all columns."""

    rows: Count
    of: Count


class TargetHidden(RegressionSaid):
    """The target was made coarser, or suppressed, in some rows."""

    target: str


class ChosenByTarget(RegressionSaid):
    """Which values are hidden depends on the target, by a constraint."""

    target: str


class FormDoesNotFit(RegressionSaid):
    """Rows were selected by their columns, and the form of the regression does not fit those that are left."""


class FormOfWholeRows(RegressionSaid):
    """The form of the regression does not fit the rows that show all values, so all rows were completed."""

    rows: Count
    of: Count


class WholeRowsSayTooLittle(RegressionSaid):
    """The rows that show all values do not determine the coefficients, so all rows were completed."""

    rows: Count
    of: Count


class Separated(RegressionSaid):
    """A label has one class only: the likelihood has no maximum, and a penalized one was taken."""


class ManyLeftOut(RegressionSaid):
    """Rows were left out, and those that remain say too little."""

    rows: Count


class AveragedWidely(RegressionSaid):
    """More columns were averaged together, or more rows, than was measured."""

    columns: Count
    k: Count


class HiddenInGroups(RegressionSaid):
    """Noise in groups hides more than copies of completed rows show."""


class CountsPerturbed(RegressionSaid):
    """The counts themselves have noise."""

    target: str


class NotMeasured(RegressionSaid):
    """Whether intervals hold has not been measured."""


class RareLeftOut(RegressionSaid):
    """Rows were left out because they were rare."""

    rows: Count


class FewLeft(RegressionSaid):
    """Rows were left out because they were rare, and few remain."""

    rows: Count
    of: Count


class MissingInNoise(RegressionSaid):
    """Cells of the target are missing, and the noise hides which."""

    target: str


class SeveralEach(RegressionSaid):
    """People have several rows."""


class StrataHidden(RegressionSaid):
    """A stratified sample does not say which stratum a row is of."""


class FitsDisagree(RegressionSaid):
    """The noise leaves open how columns go together."""


__all__ = ["RegressionSaid"]
