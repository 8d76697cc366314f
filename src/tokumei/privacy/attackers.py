"""Against whom a promise holds, and what is promised: statements, whose wording is in the catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import StrictStr

from tokumei.words.statement import Count, Names, Number, Statement

Kept = Literal["unknown", "known", "perturb"]
Membership = Literal["secret", "known"]


class Attacker(Statement, kind="attacker"):
    """Against whom a promise holds."""


class WholeTable(Attacker):
    """Whatever they know about the original table; of a sample also whether they know who was drawn."""

    membership: Membership | None = None
    variants: ClassVar[tuple[str, ...]] = ("membership",)


class LearnsNothingFrom(Attacker):
    """Those to whom the columns released unchanged tell nothing."""

    columns: Names
    membership: Membership | None = None
    variants: ClassVar[tuple[str, ...]] = ("membership",)


class KnowsOnly(Attacker):
    """Those who know some columns of a person, and nothing else."""

    columns: Names


class KnowsRecords(Attacker):
    """Those who know the records of some of the people and not who was drawn."""

    known: Count
    people: Count


class KnowsPopulation(Attacker):
    """Those who know some columns of everyone in the population, and not who of them is in the table."""

    columns: Names
    people: Count


class KnowsAllButOne(Attacker):
    """Those who know everything about the original table, and everyone's group, except one column."""


class KnowsOthers(Attacker):
    """Those who know every row of the original table but one person's."""


class Anyone(Attacker):
    """Anybody, whatever they know."""


class Promise(Statement, kind="promise"):
    """What is promised. The sentence may use the attacker, the parameters of both, the notion and its number."""


class Linking(Promise):
    """No row is linked to a person with a probability over 1/k."""


class CellLinking(Promise):
    """No released value of the column that is not known is linked to a person with a probability over 1/k."""


class Agreement(Promise):
    """Every row agrees with k rows, a suppressed cell agreeing with anything."""


class Diversity(Promise):
    """A class has l values of a sensitive column."""

    column: StrictStr
    measure: Literal["distinct", "entropy", "recursive"]
    c: Number | None = None
    variants: ClassVar[tuple[str, ...]] = ("measure",)


class Closeness(Promise):
    """The distribution of a sensitive column in a class is close to the overall one."""

    column: StrictStr
    distance: Literal["equal", "ordered", "hierarchical"]
    variants: ClassVar[tuple[str, ...]] = ("distance",)


class BoundedDisclosure(Promise):
    """No sensitive value becomes much more or less likely in a class."""

    column: StrictStr


class BoundedGain(Promise):
    """No sensitive value gains much in a class."""

    column: StrictStr


class BoundedGainOrLog(Promise):
    """No sensitive value gains much in a class, and frequent ones less."""

    column: StrictStr


class BoundedShare(Promise):
    """No sensitive value, or none of these, has a large share of a class."""

    column: StrictStr
    values: Names | None = None

    @property
    def sentence_key(self) -> str:
        """One sentence each for all values and for some."""
        return self.key if self.values is None else f"{self.key}.values"


class Presence(Promise):
    """Whether somebody is in the table cannot be told well."""

    least: Number


class RowEpsilon(Promise):
    """Released cells of a person are nearly as likely for any other true cells."""

    columns: Names


class RatesEpsilon(Promise):
    """Published rates are nearly as likely if one person were another."""

    columns: Names


class JointEpsilon(Promise):
    """All releases together are nearly as likely if one person were another."""


def swapping_attacker(swapped: Sequence[str], kept: Sequence[str], known: Sequence[str]) -> Attacker:
    """Return against whom swapped rows are protected: whom the columns that are kept, or else those that need not be known, tell nothing.

    >>> str(swapping_attacker(["age", "income"], [], ["age"]))
    "No attacker who learns nothing from 'income'"
    """
    secret = tuple(kept) or tuple(name for name in swapped if name not in known)
    return LearnsNothingFrom(columns=secret) if secret else KnowsAllButOne()


class CentralEpsilon(Promise):
    """The release is nearly as likely if one person were another, up to a probability of delta."""

    delta: Number


class JointCentralEpsilon(Promise):
    """All releases together are nearly as likely if one person were another, up to a probability of delta."""

    delta: Number


def pk_attacker(kept: Sequence[str], kept_is: Kept, membership: Membership | None) -> Attacker:
    """Return against whom a Pk-anonymous release is protected, given what is thought of the columns it keeps.

    >>> str(pk_attacker(["income"], "unknown", None))
    "No attacker who learns nothing from 'income'"
    """
    if kept and kept_is == "unknown":
        return LearnsNothingFrom(columns=tuple(kept), membership=membership)
    return WholeTable(membership=membership)
