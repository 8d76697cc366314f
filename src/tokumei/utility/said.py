"""What must be known about measures of rows that tell some columns only: statements, whose wording is in the catalogue."""

from __future__ import annotations

from tokumei.mechanism.treatments import Problem
from tokumei.words.statement import Count


class AmongThoseWhoTell(Problem):
    """Shares are those of the rows that tell a column."""


class NeverToldTogether(Problem):
    """Some pairs of columns are told by no row together, and are taken as independent."""

    pairs: Count
    of: Count


class PartlyBlank(Problem):
    """Rows tell some columns only, so they cannot be used as they are."""
