"""Spark computes things twice: for a lost machine, a slow one, or whoever asks again. Nothing may be drawn twice.

The work of tasks is tried here without a cluster, since a task is a function of batches and of the number of its part. A cluster that
loses a machine and runs slow tasks twice is tried in ``tests/engines/test_spark.py``.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import tokumei as tk
from tests.engines.stream.rows import as_multiset
from tokumei.engines.spark import rows as spark_rows
from tokumei.engines.spark.choice import choose
from tokumei.engines.spark.drawing import ORDER, Drawing
from tokumei.engines.spark.look import Look
from tokumei.engines.spark.rows import Part, Parts, Reader, cell_bytes, check_sums
from tokumei.errors import DataError
from tokumei.prepare.rows import prepared_rows
from tokumei.randomness import Key, Stream

ROWS = 500
SCHEMA = tk.Schema(
    [
        tk.Attribute("name", "identifier"),
        tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 99, step=1)),
        tk.Attribute("town", "quasi_identifier", tk.Categories([f"t{place}" for place in range(300)])),
        tk.Attribute("pay", "sensitive", tk.Numbers(0, 10, step=1)),
        tk.Attribute("note", "insensitive", missing=True),
        tk.Attribute("seen", "insensitive", missing=True),
    ]
)
UNSTABLE = "write the frame to Parquet first"


def people() -> pa.Table:
    rng = np.random.default_rng(3)
    return pa.table(
        {
            "name": [f"person {row}" for row in range(ROWS)],
            "age": rng.integers(0, 100, ROWS),
            "town": [f"t{place}" for place in rng.integers(0, 300, ROWS)],
            "pay": rng.integers(0, 10, ROWS).astype(np.float64),
            "note": pa.array([None if row % 5 == 0 else f"note {row % 4}" for row in range(ROWS)]),
            "seen": pa.array([dt.datetime(2020, 1, 1) + dt.timedelta(hours=row % 7) for row in range(ROWS)]),
        }
    )


@cache
def local_release() -> tk.Release:
    return tk.anonymize(people(), SCHEMA, tk.PkPerturbation(k=5, tells="all"), seed=1)


class Cluster:
    """Parts of a table, and tasks that work on them one after the other."""

    def __init__(self, patch: pytest.MonkeyPatch, sizes: Iterable[int], batch: int = 70) -> None:
        ends = np.cumsum([0, *sizes])
        table = people()
        self.batch = batch
        self.tables = {
            part: table.slice(start, stop - start) for part, (start, stop) in enumerate(itertools.pairwise(ends))
        }
        self.reader = Reader(SCHEMA, ())
        self._now = 0
        for module in ("rows", "choice"):
            patch.setattr(f"tokumei.engines.spark.{module}.this_part", lambda: self._now)
        patch.setattr(spark_rows, "ROWS", 100)
        parts = {}
        for part, (start, rows) in enumerate(zip(ends, self.tables.values(), strict=False)):
            chunks = tuple(check_sums(each) for each in self.reader.tables(self.batches(rows)))
            parts[part] = Part(int(start), chunks)
        self.parts = Parts(parts)
        empty = prepared_rows(table.slice(0, 0), SCHEMA, (), empty=True)
        counts = {"pay": np.zeros(11, dtype=np.int64)}
        self.look = Look(None, self.reader, empty, self.parts, counts, {})

    def batches(self, rows: pa.Table) -> Iterator[Any]:
        return iter(rows.combine_chunks().to_batches(max_chunksize=self.batch))

    def drawing(self, key: Key, sample: Any = None) -> Drawing:
        local = local_release()
        chosen = choose(sample, self.look, key)
        columns = tuple(self.look.empty.columns)
        return Drawing(
            self.reader,
            self.parts,
            local.schema,
            columns,
            local.mechanism.channels,
            local.mechanism.telling,
            chosen,
            key.for_tasks(),
        )

    def run(self, drawing: Drawing, part: int, rows: pa.Table | None = None) -> pa.Table:
        """Let a task draw the rows of a part."""
        self._now = part
        return pa.concat_tables(drawing.chunks(self.batches(self.tables[part] if rows is None else rows)))


def replaced(name: str, cells: Any) -> Any:
    """Return what replaces the cells of a column."""
    return lambda rows: rows.set_column(rows.column_names.index(name), name, cells(rows.column(name).combine_chunks()))


CHANGES = {
    "a note": replaced("note", lambda cells: pa.array(["another", *cells.to_pylist()[1:]])),
    "another note is missing": replaced("note", lambda cells: pa.array([*cells.to_pylist()[1:], cells[0].as_py()])),
    "notes in another order": replaced("note", lambda cells: cells.take(pa.array(np.arange(len(cells))[::-1]))),
    "notes that run together": replaced("note", lambda cells: moved_letter(cells)),
    "digits that no domain has": replaced("pay", lambda cells: pa.array(np.array(cells) + 0.25)),
    "a time": replaced("seen", lambda cells: pc.add(cells, pa.scalar(dt.timedelta(seconds=1)))),
    "a code": replaced("age", lambda cells: pa.array([(cells[0].as_py() + 1) % 100, *cells.to_pylist()[1:]])),
    "rows in another order": lambda rows: rows.take(pa.array(np.arange(len(rows))[::-1])),
    "a row less": lambda rows: rows.slice(1),
    "the last row less": lambda rows: rows.slice(0, len(rows) - 1),
    "only some chunks": lambda rows: rows.slice(0, 100),
    "a row more": lambda rows: pa.concat_tables([rows, rows.slice(0, 1)]),
}


def moved_letter(cells: Any) -> Any:
    """Let a letter of a note move to the next: all of them together are the same text."""
    notes = cells.to_pylist()
    notes[1], notes[2] = notes[1][:-1], notes[1][-1] + notes[2]
    return pa.array(notes)


@pytest.mark.parametrize("change", CHANGES)
def test_a_part_that_changed_stops_its_task(monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    """The promise was solved for other rows, or a person would be drawn with two words."""
    cluster = Cluster(monkeypatch, [300, 200])
    drawing = cluster.drawing(Key.seeded(1))
    assert cluster.run(drawing, 0).num_rows == 300
    with pytest.raises(DataError, match=UNSTABLE):
        cluster.run(drawing, 0, CHANGES[change](cluster.tables[0]))
    with pytest.raises(DataError, match=UNSTABLE):
        cluster.run(drawing, 1, cluster.tables[0])
    with pytest.raises(DataError, match=UNSTABLE):
        cluster.run(drawing, 2, cluster.tables[0])


def test_no_row_comes_out_before_it_was_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks at the first rows only, as `show` does, sees none of a chunk that has changed."""
    cluster = Cluster(monkeypatch, [300, 200])
    drawing = cluster.drawing(Key.seeded(1))
    cluster._now = 0
    changed = CHANGES["rows in another order"](cluster.tables[0])
    with pytest.raises(DataError, match=UNSTABLE):
        next(iter(drawing.chunks(cluster.batches(changed))))


