"""Promises of samples: hiding among people who were not drawn, and attackers who know only part of the table.

**Perturbed samples.** m of n rows are drawn, all samples of that size being equally likely, perturbed and shuffled. For
a person and a released row, exchange the person with someone else: with one of the m - 1 others who were drawn, which changes
the likelihood by the `swap` b at worst, or with one of the n - m who were not, which changes it by the `ratio` a at
worst. All these assignments are different, hence, against an attacker who knows the whole table but not who was drawn,

    k = 1 + (n - m) a + (m - 1) b

An attacker who knows who was drawn can leave the others out: k = 1 + (m - 1) b. Every sampled release states both.
In strata the exchanges that remain possible are counted stratum by stratum; see `HidingPlace`.

**People with several rows.** A person has up to c rows of the table. For one of them and a row j of someone else, exchanging
the two shows that j is released as a given row at least b or a times as likely. Of the rows that the person can be exchanged with, their
own do not count, at worst c - 1 of them not drawn (since a >= b); and there are c of theirs that may be linked:

    k = 1 + ((n - m - c + 1) a + (m - 1) b) / c        and, if everything is released, k = 1 + (n - c) b / c

**Samples released unchanged.** An attacker who knows n0 of n people, and thinks that the others look alike, links a
released row with a probability of at most n0 / (n - m + 1) where m <= n - n0 + 1, and of 1 otherwise. In strata, of which m_h of n_h rows
are drawn, a row of stratum h is of one of its people, so that the same holds inside each. At worst all whom the attacker knows are
of the same stratum:

    risk = max over strata of n0 / (n_h - m_h + 1), and at most 1

Without the labels of strata an attacker knows less, and the mean of what they could believe with them is no more than the largest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.mechanism.record import Mechanism
from tokumei.memory import within_memory
from tokumei.plain_values import plain_arguments


@dataclass(frozen=True)
class HidingPlace:
    """Rows among which a person hides: ``inside`` of them released (their own included), ``outside`` not drawn.

    ``most`` of them may be their own.
    """

    outside: int
    inside: int
    most: int = 1

    @property
    def among(self) -> int:
        """All of them."""
        return self.outside + self.inside

    @property
    def drawn(self) -> HidingPlace:
        """Where a person hides from an attacker who knows who was drawn."""
        return HidingPlace(0, self.inside, min(self.most, self.inside))

    @property
    def others_outside(self) -> int:
        """Those not drawn that are certainly others': all but one of their own may be among them."""
        return max(0, self.outside - (self.most - 1))

    @property
    def others_inside(self) -> int:
        """The other people's rows that are left, drawn."""
        return max(0, self.among - self.most - self.others_outside)

    @property
    def largest_k(self) -> Fraction:
        """The k that uniform noise would give: the whole place over what may be their own."""
        return max(Fraction(1), Fraction(self.among, self.most))


def share_of(rate: float, rows: int) -> int:
    """Return how many of some rows a rate means, one at least; the rate is read as the decimal it is written as.

    >>> share_of(0.29, 100), share_of(0.1, 3)
    (29, 1)
    """
    return max(1, math.floor(Fraction(Decimal(repr(rate))) * rows))


def achieved(place: HidingPlace, mechanism: Mechanism) -> Fraction:
    """Return ``1 + (outside a + inside b) / most``, counting others' rows, with ratio and swap at the same record.

    With one row per person that is ``1 + outside a + (inside - 1) b``. Taking both at the same record is sharper than taking the two smallest: each column offers pairs of ratio and swap,
    pairs multiply over columns, and of the products only those that no other undercuts in both can give the minimum.
    """
    return least_achieved((place,), mechanism)


def least_achieved(places: Iterable[HidingPlace], mechanism: Mechanism) -> Fraction:
    """Return the smallest value that is `achieved` in any of some places."""
    return 1 + min(
        (place.others_outside * a + place.others_inside * b) / place.most
        for place in set(places)
        for a, b in mechanism.tradeoffs
    )


def required_ratio(place: HidingPlace, k: float) -> float:
    """Return the ratio that a mechanism with swap = ratio^2 needs for k.

    It is the x of ``outside x + inside x^2 = (k - 1) most``, counting others' rows; with one row per person,
    ``outside x + (inside - 1) x^2 = k - 1``.

    >>> round(required_ratio(HidingPlace(9000, 1000), 10), 6)
    0.001
    """
    outside, inside, rest = place.others_outside, place.others_inside, (k - 1) * place.most
    if not outside:
        return math.sqrt(rest / inside) if inside else math.inf
    return 2 * rest / (outside + math.sqrt(outside**2 + 4 * inside * rest))


