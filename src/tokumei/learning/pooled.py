"""Estimates from several copies of rows, combined: the rules, and what comes out of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy.stats import t

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.results import Result, shown
from tokumei.shown import shown as harmless
from tokumei.words import Statement

About = Literal["population", "table"]
MANY = 1e9  # degrees of freedom: the normal distribution


@dataclass(frozen=True, repr=False)
class Pooled(Result):
    """One estimate from several copies of rows.

    Attributes
    ----------
    names
        What is estimated, where names are known.
    estimate
        The mean of the copies' estimates: a number, or an array in the order of ``names``.
    standard_error
        How uncertain it is, by all that the copies differ by. None where no interval would be honest.
    degrees_of_freedom
        Of the t distribution that intervals are taken from.
    fraction_missing
        Which fraction of the information about the population the release has lost, by noise or otherwise. None for intervals
        about the table.
    about
        Whether intervals are about the population that the people are a sample of, or about the original table: what the same
        estimate would be, computed from the original rows.
    copies
        How many copies there were.
    reason
        Why there is no interval, where the rows are known not to give an honest one.
    """

    names: tuple[str, ...]
    estimate: Any
    standard_error: Any
    degrees_of_freedom: Any
    fraction_missing: Any
    about: About
    copies: int
    reason: Statement | None = None

    def interval(self, level: float = 0.9) -> tuple[Any, Any]:
        """Return the ends of an interval that holds the truth with this probability, as far as the copies are true to it."""
        if isinstance(level, bool) or not isinstance(level, int | float | np.floating) or not 0 < level < 1:
            raise InvalidParameter("level must be a number between 0 and 1.")
        if self.reason is not None:
            raise InvalidParameter(self.reason)
        reach = t.ppf((1 + level) / 2, self.degrees_of_freedom) * self.standard_error
        return self.estimate - reach, self.estimate + reach

    def without_interval(self, reason: Statement) -> Pooled:
        """Return the estimate alone, and why there is no interval."""
        return replace(self, standard_error=None, degrees_of_freedom=None, fraction_missing=None, reason=reason)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def __repr__(self) -> str:
        return str(self)

    def _lines(self, level: float = 0.9) -> list[str]:
        estimates = np.atleast_1d(self.estimate)
        named = [harmless(name) for name in self.names] or [f"[{place}]" for place in range(len(estimates))]
        named = ["estimate"] if np.ndim(self.estimate) == 0 and not self.names else named
        width = max(map(len, named))
        if self.standard_error is None:
            head = f"{self.copies} copies. {self.reason}"
            return [head, *(f"{name:<{width}}  {each: .4g}" for name, each in zip(named, estimates, strict=True))]
        low, high = map(np.atleast_1d, self.interval(level))
        errors = np.atleast_1d(self.standard_error)
        lines = [f"{self.copies} copies; {level:.0%} intervals about the {self.about}."]
        for place, name in enumerate(named):
            each = [shown(float(column[place])) for column in (estimates, errors, low, high)]
            lines.append("{:<{}}  {: .4g} ± {:.4g}  ({: .4g} to {: .4g})".format(name, width, *each))
        return lines


@dataclass(frozen=True)
class Copies:
    """Estimates of several copies, one row each, and their variances where these are known."""

    estimates: Floats
    variances: Floats | None

    @property
    def many(self) -> int:
        """How many copies there are."""
        return len(self.estimates)

    @property
    def between(self) -> Floats:
        """How much the copies' estimates differ."""
        found: Floats = self.estimates.var(axis=0, ddof=1)
        return found

    def within(self) -> Floats:
        """Return the mean variance."""
        assert self.variances is not None
        found: Floats = self.variances.mean(axis=0)
        return found


Found = tuple[Floats, Floats, Floats | None]  # variance, degrees of freedom, fraction of missing information


def of_table(copies: Copies) -> Found:
    """Return the variance of the estimate about the one that the original rows would give: only what was drawn is unknown."""
    between = copies.between
    return (1 + 1 / copies.many) * between, np.full_like(between, copies.many - 1), None


def imputed(copies: Copies, df: Floats) -> Found:
    """Apply Rubin's rules (1987), with the degrees of freedom of Barnard and Rubin (1999); ``df`` are those of complete data.

    The variance is W + (1 + 1/m) B, with W the mean variance, B the variance between the m copies.
    """
    within, more = copies.within(), (1 + 1 / copies.many) * copies.between
    total = within + more
    share = np.divide(more, total, out=np.zeros_like(total), where=total > 0)
    old = np.minimum((copies.many - 1) / np.maximum(share, 1e-12) ** 2, MANY)
    observed = (df + 1) / (df + 3) * df * (1 - share)
    both = np.where(observed > 0, old * observed / np.where(observed > 0, old + observed, 1), old)
    found = np.clip(np.where(df < MANY, both, old), 1.0, MANY)
    ratio = np.divide(more, within, out=np.zeros_like(more), where=within > 0)
    missing = np.where(within > 0, (ratio + 2 / (found + 3)) / (ratio + 1), 1.0)
    return total, found, np.where(more > 0, missing, 0.0)
