"""What an attacker who knows the whole table sees of a release, and what they believe of every link."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.mechanism.likelihood import Packed, Seen, distinct
from tokumei.parallel import in_chunks, threads
from tokumei.privacy.exact import link_posteriors
from tokumei.progress import Stage, stage
from tokumei.risk.said import Bethe, EveryAssignment, Sinkhorn
from tokumei.risk.told_rows import NOTHING, ToldRows
from tokumei.table.coded import CodedTable
from tokumei.words import Statement

SWEEPS = 40
NEARLY_CERTAIN = 0.45
TOLERANCE = 1e-3


class View:
    """What the attacker sees: distinct true and released records, the probabilities of each column, and what rows tell."""

    def __init__(
        self, columns: Sequence[Seen], released: CodedTable, secret: Sequence[str], told: ToldRows | None = None
    ) -> None:
        self.matrices, self._told = [column.matrix for column in columns], told
        true, rows = [column.true for column in columns], [column.released for column in columns]
        if told is not None:
            true, rows = [*true, *told.true], [*rows, told.which, told.told]
        self.people, self.person_of, self.many = distinct(true, len(true[0]))
        # Rows are told apart by what they hold of the columns to be guessed, too.
        self.secret = {name: len(rows) + place for place, name in enumerate(secret)}
        rows += [released.codes(name).astype(np.int64) for name in secret]
        self.rows, self.row_of, self.counts = distinct(rows, released.rows)
        # Only ratios within a person count; the largest of each column is put to one.
        scaled = [m / np.maximum(m.max(axis=1, keepdims=True), 1e-300) for m in self.matrices]
        self.packed = Packed.of(scaled, self.rows).arrays()
        self.agreement = NOTHING
        if told is not None:
            first = len(columns)
            self.agreement = told.agreement(first, self.rows[:, first], self.rows[:, first + 1])

    def likelihood(self) -> Floats:
        """Return P(released row | person) of everyone, for a small table."""
        made = np.ones((len(self.person_of), len(self.row_of))) if self._told is None else self._told.likelihood()
        for column, matrix in enumerate(self.matrices):
            true, released = self.people[self.person_of, column], self.rows[self.row_of, column]
            made *= matrix[true[:, None], released[None, :]]
        return made


class Enumerated:
    """Beliefs of a small table, exactly; people who were not drawn are matched with columns of ones."""

    how: Statement = EveryAssignment()

    def __init__(self, view: View, n: int, m: int) -> None:
        likelihood = np.concatenate([view.likelihood(), np.ones((n, n - m))], axis=1)
        self.beliefs = link_posteriors(likelihood)[:, :m]
        places = self.beliefs.argmax(axis=1)
        self.best, self.belief = view.row_of[places], self.beliefs.max(axis=1)
        self._row_of = view.row_of

    def of_people(self, owner: Integers) -> tuple[Integers, Floats]:
        """Return for each owner of rows the distinct released row that is likeliest one of theirs, and how likely."""
        together = np.zeros((int(owner.max()) + 1, self.beliefs.shape[1]))
        np.add.at(together, owner, self.beliefs)
        return self._row_of[together.argmax(axis=1)], together.max(axis=1)

    def shares(self, values: Integers, states: int) -> Floats:
        """Return each person's belief in each value, where ``values`` gives the value of each distinct row."""
        return self.beliefs @ np.eye(states)[values[self._row_of]]


class Balanced:
    """Beliefs of a large table, balanced until each row is believed to be somebody's exactly once.

    Sinkhorn's balancing takes the belief in a link as its likelihood times a factor for the person and one for the row.
    Where no link is nearly certain, Bethe's approximation follows, in which ``p (1 - p)`` is that product: it takes
    account of a row being another person's if it is not this one's, and comes within 1 % of the exact belief where the
    promise is tight.
    """

    def __init__(self, view: View, n: int, m: int) -> None:
        self._view, self._absent_count = view, float(n - m)
        self._scale, self._absent, self._bethe = np.ones(len(view.rows)), 1.0, False
        people = len(view.people)
        self._scales, self._best, self._belief = np.zeros(people), np.zeros(people, dtype=np.int64), np.zeros(people)
        self.how: Statement = Sinkhorn()
        with stage("Attacking", total=SWEEPS) as shown:
            self._settle(shown)
            if self._belief.max() <= NEARLY_CERTAIN:
                self._bethe, self.how = True, Bethe()
                self._settle(shown)
        self.best, self.belief = self._best[view.person_of], self._belief[view.person_of]

    def _settle(self, shown: Stage) -> None:
        nothing = np.zeros((len(self._view.people), 0))
        for _ in range(SWEEPS // 2):
            sums, outside = self._sweep(np.zeros(len(self._view.rows), dtype=np.int64), nothing)
            off = float(np.abs(sums - 1).max())
            shown.advance(note=f"balanced within {off:.1e}")
            if off < TOLERANCE:
                return
            self._scale = self._scale / np.maximum(sums, 1e-300)
            if self._absent_count:
                self._absent /= max(outside, 1e-300)
            norm = self._scale.max()
            self._scale, self._absent = self._scale / norm, self._absent / norm

    def _sweep(self, values: Integers, shares: Floats) -> tuple[Floats, float]:
        from tokumei.risk._beliefs_kernels import sweep

        view, people = self._view, len(self._view.people)
        size = max(1, -(-people // (4 * threads())))
        sums = np.zeros((-(-people // size), len(view.rows)))
        outside = np.zeros(len(sums))

        def part(start: int, stop: int) -> None:
            place = start // size
            outside[place] = sweep(
                view.people[start:stop], view.many[start:stop], *view.packed, view.counts, self._scale, self._absent,
                self._absent_count, self._bethe, self._scales[start:stop], sums[place], self._best[start:stop],
                self._belief[start:stop], values, shares[start:stop], tuple(view.agreement),
            )  # fmt: skip

        in_chunks(people, part, size)
        return sums.sum(axis=0), float(outside.sum())

    def of_people(self, owner: Integers) -> tuple[Integers, Floats]:
        """Return for each owner of rows the distinct released row that is likeliest one of theirs, and how likely."""
        from tokumei.risk._beliefs_kernels import sweep_people

        view = self._view
        pairs, times = np.unique(np.stack([owner, view.person_of], axis=1), axis=0, return_counts=True)
        first = np.searchsorted(pairs[:, 0], np.arange(int(owner.max()) + 2))
        records, best, belief = pairs[:, 1].copy(), np.zeros(len(first) - 1, dtype=np.int64), np.zeros(len(first) - 1)

        def part(start: int, stop: int) -> None:
            sweep_people(
                first[start : stop + 1], records, times, view.people, *view.packed, self._scale, self._bethe,
                self._scales, best[start:stop], belief[start:stop], tuple(view.agreement),
            )  # fmt: skip

        in_chunks(len(belief), part, max(1, -(-len(belief) // (4 * threads()))))
        return best, belief

    def shares(self, values: Integers, states: int) -> Floats:
        """Return each person's belief in each value, where ``values`` gives the value of each distinct row."""
        made = np.zeros((len(self._view.people), states))
        self._sweep(np.ascontiguousarray(values), made)
        return made[self._view.person_of]
