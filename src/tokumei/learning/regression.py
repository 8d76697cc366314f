"""Coefficients of a regression with what is uncertain about them, or why that cannot be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.stats import t

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.learning.glm import Family
from tokumei.markup.card import card, grid, said
from tokumei.messages import Phrase, phrase
from tokumei.results import Result, shown
from tokumei.shown import shown as harmless
from tokumei.table.frames import Origin, from_arrow
from tokumei.words import Statement, Words, spoken

LEVEL = 0.9


@dataclass(frozen=True, repr=False)
class Regression(Result):
    """What a regression of the original rows is, as far as a release tells.

    Attributes
    ----------
    family
        ``"linear"``, ``"logistic"`` or ``"poisson"``.
    target
        The column that is explained; of a logistic regression ``outcome`` are the values that it is about.
    names
        What the coefficients belong to, the constant first. Categories have one for each label but the first.
    estimate
        The coefficients: of the target itself, of its log-odds, or of the logarithm of its mean.
    standard_error
        Of each, about the population that the people of the original table are a sample of, the noise of the release included. None where no
        interval would be honest.
    degrees_of_freedom
        Of the t distribution that intervals are taken from.
    rows, worth
        How many rows were released, and how many rows without any noise would tell as much about each coefficient.
    how
        How the coefficients were estimated.
    reasons
        Why there is no interval.
    """

    family: Family
    target: str
    outcome: tuple[str, ...]
    names: tuple[str, ...]
    estimate: Floats
    standard_error: Floats | None
    degrees_of_freedom: Floats | None
    rows: int
    worth: Floats | None
    how: Statement
    reasons: tuple[Statement, ...]
    origin: Origin

    def interval(self, level: float = LEVEL) -> tuple[Floats, Floats]:
        """Return the ends of intervals, each of which holds the coefficient of the population with this probability."""
        if isinstance(level, bool) or not isinstance(level, int | float | np.floating) or not 0 < level < 1:
            raise InvalidParameter("level must be a number between 0 and 1.")
        if self.standard_error is None or self.degrees_of_freedom is None:
            raise InvalidParameter(self.reasons[0])
        reach = t.ppf((1 + level) / 2, self.degrees_of_freedom) * self.standard_error
        return self.estimate - reach, self.estimate + reach

    def frame(self, level: float = LEVEL) -> Any:
        """Return the coefficients with standard errors, intervals and p-values, as a frame of the release's kind."""
        made: dict[str, Any] = {"term": list(self.names), "coefficient": self.estimate}
        if self.standard_error is not None:
            low, high = self.interval(level)
            sizes = np.abs(self.estimate) / np.maximum(self.standard_error, 1e-300)
            made |= {"standard error": self.standard_error, "low": low, "high": high}
            made["p-value"] = 2 * t.sf(sizes, self.degrees_of_freedom)
        return from_arrow(pa.table(made), Origin(self.origin.kind))

    def describe(self, level: float = LEVEL) -> dict[str, Any]:
        """Return it for scripts."""
        low, high = self.interval(level) if self.standard_error is not None else (None, None)
        columns = {"coefficient": self.estimate, "standard_error": self.standard_error, "low": low, "high": high}
        columns["worth"] = self.worth
        return {
            "family": self.family,
            "target": self.target,
            "outcome": list(self.outcome),
            "rows": self.rows,
            "level": level,
            "terms": [
                {"term": name, **{key: None if c is None else float(c[at]) for key, c in columns.items()}}
                for at, name in enumerate(self.names)
            ],
            "how": self.how.describe(),
            "reasons": [each.describe() for each in self.reasons],
        }

    def title(self) -> Phrase:
        """Say what was regressed."""
        if self.family == "linear":
            return phrase(
                "Linear regression of {target!r}, {rows:released row|released rows}.",
                target=self.target,
                rows=self.rows,
            )
        if self.family == "poisson":
            return phrase(
                "Poisson regression of {target!r}, {rows:released row|released rows}.",
                target=self.target,
                rows=self.rows,
            )
        return phrase(
            "Logistic regression of {target!r} = {values}, {rows:released row|released rows}.",
            target=self.target,
            values=", ".join(self.outcome),
            rows=self.rows,
        )

    def lines(self, level: float = LEVEL) -> list[str]:
        """Return the table, a line for each coefficient."""
        width = max(len(harmless(name)) for name in self.names)
        if self.standard_error is None:
            return [
                f"  {harmless(n):<{width}}  {shown(float(b)):>10.4g}"
                for n, b in zip(self.names, self.estimate, strict=True)
            ]
        low, high = self.interval(level)
        made = []
        for at, name in enumerate(self.names):
            figures = [shown(float(each[at])) for each in (self.estimate, self.standard_error, low, high)]
            made.append(
                "  {:<{}}  {:>10.4g}  ± {:<9.3g}  {:>9.4g} to {:<9.4g}".format(harmless(name), width, *figures).rstrip()
            )
        return made

    def remarks(self, words: Words, level: float = LEVEL) -> list[Any]:
        """Say how it was estimated, what it is about, what it is worth, or why there is no interval."""
        made: list[Any] = [words.say(self.how)]
        if self.standard_error is None:
            return [*made, *(words.say(each) for each in self.reasons)]
        made.append(
            phrase(
                "± is the standard error; intervals hold the coefficient of the population with {level:.0%}.",
                level=level,
            )
        )
        if self.worth is not None and self.worth.min() < 0.99 * self.rows:
            few, many = (float(np.floor(each)) for each in (self.worth.min(), self.worth.max()))
            said = phrase(
                "The release tells as much about these coefficients as {few:,.0f} to {many:,.0f} rows without any change would.",
                few=few,
                many=many,
            )
            if few == many:
                said = phrase(
                    "The release tells as much about these coefficients as {rows:row|rows} without any change would.",
                    rows=int(few),
                )
            made.append(said)
        return made

    def __str__(self) -> str:
        return "\n".join([str(self.title()), *self.lines(), *map(str, self.remarks(Words("en")))])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        words = spoken()
        heads = ["", words("regression_coefficient")]
        rows = [[name, f"{b:.4g}"] for name, b in zip(self.names, self.estimate, strict=True)]
        if self.standard_error is not None:
            low, high = self.interval()
            heads += [words("regression_error"), words("regression_interval")]
            rows = [
                [*row, f"{self.standard_error[at]:.3g}", f"{low[at]:.4g} – {high[at]:.4g}"]
                for at, row in enumerate(rows)
            ]
        remarks = [said(words.say(each)) for each in self.remarks(words)]
        return card(words.say(self.title()), grid(heads, rows), *remarks)
