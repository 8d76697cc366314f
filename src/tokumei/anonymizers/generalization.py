"""Generalization: cells are made coarser until every row agrees with k - 1 others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

import numpy as np
from pydantic import StrictFloat, StrictInt

from tokumei.anonymizers.anonymizer import Anonymizer, Design, Need, Survey, register_method, table_of
from tokumei.anonymizers.class_promises import (
    bind_all,
    check_class_size,
    class_guarantees,
    k_guarantee,
    quasi_identifiers,
    suppress,
    tell_suppressed,
)
from tokumei.anonymizers.promises import facts_of_people
from tokumei.anonymizers.recoded import by_boxes, recode, told_by
from tokumei.anonymizers.value_rates import ValueRates
from tokumei.diagnostics import warn
from tokumei.errors import InvalidParameter
from tokumei.mechanism.record import Mechanism
from tokumei.messages import phrase
from tokumei.partition import AnyArranging, Automatic
from tokumei.partition.notes import GroupedBy
from tokumei.partition.partition import GROUPS, Problem
from tokumei.partition.rows import check_limit, problem_of, rows_allowed
from tokumei.privacy.asked import Asked, asked_of_classes
from tokumei.privacy.constraints import AnyConstraint
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import PartitionFrom
from tokumei.table.coded import CodedTable
from tokumei.table.schema import Schema
from tokumei.values import described, value


@register_method
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
        What every class must satisfy in addition to its size: of a sensitive column `LDiversity`, `AlphaKAnonymity`, `TCloseness`,
        `DeltaDisclosure`, `BetaLikeness`, `EnhancedBetaLikeness`; in a population `KMap`, `DeltaPresence`.
    publish
        Rates of values to be published with the release; see `ValueRates`.

    Examples
    --------
    >>> Generalization(k=5, suppression_limit=0.05)
    Generalization(k=5, partition=Automatic(), suppression_limit=0.05, constraints=())
    """

    k: StrictInt
    partition: AnyArranging = Automatic()
    suppression_limit: StrictInt | StrictFloat = 0.0
    constraints: tuple[AnyConstraint, ...] = ()
    publish: tuple[ValueRates, ...] = field(default=(), kw_only=True, repr=False)
    method: Literal["generalization"] = field(default="generalization", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        check_class_size(self.k)
        check_limit(self.suppression_limit)

    def needs(self) -> Mapping[Need, str]:
        """Return what is needed to group rows: cuts can be made of any number of rows, everything else of rows in one memory."""
        cuts = self.partition.cuts() is not None
        needs: dict[Need, str] = {"cuts": ""} if cuts else {"rows": phrase("take partition=Mondrian(strict=True)")}
        if self.constraints:
            needs["constraints"] = phrase("leave the constraints out")
        return needs

    def design(self, schema: Schema, survey: Survey) -> Design:
        """Group the rows, and state what the released ones keep."""
        columns = quasi_identifiers(schema, survey.rows, self.k)
        if "rows" not in survey.offers:
            return self._cut(schema, survey, columns)
        rows = table_of(survey)
        bound = bind_all(self.constraints, survey, columns, self.k)
        limit = rows_allowed(self.suppression_limit, survey.rows)
        arranged = self.partition.arrange(rows, problem_of(rows, columns, self.k, bound), limit)
        table = arranged.table
        if self.publish and any(table.schema[name].domain != schema[name].domain for name in columns):
            raise InvalidParameter("Rates can be published only if the domains are those of the published release.")
        starred, left_out = suppress(arranged.labels, bound, self.k, limit, arranged.why)
        if arranged.warning is not None:
            warn(*arranged.warning)
        recoded = recode(arranged, starred, told_by(table, columns, ~(starred | left_out)))
        gone = int(np.count_nonzero(left_out))
        facts, rare = tell_suppressed(int(np.count_nonzero(starred)), gone)
        kept = tuple(name for name in schema.names() if name not in columns)
        released, assumes = recoded.applied(table, ~left_out), (*arranged.assumes, *rare)
        return Design(
            Mechanism({}, kept, None, recoded.recoding, gone),
            class_guarantees(
                released,
                columns,
                self.k,
                self.constraints,
                assumes,
                arranged.chosen,
                bound=bound,
                recoding=recoded.recoding,
                left_out=gone,
            ),
            (*arranged.facts, *facts, *facts_of_people(table.people)),
            recoded.schema,
            recoded.codes,
            left_out,
            (arranged.note,),
        )

    def _cut(self, schema: Schema, survey: Survey, columns: tuple[str, ...]) -> Design:
        """Let the engine cut rows that it does not hold in memory, and state what they keep."""
        cuts = self.partition.cuts()
        assert cuts is not None
        cut = survey.cut(columns, self.k, cuts)
        rows, axes = len(cut.low), cut.axes
        problem, stub = Problem(cut.low, axes, self.k), CodedTable(schema, {}, rows, {})
        nobody = np.zeros(rows, dtype=np.bool_)
        recoded = by_boxes(stub, problem, cut.low, cut.high, nobody, cut.scheme, cut.told)
        others = tuple(name for name in schema.names() if name not in columns)
        picked = (Fact("partition", described(cuts), PartitionFrom(how="engine")),) if cuts != self.partition else ()
        note = GroupedBy(partition=type(cuts).__name__, loss=cut.loss, suppressed=0, rows=survey.rows)
        return Design(
            Mechanism({}, others, None, recoded.recoding),
            (k_guarantee(cut.smallest(recoded.codes), columns, others, self.k, ()),),
            (GROUPS, *picked),
            recoded.schema,
            recoded.codes,
            notes=(note,),
            cut=cut,
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
