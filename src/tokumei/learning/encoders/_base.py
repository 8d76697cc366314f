"""What all encoders share: reading frames, one block of features a column, scikit-learn's manners."""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import scipy.sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from tokumei.arrays import Integers
from tokumei.errors import DataError, InvalidParameter
from tokumei.progress import stage
from tokumei.release.artifact import Release
from tokumei.table.cells import STAR
from tokumei.table.domain import Categories
from tokumei.table.frames import to_arrow
from tokumei.table.reading import CellReader, Cells
from tokumei.table.schema import Attribute, Schema, observed_attribute


class Block(Protocol):
    """The features of one column."""

    @property
    def names(self) -> Sequence[str]:
        """What the features are called, without the column's name."""

    def rows(self, low: Integers, high: Integers) -> scipy.sparse.csr_matrix:
        """Encode stretches, one row each."""


class CellEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Reads each column's cells as stretches of its line, and encodes every different stretch once."""

    schema: Schema | Release | None
    sparse_output: bool

    @abstractmethod
    def _block(self, reader: CellReader, cells: Cells) -> Block:
        """Learn the features of one column from its training cells."""

    @stage("Fitting")
    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803
        """Learn the features of each column."""
        if not (self.schema is None or isinstance(self.schema, Schema | Release)):
            raise InvalidParameter("schema must be a Schema, a Release, or None to use the values as they come.")
        table = self._table(X, reset=True)
        if table.num_rows == 0:
            raise DataError("The table has no rows to learn from.")
        self._readers = [CellReader(attribute_of(self.schema, name, table.column(name))) for name in table.column_names]
        cells = [reader.read(column) for reader, column in zip(self._readers, table.columns, strict=True)]
        self._learn(cells)
        return self

    def _learn(self, cells: Sequence[Cells]) -> None:
        self._blocks = [self._block(reader, each) for reader, each in zip(self._readers, cells, strict=True)]

    def transform(self, X: Any) -> Any:  # noqa: N803
        """Encode cells: a sparse matrix, or an array with ``sparse_output=False``."""
        check_is_fitted(self, "_blocks")
        made = self._encoded(self._cells(X))
        return made if self.sparse_output else made.toarray()

    def _encoded(self, cells: Sequence[Cells]) -> scipy.sparse.csr_matrix:
        parts = [block.rows(each.low, each.high)[each.which] for block, each in zip(self._blocks, cells, strict=True)]
        return scipy.sparse.hstack(parts, format="csr")

    def _cells(self, X: Any) -> list[Cells]:  # noqa: N803
        table = self._table(X, reset=False)
        if isinstance(self.schema, Release):  # true rows come as they were before the steps
            table = self.schema.originals.levelled(table)
        return [reader.read(column) for reader, column in zip(self._readers, table.columns, strict=True)]

    def _table(self, X: Any, *, reset: bool) -> pa.Table:  # noqa: N803
        """Return a frame, an array or lists of rows as Arrow columns."""
        if isinstance(X, pa.Table) or hasattr(X, "columns"):
            table = to_arrow(X)[0]  # first, for it names columns that are there twice
            validate_data(self, X, reset=reset, skip_check_array=True)
            return table
        rows = validate_data(self, X, reset=reset, dtype=None, ensure_all_finite=False)
        named = getattr(self, "feature_names_in_", None)
        columns = [f"x{at}" for at in range(rows.shape[1])] if named is None else list(named)
        return pa.table({name: _column(rows[:, at], name) for at, name in enumerate(columns)})

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """Name the features: the column, an equals sign, and the value, label or statistic."""
        check_is_fitted(self, "_blocks")
        columns = _check_feature_names_in(self, input_features)
        pairs = zip(columns, self._blocks, strict=True)
        return np.array([f"{column}={name}" for column, block in pairs for name in block.names], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def attribute_of(schema: Schema | Release | None, name: str, column: Any) -> Attribute:
    """Return what a column was before any of its cells was made coarser; without a schema, what it seems to be."""
    if schema is None:
        found = observed_attribute(name, column, "insensitive", few=0)
        if isinstance(found.domain, Categories) and STAR in found.domain.values and found.domain.size > 1:
            return replace(found, domain=Categories(tuple(each for each in found.domain.values if each != STAR)))
        return found
    return schema[name] if isinstance(schema, Schema) else schema.original(name)


def _column(cells: npt.NDArray[Any], name: str) -> Any:
    made = None
    # Arrow's own messages quote the cell, so the error is raised outside, without them as its context.
    with contextlib.suppress(pa.ArrowNotImplementedError, TypeError, ValueError, OverflowError):
        made = pa.array(cells.tolist() if cells.dtype == object else cells)
    if made is None:
        raise DataError(
            "Column {name!r} mixes kinds of values, or holds values that cannot be read; give it one type.", name=name
        )
    return made
