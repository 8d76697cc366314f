"""A classifier fitted to a perturbed release that predicts true rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.mechanism.channel import Kept
from tokumei.progress import stage
from tokumei.reconstruction._columns import check_target, perturbed_target
from tokumei.reconstruction._counted import counted_for, counted_shares
from tokumei.reconstruction._survey import effective_rows
from tokumei.reconstruction._views import shares_of
from tokumei.reconstruction._weighing import Classes, weigh
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute


class ClassConditionalClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predict a column of categories from columns that were perturbed, for rows that were not.

    For each column the released values are counted by class, and what the column says about the class is estimated
    through its public channel, with priors in place of iteration counts: independent contrasts for unordered values, a
    line plus something smooth for a few ordered ones, truncated normals for numbers. How much a number may tell is learned
    from all columns together. The columns' evidence adds up. It is a simple model on purpose: under the noise of a guarantee,
    pairs of columns hardly carry a signal.

    Parameters
    ----------
    target
        The column to predict: categories, released unchanged or perturbed. Where each row tells some columns only, released
        unchanged; see `reconstruct` for one that rows tell.
    columns
        The columns to predict from; without it all others that have a domain.
    weights
        A column of survey weights, released unchanged: every row counts for this many people. Uneven weights tell
        less than as many rows, so the priors are set against as many rows of equal weight as they are worth.

    Attributes
    ----------
    classes_
        The values of the target.
    evidence_
        For each column the logarithm of how much likelier each of its states is in a class than in the others, one row per
        class (two classes: one row, for the second).
    signal_
        How much each column still tells: the standard deviation of its evidence over the released rows.

    Examples
    --------
    >>> import tokumei as tk
    >>> schema = tk.example_schema()
    >>> release = tk.anonymize(tk.example_census(rows=5000), schema, tk.PkPerturbation(k=3, tells="all"), seed=1)
    >>> model = tk.ClassConditionalClassifier("income").fit(release)
    >>> rows = tk.example_census(rows=4, random_state=5).drop(columns=["person_id", "income"])
    >>> model.predict_proba(rows).shape
    (4, 4)
    """

    def __init__(self, target: str, columns: Sequence[str] | None = None, weights: str | None = None) -> None:
        self.target = target
        self.columns = columns
        self.weights = weights

    @stage("Fitting")
    def fit(self, release: Release, y: None = None, counts: Any = None) -> ClassConditionalClassifier:
        """Estimate what each released column says about the target.

        Where the released rows are too many for one memory, ``counts`` is a frame of them counted elsewhere: one row for each kind of row in the
        target and the columns, with how many they are in ``count``, such as `Release.counted` returns.
        """
        wanted = self._target(release)
        many: Floats | None = None
        if counts is not None:
            release, many = counted_for(release, self.target, self.columns, self.weights, counts)
        labels = release.coded.codes(self.target).astype(np.int64)
        weights = shares_of(release, self.weights) if many is None else counted_shares(release, many)
        if self.weights is not None:
            weights = weights * (effective_rows(weights) / len(weights))
        conditional = release.mechanism.conditional(wanted)
        sure = isinstance(conditional, Kept)
        classes = Classes.sure(labels, wanted.states) if sure else Classes.through(conditional, labels, weights)
        present = np.flatnonzero(classes.totals(weights) > 0)
        if len(present) < 2:
            raise InvalidParameter(
                "{target!r} has only one value in the release, so there is nothing to predict.", target=self.target
            )
        assert wanted.domain is not None
        self.classes_ = np.array(wanted.domain.values_of(present).to_pylist())
        self._found = weigh(release, self.target, self.columns, classes, present, weights, self.weights, many)
        self.evidence_, self.signal_ = self._found.columns, self._found.signal
        return self

    def _target(self, release: Release) -> Attribute:
        attribute = perturbed_target(release, self.target, told=True)
        check_target(release, self.target)
        if not isinstance(attribute.domain, Categories):
            raise InvalidParameter("target must have categories, and {target!r} has none.", target=self.target)
        return attribute

    def decision_function(self, X: Any) -> Floats:  # noqa: N803
        """Return the logarithm of the odds of the second class, or of each class against the others.

        ``X`` holds true values in the columns of the release, or the labels that it has; other columns are ignored.
        """
        check_is_fitted(self, "evidence_")
        return self._found.odds(X)

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """Return the probability of each class."""
        check_is_fitted(self, "evidence_")
        return self._found.probabilities(X)

    def predict(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """Return the likeliest class."""
        likeliest = self.predict_proba(X).argmax(axis=1)
        return self.classes_[likeliest]
