"""What must be true for a promise to hold: statements, whose wording is in the catalogue.

Parameters are numbers and names that a manifest states elsewhere too, so that reading a release compares them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import StrictStr

from tokumei.words.statement import Count, Names, Number, Statement

if TYPE_CHECKING:
    from tokumei.privacy.guarantee import Guarantee


class Assumption(Statement, kind="assumption"):
    """What must be true for a promise to hold, or what it does not cover."""


# People and their rows


class OneRow(Assumption):
    """Each person has one row."""


Household = Literal["household"] | None  # what has several rows, where it is not a person


class MostRows(Assumption):
    """Nobody has more rows than this."""

    most: Count
    how: Literal["declared", "counted"]
    unit: Household = None
    variants: ClassVar[tuple[str, ...]] = ("how", "unit")


class AnyOfTheirRows(Assumption):
    """A link is one to any of a person's rows."""

    unit: Household = None
    variants: ClassVar[tuple[str, ...]] = ("unit",)


class CountedOnRows(Assumption):
    """A constraint counts rows, not people."""


class ColumnsDoNotJoin(Assumption):
    """Columns released unchanged do not show which rows belong to one person."""

    columns: Names


class AllRowsTogether(Assumption):
    """An epsilon is about all rows of a person."""

    most: Count
    unit: Household = None
    variants: ClassVar[tuple[str, ...]] = ("unit",)


# Draws


class SecretKey(Assumption):
    """Draws and order stay secret."""


class Seeded(Assumption):
    """Draws follow from a seed."""


class KeyKept(Assumption):
    """Draws follow from a key that the data holder keeps, and repeat in other releases under it."""

    name: StrictStr


# What attackers know


class ObservedDomains(Assumption):
    """Domains were read from the data."""

    columns: Names


class DeclaredDomains(Assumption):
    """Domains were declared."""


class KeptUnknown(Assumption):
    """Columns released unchanged tell the attacker nothing."""

    columns: Names


class KeptKnown(Assumption):
    """The attacker knows the columns released unchanged."""

    columns: Names


class OthersUnknown(Assumption):
    """The attacker knows nothing of the columns that are not quasi-identifiers."""

    columns: Names


class NoOtherColumns(Assumption):
    """There are no other columns."""


class PriorIsOverall(Assumption):
    """Before seeing a class, the attacker knows of a sensitive column only how it goes overall."""

    columns: Names
    column: StrictStr


class NoValueKnownUnique(Assumption):
    """The attacker knows of no value that it is unique."""


class UniqueRowsRecognized(Assumption):
    """Against attackers who know everyone, a sample promises nothing."""


# What is promised, and what is not


class LinkingOnly(Assumption):
    """Pk-anonymity is about linking."""


class ClassLinkingOnly(Assumption):
    """k-anonymity is about linking: a value that a class agrees in is learned."""


class OneColumnOnly(Assumption):
    """A constraint is about one sensitive column at a time."""


class WeakerThanClasses(Assumption):
    """Agreement with wildcards is less than k-anonymity."""


class CellByCell(Assumption):
    """An epsilon is about perturbed cells alone."""


class KeptWithoutEpsilon(Assumption):
    """Columns released unchanged have no epsilon."""

    columns: Names


class WholeReleaseShuffled(Assumption):
    """All released rows were perturbed in every column and shuffled together, and nothing else follows from the data."""


class RowsArePublic(Assumption):
    """The number of rows is public; a person's row is replaced, not added."""


class SampleIsSecret(Assumption):
    """Who was sampled stays secret."""

    rows: Count
    of: Count


class RatesAlone(Assumption):
    """An epsilon is about published rates alone."""


class RatesAddUp(Assumption):
    """The number of rows is public, and further rates add their epsilon."""


class TrueRates(Assumption):
    """True rates are published."""

    columns: Names


# What follows from the rows


