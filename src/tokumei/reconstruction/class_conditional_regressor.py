"""A regressor fitted to a perturbed release that predicts true rows: a class for each stretch of the target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.progress import stage
from tokumei.reconstruction._columns import check_perturbed, check_release, check_target, refuse_dates
from tokumei.reconstruction._counted import counted_for, counted_quantiles, counted_shares
from tokumei.reconstruction._survey import effective_rows
from tokumei.reconstruction._views import shares_of
from tokumei.reconstruction._weighing import Classes, weigh
from tokumei.release.artifact import Release
from tokumei.table.domain import Numbers
from tokumei.text import nearest


class ClassConditionalRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Predict a number that was released unchanged from columns that were perturbed, for rows that were not.

    The target is cut into stretches with equally many rows. What each column says about them is estimated as in
    `ClassConditionalClassifier`, and the prediction is the mean of the stretches' means by their probabilities. It leans on priors,
    so it predicts where the noise has drowned a regression: at worst the mean of all.

    Parameters
    ----------
    target
        The column to predict: numbers, released unchanged.
    columns
        The columns to predict from; without it all others that have a domain.
    n_bins
        Into how many stretches the target is cut.
    weights
        A column of survey weights, released unchanged; see `ClassConditionalClassifier`.

    Attributes
    ----------
    evidence_, signal_
        As of `ClassConditionalClassifier`, for the stretches.
    means_
        The mean of the target in each stretch.

    Examples
    --------
    >>> import tokumei as tk
    >>> schema = tk.example_schema().replacing(tk.Attribute("hours", "sensitive", tk.Numbers(0, 80, step=1)))
    >>> release = tk.anonymize(tk.example_census(rows=5000), schema, tk.PkPerturbation(k=3, tells="all"), seed=1)
    >>> model = tk.ClassConditionalRegressor("hours").fit(release)
    >>> model.predict(tk.example_census(rows=3)).shape
    (3,)
    """

    def __init__(
        self, target: str, columns: Sequence[str] | None = None, n_bins: int = 6, weights: str | None = None
    ) -> None:
        self.target = target
        self.columns = columns
        self.weights = weights
        self.n_bins = n_bins

    @stage("Fitting")
    def fit(self, release: Release, y: None = None, counts: Any = None) -> ClassConditionalRegressor:
        """Estimate what each released column says about the target; ``counts`` as for `ClassConditionalClassifier`."""
        check_release(release)
        check_perturbed(release, told=True)
        check_target(release, self.target)
        if not isinstance(self.n_bins, int) or self.n_bins < 2:
            raise InvalidParameter("n_bins must be a whole number of at least 2.")
        if self.target not in release.mechanism.kept:
            raise InvalidParameter(
                "target must be a column that was released unchanged; {target!r} was not.{hint}",
                target=self.target,
                hint=nearest(self.target, release.mechanism.kept),
            )
        many: Floats | None = None
        if counts is not None:
            release, many = counted_for(release, self.target, self.columns, self.weights, counts)
        attribute = release.schema[self.target]
        codes = release.coded.codes(self.target).astype(np.int64)
        refuse_dates(attribute)
        if not isinstance(attribute.domain, Numbers):
            raise InvalidParameter("target must hold numbers; {target!r} does not.", target=self.target)
        there = codes < attribute.domain.size  # rows without an answer count for nothing
        if not np.any(there):
            raise InvalidParameter(
                "{target!r} is missing in every row, so there is nothing to predict.", target=self.target
            )
        values = attribute.domain.points[np.where(there, codes, codes[there][0])].astype(float)
        weights = (shares_of(release, self.weights) if many is None else counted_shares(release, many)) * there
        if self.weights is not None:
            weights = weights * (effective_rows(weights) / len(weights))
        edges = np.unique(
            counted_quantiles(
                values[there], None if many is None else many[there], np.arange(1, self.n_bins) / self.n_bins
            )
        )
        labels = np.unique(np.searchsorted(edges, values, side="left"), return_inverse=True)[1].astype(np.int64)
        count = int(labels.max()) + 1
        if count < 2:
            raise InvalidParameter(
                "{target!r} has only one value in the release, so there is nothing to predict.", target=self.target
            )
        sums = np.bincount(labels, weights * values)
        self.means_: Floats = sums / np.bincount(labels, weights)
        classes = Classes.sure(labels, count)
        self._found = weigh(release, self.target, self.columns, classes, np.arange(count), weights, self.weights, many)
        self.evidence_, self.signal_ = self._found.columns, self._found.signal
        return self

    def predict(self, X: Any) -> Floats:  # noqa: N803
        """Return the predicted target of true rows; columns that are not needed are ignored."""
        check_is_fitted(self, "evidence_")
        return self._found.probabilities(X) @ self.means_
