"""What an attacker who knows the whole table sees of a release, and what they believe of every link."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

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
        # Only ratios count, among rows and with being in no row; the largest of each column is put to one.
        scaled = [m / np.maximum(m.max(initial=0.0), 1e-300) for m in self.matrices]
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


class Balancing(ABC):
    """Balances rows until each is believed to be somebody's exactly once, by the beliefs that a round gives."""

    _scale: Floats  # of each distinct row
    _absent: float  # the scale of being in no row
    _absent_count: float

    @abstractmethod
    def _round(self) -> tuple[Floats, float]:
        """Return what all people together believe of each row, and of being in none."""

    def _settle(self, shown: Stage) -> None:
        for _ in range(SWEEPS // 2):
            sums, outside = self._round()
            off = float(np.abs(sums - 1).max())
            shown.advance(note=f"balanced within {off:.1e}")
            if off < TOLERANCE:
                return
            self._scale = self._scale / np.maximum(sums, 1e-300)
            if self._absent_count:
                self._absent /= max(outside, 1e-300)
            norm = self._scale.max()
            self._scale, self._absent = self._scale / norm, self._absent / norm


class Balanced(Balancing):
    """Beliefs of a large table, balanced until each row is believed to be somebody's exactly once.

    Sinkhorn's balancing takes the belief in a link as its likelihood times a factor for the person and one for the row.
    Where no link is nearly certain, Bethe's approximation follows, in which ``p (1 - p)`` is that product: it takes
    account of a row being another person's if it is not this one's, and comes within 1% of the exact belief where the
    promise is tight. With a sample of people, by their places, rows are balanced as if everyone were like them.
    """

    def __init__(self, view: View, n: int, m: int, sample: Integers | None = None) -> None:
        self._view, self._absent_count = view, float(n - m)
        self._people, self._many, self._record_of = view.people, view.many, view.person_of
        if sample is not None:
            records, self._record_of = np.unique(view.person_of[sample], return_inverse=True)
            self._people = view.people[records]
            self._many = np.bincount(self._record_of).astype(np.float64) * (n / len(sample))
        self._scale, self._absent, self._bethe = np.ones(len(view.rows)), 1.0, False
        self._believed = _Believed(len(self._people))
        self.how: Statement = Sinkhorn()
        with stage("Attacking", total=SWEEPS) as shown:
            self._settle(shown)
            if self._believed.belief.max() <= NEARLY_CERTAIN:
                self._bethe, self.how = True, Bethe()
                self._settle(shown)
        self.best, self.belief = self._believed.best[self._record_of], self._believed.belief[self._record_of]

    def _round(self) -> tuple[Floats, float]:
        return self._sweep(self._people, self._many, self._believed)

    def _sweep(
        self,
        people: Integers,
        many: Floats,
        made: _Believed,
        values: Integers | None = None,
        shares: Floats | None = None,
        *,
        alone: bool = False,
    ) -> tuple[Floats, float]:
        from tokumei.risk._beliefs_kernels import sweep

        view, count = self._view, len(people)
        held = np.zeros(len(view.rows), dtype=np.int64) if values is None else np.ascontiguousarray(values)
        shared = np.zeros((count, 0)) if shares is None else shares
        size = max(1, -(-count // (4 * threads())))
        sums = np.zeros((-(-count // size), len(view.rows)))
        outside = np.zeros(len(sums))

        def part(start: int, stop: int) -> None:
            place = start // size
            outside[place] = sweep(
                people[start:stop], many[start:stop], *view.packed, view.counts, self._scale, self._absent, self._absent_count,
                self._bethe, alone, made.scales[start:stop], sums[place], made.best[start:stop], made.belief[start:stop], held,
                shared[start:stop], tuple(view.agreement),
            )  # fmt: skip

        in_chunks(count, part, size)
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
                self._believed.scales, best[start:stop], belief[start:stop], tuple(view.agreement),
            )  # fmt: skip

        in_chunks(len(belief), part, max(1, -(-len(belief) // (4 * threads()))))
        return best, belief

    def shares(self, values: Integers, states: int) -> Floats:
        """Return each person's belief in each value, where ``values`` gives the value of each distinct row."""
        made = np.zeros((len(self._people), states))
        self._sweep(self._people, self._many, self._believed, values, made)
        return made[self._record_of]

    def of_others(
        self, people: Integers, asked: Sequence[tuple[Integers, int]]
    ) -> tuple[Integers, Floats, list[Floats]]:
        """Return the likeliest row of people by whom rows were not balanced, the belief in it, and their beliefs in values as `shares` does."""
        records, which = np.unique(self._view.person_of[people], return_inverse=True)
        looked_at, made = self._view.people[records], _Believed(len(records))
        found = []
        nothing = np.zeros(len(self._view.rows), dtype=np.int64), 0
        for values, states in asked or [nothing]:
            shares = np.zeros((len(records), states))
            self._sweep(looked_at, np.ones(len(records)), made, values, shares, alone=True)
            found.append(shares[which])
        return made.best[which], made.belief[which], found


class _Believed:
    """What the loops remember of each distinct person: their scale, their likeliest row, and the belief in it."""

    def __init__(self, people: int) -> None:
        self.scales, self.belief = np.zeros(people), np.zeros(people)
        self.best = np.zeros(people, dtype=np.int64)


class FromSample:
    """Beliefs of some people only, where all pairs of people and rows would be too many.

    A random sample of people is cut into halves. Rows are balanced by each half, as if everyone were like its people, and the people of
    the other half are then attacked: nobody is among those by whom their rows were balanced, and what they believe of a row
    themselves is added to what the others do.
    """

    def __init__(
        self, view: View, n: int, m: int, people: Integers, secret: Mapping[str, tuple[Integers, int]]
    ) -> None:
        self.best, self.belief = np.empty(len(people), dtype=np.int64), np.empty(len(people))
        self.guesses = {name: np.empty(len(people), dtype=np.int64) for name in secret}
        ways = []
        for half in (0, 1):
            balanced = Balanced(view, n, m, people[half::2])
            best, belief, shares = balanced.of_others(people[1 - half :: 2], list(secret.values()))
            self.best[1 - half :: 2], self.belief[1 - half :: 2] = best, belief
            for name, each in zip(secret, shares, strict=False):
                self.guesses[name][1 - half :: 2] = each.argmax(axis=1)
            ways.append(balanced.how)
        self.how = tuple(dict.fromkeys(ways))
