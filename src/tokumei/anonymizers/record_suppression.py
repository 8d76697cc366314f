"""Record suppression: rows that fewer than k share are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import StrictFloat, StrictInt

from tokumei.anonymizers.anonymizer import Anonymizer, Design, Need, SmallClasses, Survey, register_method, table_of
from tokumei.anonymizers.class_promises import (
    bind_all,
    check_class_size,
    class_guarantees,
    k_guarantee,
    quasi_identifiers,
    tell_suppressed,
)
from tokumei.anonymizers.notes import LeftOut
from tokumei.anonymizers.promises import facts_of_people
from tokumei.anonymizers.value_rates import ValueRates
from tokumei.errors import InfeasiblePromise
from tokumei.mechanism.record import Mechanism
from tokumei.messages import phrase
from tokumei.partition.partition import Constraint
from tokumei.partition.rows import check_limit, rows_allowed
from tokumei.privacy.asked import Asked, asked_of_classes
from tokumei.privacy.constraints import AnyConstraint
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import SmallestClass
from tokumei.table.coded import CodedTable
from tokumei.table.schema import Schema
from tokumei.values import described, value


@register_method
@value
class RecordSuppression(Anonymizer):
    """Leave out every row whose quasi-identifiers fewer than k rows share; the others are released unchanged.

    Recode first: on columns as they come, hardly a row may be left.

    Parameters
    ----------
    k
        The size of the smallest equivalence class.
    suppression_limit
        Refuse to release if a larger share of the rows would be left out.
    constraints
        What every class must satisfy in addition to its size; a class that does not is left out too.
    publish
        Rates of values to be published with the release; see `ValueRates`.

    Examples
    --------
    >>> RecordSuppression(k=5, suppression_limit=0.2)
    RecordSuppression(k=5, suppression_limit=0.2, constraints=())
    """

    k: StrictInt
    suppression_limit: StrictInt | StrictFloat = 1.0
    constraints: tuple[AnyConstraint, ...] = ()
    publish: tuple[ValueRates, ...] = field(default=(), kw_only=True, repr=False)
    method: Literal["record_suppression"] = field(default="record_suppression", kw_only=True, repr=False)
    any_order: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_class_size(self.k)
        check_limit(self.suppression_limit)

    def needs(self) -> Mapping[Need, str]:
        """Return what is needed: which rows are in small classes, and the rows themselves to judge constraints."""
        return {"constraints": phrase("leave the constraints out")} if self.constraints else {"small_classes": ""}

    def design(self, schema: Schema, survey: Survey) -> Design:
        """Find the rows to leave out, and state what the others keep."""
        columns = quasi_identifiers(schema, survey.rows, self.k)
        judged = bool(self.constraints) or survey.people is not None
        bound = bind_all(self.constraints, survey, columns, self.k) if judged else ()
        found = self._judged(table_of(survey), columns, bound) if judged else survey.small_classes(columns, self.k)
        self._check(found.rows, survey.rows)
        facts, assumes = tell_suppressed(0, found.rows)
        if judged:
            released = table_of(survey).taking(np.flatnonzero(~found.left_out))
            guarantees = class_guarantees(
                released, columns, self.k, self.constraints, assumes, bound=bound, left_out=found.rows
            )
        else:
            others = [name for name in schema.names() if name not in columns]
            guarantees = (k_guarantee(found.smallest, columns, others, self.k, assumes),)
        return Design(
            Mechanism({}, schema.names(), left_out=found.rows),
            guarantees,
            (*facts, Fact("k", None, SmallestClass()), *facts_of_people(survey.people)),
            left_out=found.left_out,
            notes=(LeftOut(left_out=found.rows, rows=survey.rows),),
        )

    def _judged(self, table: CodedTable, columns: tuple[str, ...], bound: Sequence[Constraint]) -> SmallClasses:
        """Find the rows of classes that are small, or do not hold every constraint."""
        classes = table.class_of(columns)
        sizes = np.bincount(classes)
        holds = sizes >= self.k
        for constraint in bound:
            holds &= constraint.holds(classes.astype(np.int32), len(holds))
        left_out = ~holds[classes]
        return SmallClasses(int(np.count_nonzero(left_out)), int(sizes[holds].min(initial=table.rows)), left_out)

    def _check(self, gone: int, rows: int) -> None:
        """Refuse to leave out more rows than allowed, or all of them."""
        if gone == rows or gone > rows_allowed(self.suppression_limit, rows):
            raise InfeasiblePromise(
                "{gone:,} of {rows:row|rows} would be left out; recode the columns first, or ask for less.",
                gone=gone,
                rows=rows,
            )

    def asked(self) -> tuple[Asked, ...]:
        """Return k and every constraint."""
        return asked_of_classes(self.k, self.constraints)

    def describe(self) -> dict[str, Any]:
        """Return the method as it appears in a manifest."""
        return {
            "method": self.method,
            "k": self.k,
            "suppression_limit": self.suppression_limit,
            "constraints": [constraint.describe() for constraint in self.constraints],
            "publish": [described(each) for each in self.publish],
        }
