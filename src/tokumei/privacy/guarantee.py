"""What a release promises, to whom, and under which assumptions."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from tokumei.markup.card import card, pairs, said
from tokumei.markup.pieces import bullets
from tokumei.results import Result
from tokumei.shown import shown
from tokumei.text import names

Kept = Literal["unknown", "known", "perturb"]
Notion = Literal[
    "Pk-anonymity",
    "sampling anonymity",
    "local differential privacy",
    "differential privacy",
    "k-anonymity",
    "k-anonymity with wildcards",
    "l-diversity",
    "t-closeness",
    "delta-disclosure privacy",
    "beta-likeness",
]
# What the value of a promise about classes is called that is not a probability; k and l are better the larger.
LETTERS: Mapping[str, str] = {
    "k-anonymity with wildcards": "k",
    "l-diversity": "l",
    "t-closeness": "t",
    "delta-disclosure privacy": "δ",
    "beta-likeness": "β",
}
CLASS_NOTIONS = ("k-anonymity", *LETTERS)  # promises about classes of released rows, counted on the rows


ONE_ROW = "Each person has one row in the table."
SECRET_KEY = "The draws and the order of the rows stay secret: the key was made by the operating system and is gone."
SEEDED = "The draws follow from a seed: the promise is void for whoever knows or guesses it."


@dataclass(frozen=True)
class Guarantee(Result):
    """One promise.

    Attributes
    ----------
    notion
        What is promised, such as ``"Pk-anonymity"``.
    value
        How much of it: k for notions of linking (rounded down), epsilon for differential privacy (rounded up). It is
        the achieved value, computed from the integers that were drawn with.
    attacker
        Against whom it holds, in plain words.
    assumes
        What must be true for it to hold, one sentence each.
    proof
        The page of the documentation that proves it.
    numbers
        The public numbers that it follows from together with the mechanism, such as the rows ``among`` which a person
        hides; `tokumei.privacy.recount.recount` computes the value from them again.
    """

    notion: Notion
    value: float
    attacker: str
    assumes: tuple[str, ...]
    proof: str
    numbers: Mapping[str, float] = field(default_factory=dict)

    @property
    def headline(self) -> str:
        """The promise in one sentence."""
        if self.notion.endswith("differential privacy"):
            return f"{self.attacker} ({self.notion}, ε = {up(self.value)})."
        if self.notion in LETTERS:
            rising = self.notion in {"l-diversity", "k-anonymity with wildcards"}
            shown = down(self.value) if rising else up(self.value)
            return f"{self.attacker} ({self.notion}, {LETTERS[self.notion]} = {shown})."
        return (
            f"{self.attacker} links a released row to a person with a probability over 1/{down(self.value)} "
            f"({self.notion}, k = {down(self.value)})."
        )

    def seeded(self) -> Guarantee:
        """Return the promise as it is when the draws follow from a seed."""
        return replace(self, assumes=tuple(SEEDED if each == SECRET_KEY else each for each in self.assumes))

    def __str__(self) -> str:
        said = [self.headline, "This assumes:", *(f"  - {sentence}" for sentence in self.assumes)]
        return "\n".join(map(shown, said))

    def _repr_html_(self) -> str:
        facts = {"notion": self.notion, "proof": self.proof}
        return card("Guarantee", said(self.headline), pairs(facts), said("This assumes:"), bullets(self.assumes))

    def describe(self) -> dict[str, Any]:
        """Return the guarantee as it stands in a manifest."""
        return {
            "notion": self.notion,
            "value": self.value,
            "attacker": self.attacker,
            "assumes": list(self.assumes),
            "proof": self.proof,
            "numbers": dict(self.numbers),
        }


def attacker_words(kept: Sequence[str], kept_is: Kept, membership: Literal["secret", "known"] | None) -> str:
    """Say against whom a Pk-anonymous release is protected, given what is thought of the columns it keeps.

    >>> attacker_words(["income"], "unknown", None)
    "Nobody to whom 'income' tells nothing"
    """
    if kept and kept_is == "unknown":
        drawn = {
            None: "",
            "secret": " and who does not know who was drawn",
            "known": ", even if he knows who was drawn,",
        }
        return f"{nobody_to_whom(kept)}{drawn[membership]}"
    drawn = {None: ",", "secret": " but not of who was drawn,", "known": " and of who was drawn,"}
    return f"Nobody, whatever he knows of the original table{drawn[membership]}"


def nobody_to_whom(kept: Sequence[str]) -> str:
    """Name those whom columns released as they are tell nothing.

    >>> nobody_to_whom(["income", "illness"])
    "Nobody to whom 'income', 'illness' tell nothing"
    """
    return f"Nobody to whom {names(kept)} {'tells' if len(kept) == 1 else 'tell'} nothing"


def class_attacker(columns: Sequence[str]) -> str:
    """Say against whom a k-anonymous release is protected.

    >>> class_attacker(["age", "sex"])
    "Nobody who knows of a person 'age', 'sex' and no more"
    """
    return f"Nobody who knows of a person {names(columns)} and no more"


WILDCARDS = "Every released row agrees with k rows at least, itself included, if a suppressed cell agrees with anything"


def rows_of_people(most: int | None, declared: bool = False) -> tuple[str, ...]:
    """Say how many rows people have: one each where nothing is known of it, or up to so many.

    >>> rows_of_people(None)
    ('Each person has one row in the table.',)
    >>> rows_of_people(5, declared=True)[0]
    'Nobody has more than 5 rows in the table, as was declared and checked.'
    """
    if most is None:
        return (ONE_ROW,)
    rows = "1 row" if most == 1 else f"{most:,} rows"
    return (
        f"Nobody has more than {rows} in the table, as was {DECLARED if declared else 'counted'}.",
        OF_ANY_ROW,
    )


def told_rows(guarantee: Guarantee) -> tuple[int, bool] | None:
    """Return what a promise says of how many rows nobody has more of, and whether that was declared; none where it says nothing.

    >>> told_rows(Guarantee("k-anonymity", 3.0, "Nobody", rows_of_people(1200, declared=True), ""))
    (1200, True)
    """
    found = [match for each in guarantee.assumes if (match := ROWS_OF_PEOPLE.fullmatch(each))]
    if len(found) != 1:
        return None
    most, declared = int(found[0][1].replace(",", "")), found[0][2] == DECLARED
    return (most, declared) if found[0][0] == rows_of_people(most, declared)[0] else None


def several_rows(guarantees: Sequence[Guarantee]) -> bool:
    """Whether promises were stated for people with several rows."""
    return any("most" in each.numbers for each in guarantees)


DECLARED = "declared and checked"
ROWS_OF_PEOPLE = re.compile(
    rf"Nobody has more than (\d[\d,]{{0,24}}) rows? in the table, as was ({DECLARED}|counted)\."
)
OF_ANY_ROW = "A released row is linked to a person if it is believed to be any of the person's rows."


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
    return _decimals(math.floor(Fraction(number) * 10_000))


def up(number: float) -> str:
    """Write a loss with up to four decimals, rounded up.

    >>> up(0.50001), up(2.0)
    ('0.5001', '2')
    """
    return "infinite" if math.isinf(number) else _decimals(math.ceil(Fraction(number) * 10_000))


def _decimals(units: int) -> str:
    return f"{units // 10_000}.{units % 10_000:04d}".rstrip("0").rstrip(".")
