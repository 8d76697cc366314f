"""Make a column coarser by its hierarchy before anything else happens."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any, Literal

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.prepare.step import Step, register_step
from tokumei.table.coded import CodedTable
from tokumei.table.hierarchy import AnyHierarchy
from tokumei.table.schema import Attribute
from tokumei.values import value


@register_step
@value
class Recode(Step):
    """Replace the values of a column by the labels of one level of its hierarchy.

    Coarser columns need less noise for the same promise: recoding first is often the best use of a budget.

    Parameters
    ----------
    column
        The column to make coarser.
    level
        The level of the hierarchy, 1 being the first above the values themselves.
    hierarchy
        A hierarchy to use in place of the one that the schema gives the column.
    """

    column: str
    level: int = 1
    hierarchy: AnyHierarchy | None = None
    step: Literal["recode"] = field(default="recode", kw_only=True, repr=False)

    def apply(self, table: CodedTable) -> CodedTable:
        """Return the table with the column recoded and its domain replaced by the level's labels."""
        attribute = table.schema[self.column]
        hierarchy = self.hierarchy or attribute.hierarchy
        if hierarchy is None or attribute.domain is None:
            raise InvalidParameter(
                "Recode needs a hierarchy for {column!r}; give one here or in the schema.", column=self.column
            )
        domain_before = attribute.domain
        attribute = replace(attribute, hierarchy=hierarchy)  # checks that it covers the domain
        if not 1 <= self.level <= hierarchy.depth:
            raise InvalidParameter(
                "Recode of {column!r} needs a level between 1 and {depth}. Got {level}.",
                column=self.column,
                depth=hierarchy.depth,
                level=self.level,
            )
        domain, mapped = hierarchy.coarsen(domain_before, self.level)
        codes = np.append(mapped, domain.size)[table.codes(self.column)]
        above = hierarchy.above(domain_before, self.level)
        observed = attribute.observed or hierarchy.learned  # the labels of a learned tree tell something about rows
        return table.with_codes(replace(attribute, domain=domain, hierarchy=above, observed=observed), codes)

    def learned(self, attribute: Attribute) -> bool:
        """Whether the hierarchy was learned from rows."""
        hierarchy = self.hierarchy or attribute.hierarchy
        return hierarchy is not None and hierarchy.learned

    def describe(self) -> dict[str, Any]:
        """Return the step as it appears in a manifest."""
        return {"step": self.step, "column": self.column, "level": self.level}
