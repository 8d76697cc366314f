"""Central differential privacy of shuffled rows: what an attacker who knows every other row learns about one.

Two tables are neighbors if they have the same number of rows, which is public, and differ in those of one person. A release is (epsilon, delta)-differentially
private if any set of releases is at most ``exp(epsilon)`` times as likely for one table as for its neighbor, plus delta. `Shuffled` puts together

* **the shuffle**: the smallest of the bounds in `tokumei.privacy.shuffling`, and what the mechanism promises without one (``epsilon <= ln p``, delta 0);
* **a sample before it**: of N rows, n are drawn, all sets of that size being equally likely, with g = n/N. The row in which two tables differ is drawn with
  probability g, and otherwise the two are released alike. By joint convexity ``delta'(ln(1 + g (e^epsilon - 1))) <= g delta(epsilon)`` (Balle, Barthe, Gaboardi 2018);
* **people with up to m rows**: these are replaced one after the other, so that m steps of (epsilon, delta) give
  ``m epsilon`` with ``delta (1 + e^epsilon + ... + e^((m-1) epsilon))``.

An epsilon is found by bisection. Its upper end always holds, and that one is stated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from tokumei.errors import InvalidParameter
from tokumei.mechanism.channel import Blanket
from tokumei.mechanism.record import Mechanism
from tokumei.privacy.shuffling import Law, blanket_divergence, closed_form, product_divergence

LARGEST_DELTA = 1e-6  # where nothing else is asked for
CLOSE = 2.0**-24  # relative width at which a bisection ends
SHARPEST = 700.0  # a local epsilon above this promises nothing


def usual_delta(rows: int) -> float:
    """Return the delta of a release for which none was asked: 10^-6, and in large tables a power of ten of at most 1 / (10 rows).

    Releasing one row at random as it is would be private with epsilon 0 and delta 1 / rows, so delta must stay well below that.

    >>> usual_delta(16_281), usual_delta(2_000_000)
    (1e-06, 1e-08)
    """
    digits = max(6, len(str(rows - 1)) + 1 if rows > 1 else 6)
    return float(f"1e-{digits}")


def shuffled_whole(mechanism: Mechanism) -> bool:
    """Say whether every released column is perturbed and all rows are shuffled together: nothing is promised of anything else."""
    # Draws that repeat in other releases are independent within one.
    drawn = Mechanism(mechanism.channels, of=mechanism.of, telling=mechanism.telling, repeat=mechanism.repeat)
    return bool(mechanism.perturbed) and mechanism == drawn


def check_epsilon(epsilon: float | None, delta: float | None) -> None:
    """Refuse an epsilon or a delta that is no number of its kind."""
    if epsilon is not None and not (math.isfinite(epsilon) and epsilon > 0):
        raise InvalidParameter("epsilon must be a number above 0. Got {epsilon:g}.", epsilon=epsilon)
    if delta is not None and not 0 < delta < 1:
        raise InvalidParameter(
            "delta must be a number between 0 and 1, far below 1 / rows. Got {delta:g}.", delta=delta
        )


@dataclass(frozen=True)
class Shuffled:
    """A mechanism, the rows that it releases, the rows that these were drawn from, and the most rows of one person."""

    mechanism: Mechanism
    rows: int
    own: int = 1

    @property
    def sampled(self) -> float:
        """The probability with which a row is drawn."""
        return self.rows / self.mechanism.population(self.rows)

    @cached_property
    def spread(self) -> Fraction:
        """The largest ratio of two rows' probabilities of the same released row; 0 where there is none."""
        told = [] if self.mechanism.telling is None else [self.mechanism.telling.ratio]
        ratio = math.prod([*told, *(each.ratio for each in self.mechanism.channels.values())], start=Fraction(1))
        return 1 / ratio if ratio else Fraction(0)

    @cached_property
    def blankets(self) -> tuple[Blanket, ...]:
        """What all rows give in common, for every part that is drawn on its own."""
        told = [] if self.mechanism.telling is None else [self.mechanism.telling.blanket]
        parts = [*told, *(each.blanket for each in self.mechanism.channels.values())]
        return tuple(each for each in parts if each.mass < 1)

    @cached_property
    def blanket(self) -> Blanket:
        """The same for all parts together."""
        one = Fraction(1)
        mass = math.prod((each.mass for each in self.blankets), start=one)
        return Blanket(mass, math.prod((each.spread for each in self.blankets), start=one))

    @cached_property
    def law(self) -> Law | None:
        """The worst law of several parts; one alone has nothing to gain from it."""
        return Law(self.blankets) if len(self.blankets) > 1 else None

    @cached_property
    def local(self) -> float:
        """The epsilon of one row without the shuffle, rounded up; infinite where it promises nothing."""
        if not self.spread:
            return math.inf
        found = math.log1p(float(self.spread - 1)) if self.spread < 2 else _log(self.spread)
        return found * (1 + 1e-12) if found <= SHARPEST else math.inf

    def _row(self, epsilon: float, delta: float) -> float:
        """Bound delta(epsilon) of one row, the sample included; ``delta`` says how small a number is of interest."""
        drawn = self.sampled
        if drawn < 1:
            epsilon = math.log1p(math.expm1(min(epsilon, SHARPEST)) / drawn * (1 - 1e-12)) * (1 - 1e-12)
        if epsilon >= self.local:
            return 0.0
        wanted = min(1.0, delta / drawn)
        if epsilon >= closed_form(self.rows, self.local, min(wanted, 0.5)):
            return delta if wanted <= 0.5 else 0.5 * drawn
        bounds = [blanket_divergence(self.rows, self.blanket, epsilon, max(wanted, 1e-280))]
        if self.law is not None:
            bounds.append(product_divergence(self.rows, self.law, epsilon))
        return min(bounds) * drawn * (1 + 1e-12)

    def delta(self, epsilon: float, near: float = 1e-9) -> float:
        """Bound delta(epsilon) for replacing a person; numbers far below ``near`` are not told from it.

        >>> from tokumei.mechanism.retention import Retention
        >>> round(Shuffled(Mechanism({"sex": Retention.solve(3, Fraction(1, 16))}), 1).delta(0.0), 6)          # one row
        0.5
        """
        each = epsilon / self.own
        if each >= self._alone:
            return 0.0
        steps = self._steps(each)
        return 1.0 if math.isinf(steps) else min(1.0, self._row(each, near / steps) * steps)

    def keeps(self, epsilon: float, delta: float) -> bool:
        """Say whether replacing a person is (epsilon, delta)-differentially private.

        >>> from tokumei.mechanism.retention import Retention
        >>> rows = Shuffled(Mechanism({"sex": Retention.solve(3, Fraction(1, 16))}), 1000)
        >>> rows.keeps(0.3, 1e-6), rows.keeps(0.2, 1e-6)
        (True, False)
        """
        if math.isinf(self.local):
            return False
        each = epsilon / self.own
        wanted = delta / self._steps(each)
        if not wanted:
            return each >= self._alone
        return self._row(each, wanted) <= wanted

    def _steps(self, epsilon: float) -> float:
        """Return ``1 + e^epsilon + ... + e^((m - 1) epsilon)``, rounded up."""
        if self.own == 1:
            return 1.0
        if self.own * epsilon > SHARPEST:
            return math.inf
        found = math.expm1(self.own * epsilon) / math.expm1(epsilon) if epsilon > 1e-200 else float(self.own)
        return found * (1 + 1e-9)

    @property
    def _alone(self) -> float:
        """The epsilon of one row for which delta is 0."""
        found = self.local
        return found if self.sampled == 1 else math.log1p(self.sampled * math.expm1(found)) * (1 + 1e-12)

    def epsilon(self, delta: float) -> float:
        """Return an epsilon that holds with delta, by bisection and rounded up; infinite where nothing is promised.

        >>> from tokumei.mechanism.retention import Retention
        >>> round(Shuffled(Mechanism({"sex": Retention.solve(3, Fraction(1, 16))}), 1000).epsilon(1e-6), 3)
        0.217
        """
        if math.isinf(self.local):
            return math.inf
        low, high = 0.0, self.own * self._alone
        if high == 0 or self.keeps(0.0, delta):
            return 0.0
        while high - low > CLOSE * high:
            middle = (low + high) / 2
            low, high = (low, middle) if self.keeps(middle, delta) else (middle, high)
        return high


def _log(number: Fraction) -> float:
    return math.log(number.numerator) - math.log(number.denominator)
