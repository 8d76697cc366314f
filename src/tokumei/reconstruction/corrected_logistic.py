"""Logistic regression on a perturbed release, with the noise taken out of its equations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tokumei.errors import InvalidParameter, TooNoisy, nearest, within_memory
from tokumei.mechanism.channel import Floats
from tokumei.reconstruction._columns import check_perturbed
from tokumei.reconstruction._corrected import Regressors
from tokumei.reconstruction._inference import TOO_NOISY, Coefficients, check_determined, sandwich
from tokumei.reconstruction._views import shares_of
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories

ENOUGH = 1e-10
STEPS = 200
FARTHEST = 30.0  # odds of e^30 are no estimate


class CorrectedLogisticRegression(Coefficients, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Estimate the logistic regression that the original table would have given.

    The logistic model also makes ``s f(x) exp(-s eta(x) / 2)`` zero on average, with s = 1 in one class and -1 in the
    other and eta the log-odds: the equations of the exponential loss. Unlike those of the logistic loss they are products
    over the columns, so each factor can be replaced by a function of the released value whose expectation it is. Noise
    then does not pull coefficients towards zero, and the standard errors are those of the whole procedure.

    It pays where the noise is moderate and columns are few. Where the noise drowns them it says so; `ClassConditional`
    then still predicts.

    Parameters
    ----------
    target
        The column to predict: two categories, released as they are.
    columns
        The columns to predict from; without it all others that have a domain.
    weights
        A column of survey weights, released as it is: every row counts for so many people, in the coefficients and in their standard errors.

    Attributes
    ----------
    classes_
        The two values; coefficients are about the second.
    coef_, intercept_
        In the columns' own units; ordered categories count as 0, 1, 2, …, others by an indicator of each but the first.
    standard_errors_
        Of the intercept and the coefficients, in this order.
    names_
        What they belong to.
    signal_
        How far each column moves the prediction: a standard deviation over the original rows.
    noise_
        The share of the predictions' variance that is only the coefficients' own uncertainty.

    Examples
    --------
    >>> import tokumei as tk
    >>> schema = tk.Schema([tk.example_schema()["age"],
    ...                     tk.Attribute("works", "sensitive", tk.Categories(["no", "yes"]))])
    >>> people = tk.example_census(rows=20000)
    >>> people["works"] = (people["hours"] > 30).map({False: "no", True: "yes"})
    >>> release = tk.anonymize(people[["age", "works"]], schema, tk.PkPerturbation(k=2), seed=1)
    >>> tk.CorrectedLogisticRegression("works").fit(release).names_
    ('(constant)', 'age')
    """

    def __init__(self, target: str, columns: Sequence[str] | None = None, weights: str | None = None) -> None:
        self.target = target
        self.columns = columns
        self.weights = weights

    @within_memory()
    def fit(self, release: Release, y: None = None) -> CorrectedLogisticRegression:
        """Estimate the coefficients from a release."""
        if not isinstance(release, Release):
            raise InvalidParameter("fit needs a release, such as read_release gives.")
        check_perturbed(release)
        if self.target not in release.mechanism.kept:
            raise InvalidParameter(
                f"target must be a column that was released as it is; {self.target!r} was not."
                f"{nearest(self.target, release.mechanism.kept)}"
            )
        attribute = release.schema[self.target]
        if not isinstance(attribute.domain, Categories):
            raise InvalidParameter(f"target must have categories, and {self.target!r} has none.")
        codes = release.coded.codes(self.target)
        present = np.unique(codes)
        if len(present) == 1:
            raise InvalidParameter(
                f"{self.target!r} has one value only in the release, so there is nothing to predict."
            )
        if len(present) > 2:
            raise InvalidParameter(f"target must have two values in the release; {self.target!r} has {len(present)}.")
        shares = shares_of(release, self.weights)
        found = Regressors.of(release, self.target, self.columns, shares, self.weights)
        signs = np.where(codes == present[1], 1.0, -1.0)
        beta, slope, parts = _newton(_Loss(found, signs, shares))
        covariance = sandwich(slope, parts, shares)
        self.classes_ = np.array(attribute.domain.values_of(present).to_pylist())
        self._take(found, beta, covariance, release.origin)
        return self

    def decision_function(self, rows: Any) -> Floats:
        """Return the logarithm of the odds of the second class for true rows; other columns are ignored."""
        check_is_fitted(self, "coef_")
        return self._regressors.score(rows, self._scaled)

    def predict_proba(self, rows: Any) -> Floats:
        """Return the probability of each class."""
        second = 1 / (1 + np.exp(-self.decision_function(rows)))
        return np.stack([1 - second, second], axis=1)

    def predict(self, rows: Any) -> npt.NDArray[Any]:
        """Return the likelier class."""
        return self.classes_[(self.decision_function(rows) > 0).astype(int)]


