"""Intervals from a release that cover the truth as often as they say: of shares, and of the mean of a column.

They need no model of the original, only the public mechanism: where it can be inverted, the mean over rows of a function of the released
row is an unbiased estimate, and its variance is known. Where it cannot, there are bounds, or no interval and a reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.mechanism.treatments import AveragedOverGroups, SwappedInGroups, ToldByNone, UnweightedStrata
from tokumei.privacy.guarantee import several_rows
from tokumei.progress import stage
from tokumei.reconstruction._inference import About
from tokumei.reconstruction._intervals import Intervals, Kind, intervals_of, no_intervals
from tokumei.reconstruction._joint import check_cells, places_of
from tokumei.reconstruction._means import ends, looked, mean_of, values_of
from tokumei.reconstruction._parts import axes_of, counted
from tokumei.reconstruction._problems import (
    LeftOpen,
    NothingTold,
    NotTellingTogether,
    OnlyLabels,
    SeveralRowsEach,
    ToldCoarsely,
    ToldInGroups,
    UnknownRows,
    WeightsInGroups,
)
from tokumei.reconstruction._recoded import possible_way, used_rows
from tokumei.reconstruction._survey import survey_weights
from tokumei.reconstruction._told import ToldPart, told_looks
from tokumei.reconstruction._views import hidden_strata
from tokumei.release.artifact import Release
from tokumei.table.domain import Numbers
from tokumei.words.statement import Statement


@dataclass(frozen=True)
class MeanInterval:
    """The mean of a column in the original, and what the released rows leave open about it.

    Attributes
    ----------
    low, high
        The interval; not a number where there is none.
    kind
        ``"interval"``, ``"exact"``, ``"bounds"`` or ``"none"``, as for shares.
    estimate, standard_error
        The unbiased estimate that the interval belongs to; of bounds the middle, and the larger standard error.
    reasons
        Why there are only bounds, or none.
    """

    estimate: float
    low: float
    high: float
    kind: Kind
    standard_error: float
    reasons: tuple[Statement, ...] = ()


def check_asked(level: float, about: str) -> None:
    """Refuse a level or an object of inference that cannot be."""
    if not isinstance(level, int | float | np.integer | np.floating) or not 0 < level < 1:
        raise InvalidParameter("level must lie between 0 and 1. Got {level}.", level=level)
    if about not in get_args(About):
        raise InvalidParameter("about must be 'population' or 'table'. Got {about!r}.", about=about)


@stage("Estimating intervals")
def share_intervals(
    release: Release,
    columns: str | Sequence[str],
    bins: Mapping[str, Any] | None = None,
    weights: str | None = None,
    level: float = 0.9,
    about: About = "population",
) -> Intervals:
    """Return intervals of the shares of a joint table of a few columns.

    Parameters
    ----------
    release
        Any release.
    columns, bins
        The columns of the table, and the bins of those with numbers or dates, as in `tokumei.IterativeBayes`.
    weights
        A column of survey weights, released unchanged.
    level
        The probability with which an interval covers what it is about.
    about
        The shares in the ``"population"`` that the people of the original table were drawn from, or in the original
        ``"table"`` itself.

    Examples
    --------
    >>> import tokumei as tk
    >>> release = tk.anonymize(tk.example_census(rows=5000), tk.example_schema(), tk.PkPerturbation(k=5), seed=1)
    >>> found = share_intervals(release, ["sex"], about="table")
    >>> found.kinds.tolist(), bool((found.low < found.high).all())
    (['interval', 'interval'], True)
    """
    check_asked(level, about)
    asked = [columns] if isinstance(columns, str) else list(columns)
    wanted = dict(bins or {})
    shape = tuple(len(places_of(release.original(name), wanted.get(name))[0]) for name in asked)
    check_cells(shape)
    why = refused(release, asked, weights, about)
    if why:
        return no_intervals(shape, why)
    survey_weights(release, weights)
    used, way = used_rows(release, asked), possible_way(release, asked)
    axes = axes_of(release, asked, wanted, used, way)
    found = counted(release, axes, used, way, weights)
    return table_intervals(found, shape, asked, level, about)


def table_intervals(
    found: Any, shape: tuple[int, ...], columns: Sequence[str], level: float, about: About
) -> Intervals:
    """Return the intervals of rows that were counted already, or say that no row tells the columns as the table has them."""
    (first, *_) = found.parts
    if isinstance(first, ToldPart) and not told_looks(first):
        return no_intervals(shape, [ToldCoarsely(columns=tuple(columns))])
    return intervals_of(found, shape, float(level), about == "table")


@stage("Estimating an interval")
def mean_interval(
    release: Release,
    column: str,
    weights: str | None = None,
    level: float = 0.9,
    about: About = "population",
) -> MeanInterval:
    """Return an interval of the mean of a column of numbers; missing cells are left out.

    Examples
    --------
    >>> import tokumei as tk
    >>> release = tk.anonymize(tk.example_census(rows=5000), tk.example_schema(), tk.PkPerturbation(k=5, tells="all"), seed=1)
    >>> found = mean_interval(release, "age")
    >>> found.kind, found.low < found.estimate < found.high
    ('interval', True)
    """
    check_asked(level, about)
    domain = release.original(column).domain
    if not isinstance(domain, Numbers):
        raise InvalidParameter("{column!r} has no numbers, so it has no mean.", column=column)
    why = refused(release, [column], weights, about)
    if why:
        return _no_mean(why)
    survey_weights(release, weights)
    used, of_table = used_rows(release, [column]), about == "table"
    found = looked(release, column, used, possible_way(release, [column]), weights)
    if isinstance(found, Statement):
        return _no_mean([found])
    lower, upper = (mean_of(found, of_table, high) for high in (False, True))
    values = values_of(release.original(column))
    limits = float(np.nanmin(values)), float(np.nanmax(values))
    interval = None if lower is None or upper is None else ends(lower, upper, float(level), *limits)
    if lower is None or upper is None or interval is None:
        return _no_mean([LeftOpen()])
    kind: Kind = "interval" if found.exact else "bounds"
    if found.exact and upper.error == 0:
        kind = "exact"
    reasons: list[Statement] = [] if found.exact else [OnlyLabels()]
    gone = int(np.count_nonzero(~used)) + release.mechanism.left_out
    low, high = interval
    if gone:
        share, kind = gone / (release.rows + release.mechanism.left_out), "bounds"
        low, high = low * (1 - share) + limits[0] * share, high * (1 - share) + limits[1] * share
        reasons.append(UnknownRows(gone=gone))
    estimate, error = (lower.value + upper.value) / 2, max(lower.error, upper.error)
    return MeanInterval(estimate, low, high, kind, error, tuple(reasons))


def _no_mean(reasons: Sequence[Statement]) -> MeanInterval:
    return MeanInterval(np.nan, np.nan, np.nan, "none", np.nan, tuple(reasons))


def refused(release: Release, columns: Sequence[str], weights: str | None, about: About) -> list[Statement]:
    """Say why there can be no interval of these columns at all, if there is a reason."""
    made, found = release.mechanism, list[Statement]()
    if made.averaging is not None:
        found += [AveragedOverGroups(column=name) for name in columns if name in made.averaging.columns]
    if made.swapping is not None and len(columns) > 1:
        found += [SwappedInGroups(column=name) for name in columns if name in made.swapping.columns]
    if made.recoding is not None:
        hidden = [name for name in columns if name in made.recoding.columns]
        found += [NothingTold(column=n) for n in hidden if np.all(made.recoding.columns[n].starred[:-1])]
    if made.grouping is not None and weights is not None:
        found.append(WeightsInGroups())
    if made.grouping is not None and made.grouping.telling is not None:
        found += [ToldInGroups()] if any(name in made.grouping.columns for name in columns) else []
    if hidden_strata(release):
        found.append(UnweightedStrata())
    if about == "population" and several_rows(release.guarantees):
        found.append(SeveralRowsEach())
    if made.telling is not None:
        told = [name for name in columns if name in made.telling.columns]
        rows = release.tells(*told) if told else np.ones(1, dtype=np.bool_)
        if not rows.any():
            found.append(ToldByNone(column=told[0]) if len(told) == 1 else NotTellingTogether(columns=tuple(told)))
    if not found and not used_rows(release, columns).any():
        found += [NothingTold(column=name) for name in columns]
    return found
