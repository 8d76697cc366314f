"""Sharing the budget well: weights, and coarser domains, that keep what the release is for.

A *pilot* is a small table of the same kind, of other people, that is not released: a public one, a sample set aside. From it
the expected use of a release is computed for any split of the budget, and the best split is searched for.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from tokumei.anonymizers.treatments import treatments
from tokumei.arrays import Floats
from tokumei.errors import DataError, InvalidParameter
from tokumei.mechanism.grid_laplace import FlaggedGridLaplace, GridLaplace
from tokumei.messages import message_of
from tokumei.prepare.drop import Drop
from tokumei.prepare.recode import Recode
from tokumei.prepare.rows import prepared_rows
from tokumei.privacy.pk import budget, check_feasible, check_k
from tokumei.progress import stage
from tokumei.shown import shown
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories
from tokumei.table.frames import to_arrow
from tokumei.table.schema import Attribute, Schema
from tokumei.text import names, nearest
from tokumei.values import value

Purpose = Literal["marginals", "pairs", "association"]

LEAST_ROWS = 50
RIDGE = 1e-3


@dataclass(frozen=True)
class Suggestion:
    """A split of the budget, the steps to take before it, and what they are worth.

    ``worth`` and ``worth_even`` are what the purpose counts, for this suggestion and for the even split without any
    recoding: the expected correlation of a linear prediction with the target for an association, the negative expected
    error of estimated shares otherwise. More is better.
    """

    split: dict[str, float]
    prepare: tuple[Recode | Drop, ...]
    worth: float
    worth_even: float

    def __str__(self) -> str:
        lines = [f"{name}: {weight:.3f} of the budget" for name, weight in self.split.items()]
        lines += [f"recode {s.column} {_to(s)} first" for s in self.prepare if isinstance(s, Recode)]
        lines += [f"drop {s.column}, which would be only noise" for s in self.prepare if isinstance(s, Drop)]
        return "\n".join(map(shown, lines))


@value
class OptimisedSplit:
    """A split of the budget of `PkPerturbation` that is chosen for a purpose.

    Parameters
    ----------
    purpose, target
        As in `suggest_split`, which also suggests recoding.
    pilot
        A table of the same schema and of other people, which is not released. Without one the released rows themselves are
        used: the weights then tell something about them, are disclosed, and no ε is stated. The same happens where the pilot
        has more rows in common with the table than independent people would.
    """

    purpose: Purpose = "association"
    target: str | None = None
    pilot: Any = field(default=None, repr=False, compare=False)
    kind: Literal["optimised"] = field(default="optimised", kw_only=True, repr=False)

    def weights(self, rows: CodedTable, perturbed: Sequence[Attribute], total: float, count: int) -> dict[str, float]:
        """Return the weight of each column, learned from the rows of the pilot, prepared like the table."""
        return suggest_for(rows, perturbed, total, count, self.purpose, self.target, coarsen=False).split


@stage("Searching for a split")
def suggest_split(
    pilot: Any,
    schema: Schema,
    k: float,
    rows: int,
    purpose: Purpose = "association",
    target: str | None = None,
    coarsen: bool = True,
    prepare: Sequence[Any] = (),
) -> Suggestion:
    """Suggest how to share the budget of `PkPerturbation`, and which columns to make coarser first.

    A pilot that may be analyzed as it is can be worth more than the release that it helps to make, and rows that tell one thing each
    (``PkPerturbation(k, tells="auto")``) need none; the page on splitting has the figures.

    Parameters
    ----------
    pilot
        A table of the schema, of other people than those whose rows are to be released: otherwise what it suggests tells
        something about them.
    schema
        The schema of the table to be released.
    k, rows
        The guarantee, and among how many rows people will hide (the rows of the table, or of its smallest class).
    purpose
        ``"marginals"``: shares of every column. ``"pairs"``: two-way tables. ``"association"``: predicting ``target``
        from the perturbed columns, by a model that is fitted to the released rows and used on true ones.
    target
        The column to be predicted, one that is released unchanged.
    coarsen
        Whether columns may be dropped, and recoded by the levels of their hierarchies and, for an association, by groups built from
        one half of the pilot; the other half decides what they are worth.
    prepare
        Steps that will be taken before, such as dropping columns.

    Examples
    --------
    >>> import tokumei as tk
    >>> pilot = tk.example_census(rows=1000, random_state=1)
    >>> found = tk.splits.suggest_split(pilot, tk.example_schema(), k=10, rows=12_000, target="income")
    >>> found.worth > found.worth_even
    True
    """
    check_k(k)
    most = _most_rows(schema)
    check_feasible(rows, k, most=most)
    problem = ""
    try:
        table = prepared_rows(to_arrow(pilot)[0], schema, prepare)
    except DataError as error:
        problem = message_of(error)
    if problem:
        raise DataError("The pilot does not fit: {problem}", problem=problem)
    perturbed = [a for a in table.schema if a.role == "quasi_identifier"]
    if not perturbed:
        raise InvalidParameter("There is nothing to split: the schema has no quasi-identifier.")
    return suggest_for(
        table, perturbed, budget(rows, k, most) if k * most < rows else 0.0, rows, purpose, target, coarsen
    )


def _most_rows(schema: Schema) -> int:
    """Return how many rows of the table to be released may be one person's; a pilot does not tell."""
    for name in schema.names("person"):
        declared = schema[name].most
        if declared is None:
            raise InvalidParameter(
                "declare how many rows a person may have (most=... of {name!r}): the pilot does not say this about the table.",
                name=name,
            )
        return declared
    return 1