class _Loss:
    """The mean of ``exp(-s eta / 2)`` over the original rows, estimated from the released ones, with its derivatives."""

    def __init__(self, found: Regressors, signs: Floats, shares: Floats) -> None:
        self.found, self.signs, self.shares = found, signs, shares
        self._second = (signs > 0).astype(np.int64)

    def value(self, beta: Floats) -> float:
        """Return the loss."""
        return float(np.mean(self.rows(beta)))

    def rows(self, beta: Floats) -> Floats:
        """Return each row's part in the loss."""
        return self.shares * np.prod(np.stack(self._factors(beta)), axis=0)

    def _factors(self, beta: Floats) -> list[Floats]:
        made = [np.exp(-self.signs * beta[0] / 2)]
        for each, place in zip(self.found.terms, self.found.places(), strict=True):
            level = each.binned @ beta[place]
            table = each.corrected(np.exp(np.stack([level, -level], axis=1) / 2))
            made.append(table[each.released, self._second])
        return made

    def along(self, beta: Floats, direction: Floats) -> Floats:
        """Return each row's second derivative in a direction."""
        step = 1e-3 * direction / max(float(np.abs(direction).max()), 1e-300)
        below, here, above = (self.rows(beta + sign * step) for sign in (-1, 0, 1))
        return (above - 2 * here + below) * float(direction @ direction) / float(step @ step)

    def derivatives(self, beta: Floats) -> tuple[Floats, Floats]:
        """Return each row's part in the gradient, and the matrix of second derivatives."""
        rows, places = len(self.signs), self.found.places()
        factors = self._factors(beta)
        whole = np.prod(np.stack(factors), axis=0)
        ratios = np.empty((rows, len(beta)))  # derivative of a factor over the factor
        ratios[:, 0] = -self.signs / 2
        bends = []
        for each, place, factor in zip(self.found.terms, places, factors[1:], strict=True):
            level = each.binned @ beta[place]
            products = np.einsum("xa,xb->xab", each.binned, each.binned).reshape(len(level), -1)
            first, second = np.empty((rows, each.size)), np.empty((rows, each.size**2))
            for side, sign in enumerate((-1.0, 1.0)):
                here = self._second == side
                risk = np.exp(-sign * level / 2)[:, None]
                first[here] = each.corrected(-sign / 2 * risk * each.binned)[each.released[here]]
                second[here] = each.corrected(risk * products / 4)[each.released[here]]
            safe = np.where(np.abs(factor) < 1e-12, 1e-12, factor)
            ratios[:, place] = first / safe[:, None]
            weight = self.shares * whole / safe
            bends.append((weight @ second / rows).reshape(each.size, each.size))
        weighted = ratios * (self.shares * whole)[:, None]
        hessian = ratios.T @ weighted / rows
        for place, bend in zip(places, bends, strict=True):
            hessian[place, place] = bend
        return ratios * whole[:, None], hessian


def _newton(loss: _Loss) -> tuple[Floats, Floats, Floats]:
    """Minimise the loss by damped steps of Newton's; refuse where noise leaves no minimum."""
    beta = np.zeros(loss.found.places()[-1].stop)
    value, damping = loss.value(beta), 1e-8
    for _ in range(STEPS):
        parts, hessian = loss.derivatives(beta)
        gradient = np.mean(parts * loss.shares[:, None], axis=0)
        scale = np.diag(np.maximum(np.abs(np.diag(hessian)), 1e-12))
        while True:
            bent = hessian + damping * scale
            upward = np.linalg.eigvalsh(bent).min() > 0
            step = np.linalg.solve(bent, gradient) if upward else gradient
            after = loss.value(beta - step) if upward else np.inf
            if after <= value:
                break
            damping *= 10
            if damping > 1e8:
                raise TooNoisy(TOO_NOISY)
        if abs(float(gradient @ step)) < ENOUGH and damping < 1e-4:
            check_determined(hessian, partial(loss.along, beta), clear=3.0)
            return beta, hessian, parts
        beta, value, damping = beta - step, after, max(damping / 10, 1e-8)
        if np.abs(beta).max() > FARTHEST:
            raise TooNoisy(TOO_NOISY)
    raise TooNoisy(TOO_NOISY)
