"""The promises of perturbing methods, in words and numbers: what Pk-perturbation and PRAM state alike."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tokumei.anonymizers.anonymizer import Survey
from tokumei.anonymizers.sample import Bernoulli, Sample, Stratified
from tokumei.errors import InvalidParameter, names
from tokumei.mechanism.record import Mechanism
from tokumei.privacy.guarantee import SECRET_KEY, Guarantee, Kept, attacker_words, float_below
from tokumei.privacy.sampling import HidingPlace, achieved
from tokumei.release.disclosure import Fact
from tokumei.table.schema import Schema

PK_PROOF = "docs/promises/pk.md"
EPSILON_PROOF = "docs/promises/epsilon.md"


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
        places = [{"rows": int(g.numbers["among"]), "drawn": int(g.numbers["inside"])} for g in guarantees]
        why = f"the attacker is taken to know {names(kept)}" if known and kept else "people hide within their strata"
        facts.append(Fact("hiding_places", places, f"The promises count on these rows, for {why}."))
    return tuple(facts)


def pk_guarantees(
    schema: Schema, survey: Survey, mechanism: Mechanism, kept_is: Kept, sample: Sample | None
) -> tuple[Guarantee, ...]:
    """State Pk-anonymity, for a sample twice: for membership kept secret, and for membership known."""
    known = mechanism.kept if kept_is == "known" else ()
    places = survey.hiding_places(known)
    worst = min(places, key=lambda place: achieved(place, mechanism))
    assumes = pk_assumptions(schema, mechanism.kept, kept_is, sample)
    sampled = survey.released < survey.rows
    secret = _guarantee(
        worst, mechanism, attacker_words(mechanism.kept, kept_is, "secret" if sampled else None), assumes
    )
    if not sampled:
        return (secret,)
    inside = HidingPlace(0, min(place.inside for place in places))
    told = _guarantee(inside, mechanism, attacker_words(mechanism.kept, kept_is, "known"), assumes)
    return secret, told


def _guarantee(place: HidingPlace, mechanism: Mechanism, attacker: str, assumes: Sequence[str]) -> Guarantee:
    value = float_below(achieved(place, mechanism))
    counted = f"The promise counts on {place.among:,} rows among which a person hides at least"
    if place.outside:
        counted += f", {place.outside:,} of them not drawn"
    return Guarantee(
        "Pk-anonymity",
        value,
        attacker,
        (*assumes, counted + "."),
        PK_PROOF,
        {"among": place.among, "inside": place.inside},
    )


def pk_assumptions(schema: Schema, kept: Sequence[str], kept_is: Kept, sample: Sample | None = None) -> list[str]:
    """Say what a promise of Pk-anonymity assumes, one sentence each."""
    observed = [a.name for a in schema if a.observed]
    assumes = [
        "Each person has one row in the table.",
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


def epsilon_guarantees(schema: Schema, mechanism: Mechanism, from_data: bool) -> tuple[Guarantee, ...]:
    """State local differential privacy, unless a channel or a domain was chosen from the data."""
    if from_data or any(a.observed for a in schema) or not mechanism.channels:
        return ()
    each = {name: channel.epsilon for name, channel in mechanism.channels.items()}
    total = math.fsum(each.values())
    if math.isinf(total):
        return ()
    assumes = ["It is about the perturbed columns, cell by cell, and needs neither the shuffle nor other rows."]
    if mechanism.kept:
        assumes.append(f"There is none for what is released as it is ({names(mechanism.kept)}): its ε is infinite.")
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
