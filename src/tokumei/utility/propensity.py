"""Whether a model can tell released rows from original ones: the mean squared error of propensity scores (pMSE)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Codes, Floats
from tokumei.results import Result
from tokumei.table.classes import class_of
from tokumei.table.coded import CodedTable
from tokumei.utility.features import Features, check_width, indicators
from tokumei.utility.lines import Line
from tokumei.utility.logistic import logistic
from tokumei.utility.tables import ReleasedTables

PENALTY = 1e-3


@dataclass(frozen=True)
class Propensity(Result):
    """How well released rows can be told from original ones.

    Attributes
    ----------
    pmse
        The mean squared distance of the scores from the share of released rows; 0 where they cannot be told apart, at most
        ``worst``.
    ratio
        The same over what it is on average where the released rows are drawn again from the original ones (Snoke, Raab,
        Nowok, Dibben and Slavković, 2018): 1 is as good as such rows, 0 as good as the original itself.
    worst
        The pMSE where every row can be told: share · (1 - share).
    """

    pmse: float
    ratio: float
    worst: float

    @property
    def share(self) -> float:
        """The pMSE as a share of the worst: 0 where rows cannot be told apart, 1 where all can."""
        return self.pmse / self.worst


def propensity(
    table: CodedTable, released: ReleasedTables, lines: Sequence[Line], rng: np.random.Generator
) -> Propensity:
    """Tell released rows from original ones. A label is replaced by one of the values that it stands for, each as likely."""
    released.need_whole_rows(lines)
    return told_apart(table, [drawn(released, line, rng) for line in lines], released.weights, lines)


def told_apart(table: CodedTable, states: Sequence[Codes], weights: Floats, lines: Sequence[Line]) -> Propensity:
    """Fit a logistic model of which table a row comes from, and say how far its scores are from guessing.

        pMSE = mean of (score - c)²        drawn again: (terms - 1) (1 - c)² c / rows        c = share of released rows

    ``states`` are those of the other rows' columns, ``weights`` what each row counts for. The model has an indicator of each
    cell of each column and the product of places of each two columns that lie along a line.
    """
    check_width(lines)
    cells = [
        np.concatenate([cell_of[table.codes(line.name)], cell_of[each]])
        for line, cell_of, each in zip(lines, (line.small_cell_of for line in lines), states, strict=True)
    ]
    theirs = len(states[0])
    classes = class_of(cells, table.rows + theirs)
    example = np.empty(int(classes.max()) + 1, dtype=np.int64)
    example[classes] = np.arange(len(classes))
    no = np.bincount(classes[: table.rows], minlength=len(example)).astype(np.float64)
    each = weights * (theirs / weights.sum())
    yes = np.asarray(np.bincount(classes[table.rows :], each, minlength=len(example)), dtype=np.float64)
    del classes, each
    features = Features([indicators(line) for line in lines], [each[example] for each in cells], _products(lines))
    del cells, example
    scores = logistic(features, yes, no, PENALTY).probabilities
    share = float(yes.sum() / (yes + no).sum())
    rows = float((yes + no).sum())
    pmse = float((yes + no) @ (scores - share) ** 2 / rows)
    terms = _varying(features)
    chance = terms * (1 - share) ** 2 * share / rows
    return Propensity(pmse, pmse / chance if chance else 0.0, share * (1 - share))


def drawn(released: ReleasedTables, line: Line, rng: np.random.Generator) -> Codes:
    """Draw for every released cell one of the states that it stands for, each as likely."""
    states, spans = released.spans(line)
    low, high = spans[released.codes(line)].T
    place = low + np.floor(rng.random(len(low)) * (high - low + 1)).astype(np.int64)
    return np.asarray(states.astype(np.min_scalar_type(line.attribute.states))[place])


def _products(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Name the pairs of features that are places along a line; a column's place is the last of its features."""
    ends = np.cumsum([indicators(line).shape[1] for line in lines]) - 1
    along = [int(end) for line, end in zip(lines, ends, strict=True) if line.scored and line.present > 1]
    return list(itertools.combinations(along, 2))


def _varying(features: Features) -> int:
    """Count the features that can tell something: the rank of their differences."""
    ones = np.ones(features.rows)
    total = features.sums(ones)
    centred = features.gram(ones) / features.rows - np.outer(total, total) / features.rows**2
    return int(np.linalg.matrix_rank(centred, hermitian=True, tol=1e-10))
