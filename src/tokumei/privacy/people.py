"""Classes of rows where people have several: nobody may have more than a k-th of a class.

An attacker who knows about a person what the rows of a class agree in believes of each of its n rows that it is one of the person's with
the probability m / n, m of them being theirs. So k = min n / m over classes and people. It holds of two classes together if it
holds of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from tokumei.table.coded import CodedTable
from tokumei.table.people import People


@dataclass(frozen=True, eq=False)
class SharedOut:
    """Nobody has more than a k-th of the rows of a group."""

    people: People
    k: float

    @property
    def lasting(self) -> str:
        """What happens to it as groups join: two that hold it do so as one."""
        return "together"

    def holds(self, labels: npt.NDArray[Any], groups: int) -> npt.NDArray[np.bool_]:
        """Say for each of the groups whether it holds; rows with a negative label are in none."""
        sizes = np.bincount(labels[labels >= 0], minlength=groups)
        return np.asarray(sizes >= self.k * self.people.most_within(labels, groups))


def least_share(people: People, labels: npt.NDArray[Any]) -> Fraction:
    """Return the smallest n / m of any class, n being its rows and m the most of them that are one person's.

    >>> least_share(People.of(np.array([0, 0, 1, 2, 3, 3])), np.array([0, 0, 0, 0, 1, 1]))
    Fraction(1, 1)
    """
    sizes = np.bincount(labels)
    most = people.most_within(labels, len(sizes))
    at = np.flatnonzero(sizes)
    worst = at[np.argmin(sizes[at] / most[at])]
    return Fraction(int(sizes[worst]), int(most[worst]))


def joined_people(people: People, labels: npt.NDArray[Any]) -> int:
    """Count the people who have several rows with the same label, which nobody else has.

    >>> joined_people(People.of(np.array([0, 0, 1, 2, 3, 3])), np.array([0, 0, 1, 1, 2, 3]))
    1
    """
    own = people.own_within(labels)
    alone = (own > 1) & (own == np.bincount(labels)[labels])
    return len(np.unique(people.numbers[alone]))


def people_of_classes(rows: CodedTable, columns: Sequence[str]) -> Fraction | None:
    """Return the k for people of rows that agree in all columns; none where each person has one row."""
    return None if rows.people is None else least_share(rows.people, rows.class_of(tuple(columns)))
