"""What each perturbed column says about a class, for rows that were not perturbed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.channel import Conditional
from tokumei.progress import stage
from tokumei.reconstruction._columns import check_usable, chosen
from tokumei.reconstruction._evidence import Fits, nominal, numeric, on_their_own, short_ordered, together
from tokumei.reconstruction._told_columns import Seen, seen_of
from tokumei.reconstruction._views import POINTS
from tokumei.release.artifact import Release
from tokumei.release.originals import Originals
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute, Schema

SHORT = 9  # numbers with fewer values than this are fitted value by value
LONG = 13  # and ordered categories with fewer than this: `python -m benchmarks.ordered_columns`
MISSING_POINTS = 12  # numbers that may be missing are fitted value by value too, in this many bins


@dataclass(frozen=True)
class Evidence:
    """Columns with what they say: one row per class (of two classes: one row, for the second), one column per code."""

    schema: Schema
    columns: dict[str, Floats]
    log_shares: Floats  # of the classes
    signal: dict[str, float]
    originals: Originals

    def odds(self, rows: Any) -> Floats:
        """Return for true rows the logarithm of the odds of the second class, or of each class against the others."""
        coded = self.originals.coded(rows, self.schema)
        total = np.sum([self.columns[n][:, coded.codes(n)] for n in self.schema.names()], axis=0)
        if len(self.log_shares) == 2:
            return total[0] + self.log_shares[1] - self.log_shares[0]
        prior = self.log_shares - np.log1p(-np.exp(self.log_shares))
        return (total + prior[:, None]).T

    def probabilities(self, rows: Any) -> Floats:
        """Return for true rows the probability of each class."""
        odds = self.odds(rows)
        if odds.ndim == 1:
            second = 1 / (1 + np.exp(-odds))
            return np.stack([1 - second, second], axis=1)
        each = 1 / (1 + np.exp(-np.clip(odds, -700, 700)))
        return each / each.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class Classes:
    """The classes of the released rows, and how far a row's label can be trusted.

    ``belongs[label, c]`` averages to one over rows of class c and to zero over others, whatever their label has become;
    ``worth[c]`` is how many rows with a sure label one row is worth.
    """

    labels: Integers
    belongs: Floats
    worth: Floats

    @classmethod
    def sure(cls, labels: Integers, count: int) -> Classes:
        """Labels that were released unchanged."""
        return cls(labels, np.eye(count), np.ones(count))

    @classmethod
    def through(cls, conditional: Conditional, labels: Integers, weights: Floats) -> Classes:
        """Labels that were perturbed by a channel."""
        matrix = conditional.matrix()
        belongs: Floats = np.linalg.pinv(matrix.T).astype(np.float64)
        if not np.allclose(matrix.T @ belongs, np.eye(matrix.shape[1]), atol=1e-6):
            raise InvalidParameter("The target's channel loses information completely, so it cannot be predicted.")
        share = np.clip(_counts(labels, belongs, weights) / weights.sum(), 1e-9, 1 - 1e-9)
        spread = np.bincount(labels, weights, minlength=len(matrix)) / weights.sum() @ belongs**2 - share**2
        return cls(labels, belongs, np.clip(share * (1 - share) / spread, 0.0, 1.0))

    def totals(self, weights: Floats) -> Floats:
        """Return how many rows there are of each class."""
        return np.maximum(_counts(self.labels, self.belongs, weights), 0.0)

    def split(self, released: Integers, weights: Floats, label: int, states: int) -> Floats:
        """Count released values in the other classes and in one, as rows with sure labels."""
        mine = weights * self.belongs[self.labels, label]
        both = np.stack([np.bincount(released, each, minlength=states) for each in (weights - mine, mine)])
        return np.maximum(both, 0.0) * self.worth[label]


def _counts(labels: Integers, belongs: Floats, weights: Floats) -> Floats:
    made: Floats = np.bincount(labels, weights, minlength=len(belongs)) @ belongs
    return made


def weigh(
    release: Release,
    target: str,
    columns: Sequence[str] | None,
    classes: Classes,
    present: Integers,
    weights: Floats,
    survey: str | None = None,
    many: Floats | None = None,
) -> Evidence:
    """Estimate what each column says about the classes ``present``; ``survey`` is the column of survey weights, and each row stands for ``many``."""
    attributes = chosen(release, columns, target, survey)
    check_usable(release, [*attributes, release.schema[target]])
    contrasts = present[1:] if len(present) == 2 else present
    fits, spreads = [], []
    with stage("Weighing columns", total=len(attributes)) as shown:
        for attribute in attributes:
            seen = seen_of(release, attribute, MISSING_POINTS if attribute.missing else POINTS, many)
            fits.append(_fits(seen, attribute, classes, weights, contrasts))
            spreads.append(seen.spread)
            shown.advance(note=attribute.name)
    found: dict[str, Floats] = {}
    signal: dict[str, float] = {}
    for attribute, each, spread in zip(attributes, _averaged(fits), spreads, strict=True):
        found[attribute.name] = each
        signal[attribute.name] = _deviation(each, spread)
    totals = np.maximum(classes.totals(weights)[present], 1e-9)
    return Evidence(Schema(tuple(attributes)), found, np.log(totals / totals.sum()), signal, release.originals)


def _model(attribute: Attribute, states: int) -> Any:
    unordered = isinstance(attribute.domain, Categories) and not attribute.domain.ordered
    if attribute.missing or unordered or states == 1:
        return nominal
    return short_ordered if states < (LONG if isinstance(attribute.domain, Categories) else SHORT) else numeric


def _deviation(evidence: Floats, spread: Floats) -> float:
    """Return the standard deviation of a column's evidence over the released rows, all classes taken together."""
    share = spread / spread.sum()
    means = evidence @ share
    return float(np.sqrt(np.mean((evidence - means[:, None]) ** 2 @ share)))


def _fits(
    seen: Seen, attribute: Attribute, classes: Classes, weights: Floats, labels: Integers
) -> tuple[bool, list[Fits]]:
    """Fit a column for each class against the others, on its codes; say whether it is fitted as a number."""
    matrix = seen.conditional.matrix()
    if seen.rows is not None:
        classes, weights = replace(classes, labels=classes.labels[seen.rows]), weights[seen.rows]
    possible = matrix.max(axis=1) > 0  # some values are never released
    model = _model(attribute, matrix.shape[1])
    found = []
    for label in labels:
        fits = model(classes.split(seen.shown, weights, int(label), len(matrix))[:, possible], matrix[possible])
        found.append(Fits(fits.logs, fits.contrasts[:, seen.true_bin]))
    return model is numeric, found


def _averaged(columns: Sequence[tuple[bool, list[Fits]]]) -> list[Floats]:
    """Average over the scales: of categories by their own evidence, of numbers by that of all columns."""
    by_class = list(zip(*(fits for _, fits in columns), strict=True))
    own = [on_their_own(fits) for fits in by_class]
    joint = [together(fits) for fits in by_class]
    return [np.stack([each[at] for each in (joint if number else own)]) for at, (number, _) in enumerate(columns)]
