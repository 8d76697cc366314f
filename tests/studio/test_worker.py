"""Work off the page: one thing after another, the newest of a kind wins, anything can be stopped."""

from __future__ import annotations

import asyncio
import threading

import pytest

from tokumei.progress import Progress, Stop
from tokumei.studio.worker import Superseded, Worker


def test_work_is_done_in_another_thread_and_its_result_comes_back() -> None:
    worker = Worker()
    try:
        found = asyncio.run(worker.do("name", lambda progress, cancelled: threading.current_thread().name))
        assert found != threading.current_thread().name
        assert worker.current is None
    finally:
        worker.close()


def test_the_newest_request_of_a_kind_wins_and_others_are_left_alone() -> None:
    worker, begun = Worker(), threading.Event()

    def long(progress: Progress, cancelled: Stop) -> str:
        begun.set()
        while not cancelled():
            pass
        return "too late"

    async def story() -> None:
        first = asyncio.create_task(worker.do("risk", long))
        await asyncio.to_thread(begun.wait)
        assert worker.current is not None
        assert worker.current.kind == "risk"
        other = asyncio.create_task(worker.do("columns", lambda progress, cancelled: "columns"))
        second = asyncio.create_task(worker.do("risk", lambda progress, cancelled: "new"))
        with pytest.raises(Superseded):
            await first
        assert await second == "new"
        assert await other == "columns"

    try:
        asyncio.run(story())
    finally:
        worker.close()


def test_cancelling_stops_what_runs_and_what_waits() -> None:
    worker, begun = Worker(), threading.Event()

    def long(progress: Progress, cancelled: Stop) -> None:
        progress(0.5, "half")
        begun.set()
        while not cancelled():
            pass
        raise ValueError("stopped on the way")

    async def story() -> None:
        first = asyncio.create_task(worker.do("a", long))
        await asyncio.to_thread(begun.wait)
        waiting = asyncio.create_task(worker.do("b", lambda progress, cancelled: 1))
        await asyncio.sleep(0)
        assert worker.current is not None
        assert (worker.current.share, worker.current.note) == (0.5, "half")
        worker.cancel()
        for each in (first, waiting):
            with pytest.raises(Superseded):
                await each

    try:
        asyncio.run(story())
    finally:
        worker.close()


def test_a_problem_comes_back_as_it_is() -> None:
    worker = Worker()

    def fails(progress: Progress, cancelled: Stop) -> None:
        raise ValueError("no")

    try:
        with pytest.raises(ValueError, match="no"):
            asyncio.run(worker.do("x", fails))
    finally:
        worker.close()


def test_nobody_waits_for_patient_work() -> None:
    worker, begun = Worker(), threading.Event()

    def long(progress: Progress, cancelled: Stop) -> None:
        begun.set()
        while not cancelled():
            pass

    async def story() -> None:
        patient = asyncio.create_task(worker.do("frontier", long, patient=True))
        await asyncio.to_thread(begun.wait)
        assert await worker.do("risk", lambda progress, cancelled: "quick") == "quick"
        assert worker.kinds() == ["frontier"]
        patient.cancel()  # the page has gone elsewhere
        with pytest.raises(asyncio.CancelledError):
            await patient
        assert worker.kinds() == []
        assert await worker.do("frontier", lambda progress, cancelled: "again", patient=True) == "again"

    try:
        asyncio.run(story())
    finally:
        worker.close()
