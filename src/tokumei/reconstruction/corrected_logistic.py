"""Logistic regression on a perturbed release: maximum likelihood with the noise taken out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tokumei.arrays import Booleans, Codes, Floats
from tokumei.errors import InvalidParameter, TooNoisy
from tokumei.progress import stage
from tokumei.reconstruction._columns import check_answers, check_usable, perturbed_target
from tokumei.reconstruction._corrected import Regressors
from tokumei.reconstruction._functionals import told
from tokumei.reconstruction._inference import TOO_NOISY, Coefficients
from tokumei.reconstruction._logistic_loss import LogisticLoss
from tokumei.reconstruction._minimum import least
from tokumei.reconstruction._views import answering, drawn_rates
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute
from tokumei.text import nearest


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
        The column to predict: categories, released unchanged or perturbed.
    columns
        The columns to predict from; without it all others that have a domain.
    weights
        A column of survey weights, released unchanged: every row counts for this many people, in the coefficients and in their standard errors.
    outcome
        The value of the target, or several, that coefficients are about. Without it the target must have two, and it is the second.

    Attributes
    ----------
    classes_
        The two values; coefficients are about the second. With an ``outcome`` of more than two values, false and true.
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

    def __init__(
        self, target: str, columns: Sequence[str] | None = None, weights: str | None = None, outcome: Any = None
    ) -> None:
        self.target = target
        self.columns = columns
        self.weights = weights
        self.outcome = outcome

    @stage("Fitting")
    def fit(self, release: Release, y: None = None) -> CorrectedLogisticRegression:
        """Estimate the coefficients from a release."""
        attribute = perturbed_target(release, self.target)
        codes = release.coded.codes(self.target)
        kept = self.target in release.mechanism.kept
        check_answers(release, attribute)
        there = replace(attribute, missing=False)
        present = np.unique(codes[codes < there.states]) if kept else None
        members, self.classes_ = members_of(there, present, self.outcome)
        if not kept:
            check_usable(release, [attribute])
        signs = np.where(members, 1.0, -1.0)
        if not kept:
            signs = _corrected_signs(release, attribute, signs)
        shares = answering(release, attribute, self.weights)
        signs = np.append(signs, [1.0] * int(attribute.missing))  # of rows that count for nothing
        found = Regressors.of(release, self.target, self.columns, shares, self.weights)
        loss = LogisticLoss(found, signs[codes], shares)
        self._take(found, *least(loss, shares**2 * drawn_rates(release)), release.origin)
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


def members_of(attribute: Attribute, present: Codes | None, outcome: Any) -> tuple[Booleans, npt.NDArray[Any]]:
    """Return which codes of a target count as its second class, and what the two classes are called.

    ``present`` are the codes that occur, where that is known: two of them need no ``outcome``.
    """
    domain = attribute.domain
    if not isinstance(domain, Categories):
        raise InvalidParameter("target must have categories, and {target!r} has none.", target=attribute.name)
    codes = np.arange(attribute.states) if present is None else present
    if len(codes) == 1:
        raise InvalidParameter(
            "{target!r} has only one value in the release, so there is nothing to predict.", target=attribute.name
        )
    members: Booleans = np.zeros(attribute.states, dtype=np.bool_)
    if outcome is None:
        if len(codes) > 2:
            raise InvalidParameter(
                "target must have two values in the release; {target!r} has {values}. Name the one that the regression is about (outcome, --outcome).",
                target=attribute.name,
                values=len(codes),
            )
        members[codes[1]] = True
        return members, np.array([*domain.values_of(codes).to_pylist()])
    wanted = [outcome] if isinstance(outcome, str) or not isinstance(outcome, Sequence) else list(outcome)
    labels = list(domain.values)
    for each in wanted:
        if each not in labels:
            hint = nearest(str(each), domain.labels())
            raise InvalidParameter(
                "{target!r} has no value {outcome!r}.{hint}", target=attribute.name, outcome=str(each), hint=hint
            )
        members[labels.index(each)] = True
    if not 0 < np.count_nonzero(members[codes]) < len(codes):
        raise InvalidParameter(
            "The outcome must be some values of {target!r} in the release, and not all of them.", target=attribute.name
        )
    if len(codes) == 2:
        return members, np.array([*domain.values_of(codes[np.argsort(members[codes], kind="stable")]).to_pylist()])
    return members, np.array([False, True])


def _corrected_signs(release: Release, attribute: Attribute, signs: Floats) -> Floats:
    """Return the function of a perturbed class whose mean is that of the true one."""
    conditional = release.mechanism.conditional(attribute)
    seen = np.bincount(release.coded.codes(attribute.name), minlength=conditional.outputs).astype(np.float64)
    found = told(conditional, seen)
    if not found.exact:
        raise TooNoisy(TOO_NOISY)
    return found.upper.pulled(signs)