class ChosenFromRows(Assumption):
    """What was done depends on the rows."""


class LabelsOfEarlier(Assumption):
    """Labels come from an earlier release."""


class ThisReleaseAlone(Assumption):
    """People who are also in the earlier release have two classes."""


class RareRows(Assumption):
    """Rows were suppressed or left out because they were rare."""

    rows: Count
    how: Literal["suppressed", "left_out"]
    variants: ClassVar[tuple[str, ...]] = ("how",)


class RareCells(Assumption):
    """Cells were suppressed because they were rare."""


class SampleSizeByChance(Assumption):
    """The size of a Bernoulli sample was chance."""

    delta: Number


class Hiding(Assumption):
    """Among how many rows a person hides at least."""

    rows: Count
    not_drawn: Count | None = None
    own: Count | None = None

    @property
    def sentence_key(self) -> str:
        """One sentence each, by what is counted."""
        return ".".join([self.key, *(name for name in ("not_drawn", "own") if getattr(self, name) is not None)])


class HidingInGroup(Assumption):
    """Among how many rows of a group a person hides at least."""

    rows: Count
    classes: bool
    own: Count | None = None
    not_drawn: Count | None = None

    @property
    def sentence_key(self) -> str:
        """One sentence each, by what is counted."""
        counted = [name for name in ("not_drawn", "own") if getattr(self, name) is not None]
        return ".".join([self.key, *(["classes"] if self.classes else []), *counted])


class GroupedByRows(Assumption):
    """Groups were made by looking at the rows, and their boxes are published.

    ``labels`` are the columns of which the labels that occur in each group are told; of the others the ends are, ``rounded`` in these columns
    and in ``every`` one of them or not.
    """

    rounded: Names = ()
    every: bool = False
    labels: Names = ()

    @property
    def sentence_key(self) -> str:
        """One sentence each for ends that are values of rows, rounded ones, and some of both, with sets of labels and without."""
        return f"{self.key}.{boxes_key(self.rounded, self.every, self.labels)}"


def boxes_key(rounded: Sequence[str], every: bool, labels: Sequence[str]) -> str:
    """Name the sentence about boxes: whose ends are values of rows or rounded, and whether some or all of them are sets of labels."""
    if labels and every and not rounded:  # there are no ends
        return "labels"
    return ("rounded" if every else "partly" if rounded else "values") + (".labels" if labels else "")


def boxes_told(columns: Sequence[str], sets: Sequence[str], edges: Collection[str]) -> dict[str, Any]:
    """Return what is said of the boxes of some columns: of which the ends were rounded, and which are sets of labels."""
    rounded = tuple(name for name in columns if name in edges)
    every = all(name in edges for name in columns if name not in sets)
    return {"rounded": rounded, "every": every, "labels": tuple(name for name in columns if name in sets)}


class GroupShowsKept(Assumption):
    """An attacker who knows a person's group sees the columns released unchanged in its rows."""


class LeftOutDoNotCount(Assumption):
    """Rows that were left out hide nobody."""

    rows: Count


class PilotOfOthers(Assumption):
    """The pilot is of other people."""


# Swapping


class SwappedValuesAreTrue(Assumption):
    """Released values are true values of people in the same group."""

    columns: Names


class SwappedUnknown(Assumption):
    """Columns that were swapped, and are not quasi-identifiers, tell the attacker nothing."""

    columns: Names


class PrivateGroups(Assumption):
    """Groups of at least this many rows were made by looking at quasi-identifiers, and are not published."""

    rows: Count


# Populations


class PopulationHasEveryone(Assumption):
    """The population has everyone in the table, once each, with the same values."""

    columns: Names
    people: Count


class EveryWorldAsLikely(Assumption):
    """All ways in which the rows can belong to people of the population are equally likely to the attacker."""


class PopulationNotReleased(Assumption):
    """The number was counted in a population that is not part of the release, so reading it does not count it again."""