def test_names_that_change_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster(monkeypatch, [300, 200])
    drawing = cluster.drawing(Key.seeded(1))
    other = replaced("name", lambda cells: pa.array([str(row) for row in range(len(cells))]))(cluster.tables[0])
    assert cluster.run(drawing, 0, other).equals(cluster.run(drawing, 0))


SAMPLES = {"everyone": None, "fixed": 100, "coins": tk.samples.Bernoulli(0.3, delta=0.01)}


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_where_parts_and_batches_end_does_not_matter(monkeypatch: pytest.MonkeyPatch, sample: Any) -> None:
    """A part that is computed again, in other batches and after others, is the same; and so are all rows in other parts."""
    whole = []
    for sizes, batch in [([300, 200], 70), ([300, 200], 1000), ([1, 0, 499], 13), ([500], 500)]:
        cluster = Cluster(monkeypatch, sizes, batch)
        drawing = cluster.drawing(Key.seeded(1), sample)
        order = [*cluster.tables, *reversed(cluster.tables)]
        found = [(part, cluster.run(drawing, part)) for part in order if cluster.tables[part].num_rows]
        first = dict(reversed(found))
        assert all(table.equals(first[part]) for part, table in found)
        whole.append(pa.concat_tables(first[part] for part in sorted(first)))
    assert all(each.equals(whole[0]) for each in whole)
    words = np.stack([whole[0].column(name).to_numpy() for name in ORDER], axis=1)
    assert len(np.unique(words)) == words.size  # no word of the order is used for two rows


