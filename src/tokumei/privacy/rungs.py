"""The rungs of the ladder: what is promised against every kind of attacker, as data.

A rung is a kind of attacker. For each there are one or several bounds, which are *proved* from the mechanism, *counted* on rows, or
*nothing*, with the reason. Sentences are in the catalogue.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal, get_args

from pydantic import StrictStr

from tokumei.privacy.assumptions import Household, households
from tokumei.privacy.notions import down, up
from tokumei.results import Result
from tokumei.words import Statement, Words
from tokumei.words.statement import Count, Names, Number

RungName = Literal["linking", "whole_table", "inference", "differencing", "membership"]
How = Literal["proved", "counted", "nothing"]
RUNGS: tuple[RungName, ...] = get_args(RungName)


class Said(Statement, kind="rung"):
    """What a bound says. The sentence may use the attacker and the parameters."""

    def written(self) -> dict[str, str]:
        """Return parameters that are written with care: no more is said than holds."""
        return {}


class Linked(Said):
    """No row is linked with a probability over 1/k, as a guarantee states."""

    k: Number

    def written(self) -> dict[str, str]:
        """Write k rounded down."""
        return {"k": down(self.k)}


class LinkedCell(Linked):
    """No released value of the one column that is not known is linked with a probability over 1/k."""


class LinkedAlike(Linked):
    """No row is linked with a probability over 1/k, since it is the same as others in every column."""

    rows: Count


class LinkedInClasses(Linked):
    """No row is linked with a probability over 1/k, counted in the classes of columns released unchanged."""

    rows: Count
    columns: Names


class ToldApart(Said):
    """Some row is the only one of its kind, and may be linked with certainty."""

    columns: Names


class Shares(Said):
    """How often the most frequent value of a column occurs in classes: at most, on average, and in which share of the rows always."""

    column: StrictStr
    largest: Number
    average: Number
    agreed: Number
    overall: Number

    @property
    def sentence_key(self) -> str:
        """One sentence each, for values that are certain in some class and for others."""
        return f"{self.key}.certain" if self.largest >= 1 else self.key

    def written(self) -> dict[str, str]:
        """Write shares rounded up."""
        return {name: percent(getattr(self, name)) for name in ("largest", "average", "agreed", "overall")}


class FromShare(Said):
    """How strongly a person is believed to have a value of a column that is released unchanged beside perturbed ones."""

    column: StrictStr
    share: Number
    factor: Number
    belief: Number

    def written(self) -> dict[str, str]:
        """Write the belief rounded up."""
        return {"share": percent(self.share), "factor": up(self.factor), "belief": percent(self.belief)}


class FromEven(Said):
    """By how much odds about a perturbed column grow, and what becomes of a belief of one half."""

    column: StrictStr
    epsilon: Number
    factor: Number
    belief: Number
    delta: Number | None = None

    @property
    def sentence_key(self) -> str:
        """One sentence each, with a delta and without."""
        return self.key if self.delta is None else f"{self.key}.delta"

    def written(self) -> dict[str, str]:
        """Write numbers rounded up."""
        return {"epsilon": up(self.epsilon), "factor": up(self.factor), "belief": percent(self.belief)}


class Differenced(Said):
    """Central differential privacy; where every cell was perturbed on its own, that of a row."""

    epsilon: Number
    delta: Number
    of: Literal["table", "row"]
    variants: ClassVar[tuple[str, ...]] = ("of",)

    def written(self) -> dict[str, str]:
        """Write epsilon rounded up."""
        return {"epsilon": up(self.epsilon)}


class Drawn(Said):
    """How strongly a person is believed to have been drawn."""

    prior: Number
    belief: Number

    def written(self) -> dict[str, str]:
        """Write the belief rounded up."""
        return {"prior": percent(self.prior), "belief": percent(self.belief)}


class OneOfThem(Said):
    """By how much odds grow that a certain person is in the table, and not another in their place."""

    epsilon: Number
    delta: Number
    factor: Number
    belief: Number

    def written(self) -> dict[str, str]:
        """Write numbers rounded up."""
        return {"epsilon": up(self.epsilon), "factor": up(self.factor), "belief": percent(self.belief)}


class Present(Said):
    """delta-presence: how probable it is at least and at most that a person of the population is in the table."""

    smallest: Number
    largest: Number
    people: Count

    def written(self) -> dict[str, str]:
        """Write probabilities rounded up."""
        return {"smallest": percent(self.smallest), "largest": percent(self.largest)}


class Before(Said):
    """How probable it is that a person of the population is in the table, before anything is released."""

    prior: Number
    people: Count

    def written(self) -> dict[str, str]:
        """Write the probability rounded up."""
        return {"prior": percent(self.prior)}


class PresentAsStated(Said):
    """delta-presence, as a guarantee states it."""

    smallest: Number
    largest: Number

    def written(self) -> dict[str, str]:
        """Write probabilities rounded up."""
        return {"smallest": percent(self.smallest), "largest": percent(self.largest)}


class InSample(Present):
    """The same of those in the original table and the rows that were drawn from it."""


# Nothing is promised, and why.


class NothingKept(Said):
    """Columns are released unchanged."""

    columns: Names


class NothingLooked(Said):
    """What was done depends on the rows."""


class NothingSwapped(Said):
    """Values were exchanged within groups that are not published."""

    column: StrictStr


class NothingUnchanged(Said):
    """Rows are released unchanged."""


class NothingObserved(Said):
    """Domains, or other parts of the mechanism, were taken from the rows."""


class NothingStated(Said):
    """The release states no epsilon."""


class NothingCertain(Said):
    """The channel of a column makes some values impossible."""

    column: StrictStr


class NothingInBoxes(Said):
    """A sensitive column was perturbed in boxes that follow from the rows."""

    column: StrictStr


class NothingOfAllRows(Said):
    """Only some of the rows were looked at."""


class NothingCalledSensitive(Said):
    """No released column is called sensitive."""


class NothingInBlocks(Said):
    """Rows were shuffled in blocks only."""

    columns: Names


class NothingOfPresence(Said):
    """All rows of the table were used: nothing hides who is in it."""


class NothingInStrata(Said):
    """How many were drawn of each stratum or class is not public."""


class NothingOfPeople(Said):
    """People have several rows."""

    unit: Household = None
    variants: ClassVar[tuple[str, ...]] = ("unit",)


class OriginalAsItIs(Said):
    """The original table promises nothing."""


# What must be true for a bound to hold, beyond what guarantees assume.


class RungAssumption(Statement, kind="rung_assumption"):
    """What must be true for a bound of a rung to hold."""


class OnlyShuffleSecret(RungAssumption):
    """Nothing but the shuffle has to be secret."""


class OneRowInRelease(RungAssumption):
    """A person has this many of the released rows at most."""

    most: Count
    unit: Household = None
    variants: ClassVar[tuple[str, ...]] = ("unit",)


class ClassesTellNothing(RungAssumption):
    """How classes were formed tells nothing about sensitive columns, and equal values are what is learned."""

    columns: Names


class ClassesJudged(RungAssumption):
    """Classes were formed by looking at the sensitive column, which an attacker who knows the method may use."""


class OthersOfPersonKnown(RungAssumption):
    """The person's other columns are known, or tell nothing about the sensitive one."""

    column: StrictStr


