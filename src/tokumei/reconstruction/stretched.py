"""A regression on perturbed rows, whose predictions are stretched to what another model predicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tokumei.arrays import Floats
from tokumei.reconstruction.class_conditional import ClassConditionalClassifier
from tokumei.reconstruction.imputed import ImputedClassifier
from tokumei.table.coded import CodedTable

LEAST = 1e-12  # probability of a class


class StretchedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predict a column of categories for true rows, by logistic regression on rows that are perturbed.

    Noise makes every coefficient smaller, and mostly leaves which rows are likelier than others. So the log-odds are shifted and multiplied until, over the
    released rows, they have the mean and the spread of those of another model.

    Parameters
    ----------
    target
        The column to predict.
    columns
        The columns to predict from.

    Attributes
    ----------
    classes_
        The values of the target.
    times_
        What the log-odds are multiplied by.
    signal_
        How much each column still tells: the standard deviation of what it adds to the log-odds.
    """

    def __init__(self, target: str, columns: Sequence[str]) -> None:
        self.target = target
        self.columns = columns

    def fit(self, regression: ImputedClassifier, like: ClassConditionalClassifier, coded: CodedTable) -> Self:
        """Take a regression on released rows, the model that it is to be like, and the rows."""
        self._regression, self.classes_ = regression, regression.classes_
        mine, others = _logs(regression.probabilities_of(coded)), _logs(like.probabilities_of(coded))
        self._mean, self._mean_of_others = mine.mean(axis=0), others.mean(axis=0)
        spread, wanted = float(mine.std(axis=0).mean()), float(others.std(axis=0).mean())
        self.times_ = wanted / spread if spread > 0 else 0.0
        self.signal_ = {name: self.times_ * each for name, each in regression.signal_.items()}
        return self

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """Return the probability of each class."""
        check_is_fitted(self, "times_")
        logs = _logs(self._regression.predict_proba(X))
        shares: Floats = softmax(self._mean_of_others + self.times_ * (logs - self._mean), axis=1)
        return shares

    def predict(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """Return the likeliest class."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def _logs(shares: Floats) -> Floats:
    """Return logarithms of probabilities, those of each row with a mean of 0."""
    logs: Floats = np.log(np.maximum(shares, LEAST))
    return logs - logs.mean(axis=1, keepdims=True)
