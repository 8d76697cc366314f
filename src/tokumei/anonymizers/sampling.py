"""Sampling on its own: some rows, released unchanged, against an attacker who knows part of the table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any, ClassVar, Literal

from pydantic import StrictFloat, StrictInt

from tokumei.anonymizers.anonymizer import Anonymizer, Design, Need, Survey, register_method
from tokumei.anonymizers.promises import facts_of
from tokumei.anonymizers.sample import Stratified, check_sample, describe_sample
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.mechanism.record import Mechanism
from tokumei.privacy.asked import Asked
from tokumei.privacy.assumptions import Hiding, NoValueKnownUnique, OneRow, SecretKey, UniqueRowsRecognized
from tokumei.privacy.attackers import KnowsRecords, Linking
from tokumei.privacy.guarantee import Guarantee, float_below
from tokumei.privacy.notions import down
from tokumei.privacy.pk import check_k
from tokumei.privacy.sampling import largest_sample, partial_risk, risk_in_strata
from tokumei.table.people import one_row_each
from tokumei.table.schema import Schema
from tokumei.values import value


@register_method
@value
class Sampling(Anonymizer):
    """Release a sample of the rows, unchanged.

    It protects only against attackers who know the records of ``known`` people and nothing about the others: for a row of
    theirs that looks familiar, they cannot tell whether it is the person they know or someone like them. An attacker who
    knows everyone, or who was sampled, recognizes every unique record.

    Strata (`Stratified`) may be sampled at different rates. An attacker may know people of one stratum only, so the stratum in
    which the fewest people were not drawn decides. Probabilities that differ from person to person are not offered: a person who is drawn for
    certain is recognized for certain, so a design would be no better than its most likely person.

    Parameters
    ----------
    sample
        This many rows, a share of the rows, or `Stratified`: fixed numbers or shares in each stratum.
    known
        How many people the attacker knows.
    k
        Refuse to release if less than this is guaranteed. `largest_sample` says how many rows may be drawn for a k.

    Examples
    --------
    >>> Sampling(500, known=100, k=5)
    Sampling(sample=500, known=100, k=5)
    """

    sample: StrictInt | StrictFloat | Stratified
    known: int
    k: StrictInt | StrictFloat | None = None
    method: Literal["sampling"] = field(default="sampling", kw_only=True, repr=False)
    any_order: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_sample(self.sample)
        if self.known < 1:
            raise InvalidParameter("known must be at least 1. Got {known}.", known=self.known)
        if self.k is not None:
            check_k(self.k)

    def needs(self) -> Mapping[Need, str]:
        """Return nothing: the numbers of rows are enough."""
        return {}

    def design(self, schema: Schema, survey: Survey) -> Design:
        """Keep every column, and state what the sample promises."""
        one_row_each(survey.people, "Sampling")
        if isinstance(self.sample, Stratified):
            return self._in_strata(schema, survey, self.sample)
        risk = partial_risk(survey.rows, self.known, survey.released)
        if self.k is not None and Fraction(self.k) > 1 / risk:
            largest = largest_sample(survey.rows, self.known, self.k)  # says so itself if no sample is small enough
            raise InfeasiblePromise(
                "k = {k:g} does not hold for {released:,} of {rows:,} rows, which guarantee k "
                "= {guaranteed}; draw at most {largest:,}.",
                k=self.k,
                released=survey.released,
                rows=survey.rows,
                guaranteed=down(float_below(1 / risk)),
                largest=largest,
            )
        guarantee = Guarantee(
            "sampling anonymity",
            float_below(1 / risk),
            Linking(),
            KnowsRecords(known=self.known, people=survey.rows),
            (OneRow(), SecretKey(), NoValueKnownUnique(), UniqueRowsRecognized()),
            {"known": self.known},
        )
        return Design(Mechanism({}, schema.names(), survey.rows), (guarantee,))

    def _in_strata(self, schema: Schema, survey: Survey, sample: Stratified) -> Design:
        if self.known > survey.rows:
            raise InvalidParameter(
                "an attacker cannot know {known:,} of {rows:,} people.", known=self.known, rows=survey.rows
            )
        risk, worst = risk_in_strata(survey.hiding_places(()), self.known)
        if self.k is not None and Fraction(self.k) > 1 / risk:
            raise InfeasiblePromise(
                "k = {k:g} does not hold in every stratum: one has {outside:,} people who are not drawn, which guarantees k = "
                "{guaranteed}, and {needed:,} would be needed; draw fewer rows there, or merge strata.",
                k=self.k,
                outside=worst.outside,
                guaranteed=down(float_below(1 / risk)),
                needed=math.ceil(Fraction(self.k) * self.known) - 1,
            )
        guarantee = Guarantee(
            "sampling anonymity",
            float_below(1 / risk),
            Linking(),
            KnowsRecords(known=self.known, people=survey.rows),
            (
                OneRow(),
                SecretKey(),
                NoValueKnownUnique(),
                UniqueRowsRecognized(),
                Hiding(rows=worst.among, not_drawn=worst.outside or None),
            ),
            {"known": self.known, "among": worst.among, "inside": worst.inside},
        )
        facts = facts_of(survey, (guarantee,), (), False, sample)
        return Design(Mechanism({}, schema.names(), survey.rows), (guarantee,), facts)

    def asked(self) -> tuple[Asked, ...]:
        """Return k, where it is given."""
        return () if self.k is None else (Asked("sampling anonymity", self.k),)

    def describe(self) -> dict[str, Any]:
        """Return the method as it appears in a manifest."""
        return {"method": self.method, "sample": describe_sample(self.sample), "known": self.known, "k": self.k}
