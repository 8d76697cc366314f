"""What a method may ask about a table in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.anonymizers.anonymizer import Need, SmallClasses
from tokumei.anonymizers.pilot import Shared, shared_rows
from tokumei.anonymizers.recoded import told_by
from tokumei.anonymizers.sample import Drawn, Sample, Stratified
from tokumei.arrays import Integers
from tokumei.engines.cuts import CutGroups
from tokumei.engines.needs import EVERYTHING
from tokumei.partition.mondrian import Mondrian
from tokumei.partition.partition import boxes
from tokumei.partition.rows import problem_of
from tokumei.privacy.sampling import HidingPlace
from tokumei.table.coded import CodedTable
from tokumei.table.people import People
from tokumei.table.schema import Attribute


@dataclass(frozen=True)
class LocalSurvey:
    """Answers of a table and of the rows drawn from it."""

    table: CodedTable
    drawn: Drawn
    sample: Sample | None = None
    prepare: Callable[[Any, tuple[str, ...] | None], CodedTable] | None = None

    @property
    def offers(self) -> frozenset[Need]:
        """Everything."""
        return EVERYTHING

    def small_classes(self, columns: tuple[str, ...], k: int) -> SmallClasses:
        """Find the rows that agree in all columns with fewer than k, themselves included."""
        classes = self.table.class_of(columns)
        sizes = np.bincount(classes)
        left_out = (sizes < k)[classes]
        smallest = int(sizes[sizes >= k].min(initial=self.rows))
        return SmallClasses(int(np.count_nonzero(left_out)), smallest, left_out)

    def cut(self, columns: tuple[str, ...], k: int, cuts: Mondrian) -> CutGroups:
        """Put the rows into groups of at least k by cuts."""
        problem = problem_of(self.table, columns, k)
        labels = cuts.group(problem)
        told = told_by(self.table, columns, np.ones(self.rows, dtype=np.bool_))
        return CutGroups(problem.axes, *boxes(problem, labels), np.bincount(labels), told, labels)

    def prepared(self, frame: Any, columns: tuple[str, ...] | None = None) -> CodedTable:
        """Check and prepare another table as this one was, or some columns of it."""
        assert self.prepare is not None
        return self.prepare(frame, columns)

    def shared_with(self, pilot: CodedTable) -> Shared:
        """Count the rows that a prepared pilot has in common with the table."""
        return shared_rows(self.table, pilot)

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return self.table.rows

    @property
    def released(self) -> int:
        """How many of them were drawn."""
        return len(self.drawn.order)

    @property
    def planned(self) -> int:
        """The number of released rows that a guarantee is to be solved for."""
        return self.drawn.planned

    def hiding_places(self, known: tuple[str, ...]) -> tuple[HidingPlace, ...]:
        """List among how many rows people hide.

        An attacker who knows columns tells their classes apart, and exchanges happen within a class. A person who was
        not drawn can stand in for one who was only in the same stratum, since the sizes of the strata are fixed.
        Released labels tell the strata apart like any known column. With hidden labels two drawn people can be
        exchanged across strata; how many of a stratum's people in a class were drawn is then not known, so as many are
        counted as can be. Where people have several rows, the most that one person has in a class may all be theirs.
        """
        classes = self.table.class_of(known)
        stratum = self.drawn.stratum
        if stratum is not None and self._labels_released:
            classes, stratum = _joined(classes, stratum), None
        everyone = np.bincount(classes)
        inside = np.bincount(classes[self.drawn.order], minlength=len(everyone))
        most = self._most_in(classes, everyone)
        if stratum is None:
            found = {(int(n - m), int(m), int(c)) for n, m, c in zip(everyone, inside, most, strict=True) if m}
        else:
            assert self.drawn.taken is not None
            (place, layer), counts = np.unique(np.stack([classes, stratum]), axis=1, return_counts=True)
            found = across_strata(counts, inside[place], self.drawn.taken[layer], most[place])
        return tuple(HidingPlace(*each) for each in sorted(found))

    @property
    def people(self) -> People | None:
        """Whose row each is, where a column says so."""
        return self.table.people

    def _most_in(self, classes: Integers, everyone: Integers) -> Integers:
        """Return how many rows of each class may be one person's: as declared, or else as counted."""
        if self.people is None:
            return np.ones_like(everyone)
        if self.people.declared:
            return np.minimum(everyone, self.people.most)
        return self.people.most_within(classes, len(everyone))

    @property
    def _labels_released(self) -> bool:
        return isinstance(self.sample, Stratified) and self.sample.labels == "released"

    def counts(self, column: str) -> tuple[int, ...]:
        """Count the values of a column."""
        counted = np.bincount(self.table.codes(column), minlength=self.table.schema[column].states)
        return tuple(int(count) for count in counted)

    def strata(self) -> tuple[tuple[str | None, int, int], ...]:
        """Count the rows, and those drawn, of each stratum whose label is released; None stands for missing cells."""
        if not self._labels_released:
            return ()
        assert isinstance(self.sample, Stratified)
        assert self.drawn.stratum is not None
        attribute = self.table.schema[self.sample.column]
        return told_strata(attribute, np.bincount(self.drawn.stratum, minlength=attribute.states), self.drawn.taken)


def across_strata(everyone: Any, inside: Any, taken: Any, most: Any = None) -> set[tuple[int, int, int]]:
    """Return how many rows are not drawn, drawn, and one person's, of each class in each stratum whose label is hidden.

    Given are the rows there, those of the class that were drawn in any stratum, those of the stratum that were drawn, and
    the most that one person has in the class (without it one).
    """
    there = (inside > 0) & (taken > 0)
    own = np.ones_like(inside)[there] if most is None else most[there]
    everyone, inside, taken = everyone[there], inside[there], taken[there]
    outside = everyone - np.minimum(np.minimum(everyone, taken), inside)
    return set(zip(outside.tolist(), inside.tolist(), own.tolist(), strict=True))


def told_strata(attribute: Attribute, everyone: Any, taken: Any) -> tuple[tuple[str | None, int, int], ...]:
    """Return the rows, and those drawn, of each stratum that any were drawn of; None stands for missing cells."""
    assert attribute.domain is not None
    labels = [*attribute.domain.labels(), None][: attribute.states]
    return tuple((label, int(n), int(m)) for label, n, m in zip(labels, everyone, taken, strict=True) if m)


def _joined(first: Integers, second: Integers) -> Integers:
    width = int(second.max()) + 1
    return np.unique(first * width + second, return_inverse=True)[1].astype(np.int64)
