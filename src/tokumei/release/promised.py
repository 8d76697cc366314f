"""What the promises of a manifest must be: every one follows from the rest of it, or the release is refused.

Attackers, promises, assumptions and numbers are compared as data. Nothing is believed that could be worked out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.errors import ReleaseError
from tokumei.mechanism.grouping import Grouping
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.swapping import SwappedColumns
from tokumei.privacy.assumptions import AnyOfTheirRows, MostRows, ObservedDomains, OneRow, told_rows
from tokumei.privacy.attackers import (
    Agreement,
    Anyone,
    Attacker,
    CellLinking,
    CentralEpsilon,
    KnowsAllButOne,
    KnowsOnly,
    KnowsOthers,
    KnowsPopulation,
    KnowsRecords,
    Linking,
    RowEpsilon,
    pk_attacker,
    swapping_attacker,
)
from tokumei.privacy.central import usual_delta
from tokumei.privacy.constraints import ClassConstraint, constraints_of
from tokumei.privacy.groups import achieved_by
from tokumei.privacy.guarantee import Guarantee, float_below
from tokumei.privacy.notions import NOTIONS
from tokumei.privacy.pseudonyms import pseudonyms_of
from tokumei.privacy.recount import MEMBERSHIPS, recount
from tokumei.privacy.sampling import share_of
from tokumei.release.assumed import assumed_by
from tokumei.release.disclosure import Fact
from tokumei.table.schema import DROPPED, Schema
from tokumei.words import Statement


@dataclass(frozen=True)
class Stated:
    """What a manifest states: its promises, and everything that they must follow from."""

    guarantees: tuple[Guarantee, ...]
    mechanism: Mechanism
    schema: Schema
    facts: tuple[Fact, ...]
    method: Mapping[str, Any]
    prepare: Sequence[Mapping[str, Any]]
    rows: int
    seeded: bool

    def fact(self, name: str, otherwise: Any = None) -> Any:
        """Return what was disclosed under a name."""
        return next((fact.value for fact in self.facts if fact.name == name), otherwise)

    def of(self, notion: str) -> list[Guarantee]:
        """Return the promises of one notion."""
        return [each for each in self.guarantees if each.notion == notion]

    @property
    def unknown(self) -> bool:
        """Whether there is a promise of a notion that this version does not know."""
        return any(each.notion not in NOTIONS for each in self.guarantees)

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return self.schema.names("quasi_identifier")

    @property
    def kept_is(self) -> Any:
        """What the method thinks of the columns that it keeps."""
        return self.method.get("kept", "unknown")

    @property
    def constraints(self) -> tuple[ClassConstraint, ...]:
        """What the method asks of every class."""
        return constraints_of(self.method)


def check_promises(stated: Stated) -> None:
    """Refuse promises that do not follow from the mechanism, the method and the facts that the manifest states itself.

    Of a promise with a key that this version does not know, what is known is checked, and it is never shown as kept.
    """
    pk = stated.of("Pk-anonymity")
    _check_kinds(stated, bool(pk))
    _check_rows(stated, pk)
    own = _check_people(stated)
    _check_joining(own, bool(pk), stated)
    _check_pk(stated, pk)
    _check_central(stated, pk)
    _check_classes(stated)
    if stated.mechanism.swapping is not None:
        _check_swapped(stated, stated.mechanism.swapping)
    for guarantee in stated.guarantees:
        if guarantee.notion in NOTIONS:
            _check_one(guarantee, stated, own)


def _check_one(guarantee: Guarantee, stated: Stated, own: int) -> None:
    notion = NOTIONS[guarantee.notion]
    if guarantee.proof != notion.proof or guarantee.numbers.keys() != _numbers(guarantee, stated):
        raise ReleaseError("The release states a guarantee with numbers or a proof that it cannot have.")
    if guarantee.notion == "local differential privacy" and stated.facts:
        raise ReleaseError("The release states an epsilon that it cannot have.")
    if not recount(guarantee, stated.mechanism, stated.rows, own):
        raise ReleaseError("The release states a guarantee that its own mechanism does not satisfy.")
    due = assumed_by(guarantee, stated)
    if guarantee.checked and due is not None and sorted(map(repr, guarantee.assumes)) != sorted(map(repr, due)):
        raise ReleaseError("The release states a guarantee under other assumptions than its parts imply.")


ALONE = {"sampling anonymity": "known", "central differential privacy": "delta"}  # notions that follow from one number


def _numbers(guarantee: Guarantee, stated: Stated) -> set[str]:
    """Name the numbers that a promise follows from; how many rows people have may be one of them where it matters."""
    several = {"most"} & guarantee.numbers.keys()
    if guarantee.notion == "Pk-anonymity":
        return {"among", "inside"} | several
    if guarantee.notion in {"k-anonymity", "probabilistic k-anonymity"}:
        return set(several) if guarantee.notion == "k-anonymity" else set()
    if guarantee.notion in ALONE:
        strata = guarantee.notion == "sampling anonymity" and isinstance(stated.method.get("sample"), Mapping)
        return {ALONE[guarantee.notion]} | ({"among", "inside"} if strata else set())
    if guarantee.notion == "local differential privacy":
        return set(stated.mechanism.epsilons)
    if NOTIONS[guarantee.notion].of_classes:
        return {"people"} if NOTIONS[guarantee.notion].of_population else set()
    return set(guarantee.numbers)  # of rates: with them; of other notions: where they are recounted


def _check_kinds(stated: Stated, pk: bool) -> None:
    """Refuse guarantees of perturbed rows where rows were not perturbed, or not only, and of classes where they were.

    The arithmetic of a mechanism without noise would give everybody the whole table to hide in.
    """
    mechanism = stated.mechanism
    coarser = mechanism.recoding is not None or mechanism.averaging is not None
    coarser |= (mechanism.left_out > 0 and mechanism.grouping is None) or mechanism.swapping is not None
    of_classes = any(each.of_classes for each in stated.guarantees)
    if (
        (pk and (coarser or not mechanism.perturbed))
        or (stated.of("local differential privacy") and not mechanism.epsilons)
        or (of_classes and (mechanism.perturbed or mechanism.of is not None or mechanism.swapping is not None))
        or (stated.of("probabilistic k-anonymity") and mechanism.swapping is None)
    ):
        raise ReleaseError("The release states a guarantee of another kind than its rows were made for.")


def _check_rows(stated: Stated, pk: Sequence[Guarantee]) -> None:
    """Refuse rows that the promise cannot count on."""
    mechanism, method = stated.mechanism, stated.method
    if mechanism.of is not None and (method.get("sample") is None or mechanism.of < stated.rows):
        raise ReleaseError("The release says that it was sampled from more rows than its method can have.")
    if mechanism.perturbed and not stated.unknown and len(pk) != (1 if mechanism.of is None else 2):
        raise ReleaseError("The release must state its guarantee for membership secret and for membership known.")
    places = stated.fact("hiding_places")
    if mechanism.block is not None and (not pk or places is not None or mechanism.of is not None):
        raise ReleaseError("The release shuffles rows in blocks and states a guarantee that blocks cannot give.")
    if places is not None and places != [
        {"rows": g.numbers["among"], "drawn": g.numbers["inside"]}
        | ({"own": g.numbers["most"]} if "most" in g.numbers else {})
        for g in (pk or stated.of("sampling anonymity"))
    ]:
        raise ReleaseError("The release relies on other rows than those that it discloses.")
    for each in stated.of("sampling anonymity"):
        _check_strata(each, stated)
    if mechanism.telling is not None and (mechanism.channels or mechanism.grouping is not None):
        raise ReleaseError(
            "The rows of the release tell one thing each and were also perturbed otherwise, which is not possible."
        )
    alone = mechanism.of is None and mechanism.block is None and mechanism.grouping is None
    if (mechanism.repeat is None) != (method.get("repeat") is None) or (
        mechanism.repeat is not None and not (pk and alone)
    ):
        raise ReleaseError("The release says that its draws repeat, and was made in a way in which they cannot.")
    if mechanism.grouping is not None:
        _check_grouped(pk, stated)
    elif places is None and pk and pk[0].numbers["among"] != mechanism.hiding(stated.rows):
        raise ReleaseError("The release relies on other rows than it was made from.")
    if any(told.numbers["among"] != told.numbers["inside"] for told in pk[1:]):
        raise ReleaseError("The release relies on people who were not sampled, against an attacker who knows who was.")


def _check_strata(guarantee: Guarantee, stated: Stated) -> None:
    """Refuse a promise about a stratum that is not the one with the fewest people who were not drawn, where strata are disclosed."""
    if "among" not in guarantee.numbers:
        return
    strata, outside = stated.fact("strata"), guarantee.numbers["among"] - guarantee.numbers["inside"]
    if stated.fact("hiding_places") is None or (
        strata is not None and outside != min(each["rows"] - each["drawn"] for each in strata if each["drawn"])
    ):
        raise ReleaseError("The release relies on other rows than those that it discloses.")


def _check_pk(stated: Stated, pk: Sequence[Guarantee]) -> None:
    """Refuse other promises, or to others, than the method and the columns allow."""
    mechanism, method = stated.mechanism, stated.method
    sample = method.get("sample")
    strata = {sample.get("column")} if isinstance(sample, Mapping) else set()
    if method.get("kept") == "perturb" and set(mechanism.kept) - strata:
        raise ReleaseError("The release keeps columns unchanged that its method perturbs.")
    memberships: list[Any] = [None] if mechanism.of is None else ["secret", "known"]
    due: dict[str, list[tuple[Statement, Statement]]] = {
        "Pk-anonymity": [(Linking(), pk_attacker(mechanism.kept, stated.kept_is, each)) for each in memberships],
        "local differential privacy": [(RowEpsilon(columns=mechanism.perturbed), Anyone())],
        "central differential privacy": [(CentralEpsilon(delta=_delta(stated)), KnowsOthers())],
    }
    people = mechanism.population(stated.rows)
    for each in stated.of("sampling anonymity"):
        if each.numbers.get("known") != method.get("known"):
            raise ReleaseError("The release assumes another attacker than its method names.")
        due["sampling anonymity"] = [(Linking(), KnowsRecords(known=int(each.numbers["known"]), people=people))]
    for notion, expected in due.items():
        said = stated.of(notion)
        if len(said) > len(expected) or any(
            each.checked and (each.promise, each.attacker) != pair for each, pair in zip(said, expected, strict=False)
        ):
            raise ReleaseError("The release names another attacker than its method and columns allow.")


def _delta(stated: Stated) -> float:
    """Return the delta that the method asks for, or the usual one for the table."""
    asked = stated.method.get("delta")
    if isinstance(asked, int | float) and not isinstance(asked, bool):
        return float(asked)
    return usual_delta(stated.mechanism.population(stated.rows))


def _check_central(stated: Stated, pk: Sequence[Guarantee]) -> None:
    """Refuse central differential privacy where something was taken from the data, and less than the method asks for."""
    said, asked = stated.of("central differential privacy"), stated.method.get("epsilon")
    observed = any(a.observed for a in stated.schema)
    observed |= any(isinstance(assumed, ObservedDomains) for each in pk for assumed in each.assumes)
    by_chance = isinstance(stated.method.get("sample"), Mapping)
    if said and (stated.facts or observed or by_chance or not pk):
        raise ReleaseError("The release states an epsilon that it cannot have.")
    if any(each.numbers.get("delta") != _delta(stated) for each in said):
        raise ReleaseError("The release states another delta than its method asks for.")
    if asked is not None and not stated.unknown and not (said and said[0].value <= asked):
        raise ReleaseError("The release keeps a larger epsilon than its method asks for.")


def _check_people(stated: Stated) -> int:
    """Return how many rows nobody has more of; refuse promises that count them in several ways, or assume otherwise."""
    about_people = [*stated.of("Pk-anonymity"), *stated.of("k-anonymity")]
    told = [each.numbers["most"] for each in about_people if "most" in each.numbers]
    counted = stated.fact("rows_per_person")
    contradicts = ReleaseError("The release contradicts itself about how many rows a person has.")
    if any(not float(most).is_integer() or most < 1 for most in told):
        raise ReleaseError("The release states a number of rows per person that is not possible.")
    for each in about_people:
        wrong = (OneRow,) if "most" in each.numbers else (MostRows, AnyOfTheirRows)
        if any(isinstance(assumed, wrong) for assumed in each.assumes):
            raise contradicts
    said = {told_rows(each) for each in about_people}
    if not told and counted is None and said <= {OneRow()}:
        return 1
    (one,) = said if len(said) == 1 else (None,)
    if len(told) < len(about_people) or not isinstance(one, MostRows):
        raise contradicts
    most, mechanism = one.most, stated.mechanism
    groups = () if mechanism.grouping is None else mechanism.grouping.groups
    within = stated.fact("hiding_places") is not None or bool(groups)  # in a class or a group a person may have fewer
    if (
        (counted is None) != (one.how == "declared")
        or counted not in {None, most}
        or max([*told, *(group.most for group in groups)]) > most
        or not (within or all(g.numbers["most"] == min(most, g.numbers.get("among", most)) for g in about_people))
    ):
        raise ReleaseError("The release relies on another number of rows per person than it discloses.")
    return most


def _check_joining(own: int, pk: bool, stated: Stated) -> None:
    """Refuse promises to people with several rows where something tells which rows belong to one person."""
    if own == 1:
        return
    if pk and stated.mechanism.kept and stated.method.get("kept") == "unknown":
        raise ReleaseError(
            "The release keeps columns unchanged that may show which rows belong to one person, against which it "
            "guarantees nothing for people with several rows."
        )
    if pseudonyms_of(stated.prepare):
        raise ReleaseError(
            "The release has pseudonyms, which show which rows belong to one person, and a guarantee for people with several rows."
        )


def _check_grouped(pk: Sequence[Guarantee], stated: Stated) -> None:
    """Refuse a release in groups that is more than that, or keeps less than its method asks for."""
    mechanism, grouping = stated.mechanism, stated.mechanism.grouping
    assert grouping is not None
    if mechanism.channels or mechanism.recoding is not None:
        raise ReleaseError("The release was perturbed in groups and also treated otherwise, which is not possible.")
    sample = stated.method.get("sample")
    if (sample is None) == grouping.sampled or mechanism.of != (grouping.people if grouping.sampled else None):
        raise ReleaseError("The release says that it was sampled from more rows than its method can have.")
    if grouping.sampled:
        _check_drawn(pk, sample, grouping, bool(mechanism.kept) and stated.kept_is == "known")
    if (stated.method.get("tells", "all") == "all") != (grouping.telling is None):
        raise ReleaseError("The rows of the release tell something else than its method says.")
    if pk and not stated.method["k"] <= pk[0].value:
        raise ReleaseError("The release keeps a smaller k than its method asks for.")


def _check_drawn(pk: Sequence[Guarantee], sample: Any, grouping: Grouping, known: bool) -> None:
    """Refuse a sample of groups that is not the share its method names, or whose promises are exchanged."""
    rate = isinstance(sample, float) and 0 < sample <= 1
    if known or not rate or any(group.rows != share_of(sample, group.of or 0) for group in grouping.groups):
        raise ReleaseError("The release has drawn other numbers of rows from its groups than its method says.")
    for guarantee, membership in zip(pk, MEMBERSHIPS, strict=False):
        if guarantee.value != float_below(achieved_by(grouping, membership)[0]):
            raise ReleaseError("The release states a guarantee that its own mechanism does not satisfy.")


def _check_classes(stated: Stated) -> None:
    """Refuse promises about classes that are not those of the method, or name another attacker than its columns allow."""
    mechanism, method, columns = stated.mechanism, stated.method, stated.columns
    about_classes = [each for each in stated.guarantees if each.of_classes]
    if any(attribute.role in DROPPED for attribute in stated.schema):
        raise ReleaseError("The release has a column that it calls an identifier, and identifiers are never released.")
    if mechanism.recoding is not None and set(mechanism.recoding.columns) - set(columns):
        raise ReleaseError("The release has recoded a column that it does not call a quasi-identifier.")
    if about_classes and not columns:
        raise ReleaseError("The release makes guarantees about equivalence classes, but has no quasi-identifier.")
    if mechanism.left_out != stated.fact("left_out", 0):
        raise ReleaseError("The release left out another number of rows than it discloses.")
    alike = mechanism.recoding is not None or mechanism.averaging is not None
    alike |= mechanism.left_out > 0 and mechanism.grouping is None
    if alike and not about_classes and not stated.unknown:
        raise ReleaseError("The release forms equivalence classes, and does not state how small they may be.")
    if not about_classes:
        return
    wildcards = [("k-anonymity with wildcards", Agreement())] if "meaning" in method else []
    constraints = [(each.notion.name, each.promise) for each in stated.constraints]
    due = [("k-anonymity", Linking()), *wildcards, *constraints]
    if [each.notion for each in about_classes] != [notion for notion, _ in due] or any(
        each.checked and (each.promise, each.attacker) != (promise, _class_attacker(each, columns))
        for each, (_, promise) in zip(about_classes, due, strict=True)
    ):
        raise ReleaseError("The release guarantees something else than its method and columns allow.")
    if method["k"] > about_classes[method.get("meaning") == "wildcard"].value:
        raise ReleaseError("The release keeps a smaller k than its method asks for.")


def _check_swapped(stated: Stated, swapping: SwappedColumns) -> None:
    """Refuse swapped rows that were also treated otherwise, and promises that swapping does not keep."""
    mechanism, swapped = stated.mechanism, swapping.columns
    others = (
        mechanism.recoding,
        mechanism.averaging,
        mechanism.grouping,
        mechanism.telling,
        mechanism.of,
        mechanism.block,
    )
    if mechanism.channels or mechanism.left_out or any(each is not None for each in others):
        raise ReleaseError("The release was swapped and also treated otherwise, which is not possible.")
    if {*swapped, *mechanism.kept} != set(stated.schema.names()) or {*swapped} & {*mechanism.kept}:
        raise ReleaseError("The release does not say of each of its columns whether it was swapped.")
    if not set(stated.columns) <= set(swapped):
        raise ReleaseError("The release has a quasi-identifier that was not swapped.")
    said = stated.of("probabilistic k-anonymity")
    if not said and not stated.unknown:
        raise ReleaseError("The release was swapped, and does not state how small its groups may be.")
    attacker = swapping_attacker(swapped, mechanism.kept, stated.columns)
    promise = CellLinking() if isinstance(attacker, KnowsAllButOne) else Linking()
    if len(said) > 1 or any(each.checked and (each.promise, each.attacker) != (promise, attacker) for each in said):
        raise ReleaseError("The release names another attacker than its method and columns allow.")
    if stated.method["k"] > swapping.least:
        raise ReleaseError("The release keeps a smaller k than its method asks for.")


def _class_attacker(guarantee: Guarantee, columns: tuple[str, ...]) -> Attacker:
    """Return against whom a promise about classes holds."""
    if NOTIONS[guarantee.notion].of_population:
        return KnowsPopulation(columns=columns, people=int(guarantee.numbers.get("people", 0)))
    return KnowsOnly(columns=columns)
