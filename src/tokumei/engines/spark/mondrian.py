"""Generalization by Mondrian in Spark: the first cuts on a sample, every cell cut down by one task, k counted on all rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Codes, Places
from tokumei.engines.spark.cells import cut_cells
from tokumei.engines.spark.drawing import ORDER, order_words, released_types, shuffled
from tokumei.engines.spark.look import Look
from tokumei.engines.spark.own_cells import told_in_spark
from tokumei.engines.spark.problems import in_one_sentence, in_task
from tokumei.engines.spark.release import SparkRows
from tokumei.engines.spark.rows import mapped, numbered_columns, spark_schema
from tokumei.engines.spark.session import quietly
from tokumei.errors import InvalidParameter
from tokumei.mechanism.recoding import Scheme
from tokumei.messages import phrase
from tokumei.partition.mondrian import Mondrian
from tokumei.partition.mondrian_tree import CutTree
from tokumei.partition.partition import Problem, boxes
from tokumei.progress import stage
from tokumei.randomness import TaskKey
from tokumei.table.axis import Axis, axis_of
from tokumei.table.coded import CodedTable
from tokumei.table.overlap import disjoint
from tokumei.table.own_cells import OwnTexts
from tokumei.table.schema import Schema

CELL = 2**18  # rows that one task cuts down; a smaller table is one cell, and is cut exactly as it is locally
SAMPLE = 2**18  # rows that the first cuts are made on
COMPARED = 2**20  # boxes up to which it is looked whether any two overlap

CELL_NUMBER, COUNT = "tokumei cell", "tokumei rows"


def cut_frame(look: Look, key: TaskKey, columns: tuple[str, ...], k: int, cuts: Mondrian) -> CutStretches:
    """Group the rows by cuts, and count k on what comes out."""
    axes = tuple(axis_of(look.empty.schema[name]) for name in columns)
    laid = _Laid(look, key, axes, tuple(name for name in look.empty.columns if name not in columns))
    with stage("Cutting"), in_one_sentence(phrase("cutting")):
        cells = _cells(laid, cuts, k)
        grouped = _cut_down(laid, cells, cuts, k)
        try:
            found = _counted(grouped, axes)
        except BaseException:
            grouped.unpersist()
            raise
    if found.rows != look.rows:
        raise InvalidParameter("rows were lost; this is a bug, please report it.")
    return CutStretches(look, axes, grouped, found, told_in_spark(look, columns))


@dataclass(frozen=True, repr=False)
class _Laid:
    """The rows of a Spark frame laid along the axes of their quasi-identifiers, with the columns that stay as they are."""

    look: Look
    key: TaskKey
    axes: tuple[Axis, ...]
    kept: tuple[str, ...]

    def chunks(self, batches: Iterable[Any]) -> Iterator[tuple[int, CodedTable, Any]]:
        """Return the first row number, the rows, and their places, of each chunk of a part."""
        for start, table in self.look.parts.numbered(self.look.reader, batches):
            yield start, table, np.stack([axis.place[table.codes(axis.name)] for axis in self.axes], axis=1)

    def without_frame(self) -> _Laid:
        """Return what tasks need, which is all but the frame."""
        bare = Look(None, self.look.reader, self.look.empty, self.look.parts, {}, {})
        return _Laid(bare, self.key, self.axes, self.kept)

    @property
    def kept_types(self) -> dict[str, Any]:
        return released_types(self.look, self.look.empty.schema, self.kept, ())


def _cells(laid: _Laid, partition: Mondrian, k: int) -> CutTree:
    """Cut a sample into cells, count all their rows, and take back the cuts that left a cell too small."""
    rows = laid.look.rows
    if rows <= CELL:
        return CutTree.whole()
    rate = min(1.0, SAMPLE / rows)
    sample = _sampled(laid, rate)
    cells = cut_cells(Problem(sample, laid.axes, k), partition, len(sample) / rows, CELL)
    task, kinds = laid.without_frame(), {CELL_NUMBER: pa.int32(), COUNT: pa.int64()}

    def count(batches: Iterable[Any]) -> Iterator[Any]:
        with in_task():
            for _, _, places in task.chunks(batches):
                numbers, counts = np.unique(cells.leaves(places).astype(np.int32), return_counts=True)
                yield pa.RecordBatch.from_arrays([pa.array(numbers), pa.array(counts)], names=list(kinds))

    found = mapped(laid.look.frame, count, kinds).toArrow()
    counts = np.zeros(len(cells), dtype=np.int64)
    np.add.at(counts, found.column(0).to_numpy(), found.column(1).to_numpy())
    return cells.merged(counts, max(k, partition.min_size or 0))


def _sampled(laid: _Laid, rate: float) -> Any:
    """Fetch the places of a sample of the rows, the same ones whenever the key is the same."""
    task, limit = laid.without_frame(), np.uint64(min(2**64 - 1, int(rate * 2**64)))
    kinds = {f"place {number}": pa.int32() for number in range(len(laid.axes))}

    def sample(batches: Iterable[Any]) -> Iterator[Any]:
        with in_task():
            stream = task.key.open().stream("first cuts")
            for start, _, places in task.chunks(batches):
                drawn = places[stream.words(start, len(places)) <= limit]
                yield pa.RecordBatch.from_arrays([pa.array(each) for each in drawn.T.copy()], names=list(kinds))

    found = mapped(laid.look.frame, sample, kinds).toArrow()
    return np.stack([column.to_numpy() for column in found.columns], axis=1).astype(np.int32)


def _cut_down(laid: _Laid, cells: CutTree, partition: Mondrian, k: int) -> Any:
    """Send the rows of each cell to one task, which cuts them down; return each row's stretches, kept cells and words."""
    from pyspark import StorageLevel

    task, axes, kept = laid.without_frame(), laid.axes, laid.kept_types
    rest = {**kept, **dict.fromkeys(ORDER, pa.int64())}
    sent = {CELL_NUMBER: pa.int32(), **{_stretch(place): pa.int32() for place in range(len(axes))}, **rest}
    back = {**{_stretch(place): pa.int64() for place in range(len(axes))}, **rest}

    def send(batches: Iterable[Any]) -> Iterator[Any]:
        with in_task():
            key = task.key.open()
            for start, table, places in task.chunks(batches):
                every = np.arange(table.rows)
                columns = [
                    pa.array(cells.leaves(places).astype(np.int32)),
                    *(pa.array(each) for each in places.T.copy()),
                ]
                columns += [_as_it_is(table, name) for name in kept]
                columns += order_words(key, start, table.rows, every).values()
                yield from pa.table(columns, names=list(sent)).to_batches()

    def cut(rows: pa.Table) -> pa.Table:
        with in_task():
            rows = rows.rename_columns(list(sent))
            places = np.stack([rows.column(_stretch(place)).to_numpy() for place in range(len(axes))], axis=1)
            problem = Problem(places, axes, k)
            labels = partition.group(problem)
            low, high = boxes(problem, labels)
            made = [
                pa.array((low[:, place].astype(np.int64) * axis.size + high[:, place])[labels])
                for place, axis in enumerate(axes)
            ]
            return pa.table([*made, *(rows.column(name) for name in rest)], names=list(back))

    frame = numbered_columns(mapped(laid.look.frame, send, sent))
    with quietly():
        grouped = frame.groupBy(frame.columns[0]).applyInArrow(cut, spark_schema(back))
    return grouped.persist(StorageLevel.DISK_ONLY)


