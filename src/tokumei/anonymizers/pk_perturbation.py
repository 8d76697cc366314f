"""Pk-perturbation: noise on every quasi-identifier, just enough that no row is linked with probability over 1/k."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from fractions import Fraction
from typing import Any, ClassVar, Literal

from pydantic import StrictFloat, StrictInt

from tokumei.anonymizers.anonymizer import Anonymizer, Design, Survey
from tokumei.anonymizers.promises import epsilon_guarantees, facts_of, pk_guarantees, split_columns
from tokumei.anonymizers.sample import Sample, check_sample, describe_sample
from tokumei.anonymizers.suggest import OptimisedSplit
from tokumei.errors import InvalidParameter, names
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.record import Mechanism, channel_for
from tokumei.privacy.guarantee import Kept
from tokumei.privacy.pk import check_feasible, check_k
from tokumei.privacy.sampling import HidingPlace, achieved, binding, required_ratio
from tokumei.privacy.split import Split, share_budget
from tokumei.release.disclosure import Fact
from tokumei.table.schema import Attribute, Schema
from tokumei.values import value


@value
class PkPerturbation(Anonymizer):
    """Perturb the quasi-identifiers so that the release is Pk-anonymous.

    Categories are kept or replaced at random, numbers and dates move on their grid, rows are shuffled. The parameters
    are solved from ``sum of costs = 0.5 ln((n - 1)/(k - 1))``, or from the larger budget that a sample allows, and
    rounded so that the achieved k is never below the one asked for. Where people have up to m rows (a column of role
    ``"person"``), the budget is ``0.5 ln((n - m)/((k - 1) m))``.

    Parameters
    ----------
    k
        A real number above 1: nobody links a row to a person with a probability over 1/k.
    split
        How the columns share the budget: ``"even"``, ``"equal_retention"``, a weight for each column, or an
        `OptimisedSplit` for a purpose.
    kept
        What to think of columns that are not quasi-identifiers and would be released as they are:

        ``"unknown"``
            Nobody knows them of anybody. The promise is not for attackers who do.
        ``"known"``
            The attacker knows them too. A person then hides only among the rows that agree with him in all of them, so
            the noise is solved for the smallest such class, whose size is disclosed.
        ``"perturb"``
            They are perturbed like quasi-identifiers.
    sample
        Release a sample only: so many rows, a share of the rows, `Stratified` or `Bernoulli`.
    membership
        Which promise of a sample is solved for: ``"secret"``, against those who do not know who was drawn, or
        ``"known"``, against those who do. Both are stated.

    Examples
    --------
    >>> PkPerturbation(k=10)
    PkPerturbation(k=10, split='even', kept='unknown', sample=None, membership='secret')
    """

    k: StrictInt | StrictFloat
    split: Split | OptimisedSplit = "even"
    kept: Kept = "unknown"
    sample: Sample | None = None
    membership: Literal["secret", "known"] = "secret"
    method: Literal["pk_perturbation"] = field(default="pk_perturbation", kw_only=True, repr=False)
    any_order: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_k(self.k)
        check_sample(self.sample)

    def design(self, schema: Schema, survey: Survey) -> Design:
        """Solve for the channels, and state what they achieve."""
        perturbed, kept = split_columns(schema, self.kept, self.sample)
        if not perturbed:
            raise InvalidParameter("There is nothing to perturb: the schema has no quasi-identifier.")
        known = self.kept == "known"
        places = survey.hiding_places(kept if known else ())
        place = self._solved_for(places, survey)
        who = f"the smallest class of the kept columns {names(kept)} has" if known and kept else "the table has"
        who = who if self.sample is None else "in the sample a person can hide among"
        check_feasible(place.among, self.k, who, place.most)
        of = survey.rows if survey.released < survey.rows else None
        split, learned = self._weights(schema, survey, perturbed, place)
        mechanism = Mechanism(solve_channels([schema[n] for n in perturbed], place, self.k, split), kept, of)
        guarantees = pk_guarantees(schema, survey, mechanism, self.kept, self.sample)
        facts = (*facts_of(survey, guarantees, kept, known, self.sample), *learned)
        return Design(
            mechanism, (*guarantees, *epsilon_guarantees(schema, mechanism, bool(facts), survey.people)), facts
        )

    def _weights(
        self, schema: Schema, survey: Survey, perturbed: Sequence[str], place: HidingPlace
    ) -> tuple[Split, tuple[Fact, ...]]:
        """Return the split, and the fact that it was learned from the released rows if it was."""
        if not isinstance(self.split, OptimisedSplit):
            return self.split, ()
        rows = survey.table if self.split.pilot is None else survey.prepared(self.split.pilot)
        total = -math.log(min(1.0, required_ratio(place, self.k)))
        weights = self.split.weights(rows, [schema[name] for name in perturbed], total, place.among)
        if rows is not survey.table and not rows.equals(survey.table):
            return weights, ()
        return weights, (Fact("split", weights, "The weights were chosen by looking at the rows that are released."),)

    def _solved_for(self, places: Sequence[HidingPlace], survey: Survey) -> HidingPlace:
        if self.membership == "known":
            places = [place.drawn for place in places]
        elif survey.planned > survey.released and len(places) == 1:  # the size of the sample was chance
            places = [HidingPlace(survey.rows - survey.planned, survey.planned, places[0].most)]
        short = min(places, key=lambda place: place.largest_k)
        return short if short.largest_k < self.k else binding(places, self.k)

    def describe(self) -> dict[str, Any]:
        """Return the method as it stands in a manifest."""
        split: Any = self.split
        if isinstance(split, OptimisedSplit):
            split = {
                "kind": split.kind,
                "purpose": split.purpose,
                "target": split.target,
                "pilot": split.pilot is not None,
            }
        return {
            "method": self.method,
            "k": self.k,
            "split": split,
            "kept": self.kept,
            "sample": describe_sample(self.sample),
            "membership": self.membership,
        }


def solve_channels(
    attributes: Sequence[Attribute], place: HidingPlace | int, k: float, split: Split
) -> dict[str, Channel]:
    """Return a channel for each column such that together they achieve k, and as little more as integers allow.

    Every channel is rounded to the safe side. The one with the finest weights is then solved once more for what the
    others have left over, and once more again, should the rounding of a ratio have cost a little of the promise.
    """
    place = HidingPlace(0, place) if isinstance(place, int) else place
    asked = min(1.0, required_ratio(place, k))
    shares = share_budget(split, attributes, -math.log(asked))
    # A hair less than their shares, so that rounding never leaves the last column less than nothing.
    channels = {a.name: channel_for(a, Fraction(math.exp(-2 * shares[a.name] * (1 - 1e-12)))) for a in attributes}
    spenders = [a for a in attributes if shares[a.name] > 0]
    if not spenders:
        return channels
    finest = max(spenders, key=lambda a: channels[a.name].resolution)
    others = math.prod((c.swap for name, c in channels.items() if name != finest.name), start=Fraction(1))
    needed = _swap_needed(place, k)

    def keeps(swap: Fraction) -> bool:
        channels[finest.name] = channel_for(finest, min(swap / others, Fraction(1)))
        return achieved(place, Mechanism(channels)) >= Fraction(k)

    for attempt in range(60):
        if keeps(needed):
            break
        needed *= 1 + Fraction(2**attempt, 2**40)
    else:
        raise InvalidParameter(f"k = {k:g} could not be solved for; this is a bug, please report it.")
    if place.others_outside and achieved(place, Mechanism(channels)) > Fraction(k) * (1 + Fraction(1, 10**6)):
        # A channel whose swap is above the square of its ratio needs less than was reckoned with: look for how much.
        low, high = Fraction(0), needed
        for _ in range(30):
            middle = Fraction(float((low + high) / 2))
            low, high = (low, middle) if keeps(middle) else (middle, high)
        keeps(high)
    return channels


def _swap_needed(place: HidingPlace, k: float) -> Fraction:
    """Return the swap that suffices: exactly where there is nobody outside, else from the solved ratio."""
    if not place.others_outside:
        return (Fraction(k) - 1) * place.most / place.others_inside if place.others_inside else Fraction(1)
    return Fraction(required_ratio(place, k)) ** 2
