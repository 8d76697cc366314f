"""Work that takes a while, away from the page: one thread for what a user waits for, one for what fills in over time.

The newest request of a kind wins.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from tokumei.memory import within_memory
from tokumei.progress import Progress, Stop

T = TypeVar("T")


class Superseded(Exception):
    """The work was cancelled, or a newer request of its kind has come."""


@dataclass
class Job:
    """One piece of work, and how far it is."""

    kind: str
    share: float = 0.0
    note: str = ""
    begun: float | None = None
    patient: bool = False
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def seconds(self) -> float:
        """For how long it has been worked on."""
        return 0.0 if self.begun is None else time.monotonic() - self.begun

    def progress(self, share: float, note: str = "") -> None:
        """Say how much is done, from 0 to 1, and what is being done."""
        self.share, self.note = min(max(share, 0.0), 1.0), note or self.note


class _Thread:
    """A thread that does one thing after another, and does not keep the program from ending."""

    def __init__(self, name: str) -> None:
        self._waiting: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def submit(self, work: Callable[[], Any]) -> Future[Any]:
        """Have something done after everything that waits already."""
        done: Future[Any] = Future()
        self._waiting.put((done, work))
        return done

    def close(self) -> None:
        """End once everything that waits is done."""
        self._waiting.put(None)

    def _work(self) -> None:
        while (given := self._waiting.get()) is not None:
            done, work = given
            if not done.set_running_or_notify_cancel():
                continue
            try:
                done.set_result(work())
            except BaseException as error:  # noqa: BLE001  (the one waiting for it is told)
                done.set_exception(error)


class Worker:
    """Two threads that do one thing after another each."""

    def __init__(self) -> None:
        self._quick, self._patient = _Thread("tokumei-studio"), _Thread("tokumei-studio-patient")
        self._jobs: list[Job] = []
        self._lock = threading.Lock()

    @property
    def current(self) -> Job | None:
        """What is being done now."""
        with self._lock:
            return next((job for job in self._jobs if job.begun is not None), None)

    def kinds(self) -> list[str]:
        """Name what is being done or waits."""
        with self._lock:
            return [job.kind for job in self._jobs if not job.stop.is_set()]

    def cancel(self, kind: str | None = None) -> None:
        """Give up everything that is being done or waits, or one kind of it."""
        with self._lock:
            for job in self._jobs:
                if kind is None or job.kind == kind:
                    job.stop.set()

    def close(self) -> None:
        """Give up everything and end the threads."""
        self.cancel()
        for thread in (self._quick, self._patient):
            thread.close()

    async def do(self, kind: str, work: Callable[[Progress, Stop], T], *, patient: bool = False) -> T:
        """Do some work and return what it gives.

        Work that is ``patient`` takes long and nobody waits for its end; it has a thread of its own.

        Raises
        ------
        Superseded
            If it was cancelled, or a newer request of the same kind came before it was done.
        """
        job = Job(kind, patient=patient)
        with self._lock:
            for older in self._jobs:
                if older.kind == kind:
                    older.stop.set()
            self._jobs.append(job)
        try:
            thread = self._patient if patient else self._quick
            made: Any = await asyncio.wrap_future(thread.submit(partial(self._run, job, work)))
        except asyncio.CancelledError:  # nobody waits for it any more
            job.stop.set()
            raise
        finally:
            with self._lock:
                self._jobs.remove(job)
        if job.stop.is_set():
            raise Superseded(kind)
        return made

    def _run(self, job: Job, work: Callable[[Progress, Stop], Any]) -> Any:
        if job.stop.is_set():
            raise Superseded(job.kind)
        job.begun = time.monotonic()
        try:
            with within_memory():
                return work(job.progress, job.stop.is_set)
        except Exception:
            if job.stop.is_set():
                raise Superseded(job.kind) from None
            raise
        finally:
            job.begun = None
