"""Joint tables of one or two columns: of the original, of a release as it is, and of a release with its noise taken out.

A released table becomes comparable cell by cell. A label stands for a stretch of values and is spread evenly over them, a
suppressed cell over all values of its column; averages and perturbed values count as what they say. Two columns of a row
are spread independently, evenly over their box. Rows that were left out are missed by the shares of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import scipy.sparse

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.recoding import RecodedColumn
from tokumei.reconstruction._views import shares_of
from tokumei.reconstruction.iterative_bayes import IterativeBayes
from tokumei.release.artifact import Release
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories
from tokumei.utility.lines import Line

SPARSE = 4  # a table of released codes with more cells than this many for each row is not written out


class Tables(Protocol):
    """Whatever gives shares of one or two columns."""

    def alone(self, line: Line) -> Floats:
        """Return the share of each state of a column."""

    def pair(self, first: Line, second: Line) -> Floats:
        """Return the share of each pair of cells of two columns."""


class OriginalTables:
    """The shares of the original rows, by their weights where these are given."""

    def __init__(self, table: CodedTable, weights: Floats | None = None) -> None:
        self.table, self.weights = table, weights
        self.total = table.rows if weights is None else float(weights.sum())

    def alone(self, line: Line) -> Floats:
        """Return the share of each state of a column."""
        codes = self.table.codes(line.name)
        return np.bincount(codes, weights=self.weights, minlength=line.attribute.states) / self.total

    def pair(self, first: Line, second: Line) -> Floats:
        """Return the share of each pair of cells of two columns."""
        a, b = (line.cell_of[self.table.codes(line.name)] for line in (first, second))
        counts = np.bincount(a * second.cells + b, weights=self.weights, minlength=first.cells * second.cells)
        return counts.reshape(first.cells, second.cells) / self.total


class ReleasedTables:
    """The shares of the released rows as they are, every label spread evenly over the values that it stands for.

    ``weights`` names a column of survey weights that was released unchanged.
    """

    def __init__(self, release: Release, weights: str | None = None) -> None:
        self.release = release
        self._uneven = release.row_weights() if weights is None else shares_of(release, weights)
        self.weights = np.ones(release.rows) if self._uneven is None else self._uneven
        self._shares: dict[str, Any] = {}
        self._codes: dict[str, Integers] = {}

    def alone(self, line: Line) -> Floats:
        """Return the share of each state of a column."""
        counts = np.bincount(self.codes(line), weights=self.weights) / self.weights.sum()
        recoded = self._recoded(line)
        if recoded is None:
            return np.append(counts, np.zeros(line.attribute.states - len(counts)))
        spans = recoded.spans[: len(counts)]
        each = counts / (spans[:, 1] - spans[:, 0] + 1)
        steps = np.bincount(spans[:, 0], weights=each, minlength=line.attribute.states + 1)
        steps -= np.bincount(spans[:, 1] + 1, weights=each, minlength=line.attribute.states + 1)
        return np.maximum(np.cumsum(steps)[:-1], 0.0)[recoded.axis.place]

    def pair(self, first: Line, second: Line) -> Floats:
        """Return the share of each pair of cells of two columns."""
        shares = self.cell_shares(first), self.cell_shares(second)
        shape = shares[0].shape[0], shares[1].shape[0]
        places = self.codes(first), self.codes(second)
        if shape[0] * shape[1] <= SPARSE * self.release.rows:
            key = places[0] * shape[1] + places[1]
            counts = np.bincount(key, weights=self._uneven, minlength=shape[0] * shape[1]).reshape(shape)
            joint = (shares[1].T @ (shares[0].T @ counts).T).T
        else:
            joint = (shares[0].T @ scipy.sparse.csr_array((self.weights, places), shape=shape) @ shares[1]).toarray()
        return np.asarray(joint / self.weights.sum(), dtype=np.float64)

    def cell_shares(self, line: Line) -> Any:
        """Return how each released code is spread over the cells of a column: one row per code, a sparse matrix."""
        if line.name not in self._shares:
            self._shares[line.name] = self._cell_shares(line)
        return self._shares[line.name]

    def spans(self, line: Line) -> tuple[Integers, Integers]:
        """Return the states of a column in the order of its line, and each released code's first and last place there."""
        recoded = self._recoded(line)
        if recoded is None:
            return np.arange(line.attribute.states), np.stack([np.arange(line.attribute.states)] * 2, axis=1)
        return np.argsort(recoded.axis.place), recoded.spans

    def _cell_shares(self, line: Line) -> Any:
        recoded = self._recoded(line)
        states = line.attribute.states
        if recoded is None:
            return scipy.sparse.csr_array(
                (np.ones(states), (np.arange(states), line.cell_of)), shape=(states, line.cells)
            )
        low, high = recoded.spans.T
        length = high - low + 1
        cell_at = np.empty(states, dtype=np.int64)  # the cell of the value at each place of the line
        cell_at[recoded.axis.place] = line.cell_of
        if isinstance(line.attribute.domain, Categories):
            code = np.repeat(np.arange(len(low)), length)
            place = np.arange(len(code)) - np.repeat(np.cumsum(length) - length, length) + np.repeat(low, length)
            entries = np.repeat(1 / length, length), (code, cell_at[place])
            return scipy.sparse.csr_array(entries, shape=(len(low), line.cells))
        before = np.zeros((states + 1, line.cells))
        np.cumsum(np.eye(line.cells)[cell_at], axis=0, out=before[1:])
        return scipy.sparse.csr_array((before[high + 1] - before[low]) / length[:, None])

    def codes(self, line: Line) -> Integers:
        """Return the released codes of a column, once it is sure that they can be compared."""
        if line.name not in self._codes:
            check_same(self.release, line)
            self._codes[line.name] = self.release.coded.codes(line.name).astype(np.int64)
        return self._codes[line.name]

    def _recoded(self, line: Line) -> RecodedColumn | None:
        recoding = self.release.mechanism.recoding
        return None if recoding is None else recoding.columns.get(line.name)


class ReconstructedTables:
    """The shares that the original had, as estimated from the release and its public mechanism alone."""

    def __init__(self, release: Release, smoothing: float, weights: str | None = None) -> None:
        self.release, self.smoothing, self.weights = release, smoothing, weights

    def alone(self, line: Line) -> Floats:
        """Return the share of each state of a column, even inside an interval."""
        return line.spread(self._estimate([line]))

    def pair(self, first: Line, second: Line) -> Floats:
        """Return the share of each pair of cells of two columns."""
        return self._estimate([first, second])

    def _estimate(self, lines: Sequence[Line]) -> Floats:
        bins = {line.name: line.edges for line in lines if line.edges is not None}
        model = IterativeBayes([line.name for line in lines], bins=bins, smoothing=self.smoothing, weights=self.weights)
        found: Floats = model.fit(self.release).pmf_
        if found.shape != tuple(line.cells for line in lines):
            raise InvalidParameter(
                "the release describes other values than the original; compare with the same schema."
            )
        return found


def check_same(release: Release, line: Line) -> None:
    """Refuse a column whose released values are not those of the original and that no recoding explains."""
    recoding = release.mechanism.recoding
    recoded = recoding is not None and line.name in recoding.columns
    explained = recoding.columns[line.name].original if recoded and recoding is not None else release.schema[line.name]
    if explained.domain != line.attribute.domain or explained.missing != line.attribute.missing:
        raise InvalidParameter(
            "the released values of {column!r} are not those of the original; compare with the schema and the "
            "preparation that the release was made with, or leave the column out.",
            column=line.name,
        )
