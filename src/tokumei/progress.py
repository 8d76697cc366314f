"""Progress bars for anything that takes more than a second.

A `stage` shows nothing when it is over quickly. After a second it draws a bar (or a spinner, where there is nothing
to count) on the error stream, if somebody is looking: in a terminal or a notebook, or wherever ``TOKUMEI_PROGRESS=1``
says so; ``TOKUMEI_PROGRESS=0`` keeps it quiet everywhere. A stage inside another draws no bar of its own: the outer one
says what is being done.

A program that shows progress in its own way, and lets people stop the work, puts it into `listening`.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from tokumei.errors import Cancelled
from tokumei.memory import within_memory
from tokumei.shown import shown

PATIENCE = 1.0  # seconds
PAUSE = 0.05  # seconds in which a listener is told once

_open = threading.local()
_running: list[Stage] = []  # the outermost stages, of any thread

T = TypeVar("T")
Progress = Callable[[float, str], None]
Stop = Callable[[], bool]


@dataclass
class _Listener:
    """Who is told about the work of a thread, and who may stop it."""

    progress: Progress | None
    cancelled: Stop | None
    told: float = -math.inf  # when somebody was told last

    def hear(self, share: float, note: str) -> None:
        if self.cancelled is not None and self.cancelled():
            raise Cancelled("The work was stopped.")
        now = time.monotonic()
        if self.progress is not None and (now >= self.told + PAUSE or share >= 1.0):
            self.told = now
            self.progress(min(max(share, 0.0), 1.0), note)


@contextmanager
def listening(progress: Progress | None = None, cancelled: Stop | None = None) -> Iterator[None]:
    """Have the work of this thread told to somebody, and stopped when they ask for it.

    Parameters
    ----------
    progress
        Is called with the share that is done, from 0 to 1, and what is being done: twenty times a second at most, from any
        thread, so be quick.
    cancelled
        Is asked whenever a stage begins or moves on; `Cancelled` is raised there once it says so.

    Examples
    --------
    >>> with listening(lambda share, note: print(f"{share:.0%} {note}")), stage("Counting", total=2) as shown:
    ...     shown.advance(2, note="both")
    0% Counting
    100% both
    """
    before = getattr(_open, "listener", None)
    _open.listener = _Listener(progress, cancelled)
    try:
        yield
    finally:
        _open.listener = before


def stop_if_asked() -> None:
    """Raise `Cancelled` if the listener to the work of this thread wants it to stop."""
    listener: _Listener | None = getattr(_open, "listener", None)
    if listener is not None and listener.cancelled is not None and listener.cancelled():
        raise Cancelled("The work was stopped.")


class Stage:
    """One thing that is being worked on, perhaps as a part of another."""

    def __init__(self, label: str, total: float | None, around: Stage | None = None, *, rows: bool = False) -> None:
        self.label = shown(label)
        self.total = total
        self.rows = rows
        self.done = 0.0
        self._around = around
        self._listener: _Listener | None = getattr(_open, "listener", None)
        self._lock = threading.Lock()
        self._bar: Any = None
        self._task: Any = None

    def advance(self, amount: float = 1.0, note: str = "") -> None:
        """Say that so much more is done, and what there is to say about it."""
        note = shown(note)
        with self._lock:
            self.done += amount
            counted = self._rows_done() if self.rows and not note else ""
            if self._bar is not None:
                self._bar.update(self._task, completed=self.done, note=note or counted)
        if self._listener is not None:
            self._listener.hear(self.share, note or (f"{self.label}: {counted}" if counted else self.label))

    def _rows_done(self) -> str:
        """Say how many rows are done, and of how many, where that is known."""
        if not self.done:
            return ""
        return f"{self.done:,.0f} rows" if self.total is None else f"{self.done:,.0f} of {self.total:,.0f} rows"

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1, as the outermost stage that can count sees it."""
        counting = [each for each in self._chain() if each.total]
        return counting[-1].done / (counting[-1].total or 1.0) if counting else 0.0

    def _chain(self) -> Iterator[Stage]:
        """Yield the stage and those around it, outwards."""
        yield self
        if self._around is not None:
            yield from self._around._chain()

    @property
    def outermost(self) -> Stage:
        """The stage that all others are parts of, which draws the bar."""
        return list(self._chain())[-1]

    def say(self, note: str) -> None:
        """Say what is being done, no more being done than before."""
        self.advance(0.0, note)

    def tell(self, note: str) -> None:
        """Say what is being done from any thread, where the work cannot be stopped."""
        with self._lock:
            if self._bar is not None:
                self._bar.update(self._task, note=note)
        if self._listener is not None and self._listener.progress is not None:
            self._listener.progress(min(max(self.share, 0.0), 1.0), note or self.label)

    def show(self) -> None:
        """Begin to draw."""
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            SpinnerColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        left = [] if self.total is None else [TextColumn("left"), TimeRemainingColumn()]

        with self._lock:
            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TimeElapsedColumn(),
                *left,
                TextColumn("{task.fields[note]}", markup=False),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task(self.label, total=self.total, completed=self.done, note="")
            self._bar.start()

    def close(self) -> None:
        """Take the bar away."""
        with self._lock:
            if self._bar is not None:
                self._bar.stop()


@contextmanager
def stage(label: str, total: float | None = None, *, rows: bool = False) -> Iterator[Stage]:
    """Show that something is being worked on, if it takes long enough to be worth it; if what is counted are rows, how many."""
    around: Stage | None = getattr(_open, "stage", None)
    running = Stage(label, total, around, rows=rows)
    running.outermost.say(label)
    if around is not None or not watched():
        with within_memory(), _inside(running):
            yield running
        return
    timer = threading.Timer(PATIENCE, running.show)
    timer.daemon = True
    timer.start()
    try:
        with within_memory(), _inside(running):
            yield running
    finally:
        timer.cancel()
        timer.join()
        running.close()


@contextmanager
def _inside(running: Stage) -> Iterator[None]:
    around = getattr(_open, "stage", None)
    _open.stage = running
    if around is None:
        _running.append(running)
    try:
        yield
    finally:
        _open.stage = around
        if around is None:
            _running.remove(running)


def handed_on(work: Callable[[], T]) -> Callable[[], T]:
    """Return work that may be done in another thread, as a part of what this one is working on."""
    here = dict(_open.__dict__)

    def inside() -> T:
        _open.__dict__.update(here)
        return work()

    return inside


def tell_everybody(note: str) -> None:
    """Say what all that is worked on now is waiting for."""
    for each in tuple(_running):
        each.tell(note)


def watched() -> bool:
    """Whether somebody is looking."""
    asked = os.environ.get("TOKUMEI_PROGRESS")
    if asked is not None:
        return asked not in {"", "0"}
    return sys.stderr.isatty() or "ipykernel" in sys.modules
