"""What several releases of the same people guarantee together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.mechanism.record import Mechanism
from tokumei.privacy.assumptions import (
    Assumption,
    EachAlone,
    Hiding,
    HidingInGroup,
    JoinedBy,
    MostRows,
    SamePeopleOnly,
    told_rows,
)
from tokumei.privacy.attackers import (
    Anyone,
    JointCentralEpsilon,
    JointEpsilon,
    KnowsOthers,
    LearnsNothingFrom,
    Linking,
    WholeTable,
)
from tokumei.privacy.central import Shuffled
from tokumei.privacy.composed import composed_epsilon
from tokumei.privacy.guarantee import Guarantee, float_below
from tokumei.privacy.pseudonyms import pseudonyms_of
from tokumei.privacy.repeats import Repeats, combine_repeated, share_a_key
from tokumei.progress import stage
from tokumei.table.schema import Schema
from tokumei.text import names

PROOF = "combined"
TOTALS = "calibration"  # what the fact of weighted totals is called in a manifest


class Released(Protocol):
    """What is needed of a release."""

    @property
    def mechanism(self) -> Mechanism:
        """How it was made."""

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What it promises alone."""

    @property
    def schema(self) -> Schema:
        """The released columns."""

    @property
    def method(self) -> Mapping[str, Any]:
        """The method that made it."""

    @property
    def disclosed(self) -> Sequence[Any]:
        """The facts that it discloses."""

    @property
    def prepare(self) -> Sequence[Mapping[str, Any]]:
        """The steps before it."""

    @property
    def rows(self) -> int:
        """How many rows were released."""


@stage("Combining releases")
def combine(releases: Sequence[Released], repeats: Repeats | None = None) -> tuple[Guarantee, ...]:
    """State what several releases of the same people guarantee together.

    **Against an attacker who knows the whole table**, kept columns included, each release keeps what it promises: its
    draws and its shuffle are its own, and the others say nothing about them. This covers releases that keep no column
    or were solved for known ones (``kept="known"``).

    **If a release keeps columns that are assumed to be unknown**, they join its rows with those of other releases,
    perfectly in the worst case, or show how they are associated with the perturbed ones. A joined row is one draw from the product
    of all mechanisms, so the swaps of all releases multiply: k = 1 + (n - 1) b1 b2 ... If one of them is a sample, or
    they differ in their number of rows, people who are in one and not in the other can be told apart: k = 1. So do groups,
    where a release was perturbed in groups. Pseudonyms are such columns: two releases may have them under the same key, which no
    release tells, so they are taken to join rows. Weighted totals that another release discloses would tell such columns of people who are alone in a
    cell, so these releases are not combined.

    **If draws repeat** under a key that the data holder keeps (`Repeat`), releases are not independent, and what they guarantee together
    follows from how many people changed, joined or left when: ``repeats``. Without these counts nothing is guaranteed, since somebody
    may be the only one who changed.

    **Epsilons** add up; where draws repeat, an unchanged value counts once. Those of central differential privacy are composed
    (`tokumei.privacy.composed`): their privacy losses add up, which is far less for many releases. The largest delta of any of them is the
    delta of all. Where draws repeat, none is stated.

    Parameters
    ----------
    releases
        Releases of the same people, from `anonymize` or `read_release`.
    repeats
        For releases under one key: what `tokumei.disclosure.repeats` counted in the original tables.
    """
    if not isinstance(releases, Sequence) or not all(hasattr(each, "mechanism") for each in releases):
        raise InvalidParameter("combine takes a list of releases, such as those that read_release returns.")
    if len(releases) < 2:
        raise InvalidParameter("combine needs at least two releases.")
    promised = [[g for g in release.guarantees if g.notion == "Pk-anonymity"] for release in releases]
    if not all(promised):
        raise InvalidParameter("combine needs releases that each guarantee Pk-anonymity.")
    _check_people([g for group in promised for g in group])
    if not all(g.checked for group in promised for g in group):
        raise InvalidParameter(
            "A release makes a guarantee that this version cannot check, so it is not combined; upgrade tokumei."
        )
    counts = (Hiding, HidingInGroup)  # which hold for one release each
    assumes: dict[Any, None] = dict.fromkeys(
        each for group in promised for g in group for each in g.assumes if not isinstance(each, counts)
    )
    unknown = sorted({name for release in releases for name in _unknown(release)})
    _check_totals(releases, unknown)
    if share_a_key(releases):
        known = LearnsNothingFrom(columns=tuple(unknown)) if unknown else WholeTable()
        return combine_repeated(releases, repeats, tuple(assumes), known)
    if repeats is not None:
        raise InvalidParameter("repeats is for releases whose draws repeat under the same key, and these do not.")
    if unknown:
        value, why = _joined(releases, unknown)
        attacker: LearnsNothingFrom | WholeTable = LearnsNothingFrom(columns=tuple(unknown))
    else:
        value, why = min(g.value for group in promised for g in group), EachAlone()
        drawn = any(r.mechanism.of is not None for r in releases)
        attacker = WholeTable(membership="known" if drawn else None)
    stated = (SamePeopleOnly(), why, *assumes)
    pk = Guarantee("Pk-anonymity", value, Linking(), attacker, stated, proof=PROOF)
    return (pk, *_epsilons(releases), *_central(releases))


