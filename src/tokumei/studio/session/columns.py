"""What each column is, on a card: what it holds, how its values lie, and what it was taken for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow.compute as pc

from tokumei.errors import InvalidParameter
from tokumei.studio.session.noticed import Noticed
from tokumei.studio.session.reasons import Flag, Reason, flag_of, reason_of
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories, Numbers, family
from tokumei.table.observed import observe
from tokumei.table.schema import Attribute, Role
from tokumei.utility.lines import line_of

BARS = 12


@dataclass(frozen=True)
class Bar:
    """One bar of a small distribution: a value, or several of them, and how many rows have it.

    ``others`` is how many values stand together, where they do; ``missing`` says that it is the bar of missing cells.
    """

    label: str
    rows: int
    others: int = 0
    missing: bool = False


@dataclass(frozen=True)
class ColumnCard:
    """What one column is. It shows labels of the data, so it is for the data holder only.

    Attributes
    ----------
    attribute
        The column as the schema describes it now: its role, domain and hierarchy.
    holds
        What its cells are: numbers, text, dates.
    distinct, missing
        How many different values occur, and how many cells are missing.
    bars
        How many rows have which values, a dozen bars at most: the commonest labels with the others together at the
        end, or intervals of numbers and dates. None for a column without a domain.
    binned
        Whether the bars are intervals.
    suggested, why
        The role that was guessed when the table was opened, and why.
    noticed
        What seems to stand for no answer.
    """

    attribute: Attribute
    holds: str
    distinct: int
    missing: int
    bars: tuple[Bar, ...]
    binned: bool
    suggested: Role
    why: str
    noticed: Noticed = field(default_factory=Noticed)

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.attribute.name

    @property
    def role(self) -> Role:
        """Its role now."""
        return self.attribute.role

    @property
    def reason(self) -> Reason:
        """Why the role was suggested."""
        return reason_of(self.suggested, self.why)

    @property
    def flag(self) -> Flag | None:
        """What names people directly in it, if something does."""
        return flag_of(self.name, self.why)

    @property
    def levels(self) -> int:
        """How many levels its hierarchy has above the values; none without one."""
        return 0 if self.attribute.hierarchy is None else self.attribute.hierarchy.depth


def may_be_quantity(attribute: Attribute) -> bool:
    """Whether the values of a column are numbers, or codes that are written as numbers."""
    domain = attribute.domain
    return isinstance(domain, Numbers) or (isinstance(domain, Categories) and type(domain.values[0]) is int)


def is_quantity(attribute: Attribute) -> bool:
    """Whether a column is declared to be a quantity, so that a mean of it means something."""
    return isinstance(attribute.domain, Numbers) and attribute.domain.quantity


def as_quantity(attribute: Attribute, cells: Any, quantity: bool) -> Attribute:
    """Declare that a column is a quantity, or that it is none; codes that become numbers lose their hierarchy."""
    domain = attribute.domain
    if not may_be_quantity(attribute):
        raise InvalidParameter("{column!r} does not hold numbers, so it cannot be a quantity.", column=attribute.name)
    if isinstance(domain, Numbers):
        seen = observe(cells) if attribute.observed and not quantity else None
        made = seen if isinstance(seen, Categories) else replace(domain, quantity=quantity)
        kept = attribute.hierarchy if isinstance(made, Numbers) else None
        return replace(attribute, domain=made, hierarchy=kept)
    if not quantity:
        return attribute
    assert isinstance(domain, Categories)
    whole = [int(label) for label in domain.values]
    return replace(attribute, domain=Numbers(min(whole), max(whole), step=1), hierarchy=None)


def card(attribute: Attribute, cells: Any, table: CodedTable | None, suggested: Role, why: str) -> ColumnCard:
    """Describe one column, given its cells as they came, and the coded table where there is one."""
    column = None if table is None else table.columns.get(attribute.name)
    if column is None or column.codes is None or attribute.domain is None:
        distinct = int(pc.count_distinct(cells, mode="only_valid").as_py())
        return ColumnCard(attribute, family(cells.type), distinct, cells.null_count, (), False, suggested, why)
    counts = np.bincount(column.codes, minlength=attribute.domain.size + 1)
    missing = int(counts[attribute.domain.size])
    return ColumnCard(
        attribute,
        family(cells.type),
        int(np.count_nonzero(counts[: attribute.domain.size])),
        missing,
        *_bars(attribute, counts),
        suggested,
        why,
    )


def _bars(attribute: Attribute, counts: Any) -> tuple[tuple[Bar, ...], bool]:
    line = line_of(attribute, BARS)
    rows = np.bincount(line.cell_of, weights=counts[: len(line.cell_of)], minlength=line.cells).astype(np.int64)
    made = [
        Bar(label, int(many), missing=at >= line.present)
        for at, (label, many) in enumerate(zip(line.labels, rows, strict=True))
    ]
    if line.cells <= BARS or line.edges is not None:
        return tuple(made), line.edges is not None
    order = np.argsort(-rows, kind="stable")[: BARS - 1]
    together, left = int(rows.sum() - rows[order].sum()), line.cells - len(order)
    return (*(made[place] for place in order), Bar("…", together, left)), False
