"""Iterative Bayes: the joint table of a few columns, most likely given the release and its mechanism."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from tokumei.errors import InvalidParameter, NotConverged, nearest, plural
from tokumei.mechanism.channel import Conditional, Floats, Kept
from tokumei.mechanism.coarsening import Coarsened
from tokumei.progress import stage
from tokumei.randomness import generator
from tokumei.reconstruction._columns import relabelled
from tokumei.reconstruction._em import Fit, maximise
from tokumei.reconstruction._recoded import Way, box_likelihood, rows_to_use, spread_counts, way_of
from tokumei.release.artifact import Release
from tokumei.table.bins import equal_edges
from tokumei.table.domain import Categories
from tokumei.table.frames import from_arrow
from tokumei.table.hierarchy import Edge, Hierarchy
from tokumei.table.schema import Attribute

Bins = Mapping[str, int | Sequence[Edge]]

FINE = 128  # a column with up to so many values is reconstructed value by value unless bins are asked for
DEFAULT_BINS = 20
RELEASED_BINS = 512
LARGEST_TABLE = 10**8


@dataclass(frozen=True)
class _Axis:
    """One column of the joint table: its conditional, the released codes in bins, and what the bins are called."""

    attribute: Attribute
    conditional: Conditional
    released: npt.NDArray[np.int64]
    labels: Any  # an Arrow array, null for missing
    covers: npt.NDArray[np.bool_] | None = (
        None  # which values a released label may stand for, where groups were recoded
    )
    true_bin: npt.NDArray[np.int64] | None = None


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
    tolerance
        Stop once the log-likelihood is proved to be within this of the largest possible.
    max_steps
        Give up after so many accelerated steps, with a warning.
    smoothing
        Imagine so many more rows, spread as if the columns had nothing to do with each other (a single column: evenly).
        Five or ten keep a table with many cells from chasing the noise, and hardly touch one that rows determine.
    assume
        ``"coarsened at random"`` takes it that which of several overlapping boxes a row was put in tells nothing more about
        it. Releases recoded in overlapping groups are refused without it, because that is not so.

    Attributes
    ----------
    pmf_
        The shares, one axis a column; they sum to one.
    labels_
        What the places along each axis stand for; ``None`` is a missing cell.
    counts_
        The shares times the number of rows of the original, also where only a sample of it was released.
    standard_errors_, low_, high_
        How far chance may have moved each share, once `intervals` was asked.
    n_steps_, gap_, converged_, log_likelihood_
        How the iteration went; ``gap_`` is the proved distance to the best log-likelihood.
    trace_
        Before each step, and at the end, the log-likelihood and its gap.

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
        tolerance: float = 0.01,
        max_steps: int = 2000,
        smoothing: float = 0.0,
        assume: str | None = None,
    ) -> None:
        self.columns = columns
        self.bins = bins
        self.tolerance = tolerance
        self.max_steps = max_steps
        self.smoothing = smoothing
        self.assume = assume

    def fit(self, release: Release, y: None = None) -> IterativeBayes:
        """Estimate the table from a release."""
        if not isinstance(release, Release):
            raise InvalidParameter("fit needs a release, such as read_release gives.")
        columns = [self.columns] if isinstance(self.columns, str) else list(self.columns)
        if self.bins is not None and not isinstance(self.bins, Mapping):
            raise InvalidParameter("bins must name columns, such as {'age': 10}.")
        bins = dict(self.bins or {})
        if not isinstance(self.tolerance, int | float) or not self.tolerance > 0:
            raise InvalidParameter("tolerance must be a number above 0.")
        if not isinstance(self.max_steps, int) or self.max_steps < 1:
            raise InvalidParameter("max_steps must be a whole number of at least 1.")
        if (
            isinstance(self.smoothing, bool)
            or not isinstance(self.smoothing, int | float)
            or not 0 <= self.smoothing < math.inf
        ):
            raise InvalidParameter("smoothing must be a number of at least 0.")
        _check(columns, bins, release)
        _check_told(columns, release)
        used = rows_to_use(release, columns)
        way = way_of(release, columns, self.assume)
        axes = [_axis(release, name, bins.get(name), used, way) for name in columns]
        shape = tuple(axis.conditional.size for axis in axes)
        if math.prod(shape) > LARGEST_TABLE:
            sizes = " × ".join(f"{size:,}" for size in shape)
            raise InvalidParameter(
                f"The joint table would have {sizes} = {math.prod(shape):,} cells, more than {LARGEST_TABLE:,}; take "
                "fewer columns or fewer bins."
            )
        conditionals = [axis.conditional for axis in axes]
        weights = release.row_weights()
        seen = (
            spread_counts(axes) if way == "spread" else _histogram(axes, weights if weights is None else weights[used])
        )
        self._strata = [(1.0, seen)]
        if weights is not None and way != "spread":
            mine = weights[used]
            scale = len(mine) / mine.sum()
            self._strata = [(float(each) * scale, _histogram(axes, None, mine == each)) for each in np.unique(mine)]
        prior = self._imagined(seen, conditionals) if self.smoothing else None
        found = _fitted(seen, conditionals, np.ones(shape), self.tolerance, self.max_steps, prior)
        self.pmf_ = found.estimate
        dropped = release.rows - len(axes[0].released)
        self.counts_ = found.estimate * (release.mechanism.population(release.rows) - dropped)
        self.labels_ = [axis.labels.to_pylist() for axis in axes]
        self.n_steps_ = found.steps
        self.gap_ = found.gap
        self.log_likelihood_ = found.log_likelihood
        self.trace_ = found.trace
        for old in ("standard_errors_", "low_", "high_"):
            self.__dict__.pop(old, None)
        self.converged_ = found.gap <= self.tolerance
        self._seen, self._conditionals, self._prior = seen, conditionals, prior
        self._columns = columns
        self._labels = [axis.labels for axis in axes]
        self._origin = release.origin
        if not self.converged_:
            warnings.warn(
                f"The estimate stopped after {plural(found.steps, 'step')}; its log-likelihood may be {found.gap:.3g} "
                "below the best. Raise max_steps or tolerance.",
                NotConverged,
                stacklevel=2,
            )
        return self

    def _imagined(self, seen: Floats, conditionals: Sequence[Conditional]) -> Floats:
        """Return the rows of the prior: independent columns, and a little of every cell."""
        spread: Floats = np.ones(())
        for place, conditional in enumerate(conditionals):
            alone = seen.sum(axis=tuple(other for other in range(seen.ndim) if other != place))
            start = np.ones(conditional.size)
            single = start / start.size
            if len(conditionals) > 1:
                even = self.smoothing * single  # a column alone may be noisy too
                single = _fitted(alone, [conditional], start, self.tolerance, self.max_steps, even).estimate
            spread = np.multiply.outer(spread, single)
        return self.smoothing * (0.99 * spread + 0.01 / spread.size)

    def intervals(
        self, level: float = 0.95, rounds: int = 100, random_state: int | np.random.Generator | None = None
    ) -> IterativeBayes:
        """Estimate how far chance may have moved the shares, by drawing the released rows again and again.

        Each round draws as many rows from the released ones, with replacement, and estimates the table anew. It sets
        ``standard_errors_`` and the interval ``low_``, ``high_`` of every cell, and `frame` then shows them. They are
        about the people whom the table was taken from: the chance of who is in it counts too, so for the table itself
        they are wide. In cells that are nearly zero the estimate is biased, and so are its intervals.
        """
        check_is_fitted(self, "pmf_")
        if not isinstance(level, float) or not 0 < level < 1:
            raise InvalidParameter(f"level must lie between 0 and 1. Got {level}.")
        if not isinstance(rounds, int) or rounds < 2:
            raise InvalidParameter(f"rounds must be a whole number of at least 2. Got {rounds}.")
        rng = generator(random_state)
        # The old estimate, with a little of everything so that a cell that was zero can come back, is a good start.
        start = 0.99 * self.pmf_ + 0.01 / self.pmf_.size
        drawn = []
        with stage("Drawing intervals", total=rounds) as shown:
            for _ in range(rounds):
                again = self._drawn_again(rng)
                drawn.append(
                    _fitted(
                        again, self._conditionals, start, max(self.tolerance, 0.1), self.max_steps, self._prior
                    ).estimate
                )
                shown.advance()
        made = np.stack(drawn)
        self.standard_errors_ = made.std(axis=0, ddof=1)
        self.low_, self.high_ = np.quantile(made, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return self

    def _drawn_again(self, rng: np.random.Generator) -> Floats:
        """Draw the released rows again, within each stratum where rows stand for different numbers of people."""
        total = np.zeros(self._seen.size)
        for weight, counts in self._strata:
            rows = round(float(counts.sum()))
            total += weight * rng.multinomial(rows, counts.ravel() / counts.sum())
        return total.reshape(self._seen.shape)

    def frame(self) -> Any:
        """Return the table as a frame of the same kind as the release's: one row a cell, with share and count.

        After `intervals` also with the standard error and the interval of each share.
        """
        check_is_fitted(self, "pmf_")
        places = np.indices(self.pmf_.shape).reshape(len(self._columns), -1)
        cells = {
            name: labels.take(pa.array(place))
            for name, labels, place in zip(self._columns, self._labels, places, strict=True)
        }
        shown = [("share", self.pmf_), ("count", self.counts_)]
        if hasattr(self, "standard_errors_"):
            shown += [("standard error", self.standard_errors_), ("low", self.low_), ("high", self.high_)]
        for title, values in shown:
            cells[title if title not in cells else f"estimated {title}"] = pa.array(values.ravel())
        kind = type(self._origin)(self._origin.kind)
        return from_arrow(pa.table(cells), kind)


def _fitted(
    seen: Floats,
    conditionals: Sequence[Conditional],
    start: Floats,
    tolerance: float,
    limit: int,
    prior: Floats | None = None,
) -> Fit:
    """Find the table that makes the released one most likely; one pass along each axis is one column's channel."""

    def forward(p: Floats) -> Floats:
        for place, conditional in enumerate(conditionals):
            p = conditional.forward(p, place)
        return p

    def backward(weights: Floats) -> Floats:
        for place, conditional in enumerate(conditionals):
            weights = conditional.backward(weights, place)
        return weights

    return maximise(seen, forward, backward, start, tolerance, limit, prior)


