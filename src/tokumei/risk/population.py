"""A table and the population that it was sampled from: k-map and delta-presence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Integers
from tokumei.errors import DataError
from tokumei.results import Result
from tokumei.risk.reading import Reading


@dataclass(frozen=True)
class InPopulation(Result):
    """A table in its population, whose every person is known.

    Attributes
    ----------
    people
        How many people the population has.
    k_map
        The fewest people of the population in any class that the table has.
    presence
        delta-presence: the smallest and the largest probability of a person of the population being in the table,
        ``f / F`` over all classes of the population.
    unique
        How many people are unique in the population.
    unique_rows
        How many rows of the table are theirs.
    """

    people: int
    k_map: int
    presence: tuple[float, float]
    unique: int
    unique_rows: int


def in_population(table: Reading, population: Reading) -> tuple[InPopulation, Integers]:
    """Count the table's classes in the population; return what was found and, for each row, the people of its class."""
    mine, theirs = table.with_rows_of(population)
    classes = int(max(mine.max(), theirs.max())) + 1
    inside, people = np.bincount(mine, minlength=classes), np.bincount(theirs, minlength=classes)
    short = int(np.count_nonzero(inside > people))
    if short:
        raise DataError(
            "The table has more rows than the population in {short:class|classes}; the population "
            "must contain everyone in the table, generalized in the same way.",
            short=short,
        )
    here = people > 0
    share = inside[here] / people[here]
    found = InPopulation(
        people=population.rows,
        k_map=int(people[inside > 0].min()),
        presence=(float(share.min()), float(share.max())),
        unique=int(np.count_nonzero(people == 1)),
        unique_rows=int(np.count_nonzero((people == 1) & (inside == 1))),
    )
    return found, people[mine].astype(np.int64)
