"""Weights for rows: how much more often a row occurred in the original than it is counted."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from tokumei.arrays import Floats, Integers
from tokumei.diagnostics import warn
from tokumei.errors import InvalidParameter, NotConvergedWarning
from tokumei.messages import phrase
from tokumei.progress import stage
from tokumei.randomness import generator
from tokumei.reconstruction._arrays import Arrays, arrays
from tokumei.reconstruction._bumps import Features, whole
from tokumei.reconstruction._columns import check_perturbed, check_release, check_usable, chosen
from tokumei.reconstruction._products import Way
from tokumei.reconstruction._ratio import Choices, Model, held_out, solve
from tokumei.reconstruction._support import Added, Design, Problem, product_rows
from tokumei.reconstruction._survey import effective_rows
from tokumei.reconstruction._views import shares_of
from tokumei.reconstruction._worth import rows_worth
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories, Numbers
from tokumei.table.frames import from_arrow, to_arrow
from tokumei.table.schema import Attribute, Schema

TRIED = 8000  # rows on which the width is chosen
CHUNK = 2**12
MOST_GAINED = 700.0  # the logarithm of the largest ratio of two numbers that are told apart
WIDTHS = (3.0, 1.0, 0.5, 0.25, 0.1, 0.05)  # times the usual distance of two rows

Support = Literal["released", "product"]
Solver = Literal["multiplicative", "gradient"]


class DensityRatio(BaseEstimator):  # type: ignore[misc]
    """Weigh rows so that, perturbed again by the release's mechanism, they would look like the release.

    With ``P[i, j] = P(released row i | true row j)``, a product over the columns in which kept columns must agree, the
    weights w of the supporting rows maximize ``sum_i log sum_j P[i, j] w[j]`` under ``w >= 0`` and mean one.

    Parameters
    ----------
    model
        What weights may be: ``"free"``, one number per row; ``"kernel"``, a sum of bumps around the rows;
        ``"linear"``, a sum of features of the row, the shares of its categories and the places of its numbers.
    support
        Which rows are weighed: the ``"released"`` ones, as published, or rows drawn from the ``"product"`` of the
        reconstructed distributions of single columns (within classes of kept categories), which are nearer to the
        original ones.
    columns
        The columns that count; without it all that have a domain.
    solver
        ``"multiplicative"`` (accelerated EM) or ``"gradient"``, the published one, which knows no smoothing.
    bandwidth
        Of the bumps, in units of the usual distance of two rows, numbers and ordered categories divided by their standard deviation:
        a bump is ``exp(-(d / bandwidth)**2 / 2)``. Without it chosen by how likely rows that were held back are, on the perturbed
        rows alone.
    sigma2
        The width of the bumps as it is published, in place of ``bandwidth``: a bump is ``exp(-d**2 / sigma2)``, where ``d`` is the
        distance of rows of dummies (0 and 1) and of raw numbers in their own units.
    smoothing
        What a row's log-likelihood must gain for each unit of relative entropy that the weights move away from even ones.
        0 is maximum likelihood, which chases the noise and leaves a handful of rows with all the weight.
    n_centers
        How many bumps there are, around rows that are drawn at random. Without it there is one around every row.
    operator
        How P is multiplied with: ``"dense"``, ``"blocks"``, ``"structured"``, or by size (``"auto"``).
    backend
        Where: ``"numpy"``, or ``"torch"`` or ``"cupy"`` on a GPU.
    tol
        Stop once the log-likelihood is proven to be within this of the largest possible.
    max_iter
        Stop after this many steps, with a warning.
    random_state
        Makes what is drawn repeatable: supporting rows, centers, and rows held back.
    weights
        A column of survey weights, released unchanged: the weighted original is estimated, and ``weights_`` have the survey
        weights in them.

    Attributes
    ----------
    weights_
        One a supporting row, with mean one: ``sample_weight`` for any model of scikit-learn, beside ``support_``.
    support_
        The supporting rows, as a frame of the release's kind: the released rows themselves, or those drawn.
    rows_worth_
        For each perturbed column how many true rows would tell as much about its shares (of numbers: their mean) as the
        release does at most, the noise counted: by the Fisher information of a released value over that of a true one.
    effective_rows_
        The fewest of these, or ``sum(w)**2 / sum(w**2)`` (Kish) where the weights are so uneven that it is less.
    operator_, bandwidth_, smoothing_, n_centers_
        What was chosen; ``bandwidth_`` is None where ``sigma2`` was given, or where the model has no bumps.
    n_iter_, gap_, converged_, log_likelihood_
        How the iteration went; ``gap_`` is the proven distance to the best log-likelihood.

    Examples
    --------
    >>> import tokumei as tk
    >>> release = tk.anonymize(tk.example_census(rows=1000), tk.example_schema(), tk.PkPerturbation(k=3, tells="all"), seed=1)
    >>> model = tk.DensityRatio("linear").fit(release)
    >>> len(model.weights_), float(model.weights_.mean().round(6))
    (1000, 1.0)
    """

    def __init__(
        self,
        model: Model = "free",
        support: Support = "released",
        columns: Sequence[str] | None = None,
        solver: Solver = "multiplicative",
        bandwidth: float | None = None,
        smoothing: float = 0.02,
        n_centers: int | None = None,
        operator: Way = "auto",
        backend: str = "numpy",
        tol: float = 1.0,
        max_iter: int = 300,
        random_state: int | np.random.Generator | None = 0,
        weights: str | None = None,
        sigma2: float | None = None,
    ) -> None:
        self.model = model
        self.support = support
        self.columns = columns
        self.solver = solver
        self.bandwidth = bandwidth
        self.smoothing = smoothing
        self.n_centers = n_centers
        self.operator = operator
        self.backend = backend
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.weights = weights
        self.sigma2 = sigma2

    @stage("Fitting")
    def fit(self, release: Release, y: None = None) -> DensityRatio:
        """Find the weights for a release."""
        self._check(release)
        rng = generator(self.random_state)
        if not release.mechanism.channels:
            raise InvalidParameter("No column of the release was perturbed, so every weight would be one.")
        self._schema = Schema(tuple(chosen(release, self.columns, weights=self.weights)))
        check_usable(release, (a for a in self._schema if a.name in release.mechanism.channels))
        codes = {a.name: release.coded.codes(a.name).astype(np.int64) for a in self._schema}
        shares = shares_of(release, self.weights)
        if self.support == "product":
            true, self.support_ = product_rows(release, self._schema, codes, shares, rng)
        else:
            true, self.support_ = codes, release.frame
        self._scales = {a.name: _spread(true[a.name], a) for a in self._schema}
        problem = Problem.of(release, self._schema, codes, true, shares, self._design(true))
        where = arrays(self.backend)
        choices = self._choose(problem, where, rng)
        self.bandwidth_, self.smoothing_ = choices.width, choices.smoothing
        solved = solve(problem, choices, self.solver, self.operator, where, rng, self.tol, self.max_iter)
        self.operator_ = solved.way
        self.n_iter_, self.gap_, self.log_likelihood_ = solved.fit.steps, solved.fit.gap, solved.log_likelihood
        self.converged_ = solved.fit.gap <= self.tol
        self._alpha, self._centers, self._scale = solved.alpha, solved.centers, solved.scale
        self.n_centers_ = None if solved.centers is None else len(solved.centers)
        ratio = solved.masses / problem.base
        self.weights_ = ratio[problem.place] * problem.shares
        self.weights_ *= len(self.weights_) / self.weights_.sum()
        perturbed = [a for a in self._schema if a.name in release.mechanism.channels]
        self.rows_worth_ = {a.name: rows_worth(release, a, shares) for a in perturbed}
        self.effective_rows_ = min([effective_rows(self.weights_), *self.rows_worth_.values()])
        self._origin, self._originals = release.origin, release.originals
        if not self.converged_:
            warn(
                "The weights stopped after {n_iter:step|steps}; {far}. Raise max_iter, tol or smoothing.",
                NotConvergedWarning,
                n_iter=self.n_iter_,
                far=_far(self.gap_, release.rows),
            )
        return self

    def weights_for(self, X: Any) -> Floats:  # noqa: N803
        """Return the ratio at other rows: of the kernel and the linear model, which are functions of the row."""
        check_is_fitted(self, "weights_")
        if self.model == "free":
            raise InvalidParameter(
                "The free model has a weight for each of its own rows and for no others; use model='kernel' or "
                "model='linear', or use weights_ with support_."
            )
        coded = self._originals.coded(X, self._schema)
        design = self._design({n: coded.codes(n).astype(np.int64) for n in self._schema.names()})
        assert self._alpha is not None
        if isinstance(design, Features):
            assert self._centers is not None
            assert self._scale is not None
            parts = range(0, len(design), CHUNK)
            made = [whole(design[at : at + CHUNK], self._centers, self._scale) @ self._alpha for at in parts]
            return np.concatenate([*made, np.zeros(0)])
        assert design is not None
        return np.asarray(design.values @ self._alpha, dtype=np.float64)

    def sample(self, n_samples: int | None = None, random_state: int | np.random.Generator | None = None) -> Any:
        """Draw synthetic rows: supporting rows with a chance in proportion to their weights, as a frame."""
        check_is_fitted(self, "weights_")
        count = len(self.weights_) if n_samples is None else n_samples
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
            raise InvalidParameter("n_samples must be a whole number of at least 1.")
        picked = generator(random_state).choice(len(self.weights_), count, p=self.weights_ / self.weights_.sum())
        table, _ = to_arrow(self.support_)
        return from_arrow(table.take(pa.array(picked)), self._origin)

    def _check(self, release: Release) -> None:
        check_release(release)
        check_perturbed(release)
        if self.model not in ("kernel", "linear", "free"):
            raise InvalidParameter("model must be 'kernel', 'linear' or 'free'.")
        if self.support not in ("released", "product"):
            raise InvalidParameter("support must be 'released' or 'product'.")
        if self.solver not in ("multiplicative", "gradient"):
            raise InvalidParameter("solver must be 'multiplicative' or 'gradient'.")
        if self.bandwidth is not None and self.sigma2 is not None:
            raise InvalidParameter("bandwidth and sigma2 are two names for the width of kernels; give one of them.")
        for name in ("tol", "bandwidth", "sigma2"):
            given = getattr(self, name)
            if given is not None and not (isinstance(given, int | float | np.integer | np.floating) and given > 0):
                raise InvalidParameter("{name} must be a number above 0.", name=name)
        if not (isinstance(self.smoothing, int | float | np.integer | np.floating) and 0 <= self.smoothing < math.inf):
            raise InvalidParameter("smoothing must be a number of at least 0.")
        for name in ("max_iter", "n_centers"):
            given = getattr(self, name)
            if name == "n_centers" and given is None:
                continue
            if isinstance(given, bool) or not isinstance(given, int | np.integer) or given < 1:
                raise InvalidParameter("{name} must be a whole number of at least 1.", name=name)

    def _design(self, codes: dict[str, Integers]) -> Design:
        """Describe rows: for distances between them, or by the features that a linear model adds up."""
        if self.model == "free":
            return None
        return self._compared(codes) if self.model == "kernel" else self._added_up(codes)

    def _compared(self, codes: dict[str, Integers]) -> Features:
        """Numbers and labels, by which kernels compare rows: on one scale, or, with the published width, as they are."""
        numbers, labels = [], []
        for attribute in self._schema:
            here, domain = codes[attribute.name], attribute.domain
            assert domain is not None
            if isinstance(domain, Categories) and not (domain.ordered and self.sigma2 is None):
                labels.append(here)
                continue
            missing = here == domain.size
            unit = 1 / self._scales[attribute.name] if self.sigma2 is None else _step(attribute)
            numbers.append(np.where(missing, 0.0, here * unit))
            if attribute.missing:
                labels.append(missing.astype(np.int64))
        rows = len(next(iter(codes.values())))
        return Features(
            np.ascontiguousarray(np.stack([*numbers, np.zeros(rows)][: max(len(numbers), 1)], axis=1)),
            np.ascontiguousarray(np.stack([*labels, np.zeros(rows, np.int64)][: max(len(labels), 1)], axis=1)),
        )

    def _added_up(self, codes: dict[str, Integers]) -> Added:
        """Features that are never negative: dummies of labels, and the place of a number seen from both ends."""
        made = []
        for attribute in self._schema:
            here, domain = codes[attribute.name], attribute.domain
            assert domain is not None
            if isinstance(domain, Categories):
                made.append((here[:, None] == np.arange(attribute.states)).astype(np.float64))
                continue
            missing = here == domain.size
            place = np.where(missing, 0.0, here / max(domain.size - 1, 1))
            columns = [place, np.where(missing, 0.0, 1 - place)]
            made.append(np.stack([*columns, missing.astype(np.float64)][: 3 if attribute.missing else 2], axis=1))
        ends = np.cumsum([0, *(each.shape[1] for each in made)]).tolist()
        return Added(np.concatenate(made, axis=1), tuple(slice(*each) for each in itertools.pairwise(ends)))

    def _choose(self, problem: Problem, where: Arrays, rng: np.random.Generator) -> Choices:
        """Choose the width by the likelihood of rows that were held back, all of them perturbed."""
        smoothing = self.smoothing if self.solver == "multiplicative" else 0.0
        asked = Choices(self.model, self.bandwidth, self.sigma2, smoothing, self.n_centers)
        if self.model != "kernel" or self.bandwidth is not None or self.sigma2 is not None:
            return asked
        train, held = problem.split(rng, TRIED)
        tried, scores = [replace(asked, width=width) for width in WIDTHS], []
        with stage("Choosing the width on held-out rows", total=len(tried)) as shown:
            for each in tried:
                made = solve(train, each, "multiplicative", "auto", where, rng, self.tol, self.max_iter)
                scores.append(held_out(held, train, made.masses, where))
                shown.advance(note=f"log-likelihood of a held-out row {scores[-1]:.4f}")
        return tried[int(np.argmax(scores))]


def _far(gap: float, rows: int) -> str:
    """Say how far weights may be from the best; a bound beyond what rows could gain says nothing."""
    if gap > rows * MOST_GAINED:
        return phrase("their distance from the best is not known")
    return phrase("their log-likelihood may be {gap:.3g} below the best", gap=gap)


def _step(attribute: Attribute) -> float:
    """Return how far two neighbouring values of a column of numbers are apart, in its own units."""
    domain = attribute.domain
    return 2 * domain.half_step if isinstance(domain, Numbers) else float(getattr(domain, "step", 1))


def _spread(codes: Integers, attribute: Attribute) -> float:
    assert attribute.domain is not None
    there = codes[codes < attribute.domain.size]
    return max(float(np.std(there)), 1e-9) if len(there) else 1.0
