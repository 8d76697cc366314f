"""What would be enough, where the noise of a release leaves coefficients open: how many rows, or which k."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from tokumei.errors import InvalidParameter, TooNoisy
from tokumei.learning.asked import Asked
from tokumei.learning.foreseen import People, hardly_told
from tokumei.mechanism.record import channel_for
from tokumei.mechanism.telling import Cluster
from tokumei.mechanism.transition_matrix import TransitionMatrix
from tokumei.progress import stage

MOST = 2_000  # values of a column whose channel is looked at
FARTHEST = 1e10  # more rows are no advice
LEAST = 1.1  # a smaller k promises next to nothing
STEPS = 12  # of halving the range of k


def enough(asked: Asked) -> TooNoisy:
    """Return the error for coefficients that noise leaves open, with what would be enough.

    Both figures come from the public mechanism and from how the release says that single columns go (`People`): they assume that noisy columns go
    together little. With the same noise variances fall with the number of rows. Another k scales the logarithm of every channel's swap, of
    which k - 1 is a multiple.
    """
    if hardly_told(asked):
        return TooNoisy(
            "Hardly any row tells these columns together, so the coefficients are open. Ask for a release that tells these columns alone, or "
            "explain the target by fewer columns."
        )
    with stage("Looking for what would be enough"):
        rows, k = _sought(asked)
    many = asked.release.rows
    if rows is None and k is None:
        return TooNoisy(
            "The noise leaves these coefficients open, and neither more rows with the same noise nor a smaller k would determine them. "
            "Ask for a release that tells these columns alone, or explain the target by fewer columns."
        )
    if k is None:
        return TooNoisy(
            "The noise leaves these coefficients open. About {needed:,} rows with the same noise would determine them; there are "
            "{rows:,}. This assumes that noisy columns go together little; where they do, it takes more. Or explain the target by fewer columns.",
            needed=rows,
            rows=many,
        )
    if rows is None:
        return TooNoisy(
            "The noise leaves these coefficients open, and more rows with the same noise would hardly help. A release of these {rows:,} rows with "
            "k = {k:g} would determine them. This assumes that noisy columns go together little; where they do, it takes a smaller k. Or explain the target by "
            "fewer columns.",
            rows=many,
            k=k,
        )
    return TooNoisy(
        "The noise leaves these coefficients open. About {needed:,} rows with the same noise would determine them (there are "
        "{rows:,}), or a release of these rows with k = {k:g}. This assumes that noisy columns go together little; where they do, it takes more rows or a smaller k. "
        "Or explain the target by fewer columns.",
        needed=rows,
        rows=many,
        k=k,
    )


def _sought(asked: Asked) -> tuple[int | None, float | None]:
    """Return how many rows, and which k, would do, as far as there are such."""
    try:
        people = People(asked)
    except InvalidParameter:  # not even people without noise determine them
        return None, None
    release, mechanism = asked.release, asked.release.mechanism
    names = [name for name in asked.names if name in mechanism.channels]

    def rows_at(scale: float) -> float:
        try:
            if mechanism.telling is not None:
                return people.rows_telling(lambda cluster: _retention(cluster, scale))
            if scale == 1:
                return people.rows_with({})
            return people.rows_with(
                {n: channel_for(release.original(n), _power(mechanism.channels[n].swap, scale)) for n in names}
            )
        except TooNoisy:  # a channel leaves nothing
            return math.inf

    needed = rows_at(1)
    rows = rounded(max(needed, 1.1 * release.rows)) if needed < FARTHEST else None
    if any(isinstance(mechanism.channels[n], TransitionMatrix) or mechanism.channels[n].size > MOST for n in names):
        return rows, None
    return rows, _largest_k(asked, rows_at)


def _largest_k(asked: Asked, rows_at: Callable[[float], float]) -> float | None:
    """Return the largest k of two digits, below that of the release, with which the rows that there are would do; nothing where it would be below `LEAST`."""
    release, swap = asked.release, float(asked.release.mechanism.swap)
    promised = [each.value for each in release.guarantees if each.notion == "Pk-anonymity"]
    if not promised or not 0 < swap < 1 or promised[0] <= LEAST:
        return None
    k = float(promised[0])
    low, high = 1.0, 1 + math.log((k - 1) / (LEAST - 1)) / -math.log(swap)
    if rows_at(high) > release.rows:
        return None
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if rows_at(middle) > release.rows else (low, middle)
    return max(LEAST, rounded_down(1 + (k - 1) * swap ** (high - 1)))


def _power(swap: Fraction, scale: float) -> Fraction:
    return Fraction(math.exp(scale * math.log(max(float(swap), 1e-300))))


def _retention(cluster: Cluster, scale: float) -> float:
    """Return with which probability a cluster's cells would be kept, were the logarithm of its ratio scaled so."""
    ratio, cells = float(cluster.channel.ratio) ** scale, cluster.channel.size
    odds = 1 / ratio - 1
    return odds / (odds + cells)


def rounded(number: float) -> int:
    """Round up to two digits.

    >>> rounded(12345)
    13000
    """
    unit = 10 ** max(math.floor(math.log10(number)) - 1, 0)
    return int(math.ceil(number / unit) * unit)


def rounded_down(number: float) -> float:
    """Round down to two digits: a larger k than the largest that will do would not.

    >>> rounded_down(1.19), rounded_down(9.998), rounded_down(108)
    (1.1, 9.9, 100.0)
    """
    return float(Decimal(number).normalize(Context(prec=2, rounding=ROUND_FLOOR)))