def best_rate(rows: int, k: float, values: int) -> float:
    """Return the sampling rate at which shares of a column with this many values are estimated best, at the same k.

    The variance of an estimated share goes with 1 / (m rho^2), rho being the retention that the promise allows: a
    smaller sample allows more retention but leaves fewer rows. With n = 10^4, ten values and k = 10 it is about .89.
    """
    if values < 2:
        raise InvalidParameter("values must be at least 2. Got {values}.", values=values)

    def worth(rate: float) -> float:
        size = max(1, math.floor(rate * rows))
        return size * retention_at(HidingPlace(rows - size, size), k, values) ** 2

    return max((step / 200 for step in range(200, 0, -1)), key=worth)


def retention_at(place: HidingPlace, k: float, values: int) -> float:
    """Return with what probability a column with this many values can be kept, were it the only one.

    >>> round(retention_at(HidingPlace(0, 10_000), 10, 10), 3)
    0.764
    """
    x = min(1.0, required_ratio(place, k))
    return (1 - x) / (1 - x + values * x)


# The attacker who knows part of the table.


@within_memory()
@plain_arguments
def partial_risk(rows: int, known: int, sample: int, shared: int = 1) -> Fraction:
    """Return the largest probability with which a row of a sample is linked by an attacker who knows ``known`` people.

    ``shared`` is the number of known people who have the same record as the target, the target included.

    >>> partial_risk(rows=10_000, known=1_000, sample=5_001)
    Fraction(1, 5)
    """
    _check_counts(rows, known, sample)
    if not 1 <= shared <= known:
        raise InvalidParameter("shared must be between 1 and known. Got {shared}.", shared=shared)
    spare = rows - known - sample + 1
    if spare < 0:
        return Fraction(1, shared)
    return 1 / (shared * (1 + Fraction(spare, known)))


def risk_in_strata(places: Iterable[HidingPlace], known: int) -> tuple[Fraction, HidingPlace]:
    """Return the largest risk in any stratum, and the stratum: all ``known`` people may be of the same one.

    >>> risk_in_strata([HidingPlace(400, 100), HidingPlace(49, 1)], known=10)
    (Fraction(1, 5), HidingPlace(outside=49, inside=1, most=1))
    """
    worst = min(places, key=lambda place: place.outside)
    return min(Fraction(1), Fraction(known, worst.outside + 1)), worst


@within_memory()
@plain_arguments
def largest_sample(rows: int, known: int, k: float | Fraction) -> int:
    """Return the largest sample from which an attacker who knows ``known`` people links nobody with probability over 1/k.

    ``n + 1 - ceil(k n0)``, in exact fractions.

    >>> largest_sample(rows=10_000, known=1_000, k=5)
    5001
    """
    _check_counts(rows, known, 1)
    if not math.isfinite(k) or k < 1:
        raise InvalidParameter("k must be a number of at least 1. Got {k:g}.", k=float(k))
    asked = Fraction(k)
    if asked == 1:
        return rows
    if asked > Fraction(rows, known):
        raise InfeasiblePromise(
            "k = {k:g} is not possible: an attacker who knows {known:,} of {rows:,} people links a single "
            "released row with probability {known:,}/{rows:,} at best, so the largest k is "
            "{largest:.6g}.",
            k=float(k),
            known=known,
            rows=rows,
            largest=float(Fraction(rows, known)),
        )
    return min(rows, rows + 1 - math.ceil(asked * known))


def _check_counts(rows: int, known: int, sample: int) -> None:
    for name, value in (("rows", rows), ("known", known), ("sample", sample)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise InvalidParameter("{name} must be a whole number of at least 1. Got {value}.", name=name, value=value)
    if known > rows:
        raise InvalidParameter("an attacker cannot know {known:,} of {rows:,} people.", known=known, rows=rows)
    if sample > rows:
        raise InvalidParameter("a sample of {sample:,} cannot be drawn from {rows:,} rows.", sample=sample, rows=rows)


# Bernoulli sampling: how large the sample can become.


def likely_size(rows: int, rate: Fraction, delta: float) -> int:
    """Return the smallest size that a Bernoulli sample exceeds with a probability of at most ``delta``."""
    from scipy.stats import binom

    size = int(binom.isf(delta, rows, float(rate)))
    while size < rows and binom.sf(size, rows, float(rate)) > delta:
        size += 1
    return size


def binding(places: Sequence[HidingPlace], k: float) -> HidingPlace:
    """Return the place that needs the most noise for k."""
    return max(places, key=lambda place: required_ratio(place, k))
