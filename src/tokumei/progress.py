"""Progress bars for anything that takes more than a second.

A `stage` shows nothing when it is over quickly. After a second it draws a bar (or a spinner, where there is nothing
to count) on the error stream, if somebody is looking: in a terminal or a notebook, or wherever ``TOKUMEI_PROGRESS=1``
says so; ``TOKUMEI_PROGRESS=0`` keeps it quiet everywhere. A stage inside another draws no bar of its own: the outer one
says what is being done.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 1.0  # seconds

_open = threading.local()


class Stage:
    """One thing that is being worked on."""

    def __init__(self, label: str, total: float | None) -> None:
        self.label = label
        self.total = total
        self.done = 0.0
        self._lock = threading.Lock()
        self._bar: Any = None
        self._task: Any = None

    def advance(self, amount: float = 1.0, note: str = "") -> None:
        """Say that so much more is done, and what there is to say about it."""
        with self._lock:
            self.done += amount
            if self._bar is not None:
                self._bar.update(self._task, completed=self.done, note=note)

    def say(self, note: str) -> None:
        """Say what is being done, no more being done than before."""
        self.advance(0.0, note)

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
                TextColumn("{task.description}"),
                BarColumn(),
                TimeElapsedColumn(),
                *left,
                TextColumn("{task.fields[note]}"),
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
def stage(label: str, total: float | None = None) -> Iterator[Stage]:
    """Show that something is being worked on, if it takes long enough to be worth it."""
    running = Stage(label, total)
    if not watched():
        yield running
        return
    around: Stage | None = getattr(_open, "stage", None)
    if around is not None:
        around.say(label)
        yield running
        return
    _open.stage = running
    timer = threading.Timer(PATIENCE, running.show)
    timer.daemon = True
    timer.start()
    try:
        yield running
    finally:
        _open.stage = None
        timer.cancel()
        timer.join()
        running.close()


def watched() -> bool:
    """Whether somebody is looking."""
    asked = os.environ.get("TOKUMEI_PROGRESS")
    if asked is not None:
        return asked not in {"", "0"}
    return sys.stderr.isatty() or "ipykernel" in sys.modules
