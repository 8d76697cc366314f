"""Work that takes a while, away from the page, in lanes beside each other: what a screen waits for never waits for another lane.

The newest request of a kind wins. What is given up is no longer waited for: the one who asked is told at once, and the lane goes on with
the next thing, while the work itself ends where it next looks whether it should.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from tokumei.memory import within_memory
from tokumei.progress import Progress, Stop

T = TypeVar("T")
# What the person has just changed; what the screen shows of it; the header's figures; what fills in over time.
Lane = Literal["change", "screen", "header", "patient"]
LANES: tuple[Lane, ...] = ("change", "screen", "header", "patient")


class Superseded(Exception):
    """The work was cancelled, or a newer request of its kind has come."""


@dataclass(eq=False)
class Job:
    """One piece of work, and how far it is."""

    kind: str
    work: Callable[[Progress, Stop], Any]
    lane: Lane = "screen"
    share: float = 0.0
    note: str = ""
    begun: float | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    made: Future[Any] = field(default_factory=Future)

    @property
    def seconds(self) -> float:
        """For how long it has been worked on."""
        return 0.0 if self.begun is None else time.monotonic() - self.begun

    def progress(self, share: float, note: str = "") -> None:
        """Say how much is done, from 0 to 1, and what is being done."""
        self.share, self.note = min(max(share, 0.0), 1.0), note or self.note

    def settle(self, result: Any = None, error: BaseException | None = None) -> None:
        """Tell the one who waits; the first word counts."""
        if self.stop.is_set() and not isinstance(error, Superseded):
            error = Superseded(self.kind)
        with suppress(InvalidStateError):  # somebody else was first
            if error is None:
                self.made.set_result(result)
            else:
                self.made.set_exception(error)


class Worker:
    """Lanes that do one thing after another each, in threads that do not keep the program from ending."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._waiting: dict[Lane, deque[Job]] = {lane: deque() for lane in LANES}
        self._running: dict[Lane, Job | None] = dict.fromkeys(LANES)
        self._open = True

    @property
    def current(self) -> Job | None:
        """What is being done now: what the person waits for first."""
        with self._lock:
            return next((job for lane in LANES if (job := self._running[lane]) is not None), None)

    def kinds(self) -> list[str]:
        """Name what is being done or waits."""
        with self._lock:
            return [job.kind for job in self._jobs()]

    def cancel(self, kind: str | None = None) -> None:
        """Give up everything that is being done or waits, or one kind of it."""
        with self._lock:
            for job in self._jobs():
                if kind is None or job.kind == kind:
                    self._give_up(job)

    def close(self) -> None:
        """Give up everything, for good."""
        self._open = False
        self.cancel()

    async def do(self, kind: str, work: Callable[[Progress, Stop], T], *, lane: Lane = "screen") -> T:
        """Do some work and return what it gives.

        Raises
        ------
        Superseded
            If it was cancelled, or a newer request of the same kind came before it was done.
        """
        job = Job(kind, work, lane)
        with self._lock:
            if not self._open:
                raise Superseded(kind)
            self.cancel(kind)
            self._waiting[lane].append(job)
            self._go_on(lane)
        try:
            made: Any = await asyncio.wrap_future(job.made)
        except asyncio.CancelledError:  # nobody waits for it any more
            with self._lock:
                self._give_up(job)
            raise
        return made

    def _jobs(self) -> list[Job]:
        """Return what is being done or waits, and was not given up."""
        return [job for lane in LANES for job in (self._running[lane], *self._waiting[lane]) if job is not None]

    def _give_up(self, job: Job) -> None:
        job.stop.set()
        job.settle(error=Superseded(job.kind))
        if job in self._waiting[job.lane]:
            self._waiting[job.lane].remove(job)
        if self._running[job.lane] is job:
            self._running[job.lane] = None
            self._go_on(job.lane)

    def _go_on(self, lane: Lane) -> None:
        if self._running[lane] is None and self._waiting[lane]:
            job = self._running[lane] = self._waiting[lane].popleft()
            threading.Thread(target=self._run, args=(job,), name=f"tokumei-studio-{lane}", daemon=True).start()

    def _run(self, job: Job) -> None:
        job.begun = time.monotonic()
        made, problem = None, None
        try:
            with within_memory():
                made = job.work(job.progress, job.stop.is_set)
        except BaseException as error:  # noqa: BLE001  (the one waiting for it is told)
            problem = error
        with self._lock:
            if self._running[job.lane] is job:
                self._running[job.lane] = None
                self._go_on(job.lane)
            job.settle(made, problem)
