"""What is asked of every class in the population that the table's people come from: k-map and δ-presence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, StrictFloat, StrictInt, WithJsonSchema

from tokumei.arrays import Booleans, Floats, Integers, Labels, Places
from tokumei.errors import InvalidParameter
from tokumei.privacy.assumptions import population_assumptions
from tokumei.privacy.attackers import KnowsPopulation, Linking, Presence, Promise
from tokumei.privacy.class_constraint import SLACK, ClassConstraint, register_constraint
from tokumei.privacy.guarantee import Guarantee
from tokumei.privacy.notions import DELTA_PRESENCE, K_MAP, Notion
from tokumei.privacy.population import InPopulation, meeting
from tokumei.privacy.population_places import Population, PopulationPlaces, finer
from tokumei.table.axis import Axis, axis_of
from tokumei.table.boxes import enclosing
from tokumei.table.classes import class_of
from tokumei.table.coded import CodedTable
from tokumei.values import value

# A frame, or the path of a file. It stays out of manifests, which name no files and hold no tables.
PopulationTable = Annotated[Any, Field(exclude=True), WithJsonSchema({"type": "string"})]


@dataclass(frozen=True, eq=False)
class InClasses:
    """Classes in their population: the k of k-map of each, and between which probabilities its people are in the table."""

    k_map: Integers
    least: Floats
    most: Floats


class OfPopulation(ClassConstraint):
    """A guarantee about every equivalence class in a population that the attacker knows."""

    population: Any

    @abstractmethod
    def good(self, found: InClasses) -> Booleans:
        """Say which classes are good enough."""

    @abstractmethod
    def achieved(self, found: InPopulation) -> float:
        """Return the number of released rows."""

    @abstractmethod
    def keeps(self, found: InPopulation) -> bool:
        """Say whether released rows are good enough."""

    @abstractmethod
    def possible(self, stated: float, smallest: int, rows: int, people: int) -> bool:
        """Say whether a number can be that of this many released rows, with a smallest class, in a population of this many people."""

    @property
    def everyone(self) -> bool:
        """Whether it is about people in no released box too."""
        return False

    def bind(self, table: CodedTable, population: Population) -> BoundToPopulation:
        """Fix the table whose classes are judged, and its population."""
        for name in population.columns:
            if table.rounded.get(name) or population.table.rounded.get(name):
                raise finer(name)
        return BoundToPopulation.of(self, table, population)

    def attacker(self, columns: Sequence[str], people: int) -> KnowsPopulation:
        """Against whom it holds."""
        return KnowsPopulation(columns=tuple(columns), people=people)

    def guarantee(self, found: InPopulation, columns: Sequence[str], others: Sequence[str]) -> Guarantee:
        """State what the released rows keep; ``others`` are the columns that are not quasi-identifiers."""
        return Guarantee(
            self.notion.name,
            self.achieved(found),
            self.promise,
            self.attacker(columns, found.people),
            population_assumptions(columns, others, found.people),
            {"people": float(found.people)},
        )


@dataclass(frozen=True, eq=False)
class BoundToPopulation:
    """A constraint on the rows of one table in its population.

    ``apart`` says that it counts on boxes that do not overlap, and ``leaves_out`` that rows without a class must be left out: what stars
    stand for depends on all other rows.
    """

    constraint: OfPopulation
    population: Population
    axes: tuple[Axis, ...]
    rows: Places
    places: PopulationPlaces
    apart: ClassVar[bool] = True
    leaves_out: ClassVar[bool] = True

    @classmethod
    def of(cls, constraint: OfPopulation, table: CodedTable, population: Population) -> BoundToPopulation:
        """Lay the table and the population along the axes of the table's columns."""
        attributes = [table.schema[name] for name in population.columns]
        axes = tuple(axis_of(attribute) for attribute in attributes)
        rows = np.stack([axis.place[table.codes(axis.name)] for axis in axes], axis=1)
        return cls(constraint, population, axes, rows, population.along(attributes))

    def told(self, table: CodedTable) -> BoundToPopulation:
        """Return the same for a table whose columns are told in other codes."""
        return self.of(self.constraint, table, self.population)

    @property
    def lasting(self) -> str:
        """What happens to the constraint as classes join."""
        return self.constraint.lasting

    def holds(self, labels: Labels, groups: int) -> Booleans:
        """Say for each of the groups whether it holds in the smallest box that may stand for it, the boxes of the others being theirs."""
        sizes = np.bincount(labels[labels >= 0], minlength=groups)
        there, good = np.flatnonzero(sizes), np.zeros(groups, dtype=np.bool_)
        if not len(there):
            return good
        number = np.full(groups + 1, -1, dtype=np.int32)
        number[there] = np.arange(len(there), dtype=np.int32)
        low, high = enclosing(self.axes, self.rows, number[labels], len(there))
        which = class_of(
            [*low.T.astype(np.int64), *high.T.astype(np.int64)], len(there)
        )  # groups with one box are one class
        rows = np.bincount(which, weights=sizes[there]).astype(np.int64)
        example = np.empty(len(rows), dtype=np.int64)
        example[which] = np.arange(len(which))
        low, high = low[example], high[example]
        good[there] = self._good(low, high, rows, meeting(low, high, rows))[which]
        return good

    def holds_within(self, labels: Labels, low: Places, high: Places) -> Booleans:
        """Say for each of the groups whether it holds in a box that is given; they are all groups that there will be, and do not overlap."""
        sizes = np.bincount(labels[labels >= 0], minlength=len(low))
        if self.constraint.everyone and int(self.places.inside(low, high).sum()) < self.population.people:
            return np.zeros(len(low), dtype=np.bool_)
        return self._good(low, high, sizes, np.zeros_like(sizes))

    def _good(self, low: Places, high: Places, rows: Integers, others: Integers) -> Booleans:
        people = self.places.inside(low, high)
        fewest = np.maximum(rows, people - others)
        upper, _ = self.places.presence(low, high, rows / fewest, np.zeros(len(rows)))
        largest = self.places.largest(upper, low, high)
        return self.constraint.good(InClasses(fewest, rows / np.maximum(people, 1), largest))


