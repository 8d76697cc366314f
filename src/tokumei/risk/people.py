"""The risk of people with several rows: a row is linked to a person if it is believed to be any of the person's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.messages import Phrase, Spoken, phrase
from tokumei.privacy.guarantee import float_below
from tokumei.privacy.notions import down
from tokumei.privacy.people import least_share
from tokumei.release.artifact import Release
from tokumei.results import Result
from tokumei.risk.linking import Linking, of_rows
from tokumei.table.coded import encode
from tokumei.table.frames import to_arrow
from tokumei.table.people import People, Unit, unit_named
from tokumei.table.schema import Attribute, Schema


@dataclass(frozen=True)
class PeopleCheck(Spoken, Result):
    """People with several rows, counted.

    Attributes
    ----------
    people, most
        How many people there are, and how many rows one of them has at most.
    k
        The smallest number of rows of a class over those of them that are one person's: an attacker who knows the columns of a person
        links a row to them with a probability of at most 1/k.
    unit
        Whether they are people or households.
    """

    people: int
    most: int
    k: float
    unit: Unit = "person"

    def lines(self) -> list[str]:
        """Say how many people there are, in one line."""
        if self.unit == "household":
            return [
                phrase(
                    "They belong to {people:household|households} with at most {most:row|rows} each: for households, k = {down}.",
                    people=self.people,
                    most=self.most,
                    down=down(self.k),
                )
            ]
        return [
            phrase(
                "They belong to {people:person|people} with at most {most:row|rows} each: for people, k = {down}.",
                people=self.people,
                most=self.most,
                down=down(self.k),
            )
        ]


def people_of(frame: Any, column: str, others: Sequence[str], unit: Unit | None = None) -> People:
    """Read whose row each is from a column of a table; without a unit its name says whether they are households."""
    if not isinstance(column, str):
        raise InvalidParameter("person must be the name of the column that says whose row each is.")
    if column in others:
        raise InvalidParameter(
            "the person column {column!r} cannot be among the columns that are examined.", column=column
        )
    arrow = to_arrow(frame)[0]
    schema = Schema(
        (
            Attribute(column, "person", unit=unit or unit_named(column)),
            *(Attribute(name, "insensitive", missing=True) for name in others),
        )
    )
    people = encode(arrow.select([name for name in arrow.column_names if name in schema.names()]), schema).people
    assert people is not None
    return people


def people_check(people: People, labels: Integers) -> tuple[PeopleCheck, Floats]:
    """Count people in classes; return also with which probability each row is linked to its person."""
    share = people.own_within(labels) / np.bincount(labels)[labels]
    k = float_below(least_share(people, labels))
    found = PeopleCheck(len(np.unique(people.numbers)), people.counted, k, people.unit)
    return found, share


def linking_of_people(people: People, labels: Integers, threshold: float) -> Linking:
    """Return what an attacker can do who knows the columns of a person, of rows in classes of which it is known whose they are."""
    return of_rows("prosecutor", people_check(people, labels)[1], threshold, counted_rows(people))


def counted_rows(people: People) -> Phrase:
    """Say that links were counted, and that a link to any of their rows is one."""
    if people.unit == "household":
        return phrase("Counted; a link to any of the household's rows counts as correct.")
    return phrase("Counted; a link to any of the person's rows counts as correct.")


def at_most_for_people(release: Release, sizes: Integers, threshold: float) -> Linking:
    """Return what an attacker can do at most, of a release that no longer says whose row each is.

    Of a class of n rows at most m are one person's, m being the most rows that anyone has; and the release promises that they
    are no more than a k-th of it. A row is therefore linked with a probability of at most ``min(m / n, 1 / k)``.
    """
    promised = [each for each in release.guarantees if each.notion == "k-anonymity"]
    k = max((each.value for each in promised), default=1.0)
    most = max((each.numbers["most"] for each in release.guarantees if "most" in each.numbers), default=1.0)
    how = phrase("At most this: the release does not say whose row each is.")
    return replace(of_rows("prosecutor", np.minimum(most / sizes, 1 / k), threshold, how), exact=False)
