"""Ordinary regressions on distinct rows: least squares and logistic, with 95% intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.results import Result
from tokumei.table.domain import Categories, Numbers
from tokumei.utility.features import Features, distinct
from tokumei.utility.lines import Line
from tokumei.utility.logistic import logistic
from tokumei.utility.pairing import Pairing
from tokumei.utility.tables import ReleasedTables

NORMAL = 1.959963984540054  # half the width of a 95% interval, in standard errors
ALIASED = 1e-9
PENALTY = 1e-9


@dataclass(frozen=True)
class Estimate(Result):
    """A coefficient with its 95% interval."""

    value: float
    low: float
    high: float


Estimates = Mapping[str, Estimate]


@dataclass(frozen=True, eq=False)
class RegressionRows:
    """Distinct rows with their weights: features, what they are called, and the target."""

    features: Features
    names: tuple[str, ...]
    target: Floats
    weights: Floats

    @classmethod
    def of_original(cls, both: Pairing, lines: Sequence[Line], aim: Line) -> RegressionRows:
        """Take the original rows."""
        made = [_own_units(line, both) for line in lines]
        goal = _goal(aim, both)[both.table.codes(aim.name)]
        codes = [both.table.codes(line.name).astype(np.int64) for line in lines]
        return cls._distinct([each for each, _ in made], codes, made, goal, np.ones(both.table.rows))

    @classmethod
    def of_release(cls, both: Pairing, lines: Sequence[Line], aim: Line) -> RegressionRows:
        """Take the released rows, a label being worth the mean of its values."""
        released = ReleasedTables(both.release)
        released.need_whole_rows([*lines, aim])
        made = [_own_units(line, both) for line in lines]
        lookups = [_mean_features(released, line, each) for line, (each, _) in zip(lines, made, strict=True)]
        goal = _mean_features(released, aim, _goal(aim, both)[:, None])[released.codes(aim), 0]
        return cls._distinct(lookups, [released.codes(line) for line in lines], made, goal, released.weights)

    @classmethod
    def _distinct(
        cls, lookups: Sequence[Floats], codes: Sequence[Any], made: Sequence[Any], goal: Floats, weights: Floats
    ) -> RegressionRows:
        values, which = np.unique(goal, return_inverse=True)
        example, counts = distinct([*codes, which.reshape(-1)], weights)
        names = tuple(name for _, called in made for name in called)
        features = Features(lookups, [code[example] for code in codes])
        return cls(features, names, values[which.reshape(-1)][example], counts)


def _goal(aim: Line, both: Pairing) -> Floats:
    """Return the target as a number, for each of its states."""
    domain = aim.attribute.domain
    if isinstance(domain, Numbers):
        return np.asarray(domain.points, dtype=np.float64)
    if not isinstance(domain, Categories):
        return np.arange(aim.attribute.states, dtype=np.float64)
    goal = np.zeros(aim.attribute.states)
    goal[np.unique(both.table.codes(aim.name))[1]] = 1.0
    return goal


def _own_units(line: Line, both: Pairing) -> tuple[Floats, tuple[str, ...]]:
    """Return the features of each state of a column, and what they are called."""
    domain, name = line.attribute.domain, line.name
    assert domain is not None
    if isinstance(domain, Categories) and not domain.ordered:
        occur = np.unique(both.table.codes(name))[1:]
        labels = [*domain.labels(), "(missing)"]
        return np.eye(line.attribute.states)[:, occur], tuple(f"{name}={labels[place]}" for place in occur)
    place = np.asarray(domain.points if isinstance(domain, Numbers) else np.arange(domain.size), dtype=np.float64)
    if not line.attribute.missing:
        return place[:, None], (name,)
    made = np.zeros((line.attribute.states, 2))
    made[:-1, 0], made[-1, 1] = place, 1.0
    return made, (name, f"{name}=(missing)")


def _mean_features(released: ReleasedTables, line: Line, features: Floats) -> Floats:
    """Return the features of each released code: the mean over the states that it stands for."""
    states, spans = released.spans(line)
    sums = np.concatenate([np.zeros((1, features.shape[1])), np.cumsum(features[states], axis=0)])
    low, high = spans.T
    return (sums[high + 1] - sums[low]) / (high - low + 1)[:, None]


def fitted(rows: RegressionRows, kind: str) -> Estimates:
    """Fit a regression; a coefficient that the others determine is left out."""
    kept = _independent(rows)
    if kind == "linear":
        beta, covariance = _least_squares(rows, kept)
    else:
        if not ((rows.target == 0) | (rows.target == 1)).all():
            raise InvalidParameter("the target was generalized, so a logistic regression has no two values to explain.")
        if len(np.unique(rows.target)) < 2:
            raise InvalidParameter("the target has only one value in the release, so there is nothing to explain.")
        narrowed = _narrowed(rows, kept)
        yes = np.where(rows.target == 1, rows.weights, 0.0)
        found = logistic(narrowed, yes, rows.weights - yes, PENALTY)
        beta = found.coefficients
        covariance = np.asarray(np.linalg.pinv(found.information, hermitian=True), dtype=np.float64)
    reach = NORMAL * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    names = ("(constant)", *(rows.names[place] for place in kept))
    return {
        name: Estimate(float(value), float(value - half), float(value + half))
        for name, value, half in zip(names, beta, reach, strict=True)
    }


def _moments(rows: RegressionRows, kept: Sequence[int]) -> tuple[Floats, Floats, float]:
    width = len(kept) + 1
    gram, aimed, squares = np.zeros((width, width)), np.zeros(width), 0.0
    middle = float(rows.weights @ rows.target / rows.weights.sum())
    for place, part in rows.features.parts():
        wide = np.concatenate([np.ones((len(part), 1)), part[:, kept]], axis=1)
        weight, goal = rows.weights[place], rows.target[place] - middle
        gram += wide.T @ (wide * weight[:, None])
        aimed += wide.T @ (weight * goal)
        squares += float(weight @ goal**2)
    return gram, aimed, squares


def _independent(rows: RegressionRows) -> list[int]:
    """Name the features that vary and that no combination of those before them gives."""
    gram, _, _ = _moments(rows, list(range(rows.features.width)))
    own = np.diag(gram).copy()
    left: Any = gram.copy()
    kept: list[int] = []
    for place in range(len(gram)):
        if left[place, place] <= ALIASED * max(own[place], 1e-300) or own[place] == 0:
            if place == 0:
                raise InvalidParameter("there are no rows to fit a regression to.")
            continue
        left -= np.outer(left[:, place], left[place]) / left[place, place]
        kept.append(place)
    return [place - 1 for place in kept[1:]]


def _least_squares(rows: RegressionRows, kept: Sequence[int]) -> tuple[Floats, Floats]:
    gram, aimed, squares = _moments(rows, kept)
    inverse = np.linalg.inv(gram)
    beta: Floats = np.asarray(inverse @ aimed, dtype=np.float64)
    free = rows.weights.sum() - len(beta)
    if free <= 0:
        raise InvalidParameter("there are fewer rows than coefficients; explain the target by fewer columns.")
    noise = max(squares - float(beta @ aimed), 0.0) / free
    beta[0] += float(rows.weights @ rows.target / rows.weights.sum())
    return beta, np.asarray(inverse * noise, dtype=np.float64)


def _narrowed(rows: RegressionRows, kept: Sequence[int]) -> Features:
    """Return the features that are kept."""
    lookups, start = [], 0
    for lookup in rows.features.lookups:
        here = [place - start for place in kept if start <= place < start + lookup.shape[1]]
        lookups.append(lookup[:, here])
        start += lookup.shape[1]
    return Features(lookups, rows.features.codes)
