"""Released rows in the population that they come from: how many people each row may belong to, and who may be in the table.

An attacker knows the quasi-identifiers of all N people of a population, and the released rows: what each shows of the quasi-identifiers is a box, a
set of combinations of values. A *world* gives every row of the table another person who lies in its box. All worlds are equally likely
to the attacker. Let a class have f rows and a box with F people of the population, and let O rows of other classes
have boxes that meet it.

**Linking.** P(row is of person i) <= 1 / max(f, F - O). Take a world in which it is. Exchanging the row's person with that of each of the f - 1 other
rows of the class gives another world, and so does giving the row one of the people in the box whom no row has, of whom there are at least F - f - O.
No world comes of two, so for every world with the link there are max(f, F - O) - 1 without.

**Presence.** P(person i is in the table) <= the sum of f / max(f, F - O) over the classes whose boxes they lie in, which are the
chances of being each of their rows. It is also at least f / F for each of them: giving person i to one of the f rows makes, of a world in which
they have none, one in which they have one, and at most F - f worlds become the same.

Where boxes do not overlap, O = 0 and all of these are exact. Rows that were left out may be anybody's, unless what is done to a row follows
from its own values: then they are of people in no released box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Booleans, Floats, Integers, Places
from tokumei.errors import DataError
from tokumei.mechanism.recoding import Recoding
from tokumei.privacy import _population_kernels as _kernels
from tokumei.privacy.population_places import Population
from tokumei.results import Result
from tokumei.table.axis import axis_of
from tokumei.table.coded import CodedTable


@dataclass(frozen=True)
class InPopulation(Result):
    """Released rows in their population.

    Attributes
    ----------
    people
        How many people the population has.
    k_map
        Against those who know the population and not who is in the table, no row is linked to a person with a probability over 1 in this many.
    presence
        Between which probabilities such an attacker believes of any person of the population that they are in the table.
    """

    people: int
    k_map: int
    presence: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Shown:
    """What rows show of the quasi-identifiers: the box and the rows of each class, and how many rows were left out.

    ``determined`` says that what is done to a row follows from its own values, so that rows left out are in none of the boxes; ``apart``,
    that boxes do not overlap.
    """

    low: Places
    high: Places
    sizes: Integers
    left_out: int
    determined: bool
    apart: bool

    @classmethod
    def of(cls, released: CodedTable, columns: Sequence[str], recoding: Recoding | None, left_out: int) -> Shown:
        """Read the boxes off released rows: of recoded columns what their labels stand for, of others the values themselves."""
        labels = released.class_of(tuple(columns))
        sizes = np.bincount(labels)
        example = np.empty(len(sizes), dtype=np.int64)
        example[labels] = np.arange(released.rows)
        spans = []
        for name in columns:
            codes = released.codes(name)[example]
            if recoding is not None and name in recoding.columns:
                spans.append(recoding.columns[name].spans[codes])
            else:
                spans.append(np.stack([axis_of(released.schema[name]).place[codes]] * 2, axis=1))
        low, high = (
            np.ascontiguousarray(np.stack(ends, axis=1), dtype=np.int32)
            for ends in zip(*(s.T for s in spans), strict=True)
        )
        scheme = "global" if recoding is None else recoding.scheme
        return cls(low, high, sizes, left_out, scheme == "global", scheme != "overlapping")

    @property
    def others(self) -> Integers:
        """How many rows of other classes may be of people in each box."""
        found = np.full(len(self.sizes), 0 if self.determined else self.left_out, dtype=np.int64)
        return found if self.apart else found + meeting(self.low, self.high, self.sizes)


def meeting(low: Places, high: Places, sizes: Integers) -> Integers:
    """Add up, for each box, the rows of the others that have a place in common with it.

    >>> meeting(np.array([[0], [1], [3]]), np.array([[1], [2], [4]]), np.array([5, 7, 2]))
    array([7, 5, 0])
    """
    widths = (high - low + 1).sum(axis=0, dtype=np.float64)
    spread = widths / (np.ptp(low, axis=0) + 1)
    along = np.argsort(spread, kind="stable")  # the axis on which boxes are narrowest tells most pairs apart
    order = np.argsort(low[:, along[0]], kind="stable")
    first, last = (np.ascontiguousarray(each[order][:, along]) for each in (low, high))
    found = np.zeros(len(order), dtype=np.int64)
    met = np.zeros(len(order), dtype=np.int64)
    _kernels.rows_meeting(first, last, np.ascontiguousarray(sizes[order]), met)
    found[order] = met
    return found


def in_population(
    population: Population, released: CodedTable, columns: Sequence[str], recoding: Recoding | None, left_out: int
) -> InPopulation:
    """Count released rows in their population; refuse one that cannot be the population of all of them."""
    rows = Shown.of(released, columns, recoding, left_out)
    before = [released.schema[name] if recoding is None else recoding.columns[name].original for name in columns]
    places = population.along(before)
    people = places.inside(rows.low, rows.high)
    short = int(np.count_nonzero(rows.sizes > people))
    if short or released.rows + left_out > population.people:
        raise DataError(
            "The table has more rows than the population in {short:class|classes}; the population must contain everyone in the table, "
            "with the same values.",
            short=max(short, 1),
        )
    fewest = np.maximum(rows.sizes, people - rows.others)
    upper, lower = places.presence(rows.low, rows.high, rows.sizes / fewest, rows.sizes / people)
    outside = lower == 0
    if left_out:
        _add_left_out(rows, places.people, population.people, outside, upper, lower)
    presence = float(lower.min()), min(1.0, float(upper.max()))
    return InPopulation(population.people, int(fewest.min()), presence)


def _add_left_out(
    rows: Shown, people: Integers, everyone: int, outside: Booleans, upper: Floats, lower: Floats
) -> None:
    """Add the chance of having one of the rows that were left out: of people in no box, or of anybody."""
    beyond = int(people[outside].sum())
    if rows.determined:
        if beyond < rows.left_out:
            raise DataError(
                "{rows:row was|rows were} left out, and the population has fewer people with such values; the population must contain "
                "everyone in the table, with the same values.",
                rows=rows.left_out,
            )
        upper[outside] = lower[outside] = rows.left_out / beyond
        return
    shown = int(rows.sizes.sum())
    upper += rows.left_out / max(rows.left_out, everyone - shown)
    if beyond:  # should all of them be of people in no box
        upper[outside] = np.maximum(upper[outside], min(1.0, rows.left_out / beyond))
    np.maximum(lower, rows.left_out / everyone, out=lower)
