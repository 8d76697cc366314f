"""Joint tables of one or two columns: of the original, of a release as it is, and after reconstruction.

A released table becomes comparable cell by cell. A label stands for a stretch of values and is spread evenly over them, a
suppressed cell over all values of its column; averages and perturbed values count as what they say. Two columns of a row
are spread independently, evenly over their box. Rows that were left out are missed by the shares of the others. Where rows
tell some columns only, shares are those of the rows that tell them; columns that no row tells together count as independent.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
import scipy.sparse

from tokumei.arrays import Codes, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.boxes import place_of
from tokumei.mechanism.treatments import ToldByNone
from tokumei.reconstruction._columns import relabelled
from tokumei.reconstruction._mixture import STEPS
from tokumei.reconstruction._views import shares_of
from tokumei.reconstruction.iterative_bayes import IterativeBayes
from tokumei.reconstruction.release_model import ReleaseModel
from tokumei.release.artifact import Release
from tokumei.table.coded import CodedTable, encode
from tokumei.table.domain import Categories
from tokumei.table.schema import Schema
from tokumei.utility.lines import Line
from tokumei.utility.said import AmongThoseWhoTell, NeverToldTogether, PartlyBlank
from tokumei.words import Statement

IMAGINED = 10.0  # rows, so that a table by itself does not chase the noise
FITS = 2  # of a model of the whole table, which are averaged: on Adult in groups with noise six say the same to three digits, and take three times as long
WRITTEN_OUT = 2**14  # cells of a matrix that is multiplied faster with its zeros
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
        self._rows: dict[tuple[str, ...], Integers | None] = {}
        self._uneven = release.row_weights() if weights is None else shares_of(release, weights)
        self.weights = np.ones(release.rows) if self._uneven is None else self._uneven
        self._shares: dict[str, Any] = {}
        self._few: dict[str, Any] = {}
        self._codes: dict[str, Codes] = {}

    def alone(self, line: Line) -> Floats:
        """Return the share of each state of a column."""
        rows = self._telling(line)
        if rows is not None and not len(rows):
            raise InvalidParameter(ToldByNone(column=line.name))
        counts = (
            np.bincount(_of(self.codes(line), rows), weights=_of(self.weights, rows)) / _of(self.weights, rows).sum()
        )
        laid = self._laid(line)
        if laid is None:
            return np.append(counts, np.zeros(line.attribute.states - len(counts)))
        spans = laid.spans[: len(counts)]
        each = counts / (spans[:, 1] - spans[:, 0] + 1)
        steps = np.bincount(spans[:, 0], weights=each, minlength=line.attribute.states + 1)
        steps -= np.bincount(spans[:, 1] + 1, weights=each, minlength=line.attribute.states + 1)
        return np.maximum(np.cumsum(steps)[:-1], 0.0)[laid.place]

    def pair(self, first: Line, second: Line) -> Floats:
        """Return the share of each pair of cells of two columns."""
        rows = self._telling(first, second)
        if rows is not None and not len(rows):
            a, b = (np.bincount(line.cell_of, weights=self.alone(line)).astype(np.float64) for line in (first, second))
            return np.outer(a, b)
        shares = self.cell_shares(first), self.cell_shares(second)
        shape = shares[0].shape[0], shares[1].shape[0]
        places = _of(self.codes(first), rows), _of(self.codes(second), rows)
        weights = _of(self.weights, rows)
        if shape[0] * shape[1] <= SPARSE * self.release.rows:
            key = places[0].astype(np.int64) * shape[1] + places[1]
            uneven = None if self._uneven is None else weights
            counts = np.bincount(key, weights=uneven, minlength=shape[0] * shape[1]).reshape(shape)
            joint = self._onto(second, self._onto(first, counts).T).T
        else:
            joint = (shares[0].T @ scipy.sparse.csr_array((weights, places), shape=shape) @ shares[1]).toarray()
        return np.asarray(joint / weights.sum(), dtype=np.float64)

    def notes(self, lines: Sequence[Line]) -> list[Statement]:
        """Say how columns were counted that some rows do not tell."""
        if all(self._telling(line) is None for line in lines):
            return []
        pairs = list(itertools.combinations(lines, 2))
        never = sum(rows is not None and not len(rows) for rows in (self._telling(*pair) for pair in pairs))
        return [AmongThoseWhoTell(), *([NeverToldTogether(pairs=never, of=len(pairs))] if never else [])]

    def need_whole_rows(self, lines: Sequence[Line]) -> None:
        """Refuse rows that are blank in some of these columns."""
        if self._telling(*lines) is not None:
            raise InvalidParameter(PartlyBlank())

    def cell_shares(self, line: Line) -> Any:
        """Return how each released code is spread over the cells of a column: one row per code, a sparse matrix."""
        if line.name not in self._shares:
            self._shares[line.name] = self._cell_shares(line)
        return self._shares[line.name]

    def _onto(self, line: Line, counts: Any) -> Any:
        """Bring counts of released codes, one row each, to the cells of a column."""
        if line.name not in self._few:
            shares = self.cell_shares(line).T
            self._few[line.name] = shares.toarray() if shares.shape[0] * shares.shape[1] <= WRITTEN_OUT else shares
        return self._few[line.name] @ counts

    def spans(self, line: Line) -> tuple[Integers, Integers]:
        """Return the states of a column in the order of its line, and each released code's first and last place there."""
        laid = self._laid(line)
        if laid is None:
            return np.arange(line.attribute.states), np.stack([np.arange(line.attribute.states)] * 2, axis=1)
        return np.argsort(laid.place), laid.spans

    def _cell_shares(self, line: Line) -> Any:
        laid = self._laid(line)
        states = line.attribute.states
        if laid is None:
            return scipy.sparse.csr_array(
                (np.ones(states), (np.arange(states), line.cell_of)), shape=(states, line.cells)
            )
        low, high = laid.spans.T
        length = high - low + 1
        cell_at = np.empty(states, dtype=np.int64)  # the cell of the value at each place of the line
        cell_at[laid.place] = line.cell_of
        if isinstance(line.attribute.domain, Categories):
            code = np.repeat(np.arange(len(low)), length)
            place = np.arange(len(code)) - np.repeat(np.cumsum(length) - length, length) + np.repeat(low, length)
            entries = np.repeat(1 / length, length), (code, cell_at[place])
            return scipy.sparse.csr_array(entries, shape=(len(low), line.cells))
        before = np.zeros((states + 1, line.cells))
        np.cumsum(np.eye(line.cells)[cell_at], axis=0, out=before[1:])
        return scipy.sparse.csr_array((before[high + 1] - before[low]) / length[:, None])

    def codes(self, line: Line) -> Codes:
        """Return the released codes of a column, once it is sure that they can be compared."""
        if line.name not in self._codes:
            check_same(self.release, line)
            self._codes[line.name] = self.release.coded.codes(line.name)
        return self._codes[line.name]

    def _laid(self, line: Line) -> _Laid | None:
        mechanism = self.release.mechanism
        if mechanism.recoding is not None and line.name in mechanism.recoding.columns:
            recoded = mechanism.recoding.columns[line.name]
            return _Laid(recoded.axis.place.astype(np.int64), recoded.spans)
        if mechanism.telling is not None and line.name in mechanism.telling.columns:
            told = mechanism.telling.columns[line.name]
            return None if told.whole else _Laid(place_of(told.original), told.spans)
        return None

    def _telling(self, *lines: Line) -> Integers | None:
        """Return the rows that tell all of these columns; ``None`` where every row does."""
        names = tuple(line.name for line in lines)
        if names not in self._rows:
            tells = self.release.tells(*names)
            self._rows[names] = None if tells.all() else np.flatnonzero(tells)
        return self._rows[names]


