"""How numbers are written in a report, the same in every language."""

from __future__ import annotations

from tokumei.results import shown

NOUGHT = 1e-10  # one row of ten billion


def percent(share: float) -> str:
    """Write a share; small ones with more digits.

    >>> percent(0.25), percent(0.00042), percent(0.0), percent(1.0)
    ('25.0%', '0.042%', '0%', '100%')
    >>> percent(2e-15), percent(-2e-15)  # what is left of zero after many sums
    ('0%', '0%')
    """
    if abs(shown(share)) < NOUGHT:
        return "0%"
    if share == 1.0:
        return "100%"
    return f"{share * 100:.1f}%" if share >= 0.01 else f"{share * 100:.2g}%"


def decimal(given: float) -> str:
    """Write a measure with three digits.

    >>> decimal(0.12345)
    '0.123'
    """
    return f"{shown(given):.3g}"


def whole(given: float) -> str:
    """Write a count.

    >>> whole(12345)
    '12,345'
    """
    return f"{shown(given):,.0f}"