class ExceptDelta(RungAssumption):
    """The bound may fail with a probability of delta."""

    delta: Number


class PseudonymKeySecret(RungAssumption):
    """The key of the pseudonyms stays secret."""

    columns: Names


class PopulationComplete(RungAssumption):
    """The population has everyone, and the columns are known."""


@dataclass(frozen=True)
class Bound(Result):
    """One bound.

    Attributes
    ----------
    how
        Whether it is ``"proved"`` from the mechanism, ``"counted"`` on rows, or ``"nothing"``.
    value
        The number: a probability (of a link, of believing a value, of being in the table), or epsilon where differencing is
        meant. ``1.0`` where nothing is promised of a probability, and ``None`` where there is no epsilon. Lower is safer.
    says
        What the number means, or why there is none.
    attacker
        Against whom it holds.
    assumes
        What must be true for it to hold.
    proof
        The page that proves it; ``tokumei proof NAME`` prints it.
    """

    how: How
    value: float | None
    says: Said
    attacker: Statement
    assumes: tuple[Statement, ...] = ()
    proof: str = "ladder"

    def sentence(self, words: Words) -> str:
        """Say it in words."""
        unit = {"someone": words("unit.household")} if households(self.assumes) else {}
        return words.say(self.says, attacker=self.attacker, **unit, **self.says.written())

    def describe(self) -> dict[str, Any]:
        """Return the bound as data: keys and numbers, no sentence."""
        return {
            "how": self.how,
            "value": self.value,
            "says": self.says.describe(),
            "attacker": self.attacker.describe(),
            "assumes": [each.describe() for each in self.assumes],
            "proof": self.proof,
        }


