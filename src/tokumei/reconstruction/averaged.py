"""Two classifiers of the same column, averaged: one fitted to completed rows, and a simpler one that errs differently."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tokumei.arrays import Floats
from tokumei.reconstruction.class_conditional import ClassConditionalClassifier
from tokumei.reconstruction.imputed import ImputedClassifier

IMPUTED = 2 / 3  # how much the regression on imputed rows counts; the rest is the simpler model's
TOLD = 2 / 5  # the same where rows tell some columns each
LEAST = 1e-12  # probability of a class


class AveragedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predict a column of categories for true rows, by the mean log-odds of two models that err differently.

    The first is a logistic regression on imputed rows. The second is simpler. Where each row tells some
    columns, it is `ClassConditionalClassifier`, which does not know how columns depend on each other, but is steadier where few rows tell
    a column; the first then counts two fifths. Where rows are generalized, it is a logistic regression on the labels, which takes nothing for granted about what
    they hide, and the first counts two thirds. The mean is as good as the better of the two, and mostly better (`python -m benchmarks.every_release`).

    Parameters
    ----------
    target
        The column to predict.
    columns
        The columns to predict from.
    share
        How much the first model counts; the second counts the rest.

    Attributes
    ----------
    classes_
        The values of the target.
    signal_
        How much each column still tells: the standard deviation of what it adds to the log-odds, averaged over both models.
    """

    def __init__(self, target: str, columns: Sequence[str], share: float = IMPUTED) -> None:
        self.target = target
        self.columns = columns
        self.share = share

    def fit(self, imputed: ImputedClassifier, simpler: ImputedClassifier | ClassConditionalClassifier) -> Self:
        """Take two models that were fitted to the same release."""
        self._imputed, self._simpler, self.classes_ = imputed, simpler, imputed.classes_
        assert np.array_equal(
            self.classes_, simpler.classes_
        )  # rows that were drawn have the target of the released ones
        both = imputed.signal_, simpler.signal_
        self.signal_ = {name: self.share * both[0][name] + (1 - self.share) * both[1][name] for name in self.columns}
        return self

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """Return the probability of each class."""
        check_is_fitted(self, "signal_")
        first, second = (np.log(np.maximum(each.predict_proba(X), LEAST)) for each in (self._imputed, self._simpler))
        logs = self.share * first + (1 - self.share) * second
        shares: Floats = np.exp(logs - logs.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    def decision_function(self, X: Any) -> Floats:  # noqa: N803
        """Return the logarithm of the odds of the second class, or the logarithm of the probability of each class."""
        logs: Floats = np.log(np.maximum(self.predict_proba(X), LEAST))
        return logs[:, 1] - logs[:, 0] if logs.shape[1] == 2 else logs

    def predict(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """Return the likeliest class."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]
