"""What notebooks show of columns: names, roles and declared domains; of observed domains only their kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tokumei.markup.card import card, grid, pairs
from tokumei.markup.pieces import Html
from tokumei.table.domain import Categories, Dates, Domain
from tokumei.table.hierarchy import Hierarchy
from tokumei.text import plural

SHOWN = 12  # labels of a declared domain
OBSERVED = "read from the data"


class Column(Protocol):
    """What is shown of an attribute."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def role(self) -> str:
        """Its role."""

    @property
    def domain(self) -> Domain | None:
        """Its domain."""

    @property
    def hierarchy(self) -> Hierarchy | None:
        """Its hierarchy."""

    @property
    def missing(self) -> bool:
        """Whether cells may be missing."""

    @property
    def observed(self) -> bool:
        """Whether its domain was read from the data."""


def schema_card(columns: Sequence[Column]) -> str:
    """Show a schema."""
    return card(f"Schema of {plural(len(columns), 'column')}", columns_grid(columns))


def columns_grid(columns: Sequence[Column]) -> Html:
    """Make a table of columns."""
    rows = [(a.name, role_words(a), domain_words(a), hierarchy_words(a)) for a in columns]
    return grid(("column", "role", "domain", "hierarchy"), rows)


def attribute_card(attribute: Column) -> str:
    """Show one column, with the labels that were declared for it."""
    facts = {"role": role_words(attribute), "domain": domain_words(attribute)}
    if isinstance(attribute.domain, Categories) and not attribute.observed:
        labels = attribute.domain.labels()
        facts["labels"] = ", ".join(labels[:SHOWN]) + (", …" if len(labels) > SHOWN else "")
    if attribute.hierarchy is not None:
        facts["hierarchy"] = hierarchy_words(attribute)
    return card(f"Column {attribute.name}", pairs(facts))


def role_words(attribute: Column) -> str:
    """Write a column's role."""
    return attribute.role.replace("_", "-")


def domain_words(attribute: Column) -> str:
    """Say what a column may hold; bounds that only the data know are not told."""
    domain = attribute.domain
    if domain is None:
        return "not declared"
    if not attribute.observed:
        told = domain.describe()
    elif isinstance(domain, Categories):
        told = f"{domain.describe()}, {OBSERVED}"
    else:
        told = f"{'dates' if isinstance(domain, Dates) else 'numbers'}, {OBSERVED}"
    return f"{told}, or missing" if attribute.missing else told


def hierarchy_words(attribute: Column) -> str:
    """Count the levels of a column's hierarchy."""
    if attribute.hierarchy is None:
        return ""
    return plural(attribute.hierarchy.depth, "level") + (", learned from rows" if attribute.hierarchy.learned else "")
