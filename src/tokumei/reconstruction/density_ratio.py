"""Weights for rows: how much more often a row occurred in the original than it is counted."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from tokumei.errors import InvalidParameter, NotConverged, nearest, plural
from tokumei.mechanism.channel import Floats
from tokumei.mechanism.likelihood import Whole, distinct, seen
from tokumei.progress import stage
from tokumei.randomness import generator
from tokumei.reconstruction._arrays import Arrays, arrays
from tokumei.reconstruction._ascent import ascend
from tokumei.reconstruction._em import Fit, maximise, normalised
from tokumei.reconstruction._products import LEAST, Product, Way, product
from tokumei.reconstruction._views import MANY_LABELS, check_perturbed, check_usable, marginal, shares_of
from tokumei.release.artifact import Release
from tokumei.table.classes import class_of
from tokumei.table.coded import encode
from tokumei.table.domain import Categories
from tokumei.table.frames import from_arrow, to_arrow
from tokumei.table.schema import Attribute, Schema

FINE = 256  # points at which a column of numbers is looked at
KEPT = 50  # a kept column with more values is matched by bins of equal count
KEPT_BINS = 10
CHUNK = 2**14
CLASS = 200
MOST_BUMPS = 10**8  # rows times centers
TRIED = 4000  # rows on which the width is chosen
WIDTHS = (3.0, 1.0, 0.5, 0.25)  # times the usual distance of two rows

Model = Literal["kernel", "linear", "free"]
Support = Literal["released", "product"]


class DensityRatio(BaseEstimator):  # type: ignore[misc]
    """Weigh rows so that, perturbed again by the release's mechanism, they would look like the release.

    With ``P[i, j] = P(released row i | true row j)``, a product over the columns in which kept columns must agree, the
    weights w of the supporting rows maximise ``sum_i log sum_j P[i, j] w[j]`` under ``w >= 0`` and mean one.

    Parameters
    ----------
    model
        What weights may be: ``"free"``, one number a row; ``"kernel"``, a sum of bumps around some of the rows;
        ``"linear"``, a sum of features of the row, the shares of its categories and the places of its numbers.
    support
        Which rows are weighed: the ``"released"`` ones, as published, or rows drawn from the ``"product"`` of the
        reconstructed distributions of single columns (within classes of kept categories), which are nearer to the
        original ones.
    columns
        The columns that count; without it all that have a domain.
    algorithm
        ``"multiplicative"`` (accelerated EM) or ``"gradient"``, the published one, which knows no smoothing.
    width
        Of the bumps, in units of the usual distance of two rows; without it chosen by how likely rows that were held
        back are, on the perturbed rows alone.
    smoothing
        What a row's log-likelihood must gain for each unit of relative entropy that the weights move away from even ones.
        0 is maximum likelihood, which chases the noise and leaves a handful of rows with all the weight.
    centers
        How many bumps there are.
    way
        How P is multiplied with: ``"dense"``, ``"blocks"``, ``"structured"``, or by size (``"auto"``).
    arrays
        Where: ``"numpy"``, or ``"torch"`` or ``"cupy"`` on a GPU.
    tolerance
        Stop once the log-likelihood is proved to be within this of the largest possible.
    max_steps
        Give up after so many steps, with a warning.
    random_state
        Makes what is drawn repeatable: supporting rows, centers, and rows held back.

    Attributes
    ----------
    weights_
        One a supporting row, with mean one: ``sample_weight`` for any model of scikit-learn, beside ``support_``.
    support_
        The supporting rows, as a frame of the release's kind: the released rows themselves, or those drawn.
    effective_rows_
        How many rows of equal weight would be as good: ``sum(w)**2 / sum(w**2)``.
    way_, width_, smoothing_
        What was chosen.
    n_steps_, gap_, converged_, log_likelihood_
        How the iteration went; ``gap_`` is the proved distance to the best log-likelihood.

    Examples
    --------
    >>> import tokumei as tk
    >>> release = tk.anonymize(tk.example_census(rows=1000), tk.example_schema(), tk.PkPerturbation(k=3), seed=1)
    >>> model = tk.DensityRatio("linear").fit(release)
    >>> len(model.weights_), float(model.weights_.mean().round(6))
    (1000, 1.0)
    """

    def __init__(
        self,
        model: Model = "free",
        support: Support = "released",
        columns: Sequence[str] | None = None,
        algorithm: Literal["multiplicative", "gradient"] = "multiplicative",
        width: float | None = None,
        smoothing: float = 0.02,
        centers: int = 500,
        way: Way = "auto",
        arrays: str = "numpy",
        tolerance: float = 1.0,
        max_steps: int = 300,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.model = model
        self.support = support
        self.columns = columns
        self.algorithm = algorithm
        self.width = width
        self.smoothing = smoothing
        self.centers = centers
        self.way = way
        self.arrays = arrays
        self.tolerance = tolerance
        self.max_steps = max_steps
        self.random_state = random_state

    def fit(self, release: Release, y: None = None) -> DensityRatio:
        """Find the weights for a release."""
        self._check(release)
        rng = generator(self.random_state)
        self._schema = _wanted(release, self.columns)
        check_usable(release, (a for a in self._schema if a.name in release.mechanism.channels))
        codes = {a.name: release.coded.codes(a.name).astype(np.int64) for a in self._schema}
        shares = shares_of(release)
        if self.support == "product":
            true, self.support_ = _product_rows(release, self._schema, codes, shares, rng)
        else:
            true, self.support_ = codes, release.frame
        self._scales = {a.name: _spread(true[a.name], a) for a in self._schema}
        problem = _Problem.of(release, self._schema, codes, true, shares, self._design(true))
        where = arrays(self.arrays)
        choices = self._choose(problem, where, rng)
        self.width_, self.smoothing_ = choices.width, choices.smoothing
        solved = _solve(problem, choices, self.algorithm, self.way, where, rng, self.tolerance, self.max_steps)
        self.way_ = solved.way
        self.n_steps_, self.gap_, self.log_likelihood_ = solved.fit.steps, solved.fit.gap, solved.log_likelihood
        self.converged_ = solved.fit.gap <= self.tolerance
        self._alpha, self._centers = solved.alpha, solved.centers
        ratio = solved.masses / problem.base
        self.weights_ = ratio[problem.place] * problem.shares
        self.weights_ *= len(self.weights_) / self.weights_.sum()
        self.effective_rows_ = float(self.weights_.sum() ** 2 / np.sum(self.weights_**2))
        self._origin, self._rows = release.origin, release.rows
        if not self.converged_:
            warnings.warn(
                f"The weights stopped after {plural(self.n_steps_, 'step')}; their log-likelihood may be {self.gap_:.3g} "
                "below the best. Raise max_steps, tolerance or smoothing.",
                NotConverged,
                stacklevel=2,
            )
        return self

    def weights_for(self, rows: Any) -> Floats:
        """Return the ratio at other rows: of the kernel and the linear model, which are functions of the row."""
        check_is_fitted(self, "weights_")
        if self.model == "free":
            raise InvalidParameter(
                "The free model has a weight for each of its own rows and for no others; take model='kernel' or "
                "model='linear', or use weights_ with support_."
            )
        table, _ = to_arrow(rows)
        coded = encode(table.select([n for n in table.column_names if n in self._schema.names()]), self._schema)
        design = self._design({n: coded.codes(n).astype(np.int64) for n in self._schema.names()})
        assert design is not None
        assert self._alpha is not None
        return _bumps(design, self._centers, self.width_) @ self._alpha

    def sample(self, rows: int | None = None, random_state: int | np.random.Generator | None = None) -> Any:
        """Draw synthetic rows: supporting rows with a chance in proportion to their weights, as a frame."""
        check_is_fitted(self, "weights_")
        count = len(self.weights_) if rows is None else rows
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise InvalidParameter("rows must be a whole number of at least 1.")
        picked = generator(random_state).choice(len(self.weights_), count, p=self.weights_ / self.weights_.sum())
        table, _ = to_arrow(self.support_)
        return from_arrow(table.take(pa.array(picked)), self._origin)

    def _check(self, release: Release) -> None:
        if not isinstance(release, Release):
            raise InvalidParameter("fit needs a release, such as read_release gives.")
        check_perturbed(release)
        if self.model not in ("kernel", "linear", "free"):
            raise InvalidParameter("model must be 'kernel', 'linear' or 'free'.")
        if self.support not in ("released", "product"):
            raise InvalidParameter("support must be 'released' or 'product'.")
        if self.algorithm not in ("multiplicative", "gradient"):
            raise InvalidParameter("algorithm must be 'multiplicative' or 'gradient'.")
        for name in ("tolerance", "width"):
            given = getattr(self, name)
            if given is not None and not (isinstance(given, int | float) and given > 0):
                raise InvalidParameter(f"{name} must be a number above 0.")
        if not (isinstance(self.smoothing, int | float) and 0 <= self.smoothing < math.inf):
            raise InvalidParameter("smoothing must be a number of at least 0.")
        for name in ("max_steps", "centers"):
            if not isinstance(getattr(self, name), int) or getattr(self, name) < 1:
                raise InvalidParameter(f"{name} must be a whole number of at least 1.")

    def _design(self, codes: dict[str, Whole]) -> Floats | None:
        """Describe rows by features: for distances between them, or as what a linear model adds up."""
        if self.model == "free":
            return None
        made = []
        for attribute in self._schema:
            here, domain = codes[attribute.name], attribute.domain
            assert domain is not None
            if isinstance(domain, Categories) and not (domain.ordered and self.model == "kernel"):
                made.append((here[:, None] == np.arange(attribute.states)).astype(np.float64))
                continue
            missing = here == domain.size
            if self.model == "kernel":
                place = np.where(missing, 0.0, here / self._scales[attribute.name])
                made.append(place[:, None])
            else:
                place = np.where(missing, 0.0, here / max(domain.size - 1, 1))
                made.append(np.stack([place, np.where(missing, 0.0, 1 - place)], axis=1))
            if attribute.missing:
                made.append(missing[:, None].astype(np.float64))
        return np.concatenate(made, axis=1)

    def _choose(self, problem: _Problem, where: Arrays, rng: np.random.Generator) -> _Choices:
        """Choose the width by the likelihood of rows that were held back, all of them perturbed."""
        asked = _Choices(
            self.model, self.width, self.smoothing if self.algorithm == "multiplicative" else 0.0, self.centers
        )
        if self.model != "kernel" or self.width is not None:
            return asked
        train, held = problem.split(rng, TRIED)
        tried, scores = [replace(asked, width=width) for width in WIDTHS], []
        with stage("Choosing the width on rows held back", total=len(tried)) as shown:
            for each in tried:
                made = _solve(train, each, "multiplicative", "auto", where, rng, self.tolerance, self.max_steps)
                scores.append(_held_out(held, train, made.masses, where))
                shown.advance(note=f"log-likelihood of a held row {scores[-1]:.4f}")
        return tried[int(np.argmax(scores))]


@dataclass(frozen=True)
class _Choices:
    model: Model
    width: float | None
    smoothing: float
    centers: int


@dataclass(frozen=True)
class _Problem:
    """Distinct released and supporting rows in bins, with their counts, and P column by column."""

    matrices: tuple[Floats, ...]
    released: Whole
    counts: Floats
    true: Whole
    base: Floats  # the share of the support that a distinct supporting row stands for
    place: Whole  # of each supporting row among the distinct ones
    shares: Floats  # of each supporting row
    design: Floats | None
    together: bool  # whether the support is the released rows

    @classmethod
    def of(
        cls,
        release: Release,
        schema: Schema,
        codes: dict[str, Whole],
        true: dict[str, Whole],
        shares: Floats,
        design: Floats | None,
    ) -> _Problem:
        """Look at every column, and count equal rows once."""
        views = []
        for attribute in schema:
            mine, theirs = true[attribute.name], codes[attribute.name]
            if attribute.name in release.mechanism.kept:
                mine, theirs = _matched(attribute, mine, theirs)
                occur, both = np.unique(np.concatenate([mine, theirs]), return_inverse=True)
                if len(occur) > MANY_LABELS:
                    raise InvalidParameter(
                        f"{attribute.name!r} has more than {MANY_LABELS:,} labels; name the other columns."
                    )
                views.append((np.eye(len(occur)), both[: len(mine)], both[len(mine) :]))
                continue
            view = seen(release.mechanism.conditional(attribute), mine, theirs, FINE)
            views.append((view.matrix, view.true, view.released))
        together = true is codes
        released, which, _ = distinct([each[2] for each in views], release.rows)
        counts: Floats = np.bincount(which, weights=shares).astype(np.float64)
        places = [each[1] for each in views]
        support, place, _ = distinct(places, len(places[0]))
        base = np.bincount(place, weights=shares)
        first = np.full(len(support), len(place), dtype=np.int64)
        np.minimum.at(first, place, np.arange(len(place)))
        return cls(
            tuple(each[0] for each in views),
            released,
            counts,
            support,
            base / base.sum(),
            place,
            shares,
            None if design is None else design[first],
            together,
        )

    def split(self, rng: np.random.Generator, most: int) -> tuple[_Problem, _Problem]:
        """Take some rows, and hold a fifth of them back."""
        picked = rng.permutation(len(self.released))[:most]
        held, kept = picked[: len(picked) // 5], picked[len(picked) // 5 :]
        if len(held) < 1:
            raise InvalidParameter(
                "Too few released rows differ to hold some back to choose the width by; give the width."
            )
        if self.together and len(self.released) == len(self.true):
            mine = kept  # equal rows were numbered alike on both sides
        else:
            mine = np.sort(rng.permutation(len(self.true))[:most])
        train = replace(
            self,
            released=self.released[kept],
            counts=self.counts[kept],
            true=self.true[mine],
            base=normalised(self.base[mine]),
            design=None if self.design is None else self.design[mine],
        )
        return train, replace(train, released=self.released[held], counts=self.counts[held])


@dataclass(frozen=True)
class _Solved:
    masses: Floats  # of the distinct supporting rows, summing to one
    fit: Fit
    log_likelihood: float
    way: str
    alpha: Floats | None
    centers: Floats | None


def _solve(
    problem: _Problem,
    choices: _Choices,
    algorithm: str,
    way: Way,
    where: Arrays,
    rng: np.random.Generator,
    tolerance: float,
    limit: int,
) -> _Solved:
    """Maximise the likelihood over weights of the model."""
    made = product(problem.matrices, problem.true, problem.released, way, where)
    counts, base = where.put(problem.counts), where.put(problem.base)
    centers, alpha = None, None
    if choices.model == "free":
        if algorithm == "gradient":
            forward, backward = _through(made, base, None, where)
            fit = ascend(counts, forward, backward, base, where.xp.ones_like(base), tolerance, limit)
            masses = base * fit.estimate
        else:
            fit = maximise(counts, made.forward, made.backward, base, tolerance, limit, entropy=choices.smoothing)
            masses = fit.estimate
        return _Solved(where.get(masses), fit, _log_likelihood(made, counts, masses, where), made.way, None, None)
    assert problem.design is not None
    if choices.model == "kernel":
        rows = len(problem.base)
        count = min(choices.centers, int(np.count_nonzero(problem.base)), max(10, MOST_BUMPS // rows))
        picked = rng.choice(rows, count, replace=False, p=problem.base)
        centers = problem.design[picked]
    features = _bumps(problem.design, centers, choices.width)
    used = features.max(axis=0) > 0
    columns = where.put(features[:, used], "float32")
    forward, backward = _through(made, base, columns, where)
    means = _added_up(columns, base, where)
    start = where.xp.ones_like(means)
    if algorithm == "gradient":
        fit = ascend(counts, forward, backward, means, start, tolerance, limit)
        found = fit.estimate
    else:
        fit = maximise(
            counts,
            lambda shares: forward(shares / means),
            lambda ratio: backward(ratio) / means,
            means * start,
            tolerance,
            limit,
            entropy=choices.smoothing,
        )
        found = fit.estimate / means
    alpha = np.zeros(features.shape[1])
    alpha[used] = where.get(found)
    masses = normalised(problem.base * (features @ alpha))
    value = _log_likelihood(made, counts, where.put(masses), where)
    return _Solved(masses, fit, value, made.way, alpha, centers)


def _log_likelihood(made: Product, counts: Any, masses: Any, where: Arrays) -> float:
    return float(where.xp.sum(counts * where.xp.log(made.forward(masses))))


def _through(made: Product, base: Any, columns: Any, where: Arrays) -> tuple[Any, Any]:
    """Return P, and its transpose, as products with the coefficients of the model."""
    xp = where.xp

    def weights(alpha: Any) -> Any:
        if columns is None:
            return alpha
        return xp.astype(xp.matmul(columns, xp.astype(alpha, xp.float32)), xp.float64)

    def coefficients(ratio: Any) -> Any:
        pulled = base * made.backward(ratio)
        return pulled if columns is None else _added_up(columns, pulled, where)

    return (lambda alpha: made.forward(base * weights(alpha))), coefficients


def _added_up(columns: Any, masses: Any, where: Arrays) -> Any:
    """Return the sum of each feature over the rows, by mass."""
    xp = where.xp
    return xp.astype(xp.matmul(xp.matrix_transpose(columns), xp.astype(masses, xp.float32)), xp.float64)


def _bumps(design: Floats, centers: Floats | None, width: float | None) -> npt.NDArray[np.float32]:
    """Return the features that a model adds up: bumps around centers, or the design itself for a linear model."""
    if centers is None:
        return design.astype(np.float32)
    assert width is not None
    usual = max(2 * float(np.sum(np.var(centers, axis=0))), 1e-12)  # the mean squared distance of two centers
    made = np.empty((len(design), len(centers)), dtype=np.float32)
    length = np.sum(centers**2, axis=1)
    for start in range(0, len(design), CHUNK):
        part = design[start : start + CHUNK]
        square = np.sum(part**2, axis=1)[:, None] + length - 2 * part @ centers.T
        made[start : start + CHUNK] = np.exp(-np.maximum(square, 0.0) / (2 * width**2 * usual))
    return made


def _held_out(held: _Problem, train: _Problem, masses: Floats, where: Arrays) -> float:
    """Return the mean log-likelihood of the held rows."""
    made = product(held.matrices, train.true, held.released, "auto", where)
    expected = where.get(made.forward(where.put(masses)))
    likely = expected > LEAST  # others have a kept value that no row of the rest has
    return float(held.counts[likely] @ np.log(expected[likely]) / max(held.counts[likely].sum(), 1.0))


def _spread(codes: Whole, attribute: Attribute) -> float:
    assert attribute.domain is not None
    there = codes[codes < attribute.domain.size]
    return max(float(np.std(there)), 1e-9) if len(there) else 1.0


def _wanted(release: Release, columns: Sequence[str] | None) -> Schema:
    known = [a for a in release.schema if a.domain is not None]
    if columns is None:
        if not release.mechanism.channels:
            raise InvalidParameter("No column of the release was perturbed, so every weight would be one.")
        return Schema(tuple(known))
    for name in columns:
        if name not in release.schema.names():
            raise InvalidParameter(
                f"There is no column {name!r} in the release.{nearest(name, release.schema.names())}"
            )
        if release.schema[name].domain is None:
            raise InvalidParameter(f"{name!r} has no declared domain, so rows cannot be compared by it.")
    if len(set(columns)) < len(columns) or not columns:
        raise InvalidParameter("columns must name at least one column, and each once.")
    return Schema(tuple(release.schema[name] for name in columns))


def _matched(attribute: Attribute, mine: Whole, theirs: Whole) -> tuple[Whole, Whole]:
    """Put a kept column with many values into bins of equal count: rows must agree, but not to the last digit."""
    if attribute.states <= KEPT or (isinstance(attribute.domain, Categories) and not attribute.domain.ordered):
        return mine, theirs
    assert attribute.domain is not None
    size = attribute.domain.size
    there = theirs[theirs < size]
    edges = np.unique(np.quantile(there, np.arange(1, KEPT_BINS) / KEPT_BINS)) if len(there) else np.zeros(0)

    def binned(codes: Whole) -> Whole:
        found = np.searchsorted(edges, codes, side="right")
        return np.where(codes == size, KEPT_BINS, found)  # a missing cell agrees with missing ones only

    return binned(mine), binned(theirs)


def _product_rows(
    release: Release, schema: Schema, codes: dict[str, Whole], shares: Floats, rng: np.random.Generator
) -> tuple[dict[str, Whole], Any]:
    """Draw supporting rows: kept columns as in the released rows, the others each from its reconstructed distribution.

    Where kept categories make classes of at least `CLASS` rows, the distribution is that of the class.
    """
    rows = release.rows
    kept = [a for a in schema if a.name in release.mechanism.kept]
    drawn = {a.name: codes[a.name] for a in kept}
    which = class_of([codes[a.name] for a in kept if isinstance(a.domain, Categories)], rows)
    large = np.flatnonzero(np.bincount(which) >= CLASS)
    perturbed = [a for a in schema if a.name not in drawn]
    with stage("Drawing supporting rows", total=len(perturbed)) as shown:
        for attribute in perturbed:
            pooled = marginal(release, attribute, shares)
            drawn[attribute.name] = rng.choice(len(pooled), rows, p=pooled)
            for label in large if len(large) > 1 else ():
                here = np.flatnonzero(which == label)
                pmf = marginal(release, attribute, shares * (which == label), prior=pooled)
                drawn[attribute.name][here] = rng.choice(len(pmf), len(here), p=pmf)
            shown.advance(note=attribute.name)
    cells = {}
    for attribute in schema:
        assert attribute.domain is not None
        cells[attribute.name] = attribute.domain.values_of(drawn[attribute.name])
    return drawn, from_arrow(pa.table(cells), release.origin)
