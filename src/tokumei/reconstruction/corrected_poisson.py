"""Poisson regression on a perturbed release: maximum likelihood with the noise taken out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.progress import stage
from tokumei.reconstruction._columns import check_answers, perturbed_target, refuse_dates
from tokumei.reconstruction._corrected import Regressors, term
from tokumei.reconstruction._inference import Coefficients
from tokumei.reconstruction._minimum import least
from tokumei.reconstruction._poisson_loss import PoissonLoss
from tokumei.reconstruction._views import answering, drawn_rates
from tokumei.release.artifact import Release
from tokumei.table.domain import Numbers
from tokumei.table.schema import Attribute


class CorrectedPoissonRegression(Coefficients, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Estimate the Poisson regression that maximum likelihood gives on the original rows.

    The logarithm of the mean of the target is a sum over the columns. The loss of the original rows is estimated from the released ones,
    with the noise taken out of each column and of the target. Its minimum estimates the coefficients of the original rows, and
    standard errors are those of the whole procedure: they do not assume that counts vary as a Poisson distribution says.

    Parameters
    ----------
    target
        The column to predict: numbers from 0 on, without missing cells; it may have been perturbed itself.
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
        How far each column moves the logarithm of the mean: a standard deviation over the original rows.
    noise_
        The share of that variance that is only the coefficients' own uncertainty.

    Examples
    --------
    >>> import tokumei as tk
    >>> schema = tk.Schema([tk.example_schema()["sex"],
    ...                     tk.Attribute("visits", "sensitive", tk.Numbers(0, 20, step=1))])
    >>> people = tk.example_census(rows=20000)
    >>> people["visits"] = 1 + 2 * (people["sex"] == "Male")
    >>> release = tk.anonymize(people[["sex", "visits"]], schema, tk.PkPerturbation(k=2, tells="all"), seed=1)
    >>> model = tk.CorrectedPoissonRegression("visits").fit(release)
    >>> model.names_, model.coef_.round(1).tolist()
    (('(constant)', 'sex=Male'), [1.1])
    """

    def __init__(self, target: str, columns: Sequence[str] | None = None, weights: str | None = None) -> None:
        self.target = target
        self.columns = columns
        self.weights = weights

    @stage("Fitting")
    def fit(self, release: Release, y: None = None) -> CorrectedPoissonRegression:
        """Estimate the coefficients from a release."""
        attribute = perturbed_target(release, self.target)
        check_counts(attribute)
        check_answers(release, attribute)
        shares = answering(release, attribute, self.weights)
        aim = term(release, attribute, shares)
        found = Regressors.of(release, self.target, self.columns, shares, self.weights)
        loss = PoissonLoss(found, aim, shares)
        self._take(found, *least(loss, shares**2 * drawn_rates(release)), release.origin)
        return self

    def predict(self, X: Any) -> Floats:  # noqa: N803
        """Return the predicted mean of the target of true rows; columns that are not needed are ignored."""
        check_is_fitted(self, "coef_")
        return np.asarray(np.exp(self._regressors.score(X, self._scaled)), dtype=np.float64)


def check_counts(attribute: Attribute) -> None:
    """Refuse a target that no Poisson regression is about."""
    refuse_dates(attribute)
    domain = attribute.domain
    if not isinstance(domain, Numbers) or float(domain.low) < 0:
        raise InvalidParameter("target must hold numbers from 0 on; {target!r} does not.", target=attribute.name)
