"""Pk-perturbation: noise on every quasi-identifier, just enough that no row is linked with probability over 1/k."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from fractions import Fraction
from typing import Any, Literal

from pydantic import StrictFloat, StrictInt

from tokumei.anonymizers.anonymizer import Anonymizer, Design, Survey
from tokumei.errors import InvalidParameter, names
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.record import Mechanism, channel_for
from tokumei.privacy.guarantee import Guarantee, float_below
from tokumei.privacy.pk import achieved, budget, check_feasible, check_k, required_swap
from tokumei.privacy.split import Split, share_budget
from tokumei.release.disclosure import Fact
from tokumei.table.schema import Attribute, Schema
from tokumei.values import value

PROOF = "docs/promises/pk.md"


@value
class PkPerturbation(Anonymizer):
    """Perturb the quasi-identifiers so that the release is Pk-anonymous.

    Categories are kept or replaced at random, numbers and dates move on their grid, rows are shuffled. The parameters
    are solved from ``sum of costs = 0.5 ln((n - 1)/(k - 1))`` and rounded so that the achieved k is never below the
    one asked for.

    Parameters
    ----------
    k
        A real number above 1: nobody links a row to a person with a probability over 1/k.
    split
        How the columns share the budget: ``"even"``, ``"equal_retention"``, or a weight for each column.
    kept
        What to think of columns that are not quasi-identifiers and would be released as they are:

        ``"unknown"``
            Nobody knows them of anybody. The promise is not for attackers who do.
        ``"known"``
            The attacker knows them too. A person then hides only among the rows that agree with him in all of them, so
            the noise is solved for the smallest such class, whose size is disclosed.
        ``"perturb"``
            They are perturbed like quasi-identifiers.

    Examples
    --------
    >>> PkPerturbation(k=10)
    PkPerturbation(k=10, split='even', kept='unknown')
    """

    k: StrictInt | StrictFloat
    split: Split = "even"
    kept: Literal["unknown", "known", "perturb"] = "unknown"
    method: Literal["pk_perturbation"] = field(default="pk_perturbation", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        check_k(self.k)

    def design(self, schema: Schema, survey: Survey) -> Design:
        """Solve for the channels, and state what they achieve."""
        perturbed = [a for a in schema if a.role == "quasi_identifier" or self.kept == "perturb"]
        kept = tuple(a.name for a in schema if a not in perturbed)
        if not perturbed:
            raise InvalidParameter("There is nothing to perturb: the schema has no quasi-identifier.")
        among, who = survey.rows, "the table has"
        facts: tuple[Fact, ...] = ()
        if kept and self.kept == "known":
            among = survey.smallest_class(kept)
            facts = (
                Fact("smallest_class", among, "The attacker is taken to know the kept columns " + names(kept) + "."),
            )
            who = f"the smallest class of the kept columns {names(kept)} has"
        check_feasible(among, self.k, who)
        channels = solve_channels(perturbed, among, self.k, self.split)
        mechanism = Mechanism(channels, kept)
        guarantee = self._guarantee(schema, kept, among, achieved(among, mechanism.swap))
        return Design(mechanism, (guarantee,), facts)

    def _guarantee(self, schema: Schema, kept: Sequence[str], among: int, k: Fraction) -> Guarantee:
        observed = [a.name for a in schema if a.observed]
        assumes = [
            "Each person has one row in the table.",
            "The draws and the order of the rows stay secret: the key was made by the operating system and is gone.",
            f"The domains of {names(observed)} were read off the data, so they tell something about the rows."
            if observed
            else "The domains were declared, not read off the rows.",
        ]
        attacker = "Nobody, whatever he knows of the original table,"
        if kept and self.kept == "unknown":
            attacker = f"Nobody who does not know {names(kept)} of a person"
            assumes.append(
                f"Nobody knows {names(kept)} of a person: these columns are released as they are, and an attacker who "
                "knows them is held back less, or not at all."
            )
        if kept and self.kept == "known":
            assumes.append(
                f"{names(kept)} are released as they are. The promise counts on {among} rows, the smallest class that "
                "agrees in all of them."
            )
        assumes.append(
            "The promise is about linking rows to people. It does not limit what is learned about everyone alike, nor "
            "hides that somebody is in the table."
        )
        return Guarantee("Pk-anonymity", float_below(k), among, attacker, tuple(assumes), PROOF)

    def describe(self) -> dict[str, Any]:
        """Return the method as it stands in a manifest."""
        split = dict(self.split) if isinstance(self.split, dict) else self.split
        return {"method": self.method, "k": self.k, "split": split, "kept": self.kept}


def solve_channels(attributes: Sequence[Attribute], among: int, k: float, split: Split) -> dict[str, Channel]:
    """Return a channel for each column such that together they achieve k, and as little more as integers allow.

    Every channel is rounded to the safe side. The one with the finest weights is then solved once more for exactly
    what the others have left over.
    """
    needed = required_swap(among, k) if among > 1 else Fraction(1)
    shares = share_budget(split, attributes, budget(among, k) if needed < 1 else 0.0)
    channels = {a.name: channel_for(a, Fraction(math.exp(-2 * shares[a.name]))) for a in attributes}
    spenders = [a for a in attributes if shares[a.name] > 0]
    if spenders:
        finest = max(spenders, key=lambda a: channels[a.name].resolution)
        others = math.prod((c.swap for name, c in channels.items() if name != finest.name), start=Fraction(1))
        channels[finest.name] = channel_for(finest, min(needed / others, Fraction(1)))
    return channels
