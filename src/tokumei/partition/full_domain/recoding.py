"""What every full-domain recoding gives: one level for each column, and the classes that follow."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei.arrays import Labels
from tokumei.partition.arrangement import Arrangement, Problem
from tokumei.partition.notes import GroupedBy
from tokumei.partition.scheme import Scheme
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import LevelsFrom
from tokumei.table.coded import CodedTable


@dataclass(frozen=True, eq=False)
class Found:
    """A full-domain recoding: the level of each column, each row's class (-1 for suppressed), and the mean loss."""

    levels: tuple[int, ...]
    labels: Labels
    loss: float
    checked: int

    @property
    def suppressed(self) -> int:
        """How many rows are in no class."""
        return int(np.count_nonzero(self.labels < 0))


class FullDomain(Scheme):
    """A way of choosing one level of its hierarchy for each column; ``chosen_by`` says by what."""

    chosen_by: ClassVar[Literal["rows", "holder"]] = "rows"

    @abstractmethod
    def search(self, problem: Problem, limit: int) -> Found:
        """Choose the levels, with ``limit`` rows suppressed at most."""

    def arrange(self, table: CodedTable, problem: Problem, limit: int) -> Arrangement:
        """Give every cell the label of its column's level."""
        found = self.search(problem, limit)
        low = np.empty_like(problem.rows)
        high = np.empty_like(problem.rows)
        for column, (axis, level) in enumerate(zip(problem.axes, found.levels, strict=True)):
            low[:, column] = axis.first[level, problem.rows[:, column]]
            high[:, column] = axis.last[level, low[:, column]]
        levels = {axis.name: level for axis, level in zip(problem.axes, found.levels, strict=True)}
        note = GroupedBy(
            partition=type(self).__name__, loss=found.loss, suppressed=found.suppressed, rows=len(problem.rows)
        )
        fact = Fact("levels", levels, LevelsFrom(how=self.chosen_by))
        return Arrangement(
            table, problem, found.labels, low, high, "global", found.loss, (fact,), note, levels=found.levels
        )
