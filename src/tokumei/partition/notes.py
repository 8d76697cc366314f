"""What a partition or a scheme tells the holder, and nobody else: statements, whose words stand in the catalogue."""

from __future__ import annotations

from pydantic import StrictStr

from tokumei.words.statement import Count, Number, Statement


class Note(Statement, kind="note"):
    """Something for the holder's eyes only."""


class GroupedBy(Note):
    """How rows were grouped, and what it cost."""

    partition: StrictStr
    loss: Number
    suppressed: Count
    rows: Count


class LabelledAsEarlier(Note):
    """Labels were taken from an earlier release."""

    loss: Number
    suppressed: Count
    rows: Count
    outside: Count
