"""Pk-anonymity: no attacker links a released row to a person with a probability over 1/k.

Let every one of n people have one row, let each row pass through a mechanism, and let the rows be shuffled uniformly
and secretly. An attacker may know the whole original table and the mechanism; they know neither the draws nor the
shuffle. For a person and a released row, compare an assignment that links them with the n - 1 assignments in which the
person has changed places with someone else. Each of these is at least ``b`` times as likely, where

    b = min  P(v'|u) P(u'|v) / (P(u'|u) P(v'|v))

is the `swap` of the mechanism, so the link has a posterior probability of at most 1 / (1 + (n - 1) b). Hence

    k = 1 + (n - 1) b

(`tokumei.privacy.sampling.achieved` computes it, for samples too.) It is attained: n - 1 equal rows, one other, and a release in which the one other looks like itself. For a product of
channels the swaps multiply; written as costs ``-0.5 ln(b)`` they add up to the budget ``E = 0.5 ln((n - 1)/(k - 1))``.

If a person may have up to m rows, ``k = 1 + (n - m) b / m`` and ``E = 0.5 ln((n - m)/((k - 1) m))``: of the n - m rows of
others each is, for any of their own, at least b times as likely to have become the released row.
"""

from __future__ import annotations

import math
from fractions import Fraction

from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.messages import phrase


def budget(among: int, k: float, most: int = 1) -> float:
    """Return the budget ``0.5 ln((n - m)/((k - 1) m))`` that the columns share, nobody having more than m rows.

    >>> round(budget(16281, 3), 3)
    4.502
    """
    return 0.5 * math.log((among - most) / ((k - 1) * most))


def check_k(k: float) -> None:
    """Refuse a k that promises nothing or is no number."""
    if not math.isfinite(k) or k <= 1:
        raise InvalidParameter(
            "k must be a number above 1; with k = 1, anyone may be linked with certainty. Got {k:g}.", k=k
        )


def check_feasible(among: int, k: float, hiding: str | None = None, most: int = 1) -> None:
    """Refuse a k that even uniform noise could not give, and say which could be had.

    ``hiding`` is a phrase that says what ``among`` rows are, if not those of the table.
    """
    if Fraction(k) * most <= among:
        return
    hiding = phrase("the table has {rows:row|rows}", rows=among) if hiding is None else hiding
    if most == 1:
        raise InfeasiblePromise(
            "k = {k:g} is not possible: {hiding}, so the largest k is {among}.", k=k, hiding=hiding, among=among
        )
    largest = max(1.0, math.floor(1000 * among / most) / 1000)
    raise InfeasiblePromise(
        "k = {k:g} is not possible: {hiding}, of which {most:,} may belong to one person, so "
        "the largest k is {largest:g}.",
        k=k,
        hiding=hiding,
        most=most,
        largest=largest,
    )
