"""Beliefs about rows that tell one thing each, at a cost that grows with people times clusters, not with people times rows.

All people have the same likelihood of a tuple but those who agree with it, and a person agrees with one tuple of each cluster at most.
So what everybody believes of all tuples is a function of one scale, known from sums of powers of the tuples' scales, and what
agreeing adds is looked up. The beliefs are those of `Balanced`, to the accuracy of a series (1e-7).
"""

from __future__ import annotations

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.mechanism.likelihood import distinct
from tokumei.parallel import in_chunks, threads
from tokumei.progress import stage
from tokumei.risk.beliefs import NEARLY_CERTAIN, SWEEPS, Balancing
from tokumei.risk.said import Bethe, Sinkhorn
from tokumei.risk.told_rows import ToldRows
from tokumei.table.coded import CodedTable
from tokumei.words import Statement

CATALAN = np.array([0.0, 1.0, 1.0, 2.0, 5.0, 14.0])  # the factors of the series of p in powers of p (1 - p)


class Told(Balancing):
    """Beliefs of n people about m rows that tell one thing each, balanced as `Balanced` does."""

    def __init__(self, told: ToldRows, n: int, m: int) -> None:
        self.people, self.person_of, self._many = distinct(told.true, n)
        self.rows, self.row_of, self._counts = distinct([told.which, told.told], m)
        self._agreement = tuple(told.agreement(0, self.rows[:, 0], self.rows[:, 1]))
        self._absent_count, self._absent, self._bethe = float(n - m), 1.0, False
        self._scale, self._scales = np.ones(len(self.rows)), np.zeros(len(self.people))
        self._best, self._belief = np.zeros(len(self.people), dtype=np.int64), np.zeros(len(self.people))
        self.how: Statement = Sinkhorn()
        with stage("Attacking", total=SWEEPS) as shown:
            self._settle(shown)
            if self._belief.max() <= NEARLY_CERTAIN:
                self._bethe, self.how = True, Bethe()
                self._settle(shown)
        self.best, self.belief = self._best[self.person_of], self._belief[self.person_of]

    def _powers(self, counts: Floats) -> Floats:
        """Sum the powers of the scales, up to the fifth, times the counts of one or more kinds of rows."""
        return np.stack([counts.T @ self._swept**q for q in range(len(CATALAN))])

    def _round(self) -> tuple[Floats, float]:
        from tokumei.risk._told_kernels import told_sweep

        count = len(self.people)
        size = max(1, -(-count // (4 * threads())))
        parts = -(-count // size)
        sums, spread, outside = np.zeros((parts, len(self.rows))), np.zeros((parts, len(CATALAN))), np.zeros(parts)
        self._swept = self._scale
        powers, top = self._powers(self._counts), float(self._scale.max())

        def part(start: int, stop: int) -> None:
            place, mine = start // size, slice(start, stop)
            outside[place] = told_sweep(
                self.people[mine], self._many[mine], self._agreement, self._counts, self._scale, powers, top, self._absent,
                self._absent_count, self._bethe, self._scales[mine], sums[place], spread[place], self._best[mine], self._belief[mine],
            )  # fmt: skip

        in_chunks(count, part, size)
        factors = CATALAN * spread.sum(axis=0) if self._bethe else np.array([0.0, spread[:, 1].sum()])
        everybody = sum(factor * self._scale**q for q, factor in enumerate(factors.tolist()) if q)
        return sums.sum(axis=0) + everybody, float(outside.sum())

    def guess(self, released: CodedTable, name: str, states: int) -> Integers:
        """Return the value of a column that each person's row most likely holds."""
        from tokumei.risk._told_kernels import told_values

        holds = np.zeros((len(self.rows), states))
        np.add.at(holds, (self.row_of, released.codes(name)), 1.0)
        powers = self._powers(holds) * CATALAN[:, None]
        powers = powers if self._bethe else powers[:2]
        made = np.empty(len(self.people), dtype=np.int64)
        top = float(self._swept.max())

        def part(start: int, stop: int) -> None:
            told_values(
                self.people[start:stop], self._agreement, self._swept, self._scales[start:stop], self._bethe, top, holds, powers, made[start:stop]
            )  # fmt: skip

        in_chunks(len(self.people), part, max(1, -(-len(self.people) // (4 * threads()))))
        return made[self.person_of]