@dataclass(frozen=True)
class Rung(Result):
    """One rung: a kind of attacker, what the release promises against it, and how it is with the original.

    Attributes
    ----------
    name
        ``"linking"``, ``"whole_table"``, ``"inference"``, ``"differencing"`` or ``"membership"``.
    bounds
        The bounds of the release. Of a column each there is one for inference; of a sample one for those who do not know who was
        drawn, and one for those who do.
    original
        The same for the original table, were it released unchanged; ``None`` where it was not given.
    """

    name: RungName
    bounds: tuple[Bound, ...]
    original: Bound | None = None

    @property
    def bound(self) -> Bound:
        """The bound that counts: the first, and of several sensitive columns the worst."""
        if self.name != "inference":
            return self.bounds[0]
        return max(self.bounds, key=lambda each: math.inf if each.value is None else each.value)

    @property
    def value(self) -> float | None:
        """Its number."""
        return self.bound.value

    @property
    def how(self) -> How:
        """Whether it is proved, counted or nothing."""
        return self.bound.how

    def describe(self) -> dict[str, Any]:
        """Return the rung as data."""
        return {
            "name": self.name,
            "how": self.how,
            "value": self.value,
            "bounds": [each.describe() for each in self.bounds],
            "original": None if self.original is None else self.original.describe(),
        }


def nothing(says: Said, attacker: Statement, value: float | None = 1.0) -> Bound:
    """Return the bound that promises nothing, with its reason."""
    return Bound("nothing", value, says, attacker)


def percent(share: float) -> str:
    """Write a probability in percent, rounded up so that no more is said than holds.

    >>> percent(0.1), percent(1 / 3), percent(0.99999), percent(1.0)
    ('10%', '33.34%', '99.999%', '100%')
    """
    exact = Fraction(share) * 100
    digits = 2
    while digits < 6 and share < 1 and math.ceil(exact * 10**digits) >= 100 * 10**digits:
        digits += 1  # nearly certain is not certain
    shown = f"{math.ceil(exact * 10**digits - Fraction(1, 10**9)) / 10**digits:.{digits}f}"
    return (shown.rstrip("0").rstrip(".") if "." in shown else shown) + "%"


def number_of(name: RungName, value: float | None, words: Words) -> str:
    """Write the number of a rung: a probability, or epsilon."""
    if name == "differencing":
        return words("ladder.none") if value is None else f"ε = {up(value)}"
    return words("ladder.none") if value is None else percent(value)


def worst(bounds: Iterable[Bound]) -> Bound:
    """Return the bound with the largest number."""
    return max(bounds, key=lambda each: math.inf if each.value is None else each.value)
