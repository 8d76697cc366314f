"""Progress bars for anything that takes more than a second.

A `stage` shows nothing when it is over quickly. After a second it draws a bar (or a spinner, where there is nothing
to count) on the error stream, if somebody is looking: in a terminal or a notebook, or wherever ``TOKUMEI_PROGRESS=1``
says so; ``TOKUMEI_PROGRESS=0`` keeps it quiet everywhere. A stage inside another draws no bar of its own: the outermost one
draws for all of them how far the outermost that can count is, and what is done within that. Commands and public functions are stages themselves, so that
nothing takes long in silence.

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
from datetime import timedelta
from typing import TypeVar

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
        self._begun = time.monotonic()
        self._bar: Bar | None = None
        self._timer: threading.Timer | None = None

    def advance(self, amount: float = 1.0, note: str = "") -> None:
        """Say that so much more is done, and what there is to say about it."""
        note = shown(note)
        with self._lock:
            self.done += amount
        counted = self._rows_done() if self.rows and not note else ""
        self.outermost._draw(self, note or counted)
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
        counting = self._counting()
        return 0.0 if counting is None else counting.done / (counting.total or 1.0)

    def _counting(self) -> Stage | None:
        """Return the outermost stage that can count."""
        return next((each for each in reversed(list(self._chain())) if each.total), None)

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
        self._draw(self, note)
        if self._listener is not None and self._listener.progress is not None:
            self._listener.progress(min(max(self.share, 0.0), 1.0), note or self.label)

    def _draw(self, now: Stage, note: str) -> None:
        """Draw how far a stage within this one is, if anything is drawn yet."""
        with self._lock:
            if self._bar is not None:
                counting = now._counting() or now
                self._bar.draw(counting.label, counting.total, counting.done, note if counting is now else now.label)

    def wait(self, gone: float = 0.0) -> None:
        """Begin to draw after a while, of which some seconds are gone already."""
        self._timer = threading.Timer(max(PATIENCE - gone, 0.0), self.show)
        self._timer.daemon = True
        self._timer.start()

    def show(self) -> None:
        """Begin to draw."""
        with self._lock:
            self._bar = Bar(self.label, self.total, self.done, self._begun)

    def close(self) -> None:
        """Take the bar away."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
            self._timer = None
        with self._lock:
            if self._bar is not None:
                self._bar.stop()
                self._bar = None


class Bar:
    """A line of a terminal or a notebook that says what is worked on, how far it is, and what time is left."""

    def __init__(self, label: str, total: float | None, done: float, begun: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn
        from rich.table import Column
        from rich.text import Text

        class Times(ProgressColumn):
            """The time since it all began, and where that can be told the time that is left of what is counted."""

            max_refresh = 0.5

            def render(self, task: Task) -> Text:
                gone = timedelta(seconds=int(time.monotonic() - begun))
                left = None if task.total is None or task.finished else task.time_remaining
                return Text(f"{gone}" if left is None else f"{gone}, {timedelta(seconds=int(left))} left")

        self._shown = (label, total)
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            Times(Column(no_wrap=True)),
            TextColumn("{task.fields[note]}", markup=False, table_column=Column(no_wrap=True)),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,  # which would send results to the error stream
            redirect_stderr=False,
        )
        self._task = self._bar.add_task(label, total=total, completed=done, note="")  # type: ignore[arg-type]
        self._bar.start()

    def draw(self, label: str, total: float | None, done: float, note: str) -> None:
        """Draw how far it is, from the beginning if something else is worked on now."""
        note = "" if note == label else note
        if self._shown != (label, total):
            self._shown = (label, total)
            self._bar.remove_task(self._task)
            self._task = self._bar.add_task(label, total=total, completed=done, note=note)  # type: ignore[arg-type]
            self.refresh()
        self._bar.update(self._task, completed=done, note=note)

    def refresh(self) -> None:
        """Draw it at once, rather than with the next frame."""
        self._bar.refresh()

    def stop(self) -> None:
        """Take it away."""
        self._bar.stop()


@contextmanager
def stage(label: str, total: float | None = None, *, rows: bool = False, gone: float = 0.0) -> Iterator[Stage]:
    """Show that something is being worked on, if it takes long enough to be worth it; if what is counted are rows, how many.

    It is a block, or stands above a function: all that the function does is then a part of it. Somebody may have waited some seconds
    already, which are ``gone``.
    """
    around: Stage | None = getattr(_open, "stage", None)
    running = Stage(label, total, around, rows=rows)
    running.say(label)
    if around is not None or not watched():
        with within_memory(), _inside(running):
            yield running
        return
    running.wait(gone)
    try:
        with within_memory(), _inside(running):
            yield running
    finally:
        running.close()


def clear() -> None:
    """Take away the bar of this thread, since something is about to be printed; it comes back if there is more to wait for."""
    inner: Stage | None = getattr(_open, "stage", None)
    if inner is not None and inner.outermost._timer is not None:
        inner.outermost.close()
        inner.outermost.wait()


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
        else:
            around.outermost._draw(around, "")


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
