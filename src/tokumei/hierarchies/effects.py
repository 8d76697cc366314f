"""What each level of a column's hierarchy would do to the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.table.axis import axis_of
from tokumei.table.classes import class_of
from tokumei.table.coded import CodedTable
from tokumei.table.schema import Attribute


@dataclass(frozen=True)
class LevelEffect:
    """One level of a column.

    Attributes
    ----------
    level
        Which one; 0 is the values themselves, and the last a star where the hierarchy does not end in one label.
    labels
        How many different labels occur.
    loss
        The mean loss of the column's cells.
    rarest
        How many rows have its rarest label.
    classes, smallest, unique
        How many equivalence classes of all quasi-identifiers there are, the smallest of them, and how many rows are unique, with
        only this column made coarser.
    """

    level: int
    labels: int
    loss: float
    rarest: int
    classes: int
    smallest: int
    unique: int


def level_effects(
    table: CodedTable, attribute: Attribute, known: Sequence[str] | None = None
) -> tuple[LevelEffect, ...]:
    """Say what each level of a column would do to a table, the other columns staying as they are.

    Parameters
    ----------
    table
        The rows; the column has the same domain there.
    attribute
        The column, with the hierarchy to look at.
    known
        What an attacker may know; without it the quasi-identifiers.

    Examples
    --------
    >>> import tokumei as tk
    >>> from tokumei.engines.local import prepared_table
    >>> schema = tk.example_schema()
    >>> found = level_effects(prepared_table(tk.example_census(rows=300), schema, ()), schema["age"])
    >>> [effect.labels for effect in found]
    [69, 5, 2, 1]
    """
    names = table.schema.names("quasi_identifier") if known is None else known
    others = class_of([table.codes(name) for name in names if name != attribute.name], table.rows)
    axis = axis_of(attribute)
    place = axis.place[table.codes(attribute.name)]
    # Rows that agree in everything are looked at once.
    both = class_of([others, place], table.rows)
    counts = np.bincount(both)
    example = np.empty(len(counts), dtype=np.int64)
    example[both] = np.arange(table.rows)
    place, others = place[example], others[example]
    found = []
    for level in range(axis.levels):
        first, last = axis.first[level, place], axis.last[level, place]
        rows_of = np.bincount(first, weights=counts)
        sizes = np.bincount(class_of([others, first], len(place)), weights=counts)
        found.append(
            LevelEffect(
                level,
                int(np.count_nonzero(rows_of)),
                float(axis.loss(first, last) @ counts / table.rows),
                int(rows_of[rows_of > 0].min()),
                len(sizes),
                int(sizes.min()),
                int(np.count_nonzero(sizes == 1)),
            )
        )
    return tuple(found)
