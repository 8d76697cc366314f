"""The one way from rows to a prepared table: identifiers changed where a step says so, cells checked, steps taken."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pyarrow as pa

from tokumei.errors import InvalidParameter
from tokumei.prepare.identifier_step import IdentifierStep
from tokumei.prepare.person_tags import PersonTags
from tokumei.prepare.step import Step
from tokumei.prepare.texts import different_texts
from tokumei.table.coded import CodedTable, encode
from tokumei.table.schema import Schema


def prepared_rows(
    rows: pa.Table,
    schema: Schema,
    prepare: Sequence[Step],
    *,
    cells: Collection[str] | None = None,
    empty: bool = False,
) -> CodedTable:
    """Check rows against a schema and take the steps that come first, all of which look at one row at a time."""
    left = keeping_identifiers(schema, prepare)
    steps = [step.opened() for step in prepare]
    table = encode(_replaced(rows, steps), left, cells=cells, empty=empty)
    for step in steps:
        table = step.tagged(table, rows) if isinstance(step, PersonTags) else step.apply(table)
    return table


def keeping_identifiers(schema: Schema, prepare: Sequence[Step]) -> Schema:
    """Return a schema in which identifiers that a step releases something of are no identifiers any more."""
    released = schema
    for step in prepare:
        if isinstance(step, IdentifierStep):
            if released[step.column] != schema[step.column]:
                raise InvalidParameter(
                    "Two steps release parts of the identifier {column!r}; use only one of them.", column=step.column
                )
            released = released.replacing(step.attribute(schema))
    return released


def _replaced(rows: pa.Table, prepare: Sequence[Step]) -> pa.Table:
    for step in prepare:
        if isinstance(step, IdentifierStep) and step.column in rows.column_names:
            texts, which = different_texts(rows.column(step.column), step.column)
            place = rows.column_names.index(step.column)
            rows = rows.set_column(place, step.column, step.changed(texts).take(which))
    return rows
