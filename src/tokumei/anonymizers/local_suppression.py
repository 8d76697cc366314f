"""Local suppression: individual cells are suppressed until every row agrees with k - 1 others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any, Literal

import numpy as np
from pydantic import StrictInt

from tokumei.anonymizers.anonymizer import Anonymizer, Design, Survey, register_method, table_of
from tokumei.anonymizers.class_promises import (
    check_class_size,
    class_guarantees,
    quasi_identifiers,
    wildcard_guarantee,
)
from tokumei.anonymizers.notes import SuppressedCells
from tokumei.anonymizers.promises import facts_of_people
from tokumei.anonymizers.recoded import by_cells
from tokumei.anonymizers.value_rates import ValueRates
from tokumei.arrays import Booleans
from tokumei.errors import InvalidParameter
from tokumei.mechanism.record import Mechanism
from tokumei.partition.cell_suppression import stars_of
from tokumei.privacy.asked import Asked, asked_of_classes
from tokumei.privacy.assumptions import RareCells
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import CellsFromRows
from tokumei.table.classes import class_of
from tokumei.table.coded import CodedTable
from tokumei.table.overlap import disjoint
from tokumei.table.people import one_row_each
from tokumei.table.schema import Schema
from tokumei.text import nearest
from tokumei.values import described, value

DEAREST = 10**9


@register_method
@value
class LocalSuppression(Anonymizer):
    """Replace individual cells by ``*`` until every row shares its quasi-identifiers with at least k - 1 others.

    Parameters
    ----------
    k
        The size of the smallest equivalence class.
    importance
        How important the cells of a column are, 1 by default: cells of important columns are suppressed last.
    meaning
        What a suppressed cell agrees with when classes are counted. ``"own_value"``: only with another suppressed one, so
        that every class really has k rows. ``"wildcard"``: with anything; far fewer cells are suppressed then, and less
        is guaranteed. The release states both numbers.
    publish
        Rates of values to be published with the release; see `ValueRates`. With wildcards they need an epsilon.

    Examples
    --------
    >>> LocalSuppression(k=3, importance={"age": 3.0})
    LocalSuppression(k=3, importance={'age': 3.0}, meaning='own_value')
    """

    k: StrictInt
    importance: dict[str, float] = field(default_factory=dict)
    meaning: Literal["own_value", "wildcard"] = "own_value"
    publish: tuple[ValueRates, ...] = field(default=(), kw_only=True, repr=False)
    method: Literal["local_suppression"] = field(default="local_suppression", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        check_class_size(self.k)
        for name, weight in self.importance.items():
            if not 0 < weight <= DEAREST:
                raise InvalidParameter(
                    "the importance of {name!r} must be above 0 and at most {dearest:,}. Got {weight:g}.",
                    name=name,
                    dearest=DEAREST,
                    weight=weight,
                )
        if self.meaning == "wildcard" and any(each.epsilon is None for each in self.publish):
            raise InvalidParameter(
                "true rates together with wildcards are refused: subtracting the shown cells from them reveals "
                "the suppressed ones; give them an epsilon, or use meaning='own_value'."
            )

    def design(self, schema: Schema, survey: Survey) -> Design:
        """Choose the cells, and state what the released rows keep."""
        if self.meaning == "wildcard":
            one_row_each(survey.people, "LocalSuppression(meaning='wildcard')")
        table = table_of(survey)
        columns = quasi_identifiers(schema, table.rows, self.k)
        for name in self.importance:
            if name not in columns:
                raise InvalidParameter(
                    "importance names {name!r}, which is not a quasi-identifier.{hint}",
                    name=name,
                    hint=nearest(name, columns),
                )
        weights = [self.importance.get(name, 1.0) for name in columns]
        stars = stars_of(
            [table.identity(name) for name in columns], weights, self.k, self.meaning == "wildcard", table.people
        )
        for name in columns:  # a cell is itself or a star, whatever the hierarchy calls the whole
            table = table.described(replace(table.schema[name], hierarchy=None))
        nobody = np.zeros(table.rows, dtype=np.bool_)
        recoded = by_cells(table, columns, stars, "disjoint" if _apart(table, columns, stars) else "overlapping")
        released = recoded.applied(table, ~nobody)
        k = self.k if self.meaning == "own_value" else 1
        guarantees = class_guarantees(released, columns, k, (), (RareCells(),))
        kept = tuple(name for name in schema.names() if name not in columns)
        note = SuppressedCells(
            suppressed=int(stars.sum()), cells=stars.size, columns=columns, counts=tuple(stars.sum(axis=0).tolist())
        )
        return Design(
            Mechanism({}, kept, None, recoded.recoding),
            (guarantees[0], wildcard_guarantee(released, columns, self.k, recoded.recoding)),
            (Fact("cells", None, CellsFromRows()), *facts_of_people(survey.people)),
            recoded.schema,
            recoded.codes,
            notes=(note,),
        )

    def asked(self) -> tuple[Asked, ...]:
        """Return k: of classes, unless a suppressed cell agrees with anything, and of rows that agree."""
        agreeing = Asked("k-anonymity with wildcards", self.k)
        return (agreeing,) if self.meaning == "wildcard" else (*asked_of_classes(self.k), agreeing)

    def describe(self) -> dict[str, Any]:
        """Return the method as it appears in a manifest."""
        return {
            "method": self.method,
            "k": self.k,
            "importance": dict(self.importance),
            "meaning": self.meaning,
            "publish": [described(each) for each in self.publish],
        }


def _apart(table: CodedTable, columns: Sequence[str], stars: Booleans) -> bool:
    """Whether no two different released rows could be of the same person; one row of each kind is looked at."""
    sizes = np.array([table.schema[name].states for name in columns], dtype=np.int32)
    shown = (np.where(stars[:, place], sizes[place], table.codes(name)) for place, name in enumerate(columns))
    classes = class_of(shown, table.rows)
    examples = np.empty(int(classes.max()) + 1, dtype=np.int64)
    examples[classes] = np.arange(len(classes))
    codes = np.stack([table.codes(name)[examples].astype(np.int32) for name in columns], axis=1)
    starred = stars[examples]
    return disjoint(np.where(starred, np.int32(0), codes), np.where(starred, sizes - 1, codes))
