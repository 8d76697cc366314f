"""What every full-domain recoding gives: one level for each column, and the classes that follow."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Labels
from tokumei.partition.partition import Partition, Problem


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


class FullDomain(Partition):
    """A way of choosing one level of its hierarchy for each column."""

    @abstractmethod
    def search(self, problem: Problem, limit: int) -> Found:
        """Choose the levels, with ``limit`` rows suppressed at most."""

    def group(self, problem: Problem) -> Labels:
        """Return each row's class without suppression."""
        return self.search(problem, 0).labels
