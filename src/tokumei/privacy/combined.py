"""What several releases of the same people promise together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from tokumei.errors import InvalidParameter, names
from tokumei.mechanism.record import Mechanism
from tokumei.privacy.guarantee import Guarantee, float_below

PROOF = "docs/promises/combined.md"


class Released(Protocol):
    """What is needed of a release."""

    @property
    def mechanism(self) -> Mechanism:
        """How it was made."""

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What it promises alone."""


def combine(releases: Sequence[Released]) -> tuple[Guarantee, ...]:
    """State what several releases of the same people promise together.

    **Rows that can be joined.** Where two releases both have columns that were released as they are, whoever holds both
    may find rows that belong together. A joined row is one draw from the product of their mechanisms, so the swaps of
    all joinable releases multiply: k = 1 + (n - 1) b1 b2 ..., with n the smallest number of rows that any of them counts
    on, people who were not drawn left out.

    **Rows that cannot.** Releases in which every column was perturbed, each shuffled by itself, keep what they promise.

    **Epsilons** always add up.

    Parameters
    ----------
    releases
        Releases of the same people, from `anonymize` or `read_release`.
    """
    if len(releases) < 2:
        raise InvalidParameter("combine needs at least two releases.")
    promised = [[g for g in release.guarantees if g.notion == "Pk-anonymity"] for release in releases]
    if not all(promised):
        raise InvalidParameter("combine needs releases that promise Pk-anonymity each.")
    joinable = [place for place, release in enumerate(releases) if release.mechanism.kept]
    if len(joinable) < 2:
        joinable = []
    alone = [min(g.value for g in promised[place]) for place in range(len(releases)) if place not in joinable]
    found: list[tuple[float, str]] = [
        (value, "each release on its own, for its rows cannot be joined with others") for value in alone
    ]
    if joinable:
        among = min(int(g.numbers["inside"]) for place in joinable for g in promised[place])
        swap = math.prod((releases[place].mechanism.swap for place in joinable), start=Fraction(1))
        kept = sorted({name for place in joinable for name in releases[place].mechanism.kept})
        found.append(
            (float_below(1 + (among - 1) * swap), f"rows joined by {names(kept)}, which are released as they are")
        )
    value, why = min(found)
    weakest = min((g for each in promised for g in each), key=lambda g: g.value)
    pk = Guarantee(
        "Pk-anonymity",
        value,
        weakest.attacker,
        (
            "The releases are of the same people, and there is no other one.",
            f"The weakest way of using them counts: {why}.",
            *(sentence for sentence in weakest.assumes if not sentence.startswith("The promise counts on")),
        ),
        PROOF,
    )
    return (pk, *_epsilons(releases))


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
    attacker = "What all releases together show of a person is at most e^ε times as likely as if he were another"
    assumes = tuple(dict.fromkeys(sentence for g in each for sentence in g.assumes))
    return (Guarantee("local differential privacy", total, attacker, assumes, PROOF, numbers),)
