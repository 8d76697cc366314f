"""Work that takes a while, away from the page: one thread for what somebody waits for, one for what fills in by and by.

The newest request of a kind wins.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

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


class Worker:
    """Two threads that do one thing after another each."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tokumei-studio")
        self._patient = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tokumei-studio-patient")
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
        """Give up everything and end the thread."""
        self.cancel()
        for pool in (self._pool, self._patient):
            pool.shutdown(wait=False, cancel_futures=True)

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
            pool = self._patient if patient else self._pool
            made: Any = await asyncio.get_running_loop().run_in_executor(pool, self._run, job, work)
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
            return work(job.progress, job.stop.is_set)
        except Exception:
            if job.stop.is_set():
                raise Superseded(job.kind) from None
            raise
        finally:
            job.begun = None
