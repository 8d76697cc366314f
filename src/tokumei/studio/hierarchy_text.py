"""Hierarchies as text that a person can edit: a line a value as ARX writes it, or a line of edges a level."""

from __future__ import annotations

import csv
import datetime as dt
import io

from tokumei.errors import InvalidParameter
from tokumei.table.domain import Categories, Dates, Domain, number_text
from tokumei.table.hierarchy import AnyHierarchy, Edge, Hierarchy, Intervals, Tree


def hierarchy_text(hierarchy: AnyHierarchy) -> str:
    """Write a hierarchy.

    >>> print(hierarchy_text(Hierarchy.intervals([0, 18, 65], [0, 65])))
    0; 18; 65
    0; 65
    >>> print(hierarchy_text(Hierarchy.groups({"north": ["A", "B"], "south": ["C"]})))
    A;north
    B;north
    C;south
    """
    if isinstance(hierarchy, Intervals):
        return "\n".join("; ".join(_shown(edge) for edge in level) for level in hierarchy.edges)
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(hierarchy.rows)
    return text.getvalue().rstrip("\n")


def read_hierarchy(text: str, domain: Domain) -> AnyHierarchy:
    r"""Read a hierarchy for a domain: lines of edges where every line is one, else a value a line.

    >>> from tokumei import Numbers
    >>> read_hierarchy("0; 18; 65\n0; 65", Numbers(0, 65, step=1)).depth
    2
    """
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text), delimiter=";")]
    except csv.Error as error:
        raise InvalidParameter("this cannot be read: {error}.", error=error) from None
    rows = [row for row in rows if any(row)]
    if not rows:
        raise InvalidParameter("write at least one line.")
    if not isinstance(domain, Categories):
        edges = [[_edge(cell, domain) for cell in row] for row in rows]
        if all(edge is not None for level in edges for edge in level):
            return Hierarchy.intervals(*([edge for edge in level if edge is not None] for level in edges))
    return Tree(tuple(tuple(row) for row in rows))


def _shown(edge: Edge) -> str:
    return edge.isoformat() if isinstance(edge, dt.date) else number_text(edge)


def _edge(cell: str, domain: Domain) -> Edge | None:
    try:
        if isinstance(domain, Dates):
            return dt.date.fromisoformat(cell)
        number = float(cell)
    except ValueError:
        return None
    return int(number) if number.is_integer() else number
