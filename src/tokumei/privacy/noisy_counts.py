"""The epsilon of a histogram with whole-number noise.

Replacing one person's row by another takes one from a count and adds one to another. Noise z has a probability in
proportion to q^|z|, so the chance of any result changes by a factor of q^-2 at most, whatever the row: epsilon = -2 ln q.
Clipping, pooling and dividing by the sum afterwards only use the noisy counts, and cost nothing more. Histograms of several
columns count the same people: their epsilons add up.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterable

from tokumei.errors import InvalidParameter

CHANGED = 2  # by which all counts together change when one row is replaced
SMALLEST, LARGEST = 0.001, 50.0
_DIGITS = decimal.Context(prec=60)


def decay_of(epsilon: float) -> int:
    """Return the smallest integer whose noise keeps ``epsilon``; see `tokumei.randomness.geometric`.

    >>> epsilon_of(decay_of(1.0)) <= 1.0
    True
    """
    if not SMALLEST <= epsilon <= LARGEST:
        raise InvalidParameter(
            "epsilon must be between {smallest:g} and {largest:g}. Got {epsilon:g}.",
            smallest=SMALLEST,
            largest=LARGEST,
            epsilon=epsilon,
        )
    power = _DIGITS.exp(_DIGITS.divide(decimal.Decimal(-epsilon), CHANGED))
    return int(_DIGITS.multiply(power, decimal.Decimal(2**64)).to_integral_value(decimal.ROUND_CEILING))


def epsilon_of(decay: int) -> float:
    """Return the epsilon that noise of a decay keeps, rounded up."""
    ratio = _DIGITS.divide(decimal.Decimal(decay), decimal.Decimal(2**64))
    exact = _DIGITS.multiply(_DIGITS.ln(ratio), -CHANGED)
    near = float(exact)
    return near if decimal.Decimal(near) >= exact else math.nextafter(near, math.inf)


def total(epsilons: Iterable[float]) -> float:
    """Add up epsilons, rounded up."""
    spent = list(epsilons)
    return spent[0] if len(spent) == 1 else math.nextafter(math.fsum(spent), math.inf)
