"""What a release promises, to whom, and under which assumptions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from tokumei.markup.card import card, pairs, said
from tokumei.markup.pieces import bullets
from tokumei.privacy.assumptions import KeyKept, SecretKey, Seeded, households
from tokumei.privacy.notions import NOTIONS
from tokumei.results import Result
from tokumei.shown import shown
from tokumei.words import Statement, Unknown, Words, spoken

if TYPE_CHECKING:
    from tokumei.privacy.rungs import Bound


class Counted(Protocol):
    """What is counted on the released rows when it is first asked for."""

    @property
    def bound(self) -> Bound:
        """Return what was counted."""


@dataclass(frozen=True)
class Guarantee(Result):
    """One promise, as data; `headline` and ``str`` put it into words.

    Attributes
    ----------
    notion
        What is promised, such as ``"Pk-anonymity"``.
    value
        How much of it: k for notions of linking (rounded down), epsilon for differential privacy (rounded up). It is
        the achieved value, computed from the integers that were drawn with.
    promise
        What the number means.
    attacker
        Against whom it holds.
    assumes
        What must be true for it to hold, and what it does not cover.
    numbers
        The public numbers that it follows from together with the mechanism, such as the rows ``among`` which a person
        hides; `tokumei.privacy.recount.recount` computes the value from them again.
    proof
        The name of the page that proves it: that of the notion, unless another is given. ``tokumei proof NAME`` prints it.
    otherwise
        What is left of it against attackers who also know the columns that it assumes to be unknown, for the first guarantee of a
        release. It is counted on the released rows, when they are made or read, and never written into a manifest.
    """

    notion: str
    value: float
    promise: Statement
    attacker: Statement
    assumes: tuple[Statement, ...]
    numbers: Mapping[str, float] = field(default_factory=dict)
    proof: str = ""
    otherwise: Counted | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.proof and self.notion in NOTIONS:
            object.__setattr__(self, "proof", NOTIONS[self.notion].proof)

    @property
    def checked(self) -> bool:
        """Whether this version knows everything that is said here; otherwise it could not check the promise."""
        return self.notion in NOTIONS and not any(
            isinstance(each, Unknown) for each in (self.promise, self.attacker, *self.assumes)
        )

    @property
    def of_classes(self) -> bool:
        """Whether it is about equivalence classes of released rows, and counted on them."""
        return self.notion in NOTIONS and NOTIONS[self.notion].of_classes

    @property
    def headline(self) -> str:
        """The promise in English: one sentence, and one more where attackers may know more than it assumes."""
        return headline(self, Words("en"))

    def seeded(self) -> Guarantee:
        """Return the promise as it is when the draws follow from a seed."""
        secret = (SecretKey, KeyKept)
        return replace(self, assumes=tuple(Seeded() if isinstance(each, secret) else each for each in self.assumes))

    def __str__(self) -> str:
        said = [self.headline, Words("en")("this_assumes"), *(f"  - {each}" for each in self.assumes)]
        return "\n".join(map(shown, said))

    def _repr_html_(self) -> str:
        words = spoken()
        facts = {"notion": self.notion, "proof": f"tokumei proof {self.proof}"}
        assumed = bullets(words.say(each) for each in self.assumes)
        return card(
            words("card.guarantee"), said(headline(self, words)), pairs(facts), said(words("this_assumes")), assumed
        )

    def describe(self) -> dict[str, Any]:
        """Return the guarantee as it appears in a manifest: keys and numbers, no sentence."""
        return {
            "notion": self.notion,
            "value": self.value,
            "promise": self.promise.describe(),
            "attacker": self.attacker.describe(),
            "assumes": [each.describe() for each in self.assumes],
            "proof": self.proof,
            "numbers": dict(self.numbers),
        }


def headline(guarantee: Guarantee, words: Words) -> str:
    """Return a promise in words, and what is left of it against attackers who know more than it assumes."""
    if guarantee.otherwise is None:
        return stated(guarantee, words)
    return words.join([stated(guarantee, words), guarantee.otherwise.bound.sentence(words)])


def stated(guarantee: Guarantee, words: Words) -> str:
    """Return a promise in one sentence; one that this version does not know in full is said not to be checked by it."""
    if not guarantee.checked:
        parts = (guarantee.promise, guarantee.attacker, *guarantee.assumes)
        unknown = next((each.unknown for each in parts if isinstance(each, Unknown)), guarantee.notion)
        return words("promise.not_checked", key=unknown)
    notion = NOTIONS[guarantee.notion]
    return words.say(
        guarantee.promise,
        **{
            name: each
            for name, each in guarantee.attacker.parameters.items()
            if name not in guarantee.promise.parameters
        },
        attacker=guarantee.attacker,
        **({"someone": words("unit.household")} if households(guarantee.assumes) else {}),
        notion=words(f"notion.{notion.name}"),
        letter=notion.letter,
        value=notion.shown(guarantee.value),
    )


def several_rows(guarantees: Sequence[Guarantee]) -> bool:
    """Whether promises were stated for people with several rows."""
    return any("most" in each.numbers for each in guarantees)


def float_below(number: Fraction) -> float:
    """Return the largest double that is not above ``number``.

    >>> float_below(Fraction(1, 3)) <= Fraction(1, 3)
    True
    """
    near = float(number)
    return near if Fraction(near) <= number else math.nextafter(near, -math.inf)
