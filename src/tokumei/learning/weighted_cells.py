"""Encode every different row once, and fit it with the number of its copies as weight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_regressor
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d, has_fit_parameter

from tokumei.arrays import Integers
from tokumei.errors import DataError, InvalidParameter
from tokumei.learning.encoders._base import CellEncoder
from tokumei.parallel import in_chunks, one_blas_thread
from tokumei.progress import stage
from tokumei.table.classes import class_of
from tokumei.table.coded import numbered
from tokumei.table.domain import family, plain
from tokumei.table.frames import to_arrow


def _model_has(name: str) -> Callable[[WeightedCells], bool]:
    return lambda self: hasattr(getattr(self, "estimator_", self.estimator), name)


class WeightedCells(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Fit a model to the different rows of a table, each weighted by its number of copies.

    The rows of a k-anonymous table come in groups of k and more, so there are few different ones. A model whose loss is a
    sum over rows, such as logistic regression, a linear support vector machine, a decision tree or gradient boosting,
    becomes the same model this way, up to rounding, in a fraction of the time and memory. A model that counts rows where
    it should add up weights does not: LightGBM's ``min_child_samples``, or the bootstrap of a random forest.

    Parameters
    ----------
    encoder
        Turns cells into features, such as `AncestorEncoder`. It sees all rows when it is fitted.
    estimator
        A classifier or regressor whose ``fit`` takes ``sample_weight``.

    Attributes
    ----------
    encoder_, estimator_
        The fitted parts.
    rows_
        To how many weighted rows the model was fitted.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.linear_model import LogisticRegression
    >>> import tokumei as tk
    >>> frame = pd.DataFrame({"sex": ["Female", "Female", "Male", "Male"] * 5})
    >>> model = WeightedCells(tk.encoders.AncestorEncoder(), LogisticRegression()).fit(frame, [1, 1, 0, 1] * 5)
    >>> model.rows_, model.predict(frame[:1]).tolist()
    (3, [1])
    """

    def __init__(self, encoder: Any, estimator: Any) -> None:
        self.encoder = encoder
        self.estimator = estimator

    @stage("Fitting")
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Fit the encoder to all rows, and the model to the different ones."""
        if not has_fit_parameter(self.estimator, "sample_weight"):
            raise InvalidParameter(
                "{kind}.fit takes no sample_weight, which weighted cells need; fit it to all rows.",
                kind=type(self.estimator).__name__,
            )
        target = column_or_1d(y)
        rows, which, _ = self._different(X)
        if len(target) != len(which):
            raise DataError("X has {rows:,} rows and y has {targets:,}.", rows=len(which), targets=len(target))
        weights = _check_sample_weight(sample_weight, np.empty((len(which), 1)))
        labels = np.unique(target, return_inverse=True)[1].reshape(-1)
        pair = class_of([which, labels], len(which))
        example = _examples(pair)
        self.encoder_ = clone(self.encoder).fit(rows, target)
        made = self.encoder_.transform(_taken(rows, example))
        with one_blas_thread():  # there are few rows
            self.estimator_ = clone(self.estimator).fit(
                made, target[example], sample_weight=np.bincount(pair, weights=weights)
            )
        self.rows_ = len(example)
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """Predict the target of raw or coarser rows."""
        return self._each("predict", X)

    @available_if(_model_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """Return the probability of each class."""
        return self._each("predict_proba", X)

    @available_if(_model_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """Return the model's decision function."""
        return self._each("decision_function", X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:  # noqa: N803
        """Return the accuracy of a classifier, or R² of a regressor."""
        measure = r2_score if is_regressor(self) else accuracy_score
        return float(measure(y, self.predict(X), sample_weight=sample_weight))

    @property
    def classes_(self) -> npt.NDArray[Any]:
        """The classes that the model tells apart."""
        return self.estimator_.classes_

    def _each(self, name: str, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        check_is_fitted(self, "estimator_")
        rows, which, example = self._different(X)
        made: npt.NDArray[Any] = getattr(self.estimator_, name)(self.encoder_.transform(_taken(rows, example)))
        return made[which]

    def _different(self, X: Any) -> tuple[Any, Integers, Integers]:  # noqa: N803
        """Number the different rows; return the rows, the number of each, and an example of each different one.

        Our own encoders get a frame as Arrow columns whose text is numbered already; any other gets what came in.
        """
        if isinstance(X, pa.Table) or hasattr(X, "columns"):
            table = to_arrow(X)[0]
            if isinstance(self.encoder, CellEncoder):
                X = table = _numbered_text(table)  # noqa: N806
            which = class_of([numbered(column.combine_chunks()) for column in table.columns], table.num_rows)
        else:
            cells = np.asarray(X)
            if cells.ndim != 2:
                raise DataError("X must have rows and columns.")
            columns = [_numbers(cells[:, at]) for at in range(cells.shape[1])]
            which = class_of(columns, len(cells))
        return X, which, _examples(which)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        model = get_tags(self.estimator)
        tags.estimator_type = model.estimator_type
        tags.classifier_tags, tags.regressor_tags = model.classifier_tags, model.regressor_tags
        tags.input_tags = get_tags(self.encoder).input_tags
        return tags


def _numbered_text(table: pa.Table) -> pa.Table:
    columns = [plain(column) for column in table.columns]

    def number(first: int, last: int) -> None:
        for at in range(first, last):
            if family(columns[at].type) == "text":
                columns[at] = columns[at].dictionary_encode()

    in_chunks(len(columns), number, size=1)
    return pa.table(columns, names=table.column_names)


def _numbers(cells: npt.NDArray[Any]) -> Integers:
    if cells.dtype != object:
        return np.unique(cells, return_inverse=True)[1].reshape(-1)
    number: dict[Any, int] = {}  # text and None have no order
    return np.array([number.setdefault((type(each), each), len(number)) for each in cells], dtype=np.int64)


def _examples(which: Integers) -> Integers:
    found = np.empty(int(which.max(initial=-1)) + 1, dtype=np.int64)
    found[which] = np.arange(len(which))
    return found


def _taken(X: Any, rows: Integers) -> Any:  # noqa: N803
    return X.take(rows) if isinstance(X, pa.Table) else _safe_indexing(X, rows)
