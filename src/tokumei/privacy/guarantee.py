"""What a release promises, to whom, and under which assumptions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Guarantee:
    """One promise.

    Attributes
    ----------
    notion
        What is promised, such as ``"Pk-anonymity"``.
    value
        How much of it: the achieved value, computed from the integers that were drawn with, rounded down.
    among
        The number of rows that the promise counts on: those among which a person hides.
    attacker
        Against whom it holds, in plain words.
    assumes
        What must be true for it to hold, one sentence each.
    proof
        The page of the documentation that proves it.
    """

    notion: str
    value: float
    among: int
    attacker: str
    assumes: tuple[str, ...]
    proof: str

    @property
    def headline(self) -> str:
        """The promise in one sentence."""
        return (
            f"{self.attacker} links a released row to a person with a probability over 1/{down(self.value)} "
            f"({self.notion}, k = {down(self.value)})."
        )

    def __str__(self) -> str:
        return "\n".join([self.headline, "This assumes:", *(f"  - {sentence}" for sentence in self.assumes)])

    def describe(self) -> dict[str, Any]:
        """Return the guarantee as it stands in a manifest."""
        return {
            "notion": self.notion,
            "value": self.value,
            "among": self.among,
            "attacker": self.attacker,
            "assumes": list(self.assumes),
            "proof": self.proof,
        }


def float_below(number: Fraction) -> float:
    """Return the largest double that is not above ``number``.

    >>> float_below(Fraction(1, 3)) <= Fraction(1, 3)
    True
    """
    near = float(number)
    return near if Fraction(near) <= number else math.nextafter(near, -math.inf)


def down(number: float) -> str:
    """Write a promise with up to four decimals, rounded down so that no more is said than holds.

    >>> down(9.99999), down(10.0), down(1234.5678)
    ('9.9999', '10', '1234.5678')
    """
    text = f"{math.floor(Fraction(number) * 10_000) / 10_000:.4f}"
    return text.rstrip("0").rstrip(".")
