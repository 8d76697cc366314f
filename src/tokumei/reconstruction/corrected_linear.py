"""Multiple regression on a perturbed release, with the noise taken out of its equations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.progress import stage
from tokumei.reconstruction._columns import check_answers, perturbed_target, refuse_dates
from tokumei.reconstruction._corrected import Regressors, Term, term
from tokumei.reconstruction._inference import Coefficients, check_determined, covariances
from tokumei.reconstruction._views import answering, drawn_rates
from tokumei.reconstruction._waves import CorrectedWaves, Waves
from tokumei.release.artifact import Release
from tokumei.table.domain import Numbers

Rows = Callable[[Floats], Floats]

SLOW = 1e-3  # how far a wave turns where the residual is largest: 1 - cos(t) is t^2 / 2 then


class CorrectedLinearRegression(Coefficients, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Estimate the multiple regression that the original table would have given.

    The equations of least squares need means of products of two columns. Each is estimated from the released values by
    functions whose expectation is the true product, so noise does not pull the coefficients towards zero. The standard
    errors are those of the whole procedure, the noise of the release included.

    Parameters
    ----------
    target
        The column to predict, a number; it may have been perturbed itself.
    columns
        The columns to predict from; without it all others that have a domain.
    weights
        A column of survey weights, released unchanged: every row counts for this many people, in the coefficients and in their standard errors.

    Attributes
    ----------
    coef_, intercept_
        In the columns' own units; ordered categories count as 0, 1, 2, …, others by an indicator of each but the first.
    standard_errors_
        Of the intercept and the coefficients, in this order, as estimates for the population that the people of the table
        were drawn from: the chance of who is in the table counts.
    table_standard_errors_
        The same, as estimates of the coefficients that the original table itself has: only the noise of the release
        counts, and who was drawn where it is a sample.
    names_
        What they belong to.
    signal_
        How far each column moves the prediction: a standard deviation over the original rows.
    noise_
        The share of the predictions' variance that is only the coefficients' own uncertainty.

    Examples
    --------
    >>> import tokumei as tk
    >>> release = tk.anonymize(tk.example_census(rows=20000), tk.example_schema(), tk.PkPerturbation(k=2, tells="all"), seed=1)
    >>> model = tk.CorrectedLinearRegression("hours", ["sex"]).fit(release)
    >>> model.names_
    ('(constant)', 'sex=Male')
    """

    def __init__(self, target: str, columns: Sequence[str] | None = None, weights: str | None = None) -> None:
        self.target = target
        self.columns = columns
        self.weights = weights

    @stage("Fitting")
    def fit(self, release: Release, y: None = None) -> CorrectedLinearRegression:
        """Estimate the coefficients from a release."""
        attribute = perturbed_target(release, self.target)
        refuse_dates(attribute)
        if not isinstance(attribute.domain, Numbers):
            raise InvalidParameter("target must hold numbers; {target!r} does not.", target=self.target)
        check_answers(release, attribute)
        shares = answering(release, attribute, self.weights)
        aim = term(release, attribute, shares)
        found = Regressors.of(release, self.target, self.columns, shares, self.weights)
        moments, values, products, influence = equations(found, aim, shares)
        check_determined(moments, lambda v: float(np.std(shares * (products(v) @ v))) / release.rows**0.5, clear=1.0)
        coefficients: Floats = np.linalg.solve(moments, values).astype(np.float64)
        own = _scores(found, aim, coefficients, shares, drawn_rates(release))
        wide, narrow = covariances(moments, influence(coefficients), shares**2 / release.rows, own, release.rows)
        unit, low = float(aim.scale[0]), float(aim.shift[0])
        coefficients = coefficients * unit
        coefficients[0] += low
        self._take(found, coefficients, wide * unit**2, narrow * unit**2, release.origin)
        return self

    def predict(self, X: Any) -> Floats:  # noqa: N803
        """Return the predicted target of true rows; columns that are not needed are ignored."""
        check_is_fitted(self, "coef_")
        return self._regressors.score(X, self._scaled)


def equations(found: Regressors, aim: Term, shares: Floats) -> tuple[Floats, Floats, Rows, Rows]:
    """Return the corrected normal equations ``A b = c``, and each row's ``A b`` and ``c - A b`` for any b."""
    rows, terms, places = len(shares), found.terms, found.places()
    wide = np.ones((rows, places[-1].stop))
    for each, place in zip(terms, places, strict=True):
        wide[:, place] = each.corrected(each.binned)[each.released]
    wanted = aim.corrected(aim.binned)[aim.released][:, 0]
    weighted = wide * shares[:, None]
    moments, values = weighted.T @ wide / rows, weighted.T @ wanted / rows
    squares = []
    for each, place in zip(terms, places, strict=True):  # products of one column's features are corrected as one
        pairs = np.einsum("xa,xb->xab", each.binned, each.binned).reshape(len(each.binned), -1)
        table = each.corrected(pairs)
        squares.append(table.reshape(-1, each.size, each.size))
        counts = np.bincount(each.released, weights=shares, minlength=len(table)) / rows
        moments[place, place] = (counts @ table).reshape(each.size, each.size)

    def products(beta: Floats) -> Floats:
        made = wide * (wide @ beta)[:, None]
        for each, place, table in zip(terms, places, squares, strict=True):
            mine = wide[:, place]
            made[:, place] += (table @ beta[place])[each.released] - mine * (mine @ beta[place])[:, None]
        return made

    return moments, values, products, lambda beta: wide * wanted[:, None] - products(beta)


def _scores(found: Regressors, aim: Term, coefficients: Floats, shares: Floats, rates: Floats) -> Floats:
    """Return the mean over original rows of their squared residual times products of two features.

    Rows count by their squared share and their chance to be drawn. A square is no sum of waves, but one wave that hardly turns
    is as good: ``e^2 = 2 (1 - cos(w e)) / w^2`` for a small w.
    """
    waves = CorrectedWaves([aim, *found.terms], shares)
    residual = np.concatenate([[-coefficients[0], 1.0], -coefficients[1:]])
    frequency = SLOW / max(waves.reach(residual), 1e-300)
    square = Waves(np.array([0.0, frequency]), np.array([2, -2], dtype=np.complex128) / frequency**2)
    made = waves.moments(residual, square, waves.sums(shares**2 * rates))
    return np.delete(np.delete(made, 1, axis=0), 1, axis=1)
