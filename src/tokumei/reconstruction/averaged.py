"""Two classifiers of the same column, averaged: one knows how columns go together, the other leans on priors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tokumei.arrays import Floats
from tokumei.reconstruction.class_conditional import ClassConditionalClassifier
from tokumei.reconstruction.imputed import Drawn, ImputedClassifier
from tokumei.release.artifact import Release

IMPUTED = 2 / 3  # how much the regression on imputed rows counts; the rest is the class-conditional model's
LEAST = 1e-12  # probability of a class


class AveragedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predict a column of categories for true rows, by the mean log-odds of two models that err differently.

    They are a logistic regression on imputed rows, which counts two thirds, and `ClassConditionalClassifier`, a third. Where each
    row tells a few columns, the first knows how columns depend on each other, and the second is steadier where few rows tell a column; the mean is better than
    either on nearly all tables measured (`python -m benchmarks.every_release`).

    Parameters
    ----------
    target
        The column to predict, released unchanged.
    columns
        The columns to predict from.
    weights
        A column of survey weights.

    Attributes
    ----------
    classes_
        The values of the target.
    signal_
        How much each column still tells: the standard deviation of what it adds to the log-odds, averaged over both models.
    """

    def __init__(self, target: str, columns: Sequence[str], weights: str | None = None) -> None:
        self.target = target
        self.columns = columns
        self.weights = weights

    def fit(self, release: Release, drawn: Drawn) -> AveragedClassifier:
        """Fit both models: one to rows that a model of the whole table drew for a release, the other to the release."""
        self._imputed = ImputedClassifier(self.target, self.columns).fit(drawn)
        self._leaning = ClassConditionalClassifier(self.target, self.columns, self.weights).fit(release)
        self.classes_ = self._leaning.classes_
        assert np.array_equal(self.classes_, self._imputed.classes_)  # drawn rows have the target of the released ones
        both = self._imputed.signal_, self._leaning.signal_
        self.signal_ = {name: IMPUTED * both[0][name] + (1 - IMPUTED) * both[1][name] for name in self.columns}
        return self

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """Return the probability of each class."""
        check_is_fitted(self, "signal_")
        first, second = (np.log(np.maximum(each.predict_proba(X), LEAST)) for each in (self._imputed, self._leaning))
        logs = IMPUTED * first + (1 - IMPUTED) * second
        shares: Floats = np.exp(logs - logs.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    def decision_function(self, X: Any) -> Floats:  # noqa: N803
        """Return the logarithm of the odds of the second class, or the logarithm of the probability of each class."""
        logs: Floats = np.log(np.maximum(self.predict_proba(X), LEAST))
        return logs[:, 1] - logs[:, 0] if logs.shape[1] == 2 else logs

    def predict(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """Return the likeliest class."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]
