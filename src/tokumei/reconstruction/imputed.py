"""Models that predict a column, fitted to rows that were drawn for the released ones, or to released labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.utils.validation import check_is_fitted

from tokumei.arrays import Booleans, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.reconstruction._columns import refuse_dates
from tokumei.reconstruction._model_columns import ModelColumn
from tokumei.reconstruction._nodes import Nodes
from tokumei.release.originals import Originals
from tokumei.table.classes import class_of
from tokumei.table.domain import Numbers
from tokumei.table.schema import Schema


@dataclass(frozen=True)
class Drawn:
    """Rows, as codes, and how much each counts.

    A code below 0 is a label: -1 the first of ``labels``, which has the stretch of values that each label of a column stands for
    along its `axis_of`.
    """

    columns: Mapping[str, ModelColumn]
    codes: Mapping[str, Integers]
    weights: Floats
    originals: Originals
    labels: Mapping[str, Integers] = field(default_factory=dict)

    def taking(self, rows: Booleans) -> Drawn:
        """Take some of the rows."""
        return replace(self, codes={name: each[rows] for name, each in self.codes.items()}, weights=self.weights[rows])

    def counted(self, names: Sequence[str], target: Integers) -> tuple[dict[str, Integers], Integers, Floats]:
        """Return the values of columns and the target in different rows, labels behind values, and how much each row counts."""
        values = {}
        for name in names:
            column, codes = self.columns[name], self.codes[name]
            values[name] = np.where(codes < 0, column.size - 1 - codes, column.bins[np.maximum(codes, 0)])
        which = class_of([*values.values(), target], len(target))
        first = np.empty(int(which.max()) + 1, dtype=np.int64)
        first[which] = np.arange(len(which))
        weights: Floats = np.bincount(which, self.weights).astype(np.float64)
        return {name: each[first] for name, each in values.items()}, first, weights


class _Imputed(BaseEstimator):  # type: ignore[misc]
    """What both kinds have in common: features for the values of each column, and for what values have in common."""

    def __init__(self, target: str, columns: Sequence[str]) -> None:
        self.target = target
        self.columns = columns

    def _of(self, rows: Any) -> Any:
        check_is_fitted(self, "signal_")
        coded = self._originals.coded(rows, Schema(tuple(self._columns[name].attribute for name in self.columns)))
        values = {name: self._columns[name].bins[coded.codes(name)] for name in self.columns}
        return sparse.hstack([self._features[name][values[name]] for name in self.columns], format="csr")

    def _fit(self, drawn: Drawn, model: Any, target: Integers, answers: npt.NDArray[Any]) -> None:
        """Fit a linear model, and say how far each column moves what it predicts."""
        self._columns = {name: drawn.columns[name] for name in self.columns}
        self._originals = drawn.originals
        nodes = {name: Nodes.of(column) for name, column in self._columns.items()}
        self._features = {name: each.of_values() for name, each in nodes.items()}
        seen = {
            name: sparse.vstack([self._features[name], each.of_stretches(drawn.labels[name])], format="csr")
            if name in drawn.labels
            else self._features[name]
            for name, each in nodes.items()
        }
        values, first, weights = drawn.counted(self.columns, target)
        design = sparse.hstack([seen[name][values[name]] for name in self.columns], format="csr")
        self._model = model.fit(design, answers[target[first]], sample_weight=weights)
        coefficients = np.atleast_2d(self._model.coef_)
        self.signal_, start = {}, 0
        for name in self.columns:
            stop = start + seen[name].shape[1]
            adds = seen[name] @ coefficients[:, start:stop].T
            shares = np.bincount(values[name], weights=weights, minlength=len(adds)) / weights.sum()
            variance = shares @ adds**2 - (shares @ adds) ** 2
            self.signal_[name] = float(np.sqrt(max(float(np.mean(variance)), 0.0)))
            start = stop


class ImputedClassifier(ClassifierMixin, _Imputed):  # type: ignore[misc]
    """Predict a column of categories for true rows, by logistic regression on imputed rows.

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
        How much each column still tells: the standard deviation of what it adds to the log-odds.
    """

    def fit(self, drawn: Drawn, y: None = None) -> Self:
        """Fit to rows that a model drew."""
        drawn = drawn.taking(drawn.codes[self.target] >= 0)
        codes = drawn.codes[self.target]
        present, target = np.unique(codes, return_inverse=True)
        if len(present) < 2:
            raise InvalidParameter(
                "{target!r} has only one value in the release, so there is nothing to predict.", target=self.target
            )
        domain = drawn.columns[self.target].attribute.domain
        assert domain is not None
        self.classes_ = np.array(domain.values_of(present).to_pylist())
        self._fit(drawn, LogisticRegression(max_iter=500), target.reshape(-1), np.arange(len(present)))
        return self

    def decision_function(self, X: Any) -> Floats:  # noqa: N803
        """Return the logarithm of the odds of the second class, or a score of each class."""
        return np.asarray(self._model.decision_function(self._of(X)))

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """Return the probability of each class."""
        return np.asarray(self._model.predict_proba(self._of(X)))

    def predict(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """Return the likeliest class."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class ImputedRegressor(RegressorMixin, _Imputed):  # type: ignore[misc]
    """Predict a column of numbers for true rows, by linear regression on imputed rows.

    Parameters are those of `ImputedClassifier`.

    Attributes
    ----------
    signal_
        How much each column still tells: the standard deviation of what it adds to the prediction.
    """

    def fit(self, drawn: Drawn, y: None = None) -> Self:
        """Fit to rows that a model drew."""
        domain = drawn.columns[self.target].attribute.domain
        refuse_dates(drawn.columns[self.target].attribute)
        assert isinstance(domain, Numbers)
        there = (drawn.codes[self.target] >= 0) & (drawn.codes[self.target] < domain.size)
        if not there.any():
            raise InvalidParameter(
                "{target!r} is missing in every row, so there is nothing to predict.", target=self.target
            )
        drawn = drawn.taking(there)
        self._fit(drawn, Ridge(alpha=1.0), drawn.codes[self.target], domain.points.astype(np.float64))
        return self

    def predict(self, X: Any) -> Floats:  # noqa: N803
        """Return the predicted number."""
        return np.asarray(self._model.predict(self._of(X)))
