"""Two classifiers of the same column, averaged: one that fits the release, and another that errs differently."""

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
from tokumei.reconstruction.stretched import StretchedClassifier

FIRST = 2 / 3  # how much the first model counts; the rest is the second's
LEAST = 1e-12  # probability of a class


class AveragedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predict a column of categories for true rows, by the mean log-odds of two models that err differently.

    The first counts two thirds. It is a logistic regression on imputed rows or, where every row shows every column through
    noise, `ClassConditionalClassifier`. The second is simpler. Where each row tells some
    columns, it is `ClassConditionalClassifier`, which does not know how columns depend on each other, but is steadier where few rows tell
    a column. Where rows are generalized, it is a logistic regression on the labels, which takes nothing for granted about what they hide.
    Where every row shows every column, it is a logistic regression on the perturbed rows, stretched (`StretchedClassifier`): it is biased, and has little variance.
    The mean is about as good as the better of the two, and mostly better (`python -m benchmarks.every_release`).

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
    signal_
        How much each column still tells: the standard deviation of what it adds to the log-odds, averaged over both models.
    """

    def __init__(self, target: str, columns: Sequence[str]) -> None:
        self.target = target
        self.columns = columns

    def fit(
        self,
        first: ImputedClassifier | ClassConditionalClassifier,
        simpler: ImputedClassifier | ClassConditionalClassifier | StretchedClassifier,
    ) -> Self:
        """Take two models that were fitted to the same release."""
        self._first, self._simpler, self.classes_ = first, simpler, first.classes_
        assert np.array_equal(
            self.classes_, simpler.classes_
        )  # rows that were drawn have the target of the released ones
        both = first.signal_, simpler.signal_
        self.signal_ = {name: FIRST * both[0][name] + (1 - FIRST) * both[1][name] for name in self.columns}
        return self

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """Return the probability of each class."""
        check_is_fitted(self, "signal_")
        first, second = (np.log(np.maximum(each.predict_proba(X), LEAST)) for each in (self._first, self._simpler))
        shares: Floats = softmax(FIRST * first + (1 - FIRST) * second, axis=1)
        return shares

    def decision_function(self, X: Any) -> Floats:  # noqa: N803
        """Return the logarithm of the odds of the second class, or the logarithm of the probability of each class."""
        logs: Floats = np.log(np.maximum(self.predict_proba(X), LEAST))
        return logs[:, 1] - logs[:, 0] if logs.shape[1] == 2 else logs

    def predict(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """Return the likeliest class."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]
