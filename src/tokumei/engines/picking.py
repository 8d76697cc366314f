"""Which engine a table is for: in memory where it fits, on disk or on a running cluster where it does not."""

from __future__ import annotations

from typing import ClassVar, Literal

from tokumei.io.batches import Rows
from tokumei.memory import free_memory
from tokumei.partition.notes import Note
from tokumei.words.statement import Count, Number

CELL = 100  # bytes that a cell takes at most while rows in memory are worked on, measured from CSV (docs/jobs.md)
PYTHON = 300 * 10**6  # bytes of Python and the libraries
UNKNOWN = 2 * 10**9  # bytes that may be used where the system does not say what is free


class PickedEngine(Note):
    """Which engine was picked for a table, what it would take in memory, and what may be taken (GB)."""

    engine: Literal["local", "stream", "spark"]
    rows: Count
    takes: Number
    allowed: Number
    variants: ClassVar[tuple[str, ...]] = ("engine",)


def pick_engine(rows: Rows, allowed: int | None, *, cluster: bool) -> tuple[PickedEngine, int]:
    """Pick an engine for rows that were not read yet; return it with the bytes that it may take.

    Half of the free memory may be taken, unless it is said how much. Rows that would take more in memory go to Spark if a session
    is running (``cluster``), or else through a stream.
    """
    if allowed is None:
        allowed = (free_memory() or 2 * UNKNOWN) // 2
    count = rows.about()
    takes = PYTHON + CELL * count * len(rows.columns)
    engine: Literal["local", "stream", "spark"] = "local" if takes <= allowed else "spark" if cluster else "stream"
    return PickedEngine(engine=engine, rows=count, takes=takes / 1e9, allowed=allowed / 1e9), allowed
