"""What a method tells the data holder, and nobody else: statements, whose wording is in the catalogue."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import pydantic
from pydantic import StrictStr

from tokumei.partition.notes import Note
from tokumei.privacy.notions import down
from tokumei.words.statement import Count, Names, Number


class GroupedPoints(Note):
    """How rows were microaggregated; ``within`` is a percentage."""

    partition: StrictStr
    groups: Count
    within: Number


class SwappedGroups(Note):
    """Into how many groups of which sizes rows were put to be swapped."""

    partition: StrictStr
    groups: Count
    fewest: Count
    most: Count


class LeastWithin(Note):
    """No grouping loses less than this percentage."""

    k: Count
    least: Number
    aside: Literal["constraints_aside"] | None = None
    variants: ClassVar[tuple[str, ...]] = ("aside",)


class MediansReleased(Note):
    """Columns of numbers that are not declared to be quantities."""

    columns: Names


class SuppressedCells(Note):
    """How many cells were suppressed, in all and by column."""

    suppressed: Count
    cells: Count
    columns: Names
    counts: tuple[Count, ...]

    @pydantic.model_validator(mode="after")
    def _fits(self) -> SuppressedCells:
        if len(self.columns) != len(self.counts):
            raise ValueError("each column needs a count.")
        return self

    @property
    def parameters(self) -> dict[str, Any]:
        """The counts of the columns are told in one text."""
        each = ", ".join(f"{name} {count:,}" for name, count in zip(self.columns, self.counts, strict=True))
        return {"suppressed": self.suppressed, "cells": self.cells, "each": each}


class LeftOut(Note):
    """How many rows were left out."""

    left_out: Count
    rows: Count


class PilotShared(Note):
    """The pilot has rows of the table."""

    shared: Count
    rows: Count


class MoreThanAsked(Note):
    """k is surpassed, by ``more`` per cent."""

    k: Number
    more: Number
    asked: Number

    @property
    def parameters(self) -> dict[str, Any]:
        """No more is said than holds."""
        return {"k": down(self.k), "more": self.more, "asked": self.asked}


class StricterBinds(Note):
    """Which of k and epsilon the noise was solved for, both having been asked for."""

    which: Literal["k", "epsilon"]
    k: Number
    epsilon: Number
    delta: Number
    variants: ClassVar[tuple[str, ...]] = ("which",)


class PerturbedGroups(Note):
    """Groups of rows, and how far the noise in them moves a cell: a multiple of that without groups."""

    groups: Count
    fewest: Count
    most: Count
    merged: Count
    noise: Number

    @property
    def sentence_key(self) -> str:
        """One sentence where groups are equally large, one where not."""
        return f"{self.key}.{'equal' if self.fewest == self.most else 'unequal'}"


class GroupsTell(Note):
    """Groups of rows, and how many of their columns a row tells; ``kept`` is how often what it tells is true, on average."""

    groups: Count
    fewest: Count
    most: Count
    merged: Count
    columns: Number
    varying: Number
    kept: Number


class RowsTell(Note):
    """How many columns a row tells, and among how many subsets of columns that is drawn."""

    fewest: Count
    most: Count
    columns: Count
    clusters: Count

    @property
    def sentence_key(self) -> str:
        """One sentence where every row tells as many, one where not."""
        return f"{self.key}.{'equal' if self.fewest == self.most else 'unequal'}"


class ToldByAll(Note):
    """Columns that every row tells, beside others that not every row does."""

    columns: Names


class ToldInCells(Note):
    """Columns that are told in coarser cells, and in how many at most."""

    columns: Names
    counts: tuple[Count, ...]

    @pydantic.model_validator(mode="after")
    def _fits(self) -> ToldInCells:
        if len(self.columns) != len(self.counts):
            raise ValueError("each column needs a count.")
        return self

    @property
    def parameters(self) -> dict[str, Any]:
        """The cells of the columns are told in one text."""
        each = ", ".join(f"{name} {count:,}" for name, count in zip(self.columns, self.counts, strict=True))
        return {"each": each}


class ExpectedErrors(Note):
    """The error to expect of tables of one column and of two, in total variation."""

    one: Number
    two: Number | None = None

    @property
    def sentence_key(self) -> str:
        """One sentence where there are two columns or more."""
        return f"{self.key}.{'one' if self.two is None else 'two'}"


class NeverTogether(Note):
    """No row tells two columns."""


class RepeatsAnyway(Note):
    """Draws repeat although no column joins rows of several releases."""


class RepeatsFromHere(Note):
    """The noise of draws that repeat was solved for this table."""