def suggest_for(
    table: CodedTable,
    perturbed: Sequence[Attribute],
    total: float,
    rows: int,
    purpose: Purpose,
    target: str | None,
    coarsen: bool,
) -> Suggestion:
    """Suggest how the perturbed columns share a budget, from the rows of a coded table."""
    if table.rows < LEAST_ROWS:
        raise DataError("The pilot has too few rows to learn from; give at least {least_rows}.", least_rows=LEAST_ROWS)
    if not total:
        raise InvalidParameter("k is as large as possible: all noise is uniform, and there is nothing to split.")
    kept = [a.name for a in table.schema if a not in perturbed]
    return _Search(table, perturbed, total, rows, _goal(table, purpose, target, kept), coarsen).run()


def _goal(table: CodedTable, purpose: Purpose, target: str | None, kept: Sequence[str]) -> _Goal:
    if purpose not in {"marginals", "pairs", "association"}:
        raise InvalidParameter(
            "purpose must be 'marginals', 'pairs' or 'association'. Got {purpose!r}.", purpose=purpose
        )
    if purpose != "association":
        if target is not None:
            raise InvalidParameter("target is for the purpose 'association'.")
        return _Goal(purpose, None)
    if target is None or target not in kept:
        raise InvalidParameter(
            "target must name a column that is released unchanged, one of {kept}.{hint}",
            kept=names(kept),
            hint=nearest(str(target), kept),
        )
    attribute = table.schema[target]
    codes = table.codes(target).astype(np.int64)
    if isinstance(attribute.domain, Categories):
        wanted = np.eye(attribute.states)[codes][:, : max(1, attribute.states - 1)]
    else:
        present = np.minimum(codes, attribute.states - 1 - int(attribute.missing))
        wanted = present[:, None].astype(np.float64)
    wanted = wanted[:, wanted.std(axis=0) > 0]
    if not wanted.shape[1]:
        raise DataError("{target!r} has only one value in the pilot, so nothing is associated with it.", target=target)
    return _Goal(purpose, (wanted - wanted.mean(axis=0)) / wanted.std(axis=0))


@dataclass(frozen=True)
class _Goal:
    purpose: Purpose
    target: Floats | None  # standardized, one column per thing to predict


