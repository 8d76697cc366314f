"""What a method may ask about rows that lie on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tokumei.anonymizers.anonymizer import Need, SmallClasses
from tokumei.anonymizers.sample import Choice, Sample, Stratified
from tokumei.arrays import Booleans, Bytes, Integers, Unsigned64
from tokumei.engines.cuts import CutGroups
from tokumei.engines.needs import COUNTS
from tokumei.engines.stream.counting import tallies
from tokumei.engines.stream.grouping import cut_rows
from tokumei.engines.stream.identity import Identity
from tokumei.engines.stream.own_cells import told_on_disk
from tokumei.engines.stream.spool import Spool
from tokumei.engines.stream.suppression import small_classes
from tokumei.engines.survey import across_strata, told_strata
from tokumei.errors import InvalidParameter
from tokumei.partition.mondrian import Mondrian
from tokumei.privacy.sampling import HidingPlace
from tokumei.progress import stage
from tokumei.randomness import Key
from tokumei.table.axis import axis_of
from tokumei.table.coded import CodedTable
from tokumei.table.schema import Schema


@dataclass(frozen=True)
class Chosen:
    """Which rows were drawn, a bit each; ``counts`` and ``taken`` are those of the strata."""

    planned: int
    released: int
    bits: Sequence[Bytes] | None = None  # for each chunk; None if all rows are released
    counts: Integers | None = None
    taken: Integers | None = None

    def of(self, place: int, rows: int) -> Booleans:
        """Say which rows of a chunk were drawn."""
        if self.bits is None:
            return np.ones(rows, dtype=np.bool_)
        return np.unpackbits(self.bits[place], count=rows).astype(np.bool_)


def chosen(sample: Sample | None, spool: Spool, schema: Schema, key: Key) -> Chosen:
    """Draw the rows of a release: those that the local engine draws with the same key."""
    if sample is None:
        return Chosen(spool.rows, spool.rows)
    column = sample.column if isinstance(sample, Stratified) else None
    counts = None if column is None else count_codes(spool, column, schema[column].states)
    choice = Choice.of(sample, spool.rows, schema, counts, key)
    bits, released = [], 0
    for chunk in spool.chunks():
        drawn = choice.take(chunk.rows, None if column is None else chunk.codes(column).astype(np.int64))
        released += int(drawn.sum())
        bits.append(np.packbits(drawn))
    return Chosen(choice.planned, released, bits, counts, choice.taken)


def count_codes(spool: Spool, column: str, states: int) -> Integers:
    """Count the codes of a column."""
    total = np.zeros(states, dtype=np.int64)
    for chunk in spool.chunks():
        total += np.bincount(chunk.codes(column), minlength=states)
    return total


@dataclass(frozen=True)
class StreamSurvey:
    """Answers about rows on disk: the same ones as those of the local engine for the same rows and key.

    ``schema`` is that of the prepared rows, before a hidden column of strata was taken away. ``block`` is the size of the
    smallest block where rows are shuffled in blocks only. ``rounded`` counts the cells of columns that lie between the
    points of their grid.
    """

    spool: Spool
    schema: Schema
    by_cells: Sequence[str]
    drawn: Chosen
    sample: Sample | None
    memory: int
    prepare: Callable[[Any, tuple[str, ...] | None], CodedTable]
    block: int | None = None
    rounded: Mapping[str, int] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return self.spool.rows

    @property
    def released(self) -> int:
        """How many of them were drawn."""
        return self.drawn.released

    @property
    def planned(self) -> int:
        """The number of released rows that a guarantee is to be solved for."""
        return self.drawn.planned

    @property
    def offers(self) -> frozenset[Need]:
        """What can be counted of rows on disk."""
        return COUNTS

    def small_classes(self, columns: tuple[str, ...], k: int) -> SmallClasses:
        """Find the rows that agree in all columns with fewer than k, themselves included."""
        return small_classes(self.spool, columns, self.by_cells, k, self.memory)

    def cut(self, columns: tuple[str, ...], k: int, cuts: Mondrian) -> CutGroups:
        """Put the rows into groups of at least k by cuts; they lie in files of their groups then."""
        axes = tuple(axis_of(self.schema[name]) for name in columns)
        told = told_on_disk(self.spool, self.schema, columns, self.by_cells, self.rounded)
        spool, low, high, sizes = cut_rows(self.spool, axes, k, cuts, self.memory)
        return CutGroups(axes, low, high, sizes, told, spool)

    @property
    def table(self) -> None:
        """The rows themselves are on disk."""
        return None

    def shared_with(self, pilot: CodedTable) -> None:
        """Say that a pilot cannot be compared with rows that are not in memory."""

    def prepared(self, frame: Any, columns: tuple[str, ...] | None = None) -> CodedTable:
        """Check and prepare another table as this one was, or some columns of it."""
        return self.prepare(frame, columns)

    def hiding_places(self, known: tuple[str, ...]) -> tuple[HidingPlace, ...]:
        """List among how many rows people hide; the reasons stand with the local engine's survey."""
        if self.block is not None:
            if known or self.released < self.rows:
                raise InvalidParameter(
                    "Rows shuffled in blocks give a guarantee only for whole tables whose columns released "
                    "unchanged are unknown to attackers; shuffle all rows (shuffle='rows')."
                )
            return (HidingPlace(0, self.block),)
        column = self.sample.column if isinstance(self.sample, Stratified) else None
        told = tuple(dict.fromkeys((*known, *([column] if column is not None and self._labels_released else []))))
        hidden = column is not None and not self._labels_released
        if not told and not hidden:
            return (HidingPlace(self.rows - self.released, self.released),)
        pairs: set[tuple[int, ...]] = set()
        for keys, counts in self._classes(told, column if hidden else None):
            if not hidden:
                inside = counts[:, 1] > 0
                pairs |= {(int(n - m), int(m)) for n, m in np.unique(counts[inside], axis=0)}
            else:
                pairs |= self._across_strata(keys, counts)
        return tuple(HidingPlace(*each) for each in sorted(pairs))

    @property
    def people(self) -> None:
        """Whose row each is: a person column is refused before."""
        return None

    def _classes(self, columns: Sequence[str], stratum: str | None) -> Iterator[tuple[Unsigned64, Integers]]:
        """Count the rows, and those drawn, of each class; where ``stratum`` is given, of each class in each stratum."""
        identity = Identity(columns, self.by_cells, self.spool.layout, self.memory // 4)

        def rows() -> Iterator[tuple[Unsigned64, Integers]]:
            with stage("Counting classes", self.rows, rows=True) as counting:
                for place, chunk in enumerate(self.spool.chunks()):
                    keys = identity.keys(chunk)
                    if stratum is not None:
                        keys = np.column_stack([keys, chunk.codes(stratum).astype(np.uint64)])
                    drawn = self.drawn.of(place, chunk.rows)
                    yield keys, np.stack([np.ones(chunk.rows, dtype=np.int64), drawn.astype(np.int64)], axis=1)
                    counting.advance(chunk.rows)

        words = identity.words + (stratum is not None)
        for tally in tallies(rows, words, 2, self.memory // 2, identity.words):
            yield tally.result()

    def _across_strata(self, keys: Unsigned64, counts: Integers) -> set[tuple[int, int, int]]:
        assert self.drawn.taken is not None
        _, place = np.unique(keys[:, :-1], axis=0, return_inverse=True)
        place = place.reshape(-1)
        inside = np.bincount(place, weights=counts[:, 1]).astype(np.int64)[place]
        return across_strata(counts[:, 0], inside, self.drawn.taken[keys[:, -1].astype(np.int64)])

    @property
    def _labels_released(self) -> bool:
        return isinstance(self.sample, Stratified) and self.sample.labels == "released"

    def counts(self, column: str) -> tuple[int, ...]:
        """Count the values of a column."""
        counted = count_codes(self.spool, self.schema[column].name, self.schema[column].states)
        return tuple(int(count) for count in counted)

    def strata(self) -> tuple[tuple[str | None, int, int], ...]:
        """Count the rows, and those drawn, of each stratum whose label is released; None stands for missing cells."""
        if not self._labels_released:
            return ()
        assert isinstance(self.sample, Stratified)
        return told_strata(self.schema[self.sample.column], self.drawn.counts, self.drawn.taken)
