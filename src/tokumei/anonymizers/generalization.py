"""Generalization: cells are made coarser until every row agrees with k - 1 others."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

import numpy as np
from pydantic import InstanceOf, StrictFloat, StrictInt
from pydantic.json_schema import SkipJsonSchema

from tokumei.anonymizers.anonymizer import Anonymizer, Design, Survey
from tokumei.anonymizers.class_promises import (
    bind_all,
    check_class_size,
    class_guarantees,
    holding,
    quasi_identifiers,
    suppress,
    tell_suppressed,
)
from tokumei.anonymizers.notes import GroupedBy
from tokumei.anonymizers.promises import facts_of_people
from tokumei.anonymizers.published import published_design
from tokumei.anonymizers.recoded import by_groups, by_levels, told_by
from tokumei.anonymizers.value_rates import ValueRates
from tokumei.mechanism.record import Mechanism
from tokumei.partition import AnyPartition, Automatic, FixedLevels, FullDomain, Published
from tokumei.partition.partition import Partition, loss
from tokumei.partition.rows import check_limit, problem_of, rows_allowed
from tokumei.privacy.asked import Asked, asked_of_classes
from tokumei.privacy.constraints import AnyConstraint
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import LabelsFrom, LevelsFrom, PartitionFrom
from tokumei.table.schema import Schema
from tokumei.values import described, value

PICKED = PartitionFrom(how="sizes")
GROUPS = Fact("groups", None, LabelsFrom(how="groups"))


@value
class Generalization(Anonymizer):
    """Make the quasi-identifiers coarser until every row shares its cells with at least k - 1 others.

    Parameters
    ----------
    k
        The size of the smallest equivalence class. The release states the size that its rows have, which may be larger.
    partition
        How rows are grouped. `Optimal` chooses one level of its hierarchy for each column, `FixedLevels` takes yours; other partitions choose
        group by group, which loses far less information and is harder to work with: `Lattice`, `NearestGroups`, `TopDown`,
        `Mondrian`, or without it the one of them that suits the size of the table. `Published` takes the labels of an
        earlier release.
    suppression_limit
        The share of the rows that may be suppressed: their quasi-identifiers become ``*``. Only `Optimal`, `FixedLevels` and `Published` make use of it,
        and partitions that do not look at constraints; grouping needs no suppression. Where the suppressed rows
        would be a class that does not keep what is asked, they are left out.
    constraints
        What every class must satisfy in addition to its size: `LDiversity`, `TCloseness`, `DeltaDisclosure`, `BetaLikeness`.
    publish
        Rates of values to be published with the release; see `ValueRates`.

    Examples
    --------
    >>> Generalization(k=5, suppression_limit=0.05)
    Generalization(k=5, partition=Automatic(), suppression_limit=0.05, constraints=())
    """

    k: StrictInt
    partition: AnyPartition | SkipJsonSchema[InstanceOf[Partition]] = Automatic()
    suppression_limit: StrictInt | StrictFloat = 0.0
    constraints: tuple[AnyConstraint, ...] = ()
    publish: tuple[ValueRates, ...] = field(default=(), kw_only=True, repr=False)
    method: Literal["generalization"] = field(default="generalization", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        check_class_size(self.k)
        check_limit(self.suppression_limit)

    def design(self, schema: Schema, survey: Survey) -> Design:
        """Group the rows, and state what the released ones keep."""
        if isinstance(self.partition, Published):
            return published_design(
                schema, survey, self.partition.scheme(), self.k, self.suppression_limit, self.constraints, self.publish
            )
        table = survey.table
        columns = quasi_identifiers(schema, table.rows, self.k)
        bound = bind_all(self.constraints, table, columns, self.k)
        problem = problem_of(table, columns, self.k, bound)
        limit = rows_allowed(self.suppression_limit, table.rows)
        levels: tuple[int, ...] | None = None
        partition, why = self.partition, PICKED
        if isinstance(partition, FullDomain):
            found = partition.search(problem, limit)
            labels, lost, levels = found.labels, found.loss, found.levels
        else:
            tried = partition.candidates(problem) if isinstance(partition, Automatic) else [partition]
            made = [(each, holding(bound, each.group(problem))) for each in tried]
            losses = [loss(problem, labels) for _, labels in made]
            best = losses.index(min(losses))
            (partition, labels), lost = made[best], losses[best]
            why = PartitionFrom(how="tried") if len(tried) > 1 else PICKED
        starred, left_out = suppress(labels, bound, self.k, limit)
        told = told_by(table, columns, ~(starred | left_out))
        gone = int(np.count_nonzero(starred | left_out))
        if levels is not None:
            recoded = by_levels(table, problem, levels, starred, told)
            chosen = dict(zip(columns, levels, strict=True))
            how = Fact("levels", chosen, LevelsFrom(how="holder" if isinstance(partition, FixedLevels) else "rows"))
        else:
            recoded = by_groups(table, problem, labels, starred, told)
            how = GROUPS
        picked = [] if partition is self.partition else [Fact("partition", described(partition), why)]
        facts, assumes = tell_suppressed(int(np.count_nonzero(starred)), int(np.count_nonzero(left_out)))
        kept = tuple(name for name in schema.names() if name not in columns)
        return Design(
            Mechanism({}, kept, None, recoded.recoding, int(np.count_nonzero(left_out))),
            class_guarantees(recoded.applied(table, ~left_out), columns, self.k, self.constraints, assumes),
            (how, *picked, *facts, *facts_of_people(table.people)),
            recoded.schema,
            recoded.codes,
            left_out,
            (grouped_note(partition, lost, gone, table.rows),),
        )

    def asked(self) -> tuple[Asked, ...]:
        """Return k and every constraint."""
        return asked_of_classes(self.k, self.constraints)

    def describe(self) -> dict[str, Any]:
        """Return the method as it appears in a manifest."""
        return {
            "method": self.method,
            "k": self.k,
            "partition": described(self.partition),
            "suppression_limit": self.suppression_limit,
            "constraints": [constraint.describe() for constraint in self.constraints],
            "publish": [described(each) for each in self.publish],
        }


def grouped_note(partition: Partition, lost: float, gone: int, rows: int) -> GroupedBy:
    """Tell the data holder how rows were grouped and what it cost."""
    return GroupedBy(partition=type(partition).__name__, loss=lost, suppressed=gone, rows=rows)