@register_constraint
@value
class KMap(OfPopulation):
    """Every released row agrees with at least k people of the population, of whom the attacker does not know who is in the table.

    Where classes join, their box has the people of both, so k never falls.

    Parameters
    ----------
    k
        How many people.
    population
        Everyone whom the rows may belong to, the people of the table included, once each: a frame with the quasi-identifiers, or the path of a file.

    Examples
    --------
    >>> KMap(5, "register.csv")
    KMap(k=5)
    """

    k: StrictInt
    population: PopulationTable = field(default=None, repr=False, compare=False)
    constraint: Literal["k_map"] = field(default="k_map", kw_only=True, repr=False)

    notion: ClassVar[Notion] = K_MAP

    def __post_init__(self) -> None:
        if self.k < 2:
            raise InvalidParameter("k must be a whole number of at least 2. Got {k}.", k=self.k)

    @property
    def asked(self) -> float:
        """The value that is asked for."""
        return float(self.k)

    @property
    def lasting(self) -> str:
        """A box with more rows has no fewer people."""
        return "always"

    def good(self, found: InClasses) -> Booleans:
        """Say which classes have k people."""
        return np.asarray(found.k_map >= self.k)

    def achieved(self, found: InPopulation) -> float:
        """Return k."""
        return float(found.k_map)

    def keeps(self, found: InPopulation) -> bool:
        """Say whether k is large enough."""
        return found.k_map >= self.k

    def possible(self, stated: float, smallest: int, rows: int, people: int) -> bool:
        """A row has at least the people of its own class, and not more than there are."""
        return stated.is_integer() and max(smallest, self.k) <= stated <= people and rows <= people

    @property
    def promise(self) -> Promise:
        """What is promised."""
        return Linking()


@register_constraint
@value
class DeltaPresence(OfPopulation):
    """Of no person of the population it can be told well whether they are in the table: the probability lies between δ_min and δ_max.

    Where classes join, the share of their people who are in the table is a mean of both, weighted by people.

    Parameters
    ----------
    delta_max
        The largest probability, above 0 and at most 1.
    delta_min
        The smallest one. Above 0, everyone in the population must lie in a released class.
    population
        Everyone whom the rows may belong to, the people of the table included, once each: a frame with the quasi-identifiers, or the path of a file.

    Examples
    --------
    >>> DeltaPresence(0.5, population="register.csv")
    DeltaPresence(delta_max=0.5, delta_min=0.0)
    """

    delta_max: StrictInt | StrictFloat
    delta_min: StrictInt | StrictFloat = 0.0
    population: PopulationTable = field(default=None, repr=False, compare=False)
    constraint: Literal["delta_presence"] = field(default="delta_presence", kw_only=True, repr=False)

    notion: ClassVar[Notion] = DELTA_PRESENCE

    def __post_init__(self) -> None:
        if not 0 <= self.delta_min <= self.delta_max <= 1 or self.delta_max == 0:
            raise InvalidParameter(
                "delta_min and delta_max must be probabilities, delta_max above 0 and not below delta_min. Got {low:g} and {high:g}.",
                low=self.delta_min,
                high=self.delta_max,
            )

    @property
    def asked(self) -> float:
        """The value that is asked for."""
        return float(self.delta_max)

    @property
    def everyone(self) -> bool:
        """Whether it is about people in no released box, who are not in the table."""
        return self.delta_min > 0

    def good(self, found: InClasses) -> Booleans:
        """Say in which classes the people are in the table with a probability that is neither too large nor too small."""
        low = found.least >= self.delta_min * (1 - SLACK)
        return np.asarray(low & (found.most <= self.delta_max * (1 + SLACK)))

    def achieved(self, found: InPopulation) -> float:
        """Return the largest probability."""
        return found.presence[1]

    def keeps(self, found: InPopulation) -> bool:
        """Say whether both probabilities are good enough."""
        low, high = found.presence
        return low >= self.delta_min * (1 - SLACK) and high <= self.delta_max * (1 + SLACK)

    def possible(self, stated: float, smallest: int, rows: int, people: int) -> bool:
        """The largest probability is at least the mean one."""
        return rows <= people and rows / people * (1 - SLACK) <= stated <= self.delta_max * (1 + SLACK)

    @property
    def promise(self) -> Promise:
        """What is promised."""
        return Presence(least=self.delta_min)
