"""How large and how deep what comes in may be, so that no file can take all memory or time.

The limits lie far above what honest files need; `docs/adversarial.md` lists them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

LARGEST_TEXT = 2**28  # bytes of a manifest, a hierarchy or rates
LARGEST_PLAN = 2**24  # bytes of a plan
DEEPEST = 64  # tables and lists inside each other, of a manifest or a plan
MOST_PARTS = 2**25  # values, tables and lists of a JSON file
MOST_COLUMNS = 2**14  # of a table
LARGEST_DOMAIN = 2**22  # values of a column
LARGEST_MECHANISM = 2**27  # values of all columns that a mechanism changes
MOST_LEVELS = 256  # of a hierarchy
LARGEST_TREE = 2**25  # labels of a hierarchy, those of every level counted for each value
LONGEST_TREE = 2**28  # characters of a hierarchy that a rule makes
UNPACKED = 2**29  # bytes that any packed file may unpack to
FAR = 100  # times its own size that a packed file may unpack to beyond that


def size_text(size: float) -> str:
    """Write a number of bytes.

    >>> size_text(LARGEST_TEXT)
    '256 MiB'
    """
    return f"{size / 2**20:,.0f} MiB"


def unpacks_too_far(packed: int, unpacked: int) -> bool:
    """Whether a file unpacks to far more than it is, so that it rather is a trap than a table.

    >>> unpacks_too_far(1000, 10**6), unpacks_too_far(10**6, 10**9), unpacks_too_far(10**8, 10**9)
    (False, True, False)
    """
    return unpacked > max(UNPACKED, FAR * packed)


def too_deep(content: Any) -> bool:
    """Whether tables and lists lie more than `DEEPEST` levels inside each other.

    >>> too_deep([[1], {"a": [2]}])
    False
    """
    level: list[Any] = [content]
    for _ in range(DEEPEST + 1):
        level = [part for each in level for part in _inside(each) if isinstance(part, (dict, list))]
        if not level:
            return False
    return True


def _inside(given: Any) -> Iterable[Any]:
    return given.values() if isinstance(given, dict) else given if isinstance(given, list) else ()


def finite(number: float) -> bool:
    """Whether one can count with a number: it is not infinite, not nan, and not too large for a float.

    >>> finite(2), finite(float("nan")), finite(10**400)
    (True, False, False)
    """
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def parsed_json(text: str) -> Any:
    """Parse JSON; raise `ValueError` where it is none, too deep, of too many parts, or has numbers that are not finite.

    Each part takes far more room than its text.

    >>> parsed_json("[" * 100_000)
    Traceback (most recent call last):
    ValueError: it is nested too deeply
    >>> parsed_json("[1e999]")
    Traceback (most recent call last):
    ValueError: it has a number that is not finite
    """
    if too_many_parts(text):
        raise ValueError("it has too many parts")
    try:
        content = json.loads(text, parse_float=_parsed_float, parse_constant=_parsed_float)
    except RecursionError:
        content = None
    else:
        if not too_deep(content):
            return content
    raise ValueError("it is nested too deeply")


def too_many_parts(text: str) -> bool:
    """Whether a JSON file has more values, tables and lists than are read."""
    return sum(text.count(mark) for mark in "[{,") > MOST_PARTS


def _parsed_float(text: str) -> float:
    if not finite(number := float(text)):
        raise ValueError("it has a number that is not finite")
    return number
