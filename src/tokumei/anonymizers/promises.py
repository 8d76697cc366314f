"""The promises of perturbing methods, in words and numbers: what Pk-perturbation and PRAM state alike."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tokumei.anonymizers.anonymizer import Survey
from tokumei.anonymizers.sample import Bernoulli, Sample, Stratified
from tokumei.errors import InvalidParameter
from tokumei.mechanism.record import Mechanism
from tokumei.privacy.guarantee import SECRET_KEY, Guarantee, Kept, attacker_words, float_below, rows_of_people
from tokumei.privacy.sampling import HidingPlace, achieved
from tokumei.release.disclosure import Fact
from tokumei.table.people import People
from tokumei.table.schema import Schema
from tokumei.text import names

PK_PROOF = "docs/promises/pk.md"
EPSILON_PROOF = "docs/promises/epsilon.md"
OTHER_PEOPLE = (
    "The noise was shared out by a pilot of other people than those of the table. Its rows were compared with the table's and agree no "
    "more often than those of independent people; that nobody is in both is assumed."
)
ROWS_PER_PERSON = "rows_per_person"  # the fact that tells how many rows nobody has more of


def split_columns(schema: Schema, kept: Kept, sample: Sample | None) -> tuple[list[str], tuple[str, ...]]:
    """Name the columns that are perturbed and those that are released as they are.

    The column of released strata is released as it is, so it must not be a quasi-identifier.
    """
    label = sample.column if isinstance(sample, Stratified) and sample.labels == "released" else None
    if label is not None and schema[label].role == "quasi_identifier":
        raise InvalidParameter(
            f"{label!r} is a quasi-identifier, and released strata would release it as it is; hide the labels "
            "(labels='hidden'), or give the column another role."
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
        facts.append(Fact("strata", counts, "Whoever estimates from the sample weights its strata by these."))
    if (known and kept) or isinstance(sample, Stratified):
        places = [
            {"rows": int(g.numbers["among"]), "drawn": int(g.numbers["inside"])}
            | ({"own": int(g.numbers["most"])} if "most" in g.numbers else {})
            for g in guarantees
        ]
        why = f"the attacker is taken to know {names(kept)}" if known and kept else "people hide within their strata"
        facts.append(Fact("hiding_places", places, f"The promises count on these rows, for {why}."))
    return (*facts, *facts_of_people(survey.people))


def facts_of_people(people: People | None) -> tuple[Fact, ...]:
    """Return the most rows of one person, where a promise follows from it and it was counted."""
    if people is None or people.declared:
        return ()
    return (
        Fact(ROWS_PER_PERSON, people.most, "Nobody has more rows; it was counted, and the promises follow from it."),
    )


def words_of_people(people: People | None) -> tuple[str, ...]:
    """Say how many rows people have."""
    return rows_of_people(None) if people is None else rows_of_people(people.most, people.declared)


def refuse_joining(people: People | None, kept: Sequence[str], kept_is: Kept) -> None:
    """Refuse columns that are kept and taken to tell nothing, where they may tell which rows are one person's.

    Several rows that are known to be of one person are several draws to look at together, for which the promise does not hold.
    Against an attacker who knows the columns of everybody it does: nothing can be told by them that he does not know.
    """
    if people is not None and people.most > 1 and kept and kept_is == "unknown":
        raise InvalidParameter(
            f"{names(kept)}, released as it is, may show which rows are one person's, which kept='unknown' cannot allow for; say "
            "kept='known' or kept='perturb', or drop it."
        )


def pk_guarantees(
    schema: Schema, survey: Survey, mechanism: Mechanism, kept_is: Kept, sample: Sample | None
) -> tuple[Guarantee, ...]:
    """State Pk-anonymity, for a sample twice: for membership kept secret, and for membership known."""
    refuse_joining(survey.people, mechanism.kept, kept_is)
    known = mechanism.kept if kept_is == "known" else ()
    places = survey.hiding_places(known)
    worst = min(places, key=lambda place: achieved(place, mechanism))
    assumes = pk_assumptions(schema, mechanism.kept, kept_is, sample, survey.people)
    sampled = survey.released < survey.rows
    several = survey.people is not None
    secret = _guarantee(
        worst, mechanism, attacker_words(mechanism.kept, kept_is, "secret" if sampled else None), assumes, several
    )
    if not sampled:
        return (secret,)
    inside = min((place.drawn for place in places), key=lambda place: achieved(place, mechanism))
    told = _guarantee(inside, mechanism, attacker_words(mechanism.kept, kept_is, "known"), assumes, several)
    return secret, told


def _guarantee(
    place: HidingPlace, mechanism: Mechanism, attacker: str, assumes: Sequence[str], several: bool
) -> Guarantee:
    value = float_below(achieved(place, mechanism))
    counted = f"The promise counts on {place.among:,} rows among which a person hides at least"
    if place.outside:
        counted += f", {place.outside:,} of them not drawn"
    if several:
        counted += f", {place.most:,} of them his own at most"
    return Guarantee(
        "Pk-anonymity",
        value,
        attacker,
        (*assumes, counted + "."),
        PK_PROOF,
        {"among": place.among, "inside": place.inside} | ({"most": place.most} if several else {}),
    )


def pk_assumptions(
    schema: Schema, kept: Sequence[str], kept_is: Kept, sample: Sample | None = None, people: People | None = None
) -> list[str]:
    """Say what a promise of Pk-anonymity assumes, one sentence each."""
    observed = [a.name for a in schema if a.observed]
    assumes = [
        *words_of_people(people),
        SECRET_KEY,
        f"The domains of {names(observed)} were read off the data, so they tell something about the rows."
        if observed
        else "The domains were declared, not read off the rows.",
    ]
    if kept and kept_is == "unknown":
        told = "as it is, tells" if len(kept) == 1 else "as they are, tell"
        assumes.append(
            f"{names(kept)}, released {told} the attacker nothing: he neither knows it of a person nor how it goes "
            "with the other columns. One who does is held back less, or not at all."
        )
    if kept and kept_is == "known":
        assumes.append(
            f"The attacker knows {names(kept)} of everybody: people hide within the classes that agree in it."
        )
    if isinstance(sample, Bernoulli) and sample.delta is not None:
        assumes.append(
            f"The size of the sample was chance. The parameters were solved for a size that is exceeded with probability "
            f"{sample.delta:g} at most; the promise stated is for the size that came out."
        )
    assumes.append(
        "The promise is about linking rows to people. It does not limit what is learned about everyone alike, nor hides "
        "that somebody is in the table."
    )
    return assumes


def epsilon_guarantees(
    schema: Schema, mechanism: Mechanism, from_data: bool, people: People | None = None, more: Sequence[str] = ()
) -> tuple[Guarantee, ...]:
    """State local differential privacy, unless a channel or a domain was chosen from the data; ``more`` is assumed too.

    The rows of one person are drawn independently, so their epsilons add up: to ``most`` times that of a row.
    """
    if from_data or any(a.observed for a in schema) or not mechanism.channels:
        return ()
    rows = 1 if people is None else people.most
    each = {name: rows * channel.epsilon for name, channel in mechanism.channels.items()}
    total = math.fsum(each.values())
    if math.isinf(total):
        return ()
    assumes = ["It is about the perturbed columns, cell by cell, and needs neither the shuffle nor other rows."]
    if people is not None:
        assumes.append(f"It is about all rows of a person together, {rows:,} at most.")
    if mechanism.kept:
        assumes.append(f"There is none for what is released as it is ({names(mechanism.kept)}): its ε is infinite.")
    assumes += more
    attacker = f"What is released of a person's {names(each)} is at most e^ε times as likely as if they were others"
    return (
        Guarantee(
            "local differential privacy",
            math.nextafter(total, math.inf),
            attacker,
            tuple(assumes),
            EPSILON_PROOF,
            each,
        ),
    )
