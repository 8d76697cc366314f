"""Move outliers to a declared bound, so that no value is known to belong to one person only."""

from __future__ import annotations

import datetime as dt
from dataclasses import field, replace
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.errors import InvalidParameter
from tokumei.prepare.step import Step, register_step
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories, Dates, Moment, Numbers, cast_values
from tokumei.values import value


@register_step
@value
class TopBottomCode(Step):
    """Replace values below ``low`` by ``low`` and values above ``high`` by ``high``.

    The richest and the oldest are known to be the only ones of their kind; coding them to the top takes that away, and
    a shorter range needs less noise. The bounds must be grid points of the column's domain, and are declared: choose
    them without looking at the rows.

    Parameters
    ----------
    column
        A column of numbers or dates.
    low, high
        The new bounds; at least one of them.
    """

    column: str
    low: int | float | Moment | None = None
    high: int | float | Moment | None = None
    step: Literal["top_bottom_code"] = field(default="top_bottom_code", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if self.low is None and self.high is None:
            raise InvalidParameter("TopBottomCode needs low, high or both.")

    def apply(self, table: CodedTable) -> CodedTable:
        """Return the table with the column brought in and its domain shortened."""
        attribute = table.schema[self.column]
        domain = attribute.domain
        if domain is None or isinstance(domain, Categories):
            raise InvalidParameter("TopBottomCode needs numbers or dates, and {column!r} has none.", column=self.column)
        if isinstance(domain, Numbers) and domain.step is None:
            raise InvalidParameter(
                "TopBottomCode of {column!r} needs a domain with a declared step.", column=self.column
            )
        bottom = self._place(domain, self.low, 0)
        top = self._place(domain, self.high, domain.size - 1)
        if bottom > top:
            raise InvalidParameter("TopBottomCode of {column!r}: low must not be above high.", column=self.column)
        given = table.codes(self.column).astype(np.int64)
        bounds: Any = {
            "low": domain.low if self.low is None else self.low,
            "high": domain.high if self.high is None else self.high,
        }
        shorter = replace(domain, **bounds)
        codes = np.where(given == domain.size, shorter.size, np.clip(given, bottom, top) - bottom)
        return table.with_codes(replace(attribute, domain=shorter), codes, self._brought_in(table, shorter))

    def _brought_in(self, table: CodedTable, shorter: Numbers | Dates) -> Any:
        """Return the cells as they came, those beyond a bound being the bound."""
        cells = table.columns[self.column].cells
        if cells is None or pa.types.is_null(cells.type):
            return cells
        ends = cast_values(shorter.values_of(np.array([0, shorter.size - 1])), cells.type)
        if self.low is not None:
            cells = pc.max_element_wise(cells, ends[0], skip_nulls=False)
        return cells if self.high is None else pc.min_element_wise(cells, ends[1], skip_nulls=False)

    def _place(self, domain: Numbers | Dates, bound: Any, otherwise: int) -> int:
        if bound is None:
            return otherwise
        place = domain.first_code(bound)
        if not 0 <= place < domain.size or domain.code(_cell(bound)).rounded:
            raise InvalidParameter(
                "TopBottomCode of {column!r}: {bound} is not a grid point of its domain.",
                column=self.column,
                bound=bound,
            )
        return place

    def describe(self) -> dict[str, Any]:
        """Return the step as it appears in a manifest."""
        bounds = {"low": self.low, "high": self.high}
        return {
            "step": self.step,
            "column": self.column,
            **{name: str(bound) if isinstance(bound, dt.date) else bound for name, bound in bounds.items()},
        }


def _cell(bound: Any) -> Any:
    return pa.array([bound])
