"""What an estimate is not about, or cannot be: statements, whose wording is in the catalogue."""

from __future__ import annotations

from pydantic import StrictStr

from tokumei.mechanism.treatments import Problem
from tokumei.words.statement import Count, Number


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
