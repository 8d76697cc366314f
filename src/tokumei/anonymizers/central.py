"""Central differential privacy of perturbing methods: when it is stated, and how noise is solved for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tokumei.anonymizers.anonymizer import Survey
from tokumei.anonymizers.promises import unit_of
from tokumei.anonymizers.sample import Bernoulli, Sample, Stratified
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.telling import Telling
from tokumei.messages import phrase
from tokumei.privacy.assumptions import central_assumptions
from tokumei.privacy.attackers import CentralEpsilon, KnowsOthers
from tokumei.privacy.central import Shuffled, usual_delta
from tokumei.privacy.guarantee import Guarantee
from tokumei.release.disclosure import Fact
from tokumei.table.schema import Schema
from tokumei.text import names
from tokumei.words import Statement

LEAST = 2.0**-40  # the k - 1 at which a search for less noise ends
CLOSE = 2.0**-24  # how near to each other the ends of a search come, relative to k - 1


class Noise(NamedTuple):
    """How noise is shared: the mechanism for a k, what was learned from the rows for it, and what the data holder is told."""

    made: Callable[[float], Mechanism]
    learned: tuple[Fact, ...]
    notes: Callable[[Telling | None], tuple[Statement, ...]]


@dataclass(frozen=True)
class Central:
    """What central differential privacy is stated of: public numbers, and whether anything but them was used."""

    schema: Schema
    survey: Survey
    sample: Sample | None
    asked: float | None = None
    pilot: bool = False
    epsilon: float | None = None

    @property
    def delta(self) -> float:
        """The delta that is asked for, or the usual one."""
        return usual_delta(self.survey.rows) if self.asked is None else self.asked

    @property
    def own(self) -> int:
        """How many rows nobody has more of."""
        return 1 if self.survey.people is None else self.survey.people.most

    def shuffled(self, mechanism: Mechanism) -> Shuffled:
        """Return what a mechanism promises of the rows that are released."""
        return Shuffled(mechanism, self.survey.released, self.own)

    def refused(self, kept: Sequence[str], among: int, facts: Sequence[Fact] = ()) -> str | None:
        """Say why nothing is stated; none where it is.

        ``among`` counts the rows among which a person hides; fewer than all where rows are shuffled in blocks only.
        """
        observed = [a.name for a in self.schema if a.observed]
        people = self.survey.people
        reasons = (
            (
                bool(kept),
                phrase(
                    "{kept} would be released unchanged, and every column must be perturbed; use kept='perturb', or drop it",
                    kept=names(kept),
                ),
            ),
            (
                bool(observed),
                phrase("the domain of {observed} was read from the data; declare it", observed=names(observed)),
            ),
            (
                isinstance(self.sample, Bernoulli | Stratified),
                phrase("it is not known for this kind of sample; give the number of rows to be drawn, or their share"),
            ),
            (
                people is not None and not people.declared,
                phrase("how many rows a person has was counted in the data; declare it (most=)"),
            ),
            (
                among < self.survey.rows,
                phrase("rows would be shuffled in blocks only; shuffle all rows (shuffle='rows')"),
            ),
            (bool(facts), phrase("the noise would be chosen by looking at the data; choose it without them")),
        )
        return next((reason for holds, reason in reasons if holds), None)

    def guarantees(self, mechanism: Mechanism, pk: Sequence[Guarantee], facts: Sequence[Fact]) -> tuple[Guarantee, ...]:
        """State central differential privacy where every column is perturbed and nothing was taken from the data."""
        if self.refused(mechanism.kept, int(pk[0].numbers["among"]), facts) is not None:
            return ()
        value = self.stated(self.shuffled(mechanism))
        if math.isinf(value):
            return ()
        assumes = central_assumptions(
            most=None if self.survey.people is None else self.own,
            rows=self.survey.released,
            of=self.survey.rows,
            pilot=self.pilot,
            repeat=mechanism.repeat,
            unit=unit_of(self.survey.people),
        )
        promise, numbers = CentralEpsilon(delta=self.delta), {"delta": self.delta}
        return (Guarantee("central differential privacy", value, promise, KnowsOthers(), assumes, numbers),)

    def stated(self, shuffled: Shuffled) -> float:
        """Return the epsilon that holds; that asked for, where a bisection would end a hair above it."""
        value = shuffled.epsilon(self.delta)
        asked = self.epsilon is not None and shuffled.keeps(self.epsilon, self.delta)
        return min(value, float(self.epsilon)) if asked and self.epsilon is not None else value

    def check(self, kept: Sequence[str], among: int, facts: Sequence[Fact] = ()) -> None:
        """Refuse an epsilon that cannot be guaranteed, whatever the noise."""
        if self.epsilon is None:
            return
        reason = self.refused(kept, among, facts)
        if reason is not None:
            raise InvalidParameter(
                "epsilon = {epsilon:g} cannot be guaranteed: {reason}.", epsilon=self.epsilon, reason=reason
            )
        if self.own >= self.survey.rows:
            raise InfeasiblePromise(
                "epsilon = {epsilon:g} cannot be guaranteed: all rows may belong to one person.", epsilon=self.epsilon
            )

    def least_k(self, epsilon: float, make: Callable[[float], Mechanism], low: float, high: float) -> float:
        """Return the smallest k between two whose noise keeps epsilon, or hardly more; ``high`` is that of uniform noise.

        Noise grows with k. The search ends at a k whose own integers were seen to keep epsilon.
        """

        def keeps(k: float) -> bool:
            return self.shuffled(make(k)).keeps(epsilon, self.delta)

        if keeps(low):
            return low
        bad, good, found = math.log(low - 1), math.log(high - 1), high
        while good - bad > CLOSE:
            middle = (bad + good) / 2
            k = min(high, 1 + math.exp(middle))
            if keeps(k):
                good, found = middle, k
            else:
                bad = middle
        return found
