"""The guarantees of perturbing methods: what Pk-perturbation and PRAM both state."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tokumei.anonymizers.anonymizer import Survey
from tokumei.anonymizers.sample import Bernoulli, Sample, Stratified
from tokumei.errors import InvalidParameter
from tokumei.mechanism.record import Mechanism
from tokumei.privacy.assumptions import (
    Assumption,
    Hiding,
    Household,
    epsilon_assumptions,
    pk_assumptions,
    rows_of_people,
)
from tokumei.privacy.attackers import Anyone, Attacker, Kept, Linking, RowEpsilon, pk_attacker
from tokumei.privacy.guarantee import Guarantee, float_below
from tokumei.privacy.sampling import HidingPlace, achieved
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import HidingPlaces, RowsCounted, StrataWeights
from tokumei.table.people import People
from tokumei.table.schema import Schema
from tokumei.text import names

ROWS_PER_PERSON = "rows_per_person"  # the fact that tells how many rows nobody has more of


def split_columns(schema: Schema, kept: Kept, sample: Sample | None) -> tuple[list[str], tuple[str, ...]]:
    """Name the columns that are perturbed and those that are released unchanged.

    The column of released strata is released unchanged, so it must not be a quasi-identifier.
    """
    label = sample.column if isinstance(sample, Stratified) and sample.labels == "released" else None
    if label is not None and schema[label].role == "quasi_identifier":
        raise InvalidParameter(
            "{label!r} is a quasi-identifier, and released strata would release it unchanged; hide the labels "
            "(labels='hidden'), or give the column another role.",
            label=label,
        )
    perturbed = [a.name for a in schema if a.name != label and (a.role == "quasi_identifier" or kept == "perturb")]
    return perturbed, tuple(a.name for a in schema if a.name not in perturbed)


def facts_of(
    survey: Survey, guarantees: Sequence[Guarantee], kept: Sequence[str], known: bool, sample: Sample | None
) -> tuple[Fact, ...]:
    """List what the promises took from the data: the classes of known columns and the strata in which people hide."""
    facts: list[Fact] = []
    strata = survey.strata()
    if strata:
        counts = [{"label": label, "rows": rows, "drawn": drawn} for label, rows, drawn in strata]
        facts.append(Fact("strata", counts, StrataWeights()))
    if (known and kept) or isinstance(sample, Stratified):
        places = [
            {"rows": int(g.numbers["among"]), "drawn": int(g.numbers["inside"])}
            | ({"own": int(g.numbers["most"])} if "most" in g.numbers else {})
            for g in guarantees
        ]
        facts.append(Fact("hiding_places", places, HidingPlaces(columns=tuple(kept) if known else ())))
    return (*facts, *facts_of_people(survey.people))


def facts_of_people(people: People | None) -> tuple[Fact, ...]:
    """Return the most rows of one person, where a promise follows from it and it was counted."""
    if people is None or people.declared:
        return ()
    return (Fact(ROWS_PER_PERSON, people.most, RowsCounted()),)


def told_people(people: People | None) -> tuple[Assumption, ...]:
    """Say how many rows people have."""
    return rows_of_people(None) if people is None else rows_of_people(people.most, people.declared, unit_of(people))


def unit_of(people: People | None) -> Household:
    """Return what has several rows, where it is not a person."""
    return "household" if people is not None and people.unit == "household" else None


def refuse_joining(people: People | None, kept: Sequence[str], kept_is: Kept) -> None:
    """Refuse columns that are kept and taken to tell nothing, where they may tell which rows belong to one person.

    Several rows that are known to be of one person are several draws to look at together, for which the promise does not hold.
    Against an attacker who knows the columns of everyone it does: they reveal nothing that the attacker does not know.
    """
    if people is not None and people.most > 1 and kept and kept_is == "unknown":
        if unit_of(people) == "household":
            raise InvalidParameter(
                "{kept}, released unchanged, may show which rows belong to one household, which kept='unknown' "
                "cannot allow; use kept='known' or kept='perturb', or drop it.",
                kept=names(kept),
            )
        raise InvalidParameter(
            "{kept}, released unchanged, may show which rows belong to one person, which kept='unknown' "
            "cannot allow; use kept='known' or kept='perturb', or drop it.",
            kept=names(kept),
        )


def pk_guarantees(
    schema: Schema, survey: Survey, mechanism: Mechanism, kept_is: Kept, sample: Sample | None
) -> tuple[Guarantee, ...]:
    """State Pk-anonymity, for a sample twice: for membership kept secret, and for membership known."""
    refuse_joining(survey.people, mechanism.kept, kept_is)
    known = mechanism.kept if kept_is == "known" else ()
    places = survey.hiding_places(known)
    worst = min(places, key=lambda place: achieved(place, mechanism))
    assumes = assumed_by_pk(schema, mechanism.kept, kept_is, sample, survey.people, mechanism.repeat)
    sampled = survey.released < survey.rows
    several = survey.people is not None
    secret = _guarantee(
        worst, mechanism, pk_attacker(mechanism.kept, kept_is, "secret" if sampled else None), assumes, several
    )
    if not sampled:
        return (secret,)
    inside = min((place.drawn for place in places), key=lambda place: achieved(place, mechanism))
    told = _guarantee(inside, mechanism, pk_attacker(mechanism.kept, kept_is, "known"), assumes, several)
    return secret, told


def _guarantee(
    place: HidingPlace, mechanism: Mechanism, attacker: Attacker, assumes: Sequence[Assumption], several: bool
) -> Guarantee:
    counted = Hiding(rows=place.among, not_drawn=place.outside or None, own=place.most if several else None)
    return Guarantee(
        "Pk-anonymity",
        float_below(achieved(place, mechanism)),
        Linking(),
        attacker,
        (*assumes, counted),
        {"among": place.among, "inside": place.inside} | ({"most": place.most} if several else {}),
    )


def assumed_by_pk(
    schema: Schema,
    kept: Sequence[str],
    kept_is: Kept,
    sample: Sample | None = None,
    people: People | None = None,
    repeat: str | None = None,
) -> tuple[Assumption, ...]:
    """Return what a promise of Pk-anonymity assumes."""
    return pk_assumptions(
        people=told_people(people),
        observed=[a.name for a in schema if a.observed],
        kept=kept,
        kept_is=kept_is,
        delta=sample.delta if isinstance(sample, Bernoulli) else None,
        repeat=repeat,
    )


def epsilon_guarantees(
    schema: Schema, mechanism: Mechanism, from_data: bool, people: People | None = None, pilot: bool = False
) -> tuple[Guarantee, ...]:
    """State local differential privacy, unless a channel or a domain was chosen from the data.

    ``pilot`` says that the noise was shared out by a pilot of other people.

    The rows of one person are drawn independently, so their epsilons add up: to ``most`` times that of a row.
    """
    if from_data or any(a.observed for a in schema) or not mechanism.epsilons:
        return ()
    rows = 1 if people is None else people.most
    each = {name: rows * epsilon for name, epsilon in mechanism.epsilons.items()}
    total = math.fsum(each.values())
    if math.isinf(total):
        return ()
    most = None if people is None else rows
    assumes = epsilon_assumptions(most=most, kept=mechanism.kept, pilot=pilot, unit=unit_of(people))
    stated = math.nextafter(total, math.inf)
    promise = RowEpsilon(columns=mechanism.perturbed)
    return (Guarantee("local differential privacy", stated, promise, Anyone(), assumes, each),)
