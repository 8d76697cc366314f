"""Methods that look at all rows, on Spark: the driver fetches the codes, designs and draws, and hands the released rows back in pieces.

What the cluster spares the driver are the cells as text: tasks check and code them, and tasks turn the released pieces into rows. The rows
are drawn once, on the driver, so a task that is run again can only unpack the same piece again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.engines.held import PIECE, HeldRows
from tokumei.engines.spark.look import Look
from tokumei.engines.spark.problems import in_one_sentence, in_task
from tokumei.engines.spark.release import SparkRows
from tokumei.engines.spark.rows import mapped
from tokumei.messages import phrase
from tokumei.progress import stage
from tokumei.table.coded import CodedTable, Column, people_named, told_by_codes
from tokumei.table.domain import code_type
from tokumei.table.schema import Schema

FETCHED = {"start": pa.int64(), "rows": pa.binary()}
CODES, CELLS, PERSON, TAGS = "codes ", "cells ", "person", "tags "
PACKED = pa.ipc.IpcWriteOptions(compression="zstd")


def bytes_of_codes(look: Look) -> int:
    """Return how many bytes the codes of all rows take."""
    domains = [look.empty.schema[name].domain for name in look.empty.columns]
    return look.rows * sum(np.dtype(code_type(domain)).itemsize for domain in domains if domain is not None)


def fetch_rows(look: Look, schema: Schema, kept: Sequence[str]) -> CodedTable:
    """Fetch the codes of all rows to the driver, and of the columns in ``kept`` the cells that codes do not tell."""
    reader, parts = look.reader, look.parts

    def packed(batches: Iterable[Any]) -> Iterator[Any]:
        with in_task():
            for start, table in parts.numbered(reader, batches):
                row = {"start": start, "rows": _packed(pa.table(_parts_of(table, kept)))}
                yield pa.RecordBatch.from_pylist([row], schema=pa.schema(FETCHED.items()))

    with stage("Fetching the codes of all rows"), in_one_sentence(phrase("fetching the codes of all rows")):
        found = mapped(look.frame, packed, FETCHED).toArrow().sort_by("start").column("rows").to_pylist()
    rows = pa.concat_tables(_unpacked(each) for each in found)
    columns = {}
    for name in look.empty.columns:
        codes = rows.column(CODES + name).to_numpy() if CODES + name in rows.column_names else None
        cells = rows.column(CELLS + name).combine_chunks() if CELLS + name in rows.column_names else None
        columns[name] = Column(codes, cells)
    people, tags = None, None
    for name in schema.names("person"):
        people = people_named(rows.column(PERSON).combine_chunks(), name, schema)
    if look.empty.tags is not None:
        tags = np.column_stack([rows.column(TAGS + str(place)).to_numpy() for place in range(2)])
    return CodedTable(look.empty.schema, columns, rows.num_rows, look.rounded, people, tags)


def _parts_of(table: CodedTable, kept: Sequence[str]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, column in table.columns.items():
        if column.codes is not None:
            made[CODES + name] = pa.array(column.codes)
        if column.cells is not None and (
            column.codes is None or (name in kept and not told_by_codes(table.schema[name], column.cells.type))
        ):
            made[CELLS + name] = column.cells
    if table.people is not None:
        made[PERSON] = table.people.cells
    if table.tags is not None:
        made |= {TAGS + str(place): pa.array(table.tags[:, place]) for place in range(2)}
    return made


def hand_back(session: Any, held: HeldRows) -> SparkRows:
    """Return drawn rows as a Spark frame: every piece is sent to one task, which unpacks it."""
    slices = max(1, int(session.sparkContext.defaultParallelism))
    size = max(1, min(PIECE, -(-held.rows // slices)))
    sent: list[tuple[bytearray]] = []
    waiting: list[pa.Table] = []
    for table in held:
        waiting.append(table)
        whole = pa.concat_tables(waiting)
        while whole.num_rows >= size:
            sent.append((bytearray(_packed(whole.slice(0, size))),))
            whole = whole.slice(size)
        waiting = [whole]
    if waiting and (waiting[0].num_rows or not sent):
        sent.append((bytearray(_packed(waiting[0])),))
    kinds: Mapping[str, Any] = {each.name: each.type for each in held.types}

    def unpacked(batches: Iterable[Any]) -> Iterator[Any]:
        with in_task():
            for batch in batches:
                for piece in batch.column(0).to_pylist():
                    yield from _unpacked(piece).to_batches()

    with in_one_sentence(phrase("sending the released rows")):
        pieces = session.createDataFrame(session.sparkContext.parallelize(sent, len(sent)), "piece binary")
        return SparkRows(mapped(pieces, unpacked, kinds), kinds, held.rows)


def _packed(rows: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema, options=PACKED) as writer:
        writer.write_table(rows)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _unpacked(content: bytes) -> pa.Table:
    return pa.ipc.open_stream(content).read_all()
