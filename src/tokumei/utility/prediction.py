"""Whether a model that has learned from a release is as good on original rows as one that has learned from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Booleans, Codes, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.learning.reconstruct import reconstruct
from tokumei.results import Result
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories, Numbers
from tokumei.utility.features import Features, check_width, distinct, indicators
from tokumei.utility.lines import Line
from tokumei.utility.tables import ReconstructedTables, ReleasedTables

MOST = 20_000  # distinct rows that a model learns from; of more, this many are drawn by their weights


@dataclass(frozen=True)
class Prediction(Result):
    """How well a target of true rows is predicted.

    Attributes
    ----------
    score
        The share of rows that are predicted correctly for categories, R² for numbers and dates.
    baseline
        The score of always predicting the same: the most frequent value, or the mean (R² = 0).
    learned_from_original
        The score of the same model when it has learned from the original.
    """

    score: float
    baseline: float
    learned_from_original: float

    @property
    def kept(self) -> float | None:
        """The share of what the original teaches beyond the baseline that the release still does; may be below 0.

        ``None`` where the original itself teaches nothing beyond the baseline.
        """
        gain = self.learned_from_original - self.baseline
        return (self.score - self.baseline) / gain if gain > 0 else None


class Predictor:
    """Models of one target from all other columns, scored on the same rows: the original, or others of its kind.

    A model sees of each column an indicator of each cell, and its place along the line: of a released label the mean over
    the values that it stands for. It is scikit-learn's ``LogisticRegression`` or ``Ridge`` unless another is given. Rows in which a
    number to be predicted is missing teach nothing and are not scored; among categories a missing cell is one more.
    """

    def __init__(
        self,
        table: CodedTable,
        test: CodedTable,
        lines: Sequence[Line],
        aim: Line,
        model: Any,
        rng: np.random.Generator,
    ) -> None:
        self.lines = [line for line in lines if line.name != aim.name]
        if not self.lines:
            raise InvalidParameter("there is no column to predict the target from.")
        check_width(self.lines)
        self.aim, self.test, self.rng = aim, test, rng
        self.classes = isinstance(aim.attribute.domain, Categories)
        self.model = model if model is not None else _default(self.classes)
        self.truth = self._goal()[test.codes(aim.name)]
        self.lookups = [indicators(line) for line in self.lines]
        self.baseline = float(np.bincount(self.truth.astype(np.int64)).max() / test.rows) if self.classes else 0.0
        known = self._goal()[table.codes(aim.name)]
        if min(len(np.unique(each[_answered(each)])) for each in (known, self.truth)) < 2:
            raise InvalidParameter(
                "the target {column!r} has only one value, so there is nothing to predict.", column=aim.name
            )
        self._original = self._learned(self.lookups, self._cells(table), known, np.ones(table.rows))

    def released(self, released: ReleasedTables) -> Prediction:
        """Learn from a release as it is."""
        recoding = released.release.mechanism.recoding
        if recoding is not None and self.aim.name in recoding.columns:
            raise InvalidParameter(
                "the target {column!r} was generalized, so no model can learn its values.", column=self.aim.name
            )
        released.need_whole_rows([*self.lines, self.aim])
        lookups = [
            np.asarray(released.cell_shares(line) @ lookup)
            for line, lookup in zip(self.lines, self.lookups, strict=True)
        ]
        goal = self._goal()[released.codes(self.aim)]
        if len(np.unique(goal[_answered(goal)])) < 2:
            raise InvalidParameter("the target {column!r} has only one value in the release.", column=self.aim.name)
        score = self._learned(lookups, [released.codes(line) for line in self.lines], goal, released.weights)
        return Prediction(score, self.baseline, self._original)

    def reconstructed(self, tables: ReconstructedTables) -> Prediction:
        """Learn from a release as `tokumei.reconstruct` does; a model of the whole table is not fitted again."""
        names = [line.name for line in self.lines]
        if tables.release.mechanism.channels:  # models that need no complete rows
            model = reconstruct(tables.release, self.aim.name, names)
        else:
            model = tables.model.estimator(self.aim.name, names)
        found = model.predict(self._rows())
        if self.classes:
            assert self.aim.attribute.domain is not None
            values = self.aim.attribute.domain.values_of(np.arange(self.aim.attribute.states)).to_pylist()
            place = {value: at for at, value in enumerate(values)}
            found = np.array([place[value] for value in found.tolist()])
        return Prediction(self._score(np.asarray(found)), self.baseline, self._original)

    def _goal(self) -> Floats:
        """Return the target of each state: its code for categories, else a number, of which a missing cell has none."""
        domain = self.aim.attribute.domain
        if self.classes:
            return np.arange(self.aim.attribute.states, dtype=np.float64)
        assert domain is not None
        numbers = np.asarray(domain.points if isinstance(domain, Numbers) else np.arange(domain.size), float)
        return np.append(numbers, [np.nan] * int(self.aim.attribute.missing))

    def _rows(self) -> pa.Table:
        """Return the rows to predict as values, prepared as they were for the release."""
        cells = {}
        for line in self.lines:
            assert line.attribute.domain is not None
            cells[line.name] = line.attribute.domain.values_of(self.test.codes(line.name))
        return pa.table(cells)

    def _score(self, found: Floats) -> float:
        if self.classes:
            return float(np.mean(found == self.truth))
        there = _answered(self.truth)
        return float(1 - np.mean((found - self.truth)[there] ** 2) / np.var(self.truth[there]))

    def _learned(self, lookups: Sequence[Floats], codes: Sequence[Codes], goal: Floats, weights: Floats) -> float:
        from sklearn.base import clone

        there = _answered(goal)
        codes = [code[there] for code in codes]
        values, which = np.unique(goal[there], return_inverse=True)
        example, counts = distinct([*codes, which.reshape(-1)], weights[there])
        if len(counts) > MOST:
            picked = self.rng.choice(len(counts), MOST, replace=False, p=counts / counts.sum())
            example, counts = example[picked], np.ones(MOST)
        learned = clone(self.model)
        features = Features(lookups, [code[example] for code in codes])
        target = values[which.reshape(-1)][example]
        if len(np.unique(target)) < 2:
            raise InvalidParameter("the rows drawn for training all have the same value of the target.")
        learned.fit(features.part(0, features.rows), target, sample_weight=counts)
        return self._score(self._predicted(learned.predict))

    def _predicted(self, predict: Callable[[Floats], Any]) -> Floats:
        asked = Features(self.lookups, self._cells(self.test))
        return np.concatenate([np.asarray(predict(part)) for _, part in asked.parts()])

    def _cells(self, table: CodedTable) -> list[Integers]:
        return [line.cell_of[table.codes(line.name)] for line in self.lines]


def _answered(goal: Floats) -> Booleans:
    return ~np.isnan(goal)


def _default(classes: bool) -> Any:
    from sklearn.linear_model import LogisticRegression, Ridge

    return LogisticRegression(max_iter=500) if classes else Ridge()
