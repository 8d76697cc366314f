"""What a partition or a scheme tells the holder, and nobody else: statements, whose words stand in the catalogue."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, StrictStr

from tokumei.words.statement import Count, Number, Statement

# To nine digits: it does not depend then on the order in which an engine adds up.
Loss = Annotated[Number, AfterValidator(lambda loss: round(loss, 9))]


class Note(Statement, kind="note"):
    """Something for the data holder only."""


class GroupedBy(Note):
    """How rows were grouped, and what it cost."""

    partition: StrictStr
    loss: Loss
    suppressed: Count
    rows: Count


class LabelledAsEarlier(Note):
    """Labels were taken from an earlier release."""

    loss: Loss
    suppressed: Count
    rows: Count
    outside: Count