def _stretch(place: int) -> str:
    return f"tokumei stretch {place}"


def _as_it_is(table: CodedTable, name: str) -> Any:
    column, domain = table.columns[name], table.schema[name].domain
    if column.cells is not None:
        return column.cells
    assert domain is not None
    return domain.values_of(table.codes(name))


@dataclass(frozen=True)
class _Found:
    """What was counted on the groups: all rows, the smallest class, each axis's stretches with rows; whether boxes overlap."""

    rows: int
    smallest: int
    stretches: tuple[Mapping[int, int], ...]
    scheme: Scheme

    def loss(self, axes: Sequence[Axis]) -> float:
        """Return the mean loss of a cell."""
        total = 0.0
        for axis, counts in zip(axes, self.stretches, strict=True):
            keys = np.array(list(counts), dtype=np.int64)
            total += float(axis.loss(keys // axis.size, keys % axis.size) @ np.array(list(counts.values())))
        return total / (self.rows * len(axes))


def _counted(grouped: Any, axes: Sequence[Axis]) -> _Found:
    from pyspark import StorageLevel
    from pyspark.sql import functions as F  # noqa: N812

    keys = [_stretch(place) for place in range(len(axes))]
    classes = grouped.groupBy(*keys).agg(F.count("*").alias(COUNT)).persist(StorageLevel.DISK_ONLY)
    try:
        number, rows, smallest = classes.agg(F.count("*"), F.sum(COUNT), F.min(COUNT)).collect()[0]
        stretches = []
        for key in keys:
            each = classes.groupBy(key).agg(F.sum(COUNT).alias(COUNT)).toArrow()
            stretches.append(dict(zip(each.column(0).to_pylist(), each.column(1).to_pylist(), strict=True)))
        scheme: Scheme = "disjoint"
        if any(
            axis.free < axis.size for axis in axes
        ):  # labels of trees, and stars, may reach over those of other groups
            scheme = "overlapping"
            if number <= COMPARED:
                table = classes.select(*keys).toArrow()
                found = np.stack([column.to_numpy() for column in table.columns], axis=1)
                sizes = np.array([axis.size for axis in axes])
                low, high = (found // sizes).astype(np.int32), (found % sizes).astype(np.int32)
                scheme = "disjoint" if disjoint(low, high) else "overlapping"
    finally:
        classes.unpersist()
    return _Found(int(rows), int(smallest), tuple(stretches), scheme)


@dataclass(frozen=True, repr=False)
class CutStretches:
    """Rows in groups, in a Spark frame: what stretches each axis has. The shorter lists of them are filled up."""

    look: Look
    axes: tuple[Axis, ...]
    grouped: Any
    found: _Found
    told: Mapping[str, OwnTexts]

    @property
    def _keys(self) -> Any:
        longest = max(len(each) for each in self.found.stretches)
        return np.stack([np.resize(sorted(each), longest) for each in self.found.stretches], axis=1)

    @property
    def _sizes(self) -> Any:
        return np.array([axis.size for axis in self.axes])

    @property
    def low(self) -> Places:
        """Where stretches begin: one column an axis."""
        low: Places = (self._keys // self._sizes).astype(np.int32)
        return low

    @property
    def high(self) -> Places:
        """Where they end."""
        high: Places = (self._keys % self._sizes).astype(np.int32)
        return high

    @property
    def scheme(self) -> Scheme:
        """Whether groups overlap."""
        return self.found.scheme

    @property
    def loss(self) -> float:
        """The mean loss of a cell."""
        return self.found.loss(self.axes)

    def smallest(self, codes: Mapping[str, Codes]) -> int:
        """Return the rows of the smallest class, as they were counted."""
        return self.found.smallest

    def labelled(self, schema: Schema, codes: Mapping[str, Codes]) -> SparkRows:
        """Put labels in place of stretches, and shuffle."""
        types = released_types(self.look, schema, self.look.empty.columns, codes)
        made = _labelled(self.grouped, schema, codes, self.found, self.axes, types)
        return SparkRows(shuffled(made, len(self.look.parts.by_number)), types, self.look.rows, (self.grouped,))


def _labelled(
    grouped: Any,
    schema: Schema,
    codes: Mapping[str, Codes],
    found: _Found,
    axes: tuple[Axis, ...],
    types: Mapping[str, Any],
) -> Any:
    """Put labels in place of stretches."""
    keys = [np.array(sorted(each), dtype=np.int64) for each in found.stretches]
    labels = {}
    for place, axis in enumerate(axes):
        domain = schema[axis.name].domain
        assert domain is not None
        labels[axis.name] = (
            _stretch(place),
            keys[place],
            domain.values_of(codes[axis.name][: len(keys[place])]),
        )
    kinds = {**types, **dict.fromkeys(ORDER, pa.int64())}

    def label(batches: Iterable[Any]) -> Iterator[Any]:
        with in_task():
            for batch in batches:
                columns = []
                for name in kinds:
                    if name in labels:
                        column, sorted_keys, names = labels[name]
                        which = np.searchsorted(sorted_keys, batch.column(column).to_numpy())
                        columns.append(names.take(pa.array(which)))
                    else:
                        columns.append(batch.column(name))
                yield pa.RecordBatch.from_arrays(columns, names=list(kinds))

    return mapped(grouped, label, kinds)