# Identifiers


class KeyNamesRows(Assumption):
    """Who has the key of a pseudonym can name every row."""

    column: StrictStr


class SameKeyJoins(Assumption):
    """Releases with pseudonyms under one key can be joined."""

    column: StrictStr


class SamePersonSamePseudonym(Assumption):
    """Rows of one person share their pseudonym."""

    column: StrictStr


class ShownCharacters(Assumption):
    """A masked identifier shows characters."""

    column: StrictStr


# Several releases


class SamePeopleOnly(Assumption):
    """The releases are of the same people, and there is no other one."""


class EachAlone(Assumption):
    """Each release counts on its own."""


class PatternsGranted(Assumption):
    """Draws repeat, and the attacker is granted which rows are one person's, and when each person was there and changed.

    ``fewest`` people cannot be told apart by that where the guarantee is weakest.
    """

    patterns: Count
    fewest: Count


class PatternsUncounted(Assumption):
    """Draws repeat, and it was not counted how many people changed when."""


class SamePattern(Assumption):
    """An epsilon compares people whose values stay and change at the same releases."""


class OnlyUnderKey(Assumption):
    """These are all releases under the key."""

    releases: Count


class JoinedBy(Assumption):
    """Rows joined by columns released unchanged count."""

    columns: Names
    why: Literal["other_people", "groups", "blocks"] | None = None
    variants: ClassVar[tuple[str, ...]] = ("why",)


def households(assumes: Iterable[object]) -> bool:
    """Say whether households have several rows, and not people.

    >>> households(rows_of_people(5, unit="household")), households(rows_of_people(5))
    (True, False)
    """
    return any(getattr(each, "unit", None) == "household" for each in assumes)


def rows_of_people(most: int | None, declared: bool = False, unit: Household = None) -> tuple[Assumption, ...]:
    """Say how many rows people have: one each where nothing is known of it, or up to this many.

    >>> rows_of_people(None)
    (OneRow(),)
    >>> str(rows_of_people(5, declared=True)[0])
    'No person has more than 5 rows in the table, as declared and checked.'
    """
    if most is None:
        return (OneRow(),)
    return MostRows(most=most, how="declared" if declared else "counted", unit=unit), AnyOfTheirRows(unit=unit)


def told_rows(guarantee: Guarantee) -> Assumption | None:
    """Return what a promise assumes of how many rows people have; none where it does not say, or says two things.

    >>> from tokumei.privacy.attackers import Linking, WholeTable
    >>> from tokumei.privacy.guarantee import Guarantee
    >>> told_rows(Guarantee("k-anonymity", 3.0, Linking(), WholeTable(), rows_of_people(1200, declared=True)))
    MostRows(most=1200, how='declared', unit=None)
    """
    said = [each for each in guarantee.assumes if isinstance(each, OneRow | MostRows)]
    any_row = [each.unit for each in guarantee.assumes if isinstance(each, AnyOfTheirRows)]
    fits = len(said) == 1 and any_row == [each.unit for each in said if isinstance(each, MostRows)]
    return said[0] if fits else None


def secret_draws(repeat: str | None) -> Assumption:
    """Say that draws are secret: those of a key that was not kept, or of one that the data holder keeps, by its public name."""
    return SecretKey() if repeat is None else KeyKept(name=repeat)


def pk_assumptions(
    *,
    people: Sequence[Assumption],
    observed: Sequence[str],
    kept: Sequence[str],
    kept_is: str,
    delta: float | None,
    seeded: bool = False,
    repeat: str | None = None,
) -> tuple[Assumption, ...]:
    """Return what every promise of Pk-anonymity assumes, whichever method makes it."""
    assumes: list[Assumption] = [*people, Seeded() if seeded else secret_draws(repeat)]
    assumes.append(ObservedDomains(columns=tuple(observed)) if observed else DeclaredDomains())
    if kept and kept_is == "unknown":
        assumes.append(KeptUnknown(columns=tuple(kept)))
    if kept and kept_is == "known":
        assumes.append(KeptKnown(columns=tuple(kept)))
    if delta is not None:
        assumes.append(SampleSizeByChance(delta=delta))
    return (*assumes, LinkingOnly())


