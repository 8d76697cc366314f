"""Microaggregation: small groups of similar rows, each released as k or more copies of its average."""

from __future__ import annotations

import math
from dataclasses import field
from typing import Any, Literal

import numpy as np
from pydantic import StrictInt

from tokumei.anonymizers.anonymizer import Anonymizer, Design, Survey, register_method, table_of
from tokumei.anonymizers.averaged import averaged
from tokumei.anonymizers.class_promises import (
    bind_all,
    check_class_size,
    class_guarantees,
    quasi_identifiers,
)
from tokumei.anonymizers.notes import GroupedPoints, LeastWithin, MediansReleased
from tokumei.anonymizers.promises import facts_of_people
from tokumei.anonymizers.recoded import by_groups, told_by
from tokumei.arrays import Labels
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.mechanism.record import Mechanism
from tokumei.partition.microaggregation import AnyPointPartition, LocalSearch
from tokumei.partition.microaggregation.coordinates import coordinates
from tokumei.partition.microaggregation.merging import merge_failing_points
from tokumei.partition.microaggregation.points import Points, information_loss
from tokumei.partition.rows import problem_of
from tokumei.privacy.asked import Asked, asked_of_classes
from tokumei.privacy.constraints import AnyConstraint
from tokumei.privacy.population_constraints import OfPopulation
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import GroupAverages, LabelsFrom
from tokumei.table.domain import Numbers
from tokumei.table.schema import Schema
from tokumei.values import described, value
from tokumei.words import Statement


@register_method
@value
class Microaggregation(Anonymizer):
    """Put similar rows into groups of at least k, and release for each row the averages of its group.

    Released cells are values of the columns' own domains: means on the declared grid for quantities and dates, medians for
    ordered categories and for numbers that are not declared to be a quantity, the most frequent label for others. A value
    that nobody has is released only for a quantity or a date.

    Parameters
    ----------
    k
        The smallest group. The release states the size that its classes have, which may be more.
    partition
        How rows are grouped: `LocalSearch`, also ``LocalSearch(thorough=True)``, `NearExact`, `FarthestFirst`, `MDAV`,
        `VMDAV`, `NearestPointNext`, `GridBlocks` or `FlexDice`.
    cells
        What stands for a group in a column of dates, or of numbers that are a quantity: its ``"mean"`` or ``"median"``.
        ``"interval"`` releases for every column from where to where the group reaches.
    constraints
        What every class must satisfy in addition to its size, as for `Generalization`; those of a population need intervals, which say
        whom a row may belong to. Groups that do not satisfy them are merged with their neighbours.

    Examples
    --------
    >>> Microaggregation(k=5)
    Microaggregation(k=5, partition=LocalSearch(thorough=False), cells='mean', constraints=())
    """

    k: StrictInt
    partition: AnyPointPartition = LocalSearch()
    cells: Literal["mean", "median", "interval"] = "mean"
    constraints: tuple[AnyConstraint, ...] = ()
    method: Literal["microaggregation"] = field(default="microaggregation", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        check_class_size(self.k)

    def design(self, schema: Schema, survey: Survey) -> Design:
        """Group the rows, and state what the released ones keep."""
        table = table_of(survey)
        columns = quasi_identifiers(schema, table.rows, self.k)
        if self.cells != "interval" and any(isinstance(each, OfPopulation) for each in self.constraints):
            raise InvalidParameter(
                "averages do not say which people of a population a row may belong to; take cells='interval', or leave out the "
                "constraints that name a population."
            )
        bound = bind_all(self.constraints, survey, columns, self.k)
        everyone = np.ones(table.rows, dtype=np.bool_)
        if not all(bool(each.holds(np.zeros(table.rows, dtype=np.int32), 1)[0]) for each in bound):
            raise InfeasiblePromise("even the whole table as one group does not satisfy the constraints; ask for less.")
        points = Points(coordinates(table, columns), self.k)
        found = self.partition.grouped(points)
        labels = merge_failing_points(points.rows, found.labels, bound)
        notes = self._notes(labels, information_loss(points.rows, labels), found.least)
        del points  # they are larger than the table
        kinds = {name: schema[name].domain for name in columns}
        uncertain = [name for name, domain in kinds.items() if isinstance(domain, Numbers) and not domain.quantity]
        kept = tuple(name for name in schema.names() if name not in columns)
        if self.cells == "interval":
            problem = problem_of(table, columns, self.k, bound)
            recoded = by_groups(table, problem, labels, ~everyone, told_by(table, columns, everyone))
            released = recoded.applied(table, everyone)
            mechanism = Mechanism({}, kept, None, recoded.recoding)
            guarantees = class_guarantees(
                released, columns, self.k, self.constraints, (), bound=bound, recoding=recoded.recoding
            )
            facts = (Fact("groups", None, LabelsFrom(how="groups")), *facts_of_people(table.people))
            return Design(mechanism, guarantees, facts, recoded.schema, recoded.codes, None, notes)
        if uncertain and self.cells == "mean":
            notes += (MediansReleased(columns=tuple(uncertain)),)
        made = averaged(table, columns, labels, self.cells)
        mechanism = Mechanism({}, kept, averaging=made.averaging)
        guarantees = class_guarantees(made.applied(table), columns, self.k, self.constraints, ())
        facts = (Fact("groups", None, GroupAverages()), *facts_of_people(table.people))
        return Design(mechanism, guarantees, facts, None, made.codes, None, notes, taken=made.taken)

    def _notes(self, labels: Labels, lost: float, least: float | None) -> tuple[Statement, ...]:
        """Say to the data holder what the groups lose; a bound that follows from the rows goes no further."""
        made = GroupedPoints(partition=type(self.partition).__name__, groups=int(labels.max()) + 1, within=lost)
        if least is None:
            return (made,)
        low = math.floor(least * 1000) / 1000  # rounded down, as a lower bound must be
        aside: Literal["constraints_aside"] | None = "constraints_aside" if self.constraints else None
        return (made, LeastWithin(k=self.k, least=low, aside=aside))

    def asked(self) -> tuple[Asked, ...]:
        """Return k and every constraint."""
        return asked_of_classes(self.k, self.constraints)

    def describe(self) -> dict[str, Any]:
        """Return the method as it appears in a manifest."""
        return {
            "method": self.method,
            "k": self.k,
            "partition": described(self.partition),
            "cells": self.cells,
            "constraints": [constraint.describe() for constraint in self.constraints],
        }
