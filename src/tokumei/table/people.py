"""Whose row each is, where a person or a household has several."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from tokumei.arrays import AnyIntegers, Integers
from tokumei.errors import DataError, InvalidParameter
from tokumei.table.classes import joined

Unit = Literal["person", "household"]  # what has several rows
HOUSEHOLDS = re.compile(
    r"(^|[^a-z])(hh|hhid|hid|hhno|hhnum|household|householdid|dwelling|family|cluster_hh)([^a-z]|$)|世帯", re.IGNORECASE
)


def unit_named(name: str) -> Unit:
    """Say what a column numbers by its name: households, or else people.

    >>> unit_named("hhid"), unit_named("familyNumber"), unit_named("patient")
    ('household', 'household', 'person')
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return "household" if HOUSEHOLDS.search(words) else "person"


@dataclass(frozen=True, repr=False)  # whose row is whose is nobody's business in a message
class People:
    """The person of each row, as a number, and how many rows of the whole table nobody has more of.

    ``cells`` are the cells that said it, for engines that put a table together from parts; a selection of rows has none.

    >>> people = People.of(np.array([0, 0, 1, 2]))
    >>> people.most, people.taking(np.array([1, 2])).counted
    (2, 1)
    """

    numbers: Integers
    most: int
    declared: bool  # or else counted
    cells: Any = None
    unit: Unit = "person"

    @classmethod
    def of(cls, numbers: Integers, declared: int | None = None, cells: Any = None, unit: Unit = "person") -> People:
        """Count the rows of everyone in a table, unless the largest number per person was declared."""
        if declared is not None:
            return cls(numbers, declared, declared=True, cells=cells, unit=unit)
        return cls(numbers, int(np.bincount(numbers).max(initial=1)), declared=False, cells=cells, unit=unit)

    @property
    def counted(self) -> int:
        """The most rows of one person among these."""
        return int(np.bincount(self.numbers).max(initial=0))

    def check(self, name: str) -> None:
        """Refuse a table in which a person has more rows than declared."""
        above = int(np.count_nonzero(np.bincount(self.numbers) > self.most))
        if above and self.unit == "household":
            raise DataError(
                "Column {name!r}: {above:household has|households have} more rows than the declared most "
                "({most:,}); declare more, or leave out rows.",
                name=name,
                above=above,
                most=self.most,
            )
        if above:
            raise DataError(
                "Column {name!r}: {above:person has|people have} more rows than the declared most "
                "({most:,}); declare more, or leave out rows.",
                name=name,
                above=above,
                most=self.most,
            )

    def taking(self, rows: AnyIntegers) -> People:
        """Return whose some of the rows are."""
        return replace(self, numbers=self.numbers[rows], cells=None)

    def most_within(self, labels: AnyIntegers, groups: int) -> Integers:
        """Return the most rows of one person in each of this many groups; rows with a negative label are in none.

        >>> People.of(np.array([0, 0, 1, 2])).most_within(np.array([0, 0, 0, 1]), 2)
        array([2, 1])
        """
        inside = labels >= 0
        mine = labels if inside.all() else labels[inside]
        which, counts = self._pairs(mine, self.numbers if mine is labels else self.numbers[inside])
        place = np.empty(len(counts), dtype=np.int64)
        place[which] = mine
        most = np.zeros(groups, dtype=np.int64)
        np.maximum.at(most, place, counts)
        return most

    def own_within(self, labels: AnyIntegers) -> Integers:
        """Return for each row how many rows its person has in the row's group.

        >>> People.of(np.array([0, 0, 1, 0])).own_within(np.array([0, 0, 0, 1]))
        array([2, 2, 1, 1])
        """
        which, counts = self._pairs(labels, self.numbers)
        return counts[which]

    @staticmethod
    def _pairs(labels: AnyIntegers, numbers: Integers) -> tuple[Integers, Integers]:
        """Number the different pairs of group and person, in no order: return each row's, and how many rows each has."""
        width = int(labels.max(initial=0)) + 1
        keys, _ = joined(labels.astype(np.int64), width, numbers)
        which = pa.array(keys).dictionary_encode().indices.to_numpy()
        return which, np.bincount(which).astype(np.int64)


def one_row_each(people: People | None, what: str) -> None:
    """Refuse what is not made for people with several rows."""
    if people is not None:
        raise InvalidParameter(
            "{what} is for tables with one row per person, and the schema has a column of role 'person'; use "
            "another method, or make the column an identifier if no two rows belong to one person.",
            what=what,
        )
