"""Iterative Bayes: the joint table of a few columns, most likely given the release and its mechanism."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from tokumei.arrays import Booleans, Floats
from tokumei.diagnostics import warn
from tokumei.errors import CoverageWarning, InvalidParameter, NotConvergedWarning
from tokumei.progress import stage
from tokumei.reconstruction._columns import check_release, check_together
from tokumei.reconstruction._counted import counted_rows
from tokumei.reconstruction._em import Fit
from tokumei.reconstruction._inference import About
from tokumei.reconstruction._intervals import no_intervals
from tokumei.reconstruction._joint import Part, check_cells
from tokumei.reconstruction._labelled import frame_of, inside
from tokumei.reconstruction._parts import axes_of, counted
from tokumei.reconstruction._problems import NothingTold, StoppedEarly
from tokumei.reconstruction._recoded import rows_to_use, way_of
from tokumei.reconstruction._survey import survey_weights
from tokumei.reconstruction._told import ToldPart, warn_of_pairs_apart
from tokumei.reconstruction.honest import check_asked, refused, table_intervals
from tokumei.release.artifact import Release
from tokumei.table.hierarchy import Edge
from tokumei.text import nearest

Bins = Mapping[str, int | Sequence[Edge]]

EVEN_ROWS = 3.0  # imagined in each group of rows: few rows and much noise say little about where in its box they lie


class IterativeBayes(BaseEstimator):  # type: ignore[misc]
    """Estimate the joint distribution that the original table had in a few columns.

    Every column's channel is public, so the expected distribution of released rows under any original distribution
    can be computed, one column after the other and without building a matrix of the whole. The estimate is the
    original distribution that makes the released rows most likely.

    Parameters
    ----------
    columns
        The columns of the table, in order.
    bins
        For columns of numbers or dates: how many intervals of equal width, or their edges. Values inside an interval
        are taken as evenly spread. Columns with more than 128 values get 20 intervals unless asked otherwise.
    tol
        Stop once the log-likelihood is proven to be within this of the largest possible; of each group, where rows were
        perturbed in groups.
    max_iter
        Stop after this many accelerated steps, with a warning.
    smoothing
        Imagine this many more rows, spread as if the columns had nothing to do with each other (a single column: evenly).
        Five or ten keep a table with many cells from chasing the noise, and hardly touch one that rows determine. Where rows
        were perturbed in groups, three rows more, spread evenly over its box, are imagined in each group in any case.
    assume
        ``"coarsened at random"`` assumes that which of several overlapping boxes a row was put in tells nothing more about
        it. Releases recoded in overlapping groups are refused without it, because that is not so.
    weights
        A column of survey weights, released unchanged: shares are then of the people whom the rows stand for.

    Attributes
    ----------
    pmf_
        The shares, one axis a column; they sum to one.
    labels_
        What the places along each axis stand for; ``None`` is a missing cell.
    counts_
        The shares times the number of rows of the original, also where only a sample of it was released; with survey
        weights, times the number of people whom these stand for.
    standard_errors_, low_, high_, kinds_, reasons_
        How far chance may have moved each share, once `intervals` was asked, of which kind each interval is, and why some are only bounds or
        missing.
    n_iter_, gap_, converged_, log_likelihood_
        How the iteration went; ``gap_`` is the proven distance to the best log-likelihood.
    trace_
        Before each step, and at the end, the log-likelihood and its gap; nothing where there are several groups of rows.

    Examples
    --------
    >>> import tokumei as tk
    >>> release = tk.anonymize(tk.example_census(rows=5000), tk.example_schema(), tk.PkPerturbation(k=5), seed=1)
    >>> table = tk.IterativeBayes(["sex", "income"]).fit(release)
    >>> table.pmf_.shape
    (2, 4)
    """

    def __init__(
        self,
        columns: Sequence[str],
        bins: Bins | None = None,
        tol: float = 0.01,
        max_iter: int = 2000,
        smoothing: float = 0.0,
        assume: str | None = None,
        weights: str | None = None,
    ) -> None:
        self.columns = columns
        self.bins = bins
        self.tol = tol
        self.max_iter = max_iter
        self.smoothing = smoothing
        self.assume = assume
        self.weights = weights

    @stage("Fitting")
    def fit(self, release: Release, y: None = None, counts: Any = None) -> IterativeBayes:
        """Estimate the table from a release.

        Where the released rows are too many for one memory, ``counts`` is a frame of them counted elsewhere: one row for
        each kind of row in the columns of the table (and that of released strata, and that of what rows tell), with how many they are in ``count``.
        """
        check_release(release)
        columns = [self.columns] if isinstance(self.columns, str) else list(self.columns)
        bins = self._checked_bins()
        _check(columns, bins, release)
        _check_told(columns, release)
        check_together(release, columns)
        stands = self._stands(release, columns, counts)
        everyone, many = release.rows, None
        if counts is not None:
            release, many = counted_rows(release, columns, counts)
        used = rows_to_use(release, columns)
        way = way_of(release, columns, self.assume)
        if release.mechanism.telling is not None:
            warn_of_pairs_apart(release.mechanism.telling, columns)
        axes = axes_of(release, columns, bins, used, way)
        shape = tuple(axis.conditional.size for axis in axes)
        check_cells(shape)
        self._counted = counted(release, axes, used, way, self.weights, many, everyone)
        self._refused = {about: refused(release, columns, self.weights, about) for about in get_args(About)}
        self._parts = self._counted.parts
        grouped = way == "groups"
        self._priors = [self._imagined(part) if self.smoothing or grouped else None for part in self._parts]
        self.pmf_ = np.zeros(shape)
        found = self._estimated(self.pmf_)
        dropped = release.rows - len(axes[0].released)
        people = release.mechanism.population(everyone) - dropped
        self._people = float(people if stands is None else _people(release, stands, used))
        self.counts_ = self.pmf_ * self._people
        self.labels_ = [axis.labels.to_pylist() for axis in axes]
        self.n_iter_ = max(fit.steps for fit in found)
        self.gap_ = max(fit.gap for fit in found)
        self.log_likelihood_ = math.fsum(fit.log_likelihood for fit in found)
        self.trace_ = found[0].trace if len(found) == 1 else ()
        for old in ("standard_errors_", "low_", "high_", "kinds_", "reasons_"):
            self.__dict__.pop(old, None)
        self.converged_ = self.gap_ <= self.tol
        self._columns = columns
        self._labels = [axis.labels for axis in axes]
        self._origin = release.origin
        if not self.converged_:
            warn(
                StoppedEarly(steps=self.n_iter_, gap=self.gap_, limit="max_iter", tolerance="tol"),
                NotConvergedWarning,
            )
        return self

    def _checked_bins(self) -> dict[str, Any]:
        """Refuse parameters that cannot be; return the bins of columns."""
        if self.bins is not None and not isinstance(self.bins, Mapping):
            raise InvalidParameter("bins must name columns, such as {'age': 10}.")
        if not isinstance(self.tol, int | float | np.integer | np.floating) or not self.tol > 0:
            raise InvalidParameter("tol must be a number above 0.")
        if not isinstance(self.max_iter, int | np.integer) or self.max_iter < 1:
            raise InvalidParameter("max_iter must be a whole number of at least 1.")
        if (
            isinstance(self.smoothing, bool)
            or not isinstance(self.smoothing, int | float | np.integer | np.floating)
            or not 0 <= self.smoothing < math.inf
        ):
            raise InvalidParameter("smoothing must be a number of at least 0.")
        return dict(self.bins or {})

    def _stands(self, release: Release, columns: Sequence[str], counts: Any) -> Floats | None:
        """Return how many people each released row stands for, if weights are asked for."""
        if self.weights is not None and self.weights in columns:
            raise InvalidParameter(
                "{weights!r} holds the weights, so it cannot also be a column of the table.", weights=self.weights
            )
        if self.weights is not None and counts is not None:
            raise InvalidParameter(
                "counts do not include the weights of rows; fit on the rows, or leave out the weights."
            )
        return survey_weights(release, self.weights)

    def _estimated(self, out: Floats) -> list[Fit]:
        """Estimate every part, and add what it says to the table ``out``."""
        fits = []
        with stage("Estimating", total=len(self._parts)) as shown:
            for part, prior in zip(self._parts, self._priors, strict=True):
                fits.append(part.fitted(self.tol, self.max_iter, prior))
                part.added(out, fits[-1].estimate)
                shown.advance()
        return fits

    def _imagined(self, part: Part | ToldPart) -> Floats:
        """Return the rows of the prior: independent columns, and a little of every cell."""
        if part.even is not None:
            return (EVEN_ROWS + self.smoothing * part.share) * part.even
        spread: Floats = np.ones(())
        for place, size in enumerate(part.shape):
            single = np.full(size, 1 / size)
            if len(part.shape) > 1:
                even = self.smoothing * single  # a column alone may be noisy too
                single = part.alone(place).fitted(self.tol, self.max_iter, even).estimate
            spread = np.multiply.outer(spread, single)
        return self.smoothing * part.share * (0.99 * spread + 0.01 / spread.size)

    def intervals(self, level: float = 0.95, about: About = "population") -> IterativeBayes:
        """Estimate how far chance may have moved the shares.

        It sets ``standard_errors_``, the interval ``low_``, ``high_`` of every cell, its kind ``kinds_``, and ``reasons_``; `frame` then
        shows them. They belong to the unbiased estimate of the shares that the channels' inverses give, of which the
        likeliest table is the better guess and not the better measured one: where noise leaves a share open, its interval is
        wide, and the likeliest share may lie outside. Each holds by itself, not all of them at once.

        An ``"interval"`` covers the truth with the stated probability, ``"bounds"`` at least that often, ``"exact"`` always. Where the kind
        is ``"none"`` there is no honest interval, and a warning says why.

        Parameters
        ----------
        level
            The probability with which an interval covers what it is about.
        about
            The shares in the ``"population"`` that the people of the original table were drawn from, or in the original
            ``"table"`` itself.
        """
        check_is_fitted(self, "pmf_")
        check_asked(level, about)
        why = self._refused[about]
        found = (
            no_intervals(self.pmf_.shape, why)
            if why
            else table_intervals(self._counted, self.pmf_.shape, self._columns, level, about)
        )
        self.standard_errors_, self.low_, self.high_ = found.standard_errors, found.low, found.high
        self.kinds_, self.reasons_ = found.kinds, found.reasons
        if not found.honest.all():
            for reason in found.reasons_for_none:
                warn(reason, CoverageWarning)
        return self

    def frame(self) -> Any:
        """Return the table as a frame of the same kind as the release's: one row per cell, with share and count.

        After `intervals` also with the standard error, the interval of each share, and its kind. A likeliest share that lies outside its
        interval is then shown at the nearer end.
        """
        check_is_fitted(self, "pmf_")
        if not hasattr(self, "kinds_"):
            return frame_of(self._columns, self._labels, [("share", self.pmf_), ("count", self.counts_)], self._origin)
        share = inside(self.pmf_, self.low_, self.high_)
        shown: list[tuple[str, npt.NDArray[Any]]] = [
            ("share", share),
            ("count", share * self._people),
            ("standard error", self.standard_errors_),
            ("low", self.low_),
            ("high", self.high_),
            ("interval", self.kinds_),
        ]
        return frame_of(self._columns, self._labels, shown, self._origin)


def _check(columns: Sequence[str], bins: Bins, release: Release) -> None:
    known = release.schema.names()
    if not columns:
        raise InvalidParameter("columns must name at least one column.")
    for name in columns:
        if name not in known:
            raise InvalidParameter(
                "There is no column {name!r} in the release.{hint}", name=name, hint=nearest(name, known)
            )
    if len(set(columns)) < len(columns):
        raise InvalidParameter("columns names a column twice.")
    for name in bins:
        if name not in columns:
            raise InvalidParameter(
                "bins names {name!r}, which is not among the columns.{hint}", name=name, hint=nearest(name, columns)
            )


def _check_told(columns: Sequence[str], release: Release) -> None:
    """Refuse columns of which a release tells nothing: any table would be an invention."""
    recoding = release.mechanism.recoding
    for name in columns:
        if recoding is not None and name in recoding.columns and np.all(recoding.columns[name].starred[:-1]):
            raise InvalidParameter(NothingTold(column=name))


def _people(release: Release, stands: Floats, used: Booleans) -> float:
    """Return how many people the rows stand for, those included that a sample left out."""
    drawn = release.row_weights()
    if drawn is None:
        return float(stands[used].sum()) * release.mechanism.population(release.rows) / release.rows
    return float((stands * drawn)[used].sum())