def class_assumptions(
    *, people: Sequence[Assumption], others: Sequence[str], several: bool, seeded: bool = False
) -> tuple[Assumption, ...]:
    """Return what every promise of k-anonymity assumes; ``several`` says that somebody has several rows."""
    assumes: list[Assumption] = [*people, Seeded() if seeded else SecretKey()]
    assumes.append(OthersUnknown(columns=tuple(others)) if others else NoOtherColumns())
    if others and several:
        assumes.append(ColumnsDoNotJoin(columns=tuple(others)))
    return (*assumes, ClassLinkingOnly())


def constraint_assumptions(columns: Sequence[str], column: str, people: bool) -> tuple[Assumption, ...]:
    """Return what every promise about a sensitive column assumes; ``people`` says that rows belong to people with several."""
    counted = (CountedOnRows(),) if people else ()
    return (PriorIsOverall(columns=tuple(columns), column=column), OneColumnOnly(), *counted)


def population_assumptions(columns: Sequence[str], others: Sequence[str], people: int) -> tuple[Assumption, ...]:
    """Return what every promise about a population assumes; ``others`` are the columns that are not quasi-identifiers."""
    return (
        OneRow(),
        PopulationHasEveryone(columns=tuple(columns), people=people),
        EveryWorldAsLikely(),
        OthersUnknown(columns=tuple(others)) if others else NoOtherColumns(),
        PopulationNotReleased(),
    )


def swapping_assumptions(
    *, swapped: Sequence[str], kept: Sequence[str], known: Sequence[str], least: int, seeded: bool = False
) -> tuple[Assumption, ...]:
    """Return what probabilistic k-anonymity by swapping assumes; ``known`` are the quasi-identifiers, by which rows were grouped."""
    secret = tuple(kept) or tuple(name for name in swapped if name not in known)
    assumes: list[Assumption] = [OneRow(), Seeded() if seeded else SecretKey()]
    assumes.append(
        KeptUnknown(columns=secret) if kept else SwappedUnknown(columns=secret) if secret else ChosenFromRows()
    )
    assumes += [PrivateGroups(rows=least), SwappedValuesAreTrue(columns=tuple(swapped))]
    return (*assumes, LinkingOnly())


def central_assumptions(
    *,
    most: int | None,
    rows: int,
    of: int,
    pilot: bool,
    seeded: bool = False,
    repeat: str | None = None,
    unit: Household = None,
) -> tuple[Assumption, ...]:
    """Return what central differential privacy assumes; ``most`` is how many rows nobody has more of, where that is declared."""
    several = (
        () if most is None else (MostRows(most=most, how="declared", unit=unit), AllRowsTogether(most=most, unit=unit))
    )
    people = several or (OneRow(),)
    sample = (SampleIsSecret(rows=rows, of=of),) if rows < of else ()
    draws = Seeded() if seeded else secret_draws(repeat)
    others = (PilotOfOthers(),) if pilot else ()
    return (*people, draws, DeclaredDomains(), WholeReleaseShuffled(), RowsArePublic(), *sample, *others)


def epsilon_assumptions(
    *, most: int | None, kept: Sequence[str], pilot: bool, unit: Household = None
) -> tuple[Assumption, ...]:
    """Return what an epsilon of perturbed cells assumes."""
    assumes: list[Assumption] = [CellByCell()]
    if most is not None:
        assumes.append(AllRowsTogether(most=most, unit=unit))
    if kept:
        assumes.append(KeptWithoutEpsilon(columns=tuple(kept)))
    return (*assumes, *((PilotOfOthers(),) if pilot else ()))