class _Search:
    """Looks for the treatment of the columns and the split that are worth most."""

    def __init__(
        self, table: CodedTable, columns: Sequence[Attribute], total: float, rows: int, goal: _Goal, coarsen: bool
    ) -> None:
        self.columns, self.total, self.rows, self.goal, self.coarsen = columns, total, rows, goal, coarsen
        # Every other row builds groups and the rest weigh them, since a pilot may be sorted.
        building = (
            np.arange(table.rows) % 2 == 0 if coarsen and goal.target is not None else np.zeros(table.rows, dtype=bool)
        )
        codes = [table.codes(a.name).astype(np.int64) for a in columns]
        target = None if goal.target is None else goal.target[building]
        self.options = [treatments(a, each[building], target, coarsen) for a, each in zip(columns, codes, strict=True)]
        self.codes = [each[~building] for each in codes]
        self.wanted = None if goal.target is None else goal.target[~building]
        self._moments = lru_cache(maxsize=512)(self._moments_of)

    def run(self) -> Suggestion:
        plain = [0] * len(self.columns)
        even = np.array([0.0 if self.options[j][0].states < 2 else 1.0 for j in range(len(self.columns))])
        even = self.total * even / max(even.sum(), 1.0)
        worth_even = self.worth(even, plain)
        # One start on purpose: more of them find what is worth more to this pilot, and less to other rows.
        worth, split, chosen = self._climb([self._about_three(j) for j in range(len(self.columns))])
        if worth < worth_even:
            split, chosen, worth = even, plain, worth_even
        recodes = [self.options[j][chosen[j]].step for j in range(len(self.columns)) if split[j] > 0]
        drops = (
            [Drop(a.name) for a, share in zip(self.columns, split, strict=True) if share <= 0] if self.coarsen else []
        )
        return Suggestion(
            {
                a.name: float(share / self.total)
                for a, share in zip(self.columns, split, strict=True)
                if share > 0 or not self.coarsen
            },
            (*(step for step in recodes if step is not None), *drops),
            worth,
            worth_even,
        )

    def _about_three(self, column: int) -> int:
        """Return the treatment of a column that has about three groups, where groups are allowed."""
        return min(range(len(self.options[column])), key=lambda option: abs(self.options[column][option].states - 3))

    def _climb(self, chosen: Sequence[int]) -> tuple[float, Floats, Sequence[int]]:
        """Improve split and treatments in turn until neither helps."""
        split, worth = self._start(chosen)
        for _ in range(6):
            before = worth
            split, worth = self._transfer(split, chosen, worth)
            chosen, worth = self._recode(split, chosen, worth)
            if worth - before < 1e-4 * abs(before):
                break
        return worth, split, chosen

    def _start(self, chosen: Sequence[int]) -> tuple[Floats, float]:
        """Begin with the columns that are worth most alone, sharing evenly, as many as is best."""
        count = len(self.columns)
        alone = [self.worth(self.total * np.eye(count)[j], chosen) for j in range(count)]
        order = np.argsort(alone)[::-1]
        starts = []
        for taken in range(1, count + 1):
            split = np.zeros(count)
            split[order[:taken]] = self.total / taken
            starts.append((self.worth(split, chosen), taken, split))
        worth, _, split = max(starts)
        return split, worth

    def _transfer(self, split: Floats, chosen: Sequence[int], worth: float) -> tuple[Floats, float]:
        """Move a part of the budget from one column to another as long as that helps, then smaller parts."""
        for part in (0.2, 0.1, 0.05, 0.02):
            while True:
                bar, better = worth + 1e-6 * max(1.0, abs(worth)), None
                for giver, taker in itertools.permutations(range(len(split)), 2):
                    moved = min(part * self.total, split[giver])
                    if moved > 0:
                        other = split.copy()
                        other[giver] -= moved
                        other[taker] += moved
                        value = self.worth(other, chosen)
                        if value > bar:
                            bar, better = value, other
                if better is None:
                    break
                worth, split = bar, better
        return split, worth

    def _recode(self, split: Floats, chosen: Sequence[int], worth: float) -> tuple[list[int], float]:
        found = list(chosen)
        for column, options in enumerate(self.options):
            for option in range(len(options)):
                other = [*found[:column], option, *found[column + 1 :]]
                value = self.worth(split, other)
                if value > worth + 1e-6 * max(1.0, abs(worth)):
                    found, worth = other, value
        return found, worth

    def worth(self, split: Floats, chosen: Sequence[int]) -> float:
        """Return what a split is worth under a treatment of the columns."""
        options = [self.options[j][option] for j, option in enumerate(chosen)]
        matrices = [_matrix(o.channel, o.states, round(float(e), 3)) for o, e in zip(options, split, strict=True)]
        means, spread, goes_with = self._moments(tuple(chosen))
        if self.goal.purpose == "association":
            return self._association(matrices, means, spread, goes_with)
        errors = [_error(matrix, mean) for matrix, mean in zip(matrices, means, strict=True)]
        if self.goal.purpose == "marginals":
            return -float(np.sum(errors)) / self.rows
        return -float(sum(a * b for a, b in itertools.combinations(errors, 2)) or errors[0]) / self.rows

    def _moments_of(self, chosen: tuple[int, ...]) -> tuple[list[Floats], Floats, Floats]:
        indicators = [
            np.eye(self.options[j][option].states)[self.options[j][option].groups[codes]]
            for j, (option, codes) in enumerate(zip(chosen, self.codes, strict=True))
        ]
        means = [each.mean(axis=0) for each in indicators]
        if self.wanted is None:
            return means, np.zeros((0, 0)), np.zeros((0, 0))
        joined = np.hstack(indicators)
        joined -= joined.mean(axis=0)
        return means, joined.T @ joined / len(joined), joined.T @ self.wanted / len(joined)

    def _association(self, matrices: list[Floats], means: list[Floats], spread: Floats, goes_with: Floats) -> float:
        """Return the expected correlation with the target of a linear prediction.

        The model is fitted to this many perturbed rows and used on true ones. Perturbing multiplies the covariances between
        columns by their channels' matrices; what the fit loses to chance is added to the variance of the prediction.
        """
        places = np.cumsum([0, *(len(mean) for mean in means)])
        channel = np.zeros(spread.shape)
        for low, high, matrix in zip(places[:-1], places[1:], matrices, strict=True):
            channel[low:high, low:high] = matrix
        seen = channel @ spread @ channel.T
        for low, high, matrix, mean in zip(places[:-1], places[1:], matrices, means, strict=True):
            share = matrix @ mean
            seen[low:high, low:high] = np.diag(share) - np.outer(share, share)
        inverse = np.linalg.inv(seen + RIDGE * np.eye(len(seen)))
        weights = inverse @ channel @ goes_with
        chance = float(np.trace(inverse @ seen @ inverse @ spread)) / self.rows
        agreement = np.sum(weights * goes_with, axis=0)
        variance = np.sum(weights * (spread @ weights), axis=0) + chance
        return float(np.sqrt(np.mean(agreement**2 / variance)))


