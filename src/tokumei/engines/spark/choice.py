"""Which rows are drawn: those that the local engine draws with the same key.

Who is drawn follows from the numbers of rows and the labels of strata alone, one row after the other. So the driver goes through
them once and notes where it stands before the first row of every part; a task goes on from there.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.anonymizers.sample import Choice, Sample, Stratified
from tokumei.arrays import Booleans, Integers
from tokumei.engines.spark.look import Look
from tokumei.engines.spark.problems import in_one_sentence, in_task
from tokumei.engines.spark.rows import UNSTABLE, mapped, this_part
from tokumei.errors import DataError
from tokumei.messages import phrase
from tokumei.progress import stage
from tokumei.randomness import Key
from tokumei.randomness.selection import Standing
from tokumei.table.coded import CodedTable

CHUNK = 2**20  # rows


@dataclass(frozen=True, eq=False)
class Chosen:
    """The rows that are drawn, as tasks need to know it: how the choice stands before each part.

    ``planned`` is the size that a guarantee may count on, ``size`` how many rows are drawn; ``column`` that of the strata, and
    ``taken`` how many are drawn in each.
    """

    planned: int
    size: int
    before: Mapping[int, Standing]
    column: str | None = None
    taken: Integers | None = None

    def choosing(self, key: Key) -> Choosing:
        """Go on choosing at the first row of the part of this task."""
        standing = self.before.get(this_part())
        if standing is None:
            raise DataError(UNSTABLE)
        return Choosing(Choice(self.planned, standing.resume(key)), self.column)


@dataclass(frozen=True)
class Choosing:
    """Chooses the rows of a part, chunk by chunk."""

    choice: Choice
    column: str | None

    def drawn(self, table: CodedTable) -> Booleans:
        """Say which rows of the next chunk are drawn."""
        strata = None if self.column is None else table.codes(self.column).astype(np.int64)
        return self.choice.take(table.rows, strata)


def choose(sample: Sample | None, look: Look, key: Key) -> Chosen | None:
    """Decide which rows are drawn; none if all are."""
    if sample is None:
        return None
    schema = look.empty.schema
    column = sample.column if isinstance(sample, Stratified) else None
    counts = None
    if column is not None:
        counts = look.counts.get(schema[column].name, np.zeros(0, dtype=np.int64))
    choice = Choice.of(sample, look.rows, schema, counts, key)
    strata = None if column is None else _strata(look, column)
    before, size = {}, 0
    with stage("Drawing the sample", look.rows) as shown:
        for number, part in sorted(look.parts.by_number.items()):
            before[number] = choice.stand()
            for low in range(0, part.rows, CHUNK):
                count = min(CHUNK, part.rows - low)
                where = None if strata is None else strata.next(count)
                size += int(np.count_nonzero(choice.take(count, where)))
                shown.advance(count)
    return Chosen(choice.planned, size, before, column, choice.taken)


class _Strata:
    """The strata of all rows in order: a byte or two each, packed."""

    def __init__(self, packed: Iterable[bytes], kind: Any) -> None:
        self._packed, self._kind = iter(packed), kind
        self._held = np.zeros(0, dtype=kind)

    def next(self, count: int) -> Integers:
        while len(self._held) < count:
            more = np.frombuffer(zlib.decompress(next(self._packed)), dtype=self._kind)
            self._held = np.concatenate([self._held, more])
        found, self._held = self._held[:count], self._held[count:]
        return found.astype(np.int64)


def _strata(look: Look, column: str) -> _Strata:
    """Fetch the stratum of every row."""
    reader, parts, kinds = look.reader, look.parts, {"start": pa.int64(), "codes": pa.binary()}
    kind = np.min_scalar_type(look.empty.schema[column].states)

    def codes(batches: Iterable[Any]) -> Iterator[Any]:
        with in_task():
            for start, table in parts.numbered(reader, batches):
                packed = zlib.compress(table.codes(column).astype(kind).tobytes(), 1)
                yield pa.RecordBatch.from_pylist([{"start": start, "codes": packed}], schema=pa.schema(kinds.items()))

    with stage("Looking at the strata"), in_one_sentence(phrase("drawing a sample")):
        found = mapped(look.frame, codes, kinds).toArrow().sort_by("start")
    return _Strata(found.column("codes").to_pylist(), kind)