class _Laid(NamedTuple):
    """Where a column's states lie along its line, and the first and last place of each released code."""

    place: Integers
    spans: Integers


def _of(values: Any, rows: Integers | None) -> Any:
    return values if rows is None else values[rows]


class ReconstructedTables:
    """The shares that the original had, as estimated from the release and its public mechanism alone.

    All of them come from one model of the whole table, as `tokumei.reconstruct` gives it, which is fitted once: the average of
    ``n_init`` fits with ``n_components`` classes in up to ``max_iter`` steps, see `ReleaseModel`. Columns that a matrix of probabilities gave other labels are
    not part of that model: their tables are estimated one by one.
    """

    def __init__(
        self,
        release: Release,
        weights: str | None = None,
        n_init: int = FITS,
        n_components: int | None = None,
        max_iter: int = STEPS,
    ) -> None:
        self.release, self.weights = release, weights
        self.n_init, self.n_components, self.max_iter = n_init, n_components, max_iter
        self._found: dict[tuple[str, ...], Floats] = {}

    def prepare(self, lines: Sequence[Line]) -> None:
        """Estimate the tables of all these columns and pairs of them at once, which takes less than one by one."""
        known = [line for line in lines if not relabelled(self.release, line.name)]
        tables = [[line] for line in known] + [list(pair) for pair in itertools.combinations(known, 2)]
        if not tables:
            return
        names = [[line.name for line in each] for each in tables]
        found = self.model.estimated_tables(names, [_bins(each) for each in tables])
        self._found = {tuple(each): table.pmf_ for each, table in zip(names, found, strict=True)}

    @cached_property
    def model(self) -> ReleaseModel:
        """The model of the whole table."""
        return ReleaseModel(self.weights, self.n_components, self.n_init, max_iter=self.max_iter).fit(self.release)

    def rows(self, lines: Sequence[Line], random_state: np.random.Generator) -> list[Codes]:
        """Draw a true row for each released one, and return the states of its columns."""
        for line in lines:
            check_same(self.release, line)
        made = self.model.completed_codes(random_state)
        return [made[line.name] if line.name in made else self._as_released(line) for line in lines]

    def _as_released(self, line: Line) -> Codes:
        """Return the states of a column that the model leaves as it is."""
        table = self.release.table.select([line.name])
        return encode(table, Schema((line.attribute,)), cells=()).codes(line.name)

    def alone(self, line: Line) -> Floats:
        """Return the share of each state of a column, even inside an interval."""
        return line.spread(self._estimate([line]))

    def pair(self, first: Line, second: Line) -> Floats:
        """Return the share of each pair of cells of two columns."""
        return self._estimate([first, second])

    def _estimate(self, lines: Sequence[Line]) -> Floats:
        bins, names = _bins(lines), [line.name for line in lines]
        found: Floats
        if tuple(names) in self._found:
            found = self._found[tuple(names)]
        elif any(relabelled(self.release, name) for name in names):
            found = IterativeBayes(names, bins=bins, smoothing=IMAGINED, weights=self.weights).fit(self.release).pmf_
        else:
            found = self.model.estimated_table(names, bins).pmf_
        if found.shape != tuple(line.cells for line in lines):
            raise InvalidParameter(
                "the release describes other values than the original; compare with the same schema."
            )
        return found


def _bins(lines: Sequence[Line]) -> dict[str, Sequence[Any]]:
    return {line.name: line.edges for line in lines if line.edges is not None}


def check_same(release: Release, line: Line) -> None:
    """Refuse a column whose released values are not those of the original and that no recoding explains."""
    explained = release.original(line.name)
    if explained.domain != line.attribute.domain or explained.missing != line.attribute.missing:
        raise InvalidParameter(
            "the released values of {column!r} are not those of the original; compare with the schema and the "
            "preparation that the release was made with, or leave the column out.",
            column=line.name,
        )
