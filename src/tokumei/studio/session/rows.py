"""The rows that are worked on: as they came, and as codes; read and coded anew only where the schema asks for it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from tokumei.errors import DataError
from tokumei.io.source import declared_types
from tokumei.plan import Source
from tokumei.prepare.identifier_step import IdentifierStep
from tokumei.prepare.person_tags import PersonTags
from tokumei.prepare.rows import prepared_rows
from tokumei.prepare.step import Step
from tokumei.progress import stop_if_asked
from tokumei.runner import read_rows
from tokumei.studio.session.cache import Cache, holding
from tokumei.table.coded import CodedTable, Column, check_columns, encode, people_of
from tokumei.table.schema import DROPPED, Attribute, Schema


class HeldRows:
    """The rows of one source."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._lock = threading.RLock()
        self._types: dict[str, Any] | None = None
        self._table: pa.Table | None = None
        self._coded: dict[str, tuple[Attribute, Column, int]] = {}
        self._released = Cache[CodedTable](1)

    def table(self, schema: Schema) -> pa.Table:
        """Return the rows as a plan with this schema reads them."""
        with holding(self._lock):
            types = declared_types(schema) if self.source.path is not None else {a.name: a.domain for a in schema}
            if self._table is None or types != self._types:
                self._table, self._types, self._coded = read_rows(self.source, schema), types, {}
            return self._table

    def coded(self, schema: Schema, prepare: Sequence[Step] = ()) -> CodedTable:
        """Return the rows as codes, every cell checked; only columns that are described anew are coded again."""
        table = self.table(schema)
        if any(
            isinstance(step, IdentifierStep | PersonTags) for step in prepare
        ):  # which need the cells of identifiers
            return self._released.get((schema, tuple(prepare)), lambda: prepared_rows(table, schema, prepare))
        check_columns(table.column_names, schema)
        columns, rounded = {}, {}
        for name in table.column_names:
            attribute = schema[name]
            if attribute.role in DROPPED:
                continue
            stop_if_asked()
            columns[name], moved = self.column(table, attribute)
            if moved:
                rounded[name] = moved
        if not columns:
            raise DataError("Every column is an identifier, so nothing is left to release.")
        people = people_of(table, schema)
        made = CodedTable(schema.without(*schema.names(*DROPPED)), columns, table.num_rows, rounded, people)
        for step in prepare:
            made = step.apply(made)
        return made

    def column(self, table: pa.Table, attribute: Attribute) -> tuple[Column, int]:
        """Return one column of a table of ours as codes, and how many of its numbers were rounded."""
        with holding(self._lock):  # for one column at a time, so that nobody waits for all of them
            before = self._coded.get(attribute.name)
            if before is None or (before[0].domain, before[0].missing) != (attribute.domain, attribute.missing):
                one = encode(table.select([attribute.name]), Schema((attribute,)))
                before = attribute, one.columns[attribute.name], one.rounded.get(attribute.name, 0)
                if table is self._table:
                    self._coded[attribute.name] = before
            return before[1], before[2]