def _check(columns: Sequence[str], bins: Bins, release: Release) -> None:
    known = release.schema.names()
    if not columns:
        raise InvalidParameter("columns must name at least one column.")
    for name in columns:
        if name not in known:
            raise InvalidParameter(f"There is no column {name!r} in the release.{nearest(name, known)}")
    if len(set(columns)) < len(columns):
        raise InvalidParameter("columns names a column twice.")
    for name in bins:
        if name not in columns:
            raise InvalidParameter(f"bins names {name!r}, which is not among the columns.{nearest(name, columns)}")


def _check_told(columns: Sequence[str], release: Release) -> None:
    """Refuse columns of which a release tells nothing: any table would be an invention."""
    recoding = release.mechanism.recoding
    for name in columns:
        if recoding is not None and name in recoding.columns and np.all(recoding.columns[name].starred[:-1]):
            raise InvalidParameter(f"{name!r} was suppressed in every row, so the release tells nothing about it.")


def _axis(
    release: Release, name: str, bins: int | Sequence[Edge] | None, used: npt.NDArray[np.bool_], way: Way
) -> _Axis:
    recoding = release.mechanism.recoding
    recoded = recoding.columns.get(name) if recoding is not None else None
    attribute = release.schema[name] if recoded is None else recoded.original
    codes = release.coded.codes(name).astype(np.int64)[used]
    boxed = recoded if way == "boxes" else None
    if boxed is not None:
        conditional: Conditional = box_likelihood(boxed.covers, None)
    elif way == "spread":
        conditional = Kept(attribute.states)
    else:
        conditional = release.mechanism.conditional(release.schema[name])
    covers = recoded.covers if way == "spread" and recoded is not None else None
    domain = attribute.domain
    assert domain is not None
    if isinstance(domain, Categories):
        if bins is not None:
            raise InvalidParameter(f"bins are for numbers and dates, and {name!r} has categories.")
        told = _with_missing(domain.arrow, attribute)
        if relabelled(release, name):  # nobody told what the true values are called
            told = pa.array([f"value {place + 1}" for place in range(conditional.size)])
        return _Axis(attribute, conditional, codes, told, covers)
    if bins is None and domain.size <= FINE:
        return _Axis(attribute, conditional, codes, domain.values_of(np.arange(attribute.states)), covers)
    edges = equal_edges(domain, DEFAULT_BINS if bins is None else bins, name)
    try:
        labels, true_bin = Hierarchy.intervals(edges).coarsen(domain, 1)
    except InvalidParameter as error:
        raise InvalidParameter(f"The bins of {name!r} cannot be used: {error}") from None
    released_bin = np.arange(domain.size) * min(domain.size, RELEASED_BINS) // domain.size
    if attribute.missing:
        true_bin = np.append(true_bin, labels.size)
        released_bin = np.append(released_bin, released_bin[-1] + 1)
    names = _with_missing(labels.arrow, attribute)
    if way == "spread":
        return _Axis(attribute, Kept(len(names)), codes, names, covers, true_bin)
    if boxed is not None:
        return _Axis(attribute, box_likelihood(boxed.covers, true_bin), codes, names)
    if recoded is not None:
        released_bin = np.arange(conditional.outputs)
    return _Axis(attribute, Coarsened(conditional, true_bin, released_bin), released_bin[codes], names)


def _with_missing(labels: Any, attribute: Attribute) -> Any:
    return pa.concat_arrays([labels, pa.nulls(1, labels.type)]) if attribute.missing else labels


def _histogram(axes: Sequence[_Axis], weights: Floats | None, which: npt.NDArray[np.bool_] | None = None) -> Floats:
    """Count the released rows; rows of a stratified sample by what they stand for, scaled to the number of rows."""
    shape = tuple(axis.conditional.outputs for axis in axes)
    if math.prod(shape) > 4 * LARGEST_TABLE:
        raise InvalidParameter(f"The table of released rows would have {math.prod(shape):,} cells; take fewer columns.")
    flat = np.zeros(len(axes[0].released), dtype=np.int64)
    for axis, size in zip(axes, shape, strict=True):
        flat = flat * size + axis.released
    flat = flat if which is None else flat[which]
    scaled = None if weights is None else weights * (len(flat) / weights.sum())
    return np.bincount(flat, weights=scaled, minlength=math.prod(shape)).reshape(shape).astype(np.float64)