def _check_people(promised: Sequence[Guarantee]) -> None:
    """Refuse releases that do not agree on whether people have several rows: they would assume what cannot both be."""
    said = [told_rows(each) for each in promised]
    if None in said:
        raise InvalidParameter(
            "A release does not say how many rows a person has, so it cannot be combined with others."
        )
    several = [isinstance(each, MostRows) and each.most > 1 for each in said]
    if any(several) and not all(several):
        raise InvalidParameter(
            "Some of the releases are of people with several rows, and others assume one row per person; make "
            "all of them from a schema with the person column."
        )


def _check_totals(releases: Sequence[Released], unknown: Sequence[str]) -> None:
    """Refuse totals of columns that another release takes to be unknown: they would tell them by what people are known by."""
    for value in (fact.value for release in releases for fact in release.disclosed if fact.name == TOTALS):
        try:
            told = {str(value["weights"]), *(str(name) for margin in value["margins"] for name in margin["columns"])}
        except (KeyError, TypeError):
            raise ReleaseError(
                "The release discloses calibration totals that cannot be those of its columns."
            ) from None
        if told & set(unknown):
            raise InvalidParameter(
                "A release discloses weighted totals by {told}, and another is for attackers who learn nothing from {unknown}, so "
                "they guarantee nothing together; use kept = 'known' for both.",
                told=names(sorted(told)),
                unknown=names(unknown),
            )


def _unknown(release: Released) -> set[str]:
    """Name the columns that a release keeps and that are taken to be unknown, pseudonyms always among them."""
    kept = set(release.mechanism.kept)
    return kept if release.method.get("kept") == "unknown" else kept & set(pseudonyms_of(release.prepare))


def _joined(releases: Sequence[Released], unknown: Sequence[str]) -> tuple[float, Assumption]:
    columns = tuple(unknown)
    rows = {release.mechanism.population(release.rows) for release in releases}
    if len(rows) > 1 or any(release.mechanism.of is not None for release in releases):
        return 1.0, JoinedBy(columns=columns, why="other_people")
    if any(release.mechanism.grouping is not None for release in releases):
        return 1.0, JoinedBy(columns=columns, why="groups")
    if any(release.mechanism.block is not None for release in releases):
        return 1.0, JoinedBy(columns=columns, why="blocks")
    swap = math.prod((release.mechanism.swap for release in releases), start=Fraction(1))
    smallest = min(int(g.numbers["inside"]) for r in releases for g in r.guarantees if g.notion == "Pk-anonymity")
    return float_below(1 + (smallest - 1) * swap), JoinedBy(columns=columns)


def _epsilons(releases: Sequence[Released]) -> tuple[Guarantee, ...]:
    stated = [[g for g in release.guarantees if g.notion == "local differential privacy"] for release in releases]
    if not all(stated):
        return ()
    each = [group[0] for group in stated]
    total = math.nextafter(math.fsum(g.value for g in each), math.inf)
    numbers: dict[str, float] = {}
    for guarantee in each:
        for name, spent in guarantee.numbers.items():
            numbers[name] = numbers.get(name, 0.0) + spent
    assumes = tuple(dict.fromkeys(said for g in each for said in g.assumes))
    return (Guarantee("local differential privacy", total, JointEpsilon(), Anyone(), assumes, numbers, PROOF),)


def _central(releases: Sequence[Released]) -> tuple[Guarantee, ...]:
    """State central differential privacy of all releases, where each has it."""
    stated = [[g for g in release.guarantees if g.notion == "central differential privacy"] for release in releases]
    if not all(stated) or not all(group[0].checked for group in stated):
        return ()
    each = [group[0] for group in stated]
    delta = max(g.numbers["delta"] for g in each)
    own = [max((a.most for a in g.assumes if isinstance(a, MostRows)), default=1) for g in each]
    shuffled = [Shuffled(r.mechanism, r.rows, most) for r, most in zip(releases, own, strict=True)]
    assumes = (SamePeopleOnly(), *dict.fromkeys(said for g in each for said in g.assumes))
    value = composed_epsilon(shuffled, delta)
    numbers = {"delta": delta}
    promise = JointCentralEpsilon(delta=delta)
    return (Guarantee("central differential privacy", value, promise, KnowsOthers(), assumes, numbers, PROOF),)
