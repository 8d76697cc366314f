"""Work off the page: one thing after another, the newest of a kind wins, anything can be stopped."""

from __future__ import annotations

import asyncio
import threading

import pytest

from tokumei.progress import Progress, Stop
from tokumei.studio.worker import Superseded, Worker

PATIENCE = 600.0  # seconds: what is waited for goes on for ever, so that any will do


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
        patient = asyncio.create_task(worker.do("frontier", long, lane="patient"))
        await asyncio.to_thread(begun.wait)
        assert await worker.do("risk", lambda progress, cancelled: "quick") == "quick"
        assert worker.kinds() == ["frontier"]
        patient.cancel()  # the page has gone elsewhere
        with pytest.raises(asyncio.CancelledError):
            await patient
        assert worker.kinds() == []
        assert await worker.do("frontier", lambda progress, cancelled: "again", lane="patient") == "again"

    try:
        asyncio.run(story())
    finally:
        worker.close()


def test_who_asked_is_told_at_once_though_the_work_cannot_be_interrupted() -> None:
    worker, begun, go = Worker(), threading.Event(), threading.Event()

    def deaf(progress: Progress, cancelled: Stop) -> str:
        begun.set()
        go.wait()  # as a long call of a library that looks at nothing
        return "too late"

    async def story() -> None:
        first = asyncio.create_task(worker.do("open", deaf))
        await asyncio.to_thread(begun.wait)
        worker.cancel()
        with pytest.raises(Superseded):
            await asyncio.wait_for(first, PATIENCE)
        assert worker.current is None
        assert await asyncio.wait_for(worker.do("risk", lambda progress, cancelled: "next"), PATIENCE) == "next"

    try:
        asyncio.run(story())
    finally:
        go.set()
        worker.close()


def test_lanes_do_not_wait_for_each_other_and_one_kind_can_be_stopped_alone() -> None:
    worker, begun = Worker(), threading.Event()

    def long(progress: Progress, cancelled: Stop) -> None:
        begun.set()
        while not cancelled():
            pass

    async def story() -> None:
        header = asyncio.create_task(worker.do("figures", long, lane="header"))
        await asyncio.to_thread(begun.wait)
        assert await worker.do("columns", lambda progress, cancelled: "cards") == "cards"
        worker.cancel("something else")
        assert worker.kinds() == ["figures"]
        worker.cancel("figures")
        with pytest.raises(Superseded):
            await header

    try:
        asyncio.run(story())
    finally:
        worker.close()


def test_nothing_begins_after_the_end() -> None:
    worker = Worker()
    worker.close()
    with pytest.raises(Superseded):
        asyncio.run(worker.do("late", lambda progress, cancelled: 1))
