"""The streaming engine: read once, design, draw, shuffle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.anonymizers.sample import hidden_columns
from tokumei.engines.cuts import CutGroups
from tokumei.engines.designing import design_rows, treated_columns
from tokumei.engines.held import HeldRows, bytes_held
from tokumei.engines.local import prepared_table
from tokumei.engines.needs import COUNTS, needs_rows, refuse_needs, refuse_size
from tokumei.engines.release_builder import (
    ReleaseBuilder,
    opened_steps,
    repeat_key,
    says_everything,
    tell_rare,
)
from tokumei.engines.stream.cells import Shown
from tokumei.engines.stream.grouping import GroupedRows
from tokumei.engines.stream.memory import batch_rows
from tokumei.engines.stream.people import count_people
from tokumei.engines.stream.shuffle import Blocks, Buckets, block_starts
from tokumei.engines.stream.spool import TAGS, Layout, Spool
from tokumei.engines.stream.survey import StreamSurvey, chosen
from tokumei.errors import DataError, InvalidParameter
from tokumei.io.batches import Rows, Widened
from tokumei.mechanism.repeating import Draws
from tokumei.prepare.person_tags import PersonTags, check_one_row
from tokumei.prepare.rows import keeping_identifiers, prepared_rows
from tokumei.prepare.step import Step
from tokumei.progress import stage
from tokumei.randomness import Key
from tokumei.release.artifact import Pieces, Release
from tokumei.table.coded import CodedTable, Column, cell_type, check_columns, people_named
from tokumei.table.domain import code_type
from tokumei.table.frames import Origin
from tokumei.table.schema import Schema

Shuffle = Literal["rows", "blocks"]
PERSON = "\0person"  # where the cells lie that say whose row each is; no column of a table is called so


def release_of_rows(
    rows: Rows, schema: Schema, method: Anonymizer, prepare: Sequence[Step], key: Key, memory: int, shuffle: Shuffle
) -> Release:
    """Make a release of rows that are read batch by batch."""
    if shuffle == "blocks" and method.repeating() is not None:
        raise InvalidParameter(
            "Draws that repeat show which rows of two releases are one person's, and with them which block it was in; shuffle "
            "all rows (shuffle='rows')."
        )
    if shuffle == "blocks" and not method.in_blocks:
        raise InvalidParameter(
            "Shuffling in blocks is only for methods whose guarantee counts on the rows of a block, and that of "
            "{kind} does not; shuffle all rows (shuffle='rows').",
            kind=type(method).__name__,
        )
    if shuffle == "blocks":
        refuse_needs(method, schema, "stream", COUNTS)
    prepare = opened_steps(schema, method, prepare)
    released = keeping_identifiers(schema, prepare)
    kept = method.keeps(released.without(*released.names("identifier")))
    read = _read(rows, schema, prepare, kept, memory)
    spool = read.spool
    if TAGS[0] in spool.layout.types:
        check_one_row(spool.rows, count_people(spool, memory), prepare[-1].column)
    if needs_rows(method, schema):
        return _of_held_rows(read, schema, method, prepare, key, memory)
    with stage("Solving for the guarantee (loops are compiled on the first run)"):
        sample = method.sampling()
        drawn = chosen(sample, spool, read.schema, key)
        hidden = hidden_columns(sample)
        inner = read.schema.without(*hidden)
        starts = block_starts(spool) if shuffle == "blocks" else None
        smallest = None if starts is None else int(np.diff([*starts, spool.rows]).min())

        def prepared_alike(other: Any, columns: tuple[str, ...] | None = None) -> CodedTable:
            return prepared_table(other, schema, prepare, columns).without(*hidden if columns is None else ())

        survey = StreamSurvey(
            spool, read.schema, read.by_cells, drawn, sample, memory, prepared_alike, smallest, read.rounded
        )
        tell_rare(inner, survey.counts)
        design = method.design(inner, survey)
        treated = None
        if design.cut is not None:
            assert isinstance(design.cut, CutGroups)
            treated, spool = GroupedRows(dict(design.recoded)), design.cut.rows
    if smallest is not None and smallest < spool.rows:
        design = replace(design, mechanism=replace(design.mechanism, block=smallest))
    columns = [name for name in read.columns if name not in hidden]
    says_everything(design, columns)
    shown = Shown.of(columns, design, read.schema, read.by_cells, read.types, treated)
    held: Pieces
    if starts is None:
        draws = Draws.of(key, repeat_key(prepare), design.mechanism, design.schema or inner)
        held = Buckets.fill(spool, drawn, design, shown, draws, memory)
    else:
        held = Blocks(spool, starts, design, shown, key)
    builder = ReleaseBuilder(schema, method, tuple(prepare), key)
    return builder.release(held, Origin("pyarrow"), design, inner, read.rounded)


def _of_held_rows(
    read: _Read, schema: Schema, method: Anonymizer, prepare: Sequence[Step], key: Key, memory: int
) -> Release:
    """Make a release by a method that looks at all rows: their codes are taken into memory, and the rest stays on disk."""
    spool = read.spool
    refuse_size(method, schema, "stream", spool.rows, bytes_held(spool.rows, spool.bytes), memory)

    def prepared_alike(other: Any, columns: tuple[str, ...] | None = None) -> CodedTable:
        return prepared_table(other, schema, prepare, columns)

    made = design_rows(_whole(read, schema), method, prepare, key, prepared_alike)
    held = HeldRows.of(treated_columns(made), made.order, read.types, memory)
    builder = ReleaseBuilder(schema, method, tuple(prepare), key)
    return builder.release(held, Origin("pyarrow"), made.design, made.table.schema, read.rounded)


def _whole(read: _Read, schema: Schema) -> CodedTable:
    """Take the codes of all rows into memory, and the cells that codes do not tell."""
    chunk = read.spool.whole()
    read.spool.close()
    columns = {}
    for name in read.columns:
        cells = chunk.cells.column(name).combine_chunks() if chunk.cells is not None and name in read.by_cells else None
        columns[name] = Column(chunk.codes(name) if name in chunk.layout.types else None, cells)
    people = None
    for name in schema.names("person"):
        assert chunk.cells is not None
        people = people_named(chunk.cells.column(PERSON).combine_chunks(), name, schema)
    return CodedTable(read.schema, columns, chunk.rows, read.rounded, people, chunk.tags)


@dataclass(frozen=True)
class _Read:
    """The rows as they were read: on disk, with the schema after preparation."""

    spool: Spool
    schema: Schema
    columns: tuple[str, ...]  # in the order of the files
    by_cells: tuple[str, ...]  # the columns whose cells are kept beside their codes
    types: dict[str, Any]  # the types of the columns that are as they came
    rounded: dict[str, int]


def _read(rows: Rows, schema: Schema, prepare: Sequence[Step], kept: Sequence[str], memory: int) -> _Read:
    """Read, check and prepare all rows, and keep them on disk; begin again where a column turns out to be wider."""
    left = keeping_identifiers(schema, prepare)
    check_columns(rows.columns, left)
    columns = [name for name in rows.columns if left[name].role != "identifier"]
    if not columns:
        raise DataError("Every column is an identifier, so nothing is left to release.")
    tagged = {step.column for step in prepare if isinstance(step, PersonTags)}
    columns = [name for name in rows.columns if name in columns or name in tagged]
    while True:
        try:
            return _read_once(rows, columns, schema, prepare, kept, memory)
        except Widened:
            continue


def _read_once(
    rows: Rows, columns: Sequence[str], schema: Schema, prepare: Sequence[Step], kept: Sequence[str], memory: int
) -> _Read:
    made: _Read | None = None
    rounded: dict[str, int] = {}
    with stage("Reading and checking every cell", rows.total, rows=rows.by_rows) as reading:
        for batch in rows.batches(columns, batch_rows(memory, len(columns))):
            table = prepared_rows(batch.rows, schema, prepare, cells=kept)
            for name, count in table.rounded.items():
                rounded[name] = rounded.get(name, 0) + count
            made = made or _start(table, batch.rows, schema, rounded)
            codes = {name: table.codes(name) for name in made.spool.layout.types if name not in TAGS}
            if table.tags is not None:
                codes |= dict(zip(TAGS, table.tags.T, strict=True))
            cells = {name: table.columns[name].cells for name in made.by_cells}
            if table.people is not None:
                cells[PERSON] = table.people.cells
            made.spool.append(made.spool.layout.pack(codes, table.rows), _as_table(cells))
            reading.advance(batch.done - reading.done)
    if made is None:
        raise DataError("The table has no rows.")
    return made


def _start(table: CodedTable, raw: Any, schema: Schema, rounded: dict[str, int]) -> _Read:
    layout: dict[str, Any] = {}
    for name, column in table.columns.items():
        domain = table.schema[name].domain
        if column.codes is not None and domain is not None:
            layout[name] = code_type(domain)
    if table.tags is not None:
        layout |= dict.fromkeys(TAGS, np.uint64)
    types = {
        name: cell_type(raw.schema.field(name).type)
        for name in table.columns
        if table.schema[name].domain == schema[name].domain
    }
    by_cells = tuple(name for name, column in table.columns.items() if column.cells is not None)
    return _Read(Spool(Layout.of(layout)), table.schema, tuple(table.columns), by_cells, types, rounded)


def _as_table(cells: dict[str, Any]) -> Any:
    import pyarrow as pa

    return pa.table(cells) if cells else None