@lru_cache(maxsize=100_000)
def _matrix(kind: str, states: int, cost: float) -> Floats:
    """Return P(released | true) of a column with this many states at a cost; numbers in as many bins."""
    if kind == "retention":
        kept = math.expm1(cost) / (math.expm1(cost) + states)
        return kept * np.eye(states) + (1 - kept) / states
    swap = Fraction(math.exp(-2 * cost))
    return (
        GridLaplace.solve(states, swap) if kind == "laplace" else FlaggedGridLaplace.solve(states - 1, swap)
    ).matrix()


def _error(matrix: Floats, mean: Floats) -> float:
    """Return the variance of all shares of a column, estimated from one row: the trace of the inverse information."""
    share = matrix @ mean
    information = matrix.T @ (matrix / share[:, None])
    free = np.linalg.svd(np.ones((1, len(mean))))[2][1:]  # shares sum to one
    values = np.linalg.eigvalsh(free @ information @ free.T)
    return float(np.sum(1 / np.maximum(values, 1e-9)))


def _to(step: Recode) -> str:
    hierarchy: Any = step.hierarchy
    if hierarchy is None:
        return f"to level {step.level}"
    count = len(hierarchy.edges[0]) - 1 if hasattr(hierarchy, "edges") else len({row[1] for row in hierarchy.rows})
    return f"to {count} values"
