"""Where numbers become results: every figure that is kept, shown or written is finite.

A figure that is no number compares as safe: ``nan > 0.2`` is false. So a `Result` cannot hold one, `json_text` cannot write
one, and `shown` cannot print one; each raises `NotComputable`. A measure that does not exist for some table is ``None``, and
the caller that shows it says why.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields
from typing import Any

import numpy as np

import tokumei.shown as harmless
from tokumei.errors import NotComputable


class Result:
    """The base of dataclasses that hold what was found out: made with a number that is not finite, they raise.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Risk(Result):
    ...     highest: float
    >>> Risk(0.5)
    Risk(highest=0.5)
    >>> Risk(float("nan"))
    Traceback (most recent call last):
    tokumei.errors.NotComputable: The highest of a Risk is not a finite number, ...
    """

    def __post_init__(self) -> None:
        for part in fields(self):  # type: ignore[arg-type]
            if not _finite(getattr(self, part.name)):
                raise NotComputable(
                    "The {part} of a {kind} is not a finite number, so nothing can be "
                    "concluded from it. This is a bug in tokumei; please report it.",
                    part=part.name,
                    kind=type(self).__name__,
                )


def shown(number: float) -> float:
    """Return a number that is about to be shown, and refuse one that is not finite.

    >>> shown(0.25)
    0.25
    """
    if not _finite(number):
        raise NotComputable("A figure to be shown is not a finite number. This is a bug in tokumei; please report it.")
    return number


def json_text(content: Any, **options: Any) -> str:
    """Write something as JSON, and refuse numbers that are not finite, which JSON does not have.

    >>> json_text({"k": 2.5})
    '{"k": 2.5}'
    """
    if not _finite(content):
        raise NotComputable(
            "A figure to be written is not a finite number, so nothing was written. This is a bug in tokumei; please report it."
        )
    return harmless.json_text(content, allow_nan=False, **options)


def _finite(given: Any) -> bool:
    """Whether no number in something is infinite or nan; parts that are results were looked at when they were made."""
    if given is None or isinstance(given, str | bytes | bool | int | Result):
        return True
    if isinstance(given, float | np.floating):
        return math.isfinite(given)
    if isinstance(given, np.ndarray):
        return given.dtype.kind not in "fc" or bool(np.isfinite(given).all())
    if isinstance(given, Mapping):
        return all(_finite(part) for part in given.values())
    if isinstance(given, Sequence | AbstractSet):
        return all(_finite(part) for part in given)
    return True
