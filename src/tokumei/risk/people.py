"""The risk of people with several rows: a row is linked to a person if it is believed to be any of the person's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.messages import Spoken, phrase
from tokumei.privacy.guarantee import float_below
from tokumei.privacy.notions import down
from tokumei.privacy.people import least_share
from tokumei.results import Result
from tokumei.table.coded import encode
from tokumei.table.frames import to_arrow
from tokumei.table.people import People
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
    """

    people: int
    most: int
    k: float

    def lines(self) -> list[str]:
        """Say how many people there are, in one line."""
        return [
            phrase(
                "They belong to {people:person|people} with at most {most:row|rows} each: for people, k = {down}.",
                people=self.people,
                most=self.most,
                down=down(self.k),
            )
        ]


def people_of(frame: Any, column: str, others: Sequence[str]) -> People:
    """Read whose row each is from a column of a table."""
    if not isinstance(column, str):
        raise InvalidParameter("person must be the name of the column that says whose row each is.")
    if column in others:
        raise InvalidParameter(
            "the person column {column!r} cannot be among the columns that are examined.", column=column
        )
    arrow = to_arrow(frame)[0]
    schema = Schema((Attribute(column, "person"), *(Attribute(name, "insensitive", missing=True) for name in others)))
    people = encode(arrow.select([name for name in arrow.column_names if name in schema.names()]), schema).people
    assert people is not None
    return people


def people_check(people: People, labels: Integers) -> tuple[PeopleCheck, Floats]:
    """Count people in classes; return also with which probability each row is linked to its person."""
    share = people.own_within(labels) / np.bincount(labels)[labels]
    found = PeopleCheck(len(np.unique(people.numbers)), people.counted, float_below(least_share(people, labels)))
    return found, share
