"""Duties: how far a release must go on which rungs, as a data protection officer decides it.

A duty names a rung and the largest number that is allowed there: a probability, or epsilon for differencing. This is the one place where
duties are read and held against a ladder.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tokumei.errors import InvalidParameter
from tokumei.privacy.rungs import RUNGS, Rung, RungName
from tokumei.results import Result
from tokumei.text import names, nearest

Duties = Mapping[str, float | Fraction] | Mapping[RungName, float]
ROUNDING = 1e-12  # numbers of rungs are rounded up by the last bit, and 1/3 is no double
PART = re.compile(r"\s*(\w+)\s*[ =:]\s*(.+?)\s*")


@dataclass(frozen=True)
class Kept(Result):
    """One duty held against a rung: what is allowed, what the release has, and whether it holds."""

    name: RungName
    allowed: float
    value: float | None
    holds: bool


def read_duties(given: str | Duties | None) -> dict[RungName, float]:
    """Read duties from a text such as ``"linking 1/10, inference 1/2"``, or from names and numbers.

    >>> read_duties("linking 1/10, differencing 0.5")
    {'linking': 0.1, 'differencing': 0.5}
    >>> read_duties({"whole_table": 0.2})
    {'whole_table': 0.2}
    >>> read_duties(None)
    {}
    """
    if given is None:
        return {}
    pairs = list(_parts(given)) if isinstance(given, str) else list(given.items())
    found: dict[RungName, float] = {}
    for name, number in pairs:
        if name not in RUNGS:
            raise InvalidParameter(
                "There is no rung called {name!r}; there are {rungs}.{hint}",
                name=str(name),
                rungs=names(RUNGS),
                hint=nearest(str(name), RUNGS),
            )
        if name in found:
            raise InvalidParameter("The duty {name!r} is given twice.", name=name)
        found[name] = _number(name, number)
    return found


def written(duties: Mapping[RungName, float]) -> str:
    """Write duties as `read_duties` reads them.

    >>> written({"linking": 0.1, "inference": 0.75})
    'linking 1/10, inference 3/4'
    """
    return ", ".join(f"{name} {_short(number)}" for name, number in duties.items())


def hold(rungs: Iterable[Rung], duties: Mapping[RungName, float]) -> tuple[Kept, ...]:
    """Hold duties against the rungs of a release."""
    there = {rung.name: rung.value for rung in rungs}
    made = []
    for name, allowed in duties.items():
        value = there[name]
        made.append(Kept(name, allowed, value, value is not None and value <= allowed * (1 + ROUNDING)))
    return tuple(made)


def _parts(text: str) -> Iterable[tuple[Any, Any]]:
    for part in (each for each in text.split(",") if each.strip()):
        found = PART.fullmatch(part)
        if found is None:
            raise InvalidParameter(
                "Duties are a rung and a number each, such as 'linking 1/10, inference 1/2'. Got {part!r}.",
                part=part.strip(),
            )
        yield found[1], found[2]


def _number(name: str, given: Any) -> float:
    try:
        number = float(Fraction(given)) if isinstance(given, str | int | Fraction) else float(given)
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        number = math.nan
    most = math.inf if name == "differencing" else 1.0
    if isinstance(given, bool) or not (math.isfinite(number) and 0 < number <= most):
        raise InvalidParameter(
            "The duty {name!r} must be a number above 0, such as 1/10, and a probability unless it is an epsilon. "
            "Got {given!r}.",
            name=name,
            given=str(given),
        )
    return number


def _short(number: float) -> str:
    near = Fraction(number).limit_denominator(1000)
    return str(near) if float(near) == number else f"{number:g}"
