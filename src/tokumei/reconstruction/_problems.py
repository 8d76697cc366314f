"""What an estimate is not about, or cannot be: statements, whose wording is in the catalogue."""

from __future__ import annotations

from pydantic import StrictStr

from tokumei.mechanism.treatments import Problem
from tokumei.words.statement import Count, Names, Number


class OverlappingGroups(Problem):
    """Which box a record is in depends on other rows."""


class NothingTold(Problem):
    """A column was suppressed in every row."""

    column: StrictStr


class SuppressedRows(Problem):
    """Rows were suppressed because they were rare."""

    gone: Count
    left: Count


class LeftOutRows(Problem):
    """Rows were left out because they were rare."""

    gone: Count


class StoppedEarly(Problem):
    """An estimate did not converge; ``limit`` and ``tolerance`` are the parameters to raise."""

    steps: Count
    gap: Number
    limit: StrictStr
    tolerance: StrictStr


class OnlyLabels(Problem):
    """Labels stand for several values, so that shares of these are only bounded."""


class OnlyBoxes(Problem):
    """Rows were generalized in groups, so that shares are only bounded."""


class UnknownRows(Problem):
    """Rows were suppressed because they were rare, and may lie in any cell."""

    gone: Count


class FewRowsThere(Problem):
    """One row more or less would move a share by as much as chance does."""


class NotTellingTogether(Problem):
    """No row tells these columns together."""

    columns: Names


class ToldCoarsely(Problem):
    """Rows tell columns in wider cells than the table has."""

    columns: Names


class WiderThanBins(Problem):
    """Noise is wider than bins, so it matters where in them values lie."""


class LeftOpen(Problem):
    """Noise leaves a share open."""


class SeveralRowsEach(Problem):
    """People have several rows, which are not independent draws from a population."""


class WeightsInGroups(Problem):
    """Survey weights of rows that were perturbed in groups."""


class TooManyValues(Problem):
    """A column has too many values for its channel to be inverted."""

    column: StrictStr


class ToldInGroups(Problem):
    """Rows were put into groups, and tell some columns each inside them."""