def test_every_address_is_read_for_one_row_and_purpose(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tasks of a release read different bytes of the key's streams; a task that is run again reads its own ones again."""
    reads: list[tuple[Any, int, int]] = []
    words, words_at = Stream.words, Stream.words_at

    def recorded(self: Stream, start: int, count: int, bits: int = 64, **more: Any) -> Any:
        reads.append((self.label, start * bits // 8, (start + count) * bits // 8))
        return words(self, start, count, bits, **more)

    def recorded_at(self: Stream, positions: Any, bits: int = 64) -> Any:
        reads.extend((self.label, int(at) * bits // 8, (int(at) + 1) * bits // 8) for at in positions)
        return words_at(self, positions, bits)

    cluster = Cluster(monkeypatch, [120, 0, 250, 130])
    drawing = cluster.drawing(Key.seeded(1))
    monkeypatch.setattr(Stream, "words", recorded)
    monkeypatch.setattr(Stream, "words_at", recorded_at)
    by_part = {}
    for part in (0, 2, 3):
        cluster.run(drawing, part)
        by_part[part] = sorted(reads, key=str)
        reads.clear()
    cluster.run(drawing, 2)
    assert sorted(reads, key=str) == by_part[2]
    every = sorted((each for part in by_part.values() for each in part), key=lambda each: (str(each[0]), each[1]))
    assert len({label for label, *_ in every}) >= 3
    for (label, _, stop), (other, start, _) in itertools.pairwise(every):
        assert label != other or stop <= start, (label, start)


def test_cells_of_every_type_are_told_apart() -> None:
    arrays = {
        "text": pa.array(["a", "bc", None, ""]),
        "bytes": pa.array([b"a", b"bc", None, b""]),
        "whole": pa.array([1, 2, None, 0]),
        "small": pa.array([1, 2, None, 0], pa.uint8()),
        "broken": pa.array([1.0, 0.5, None, 0.0], pa.float32()),
        "true": pa.array([True, False, None, False]),
        "day": pa.array([dt.date(2020, 1, 1), dt.date(2020, 1, 2), None, dt.date(1970, 1, 1)]),
        "time": pa.array([dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 2), None, dt.datetime(1970, 1, 1)]),
        "clock": pa.array([dt.time(1), dt.time(2), None, dt.time(0)]),
        "decimal": pa.array([Decimal("1.10"), Decimal("2.20"), None, Decimal("0.00")]),
    }
    for name, cells in arrays.items():
        told = [_told(cells), *(_told(cells.take(pa.array(order))) for order in _orders())]
        assert len(set(told)) == len(told), name
        assert _told(pa.concat_arrays([cells, cells]).slice(4)) == told[0], name
    assert _told(pa.nulls(3)) != _told(pa.nulls(2))


def _orders() -> list[list[int]]:
    return [[1, 0, 2, 3], [0, 1, 3, 2], [0, 0, 2, 3], [0, 1, 2, 2], [0, 1, 2]]


def _told(cells: Any) -> tuple[bytes, ...]:
    return tuple(np.ascontiguousarray(part).tobytes() for part in cell_bytes(cells))


def test_the_release_is_that_of_the_local_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster(monkeypatch, [300, 200])
    drawing = cluster.drawing(Key.seeded(1))
    drawn = pa.concat_tables(cluster.run(drawing, part).drop_columns(list(ORDER)) for part in (0, 1))
    local = local_release().table
    assert as_multiset(drawn.cast(local.schema)) == as_multiset(local)
