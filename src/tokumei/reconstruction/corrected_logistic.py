"""Logistic regression on a perturbed release: maximum likelihood with the noise taken out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter, TooNoisy
from tokumei.memory import within_memory
from tokumei.reconstruction._columns import check_perturbed
from tokumei.reconstruction._corrected import Regressors
from tokumei.reconstruction._inference import TOO_NOISY, Coefficients, covariances
from tokumei.reconstruction._logistic_loss import LogisticLoss
from tokumei.reconstruction._views import drawn_rates, shares_of
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories
from tokumei.text import nearest

ENOUGH = 1e-12  # of the loss, that another step could gain
STEPS = 60
FARTHEST = 30.0  # odds of e^30 are no estimate
CLEAR = 3.0  # standard errors that the loss must bend upwards by, in the direction in which it bends least
HOPELESS = 1.0  # ... and where nothing counts, before the first step


class CorrectedLogisticRegression(Coefficients, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Estimate the logistic regression that maximum likelihood gives on the original rows.

    The loss of the original rows is estimated from the released ones: it is written as a sum of products over the columns,
    and each factor is replaced by a function of the released value whose expectation it is. Its minimum estimates the
    coefficients of the original rows, whether or not a logistic model is right for them. Noise does not pull them towards
    zero, and their standard errors are those of the whole procedure.

    It pays where the noise is moderate and columns are few. Where the noise leaves a coefficient undetermined it says so;
    `ClassConditionalClassifier` then still predicts.

    Parameters
    ----------
    target
        The column to predict: two categories, released unchanged.
    columns
        The columns to predict from; without it all others that have a domain.
    weights
        A column of survey weights, released unchanged: every row counts for this many people, in the coefficients and in their standard errors.

    Attributes
    ----------
    classes_
        The two values; coefficients are about the second.
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
    >>> schema = tk.Schema([tk.example_schema()["age"],
    ...                     tk.Attribute("works", "sensitive", tk.Categories(["no", "yes"]))])
    >>> people = tk.example_census(rows=20000)
    >>> people["works"] = (people["hours"] > 30).map({False: "no", True: "yes"})
    >>> release = tk.anonymize(people[["age", "works"]], schema, tk.PkPerturbation(k=2, tells="all"), seed=1)
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
            raise InvalidParameter("fit needs a release, such as the one that read_release returns.")
        check_perturbed(release)
        if self.target not in release.mechanism.kept:
            raise InvalidParameter(
                "target must be a column that was released unchanged; {target!r} was not.{hint}",
                target=self.target,
                hint=nearest(self.target, release.mechanism.kept),
            )
        attribute = release.schema[self.target]
        if not isinstance(attribute.domain, Categories):
            raise InvalidParameter("target must have categories, and {target!r} has none.", target=self.target)
        codes = release.coded.codes(self.target)
        present = np.unique(codes)
        if len(present) == 1:
            raise InvalidParameter(
                "{target!r} has only one value in the release, so there is nothing to predict.", target=self.target
            )
        if len(present) > 2:
            raise InvalidParameter(
                "target must have two values in the release; {target!r} has {values}.",
                target=self.target,
                values=len(present),
            )
        shares = shares_of(release, self.weights)
        found = Regressors.of(release, self.target, self.columns, shares, self.weights)
        loss = LogisticLoss(found, codes == present[1], shares)
        beta = _newton(loss)
        known = loss.waves.sums(shares**2 * drawn_rates(release))
        both = covariances(
            loss.hessian(beta), loss.gradients(beta), loss.squares, loss.scores(beta, known), loss.waves.rows
        )
        self.classes_ = np.array(attribute.domain.values_of(present).to_pylist())
        self._take(found, beta, *both, release.origin)
        return self

    def decision_function(self, X: Any) -> Floats:  # noqa: N803
        """Return the logarithm of the odds of the second class for true rows; other columns are ignored."""
        check_is_fitted(self, "coef_")
        return self._regressors.score(X, self._scaled)

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """Return the probability of each class."""
        second = 1 / (1 + np.exp(-self.decision_function(X)))
        return np.stack([1 - second, second], axis=1)

    def predict(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """Return the likelier class."""
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


def _newton(loss: LogisticLoss) -> Floats:
    """Minimise the loss by damped steps of Newton's; refuse where noise leaves no clear minimum."""
    loss.check(None, HOPELESS)
    share = float(loss.counts[loss.signs > 0].sum())
    beta: Floats = np.zeros(loss.waves.size)
    beta[0] = np.log(share / (1 - share))
    damping = 1e-8
    for _ in range(STEPS):
        gradient, hessian = loss.counts @ loss.gradients(beta), loss.hessian(beta)
        scale = np.diag(np.maximum(np.abs(np.diag(hessian)), 1e-12))
        while True:
            bent = hessian + damping * scale
            if np.linalg.eigvalsh(bent).min() > 0:
                step = np.linalg.solve(bent, gradient)
                gain = float(gradient @ step)
                near = np.abs(beta - step).max() <= FARTHEST and loss.waves.reach(beta - step) <= 2 * FARTHEST
                if near and (gain < ENOUGH or loss.value(beta - step) <= loss.value(beta)):
                    break
            damping *= 10
            if damping > 1e8:
                raise TooNoisy(TOO_NOISY)
        beta = beta - step
        if gain < ENOUGH and damping < 1e-4:
            loss.check(beta, CLEAR)
            return beta
        damping = max(damping / 10, 1e-8)
    raise TooNoisy(TOO_NOISY)
