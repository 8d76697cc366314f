"""Progress that others show, and work that others stop."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from tokumei import progress
from tokumei.cli import command
from tokumei.errors import Cancelled, TokumeiError
from tokumei.progress import listening, stage


@pytest.fixture(autouse=True)
def told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PAUSE", 0.0)


def test_a_listener_hears_the_share_of_the_outermost_stage_that_counts() -> None:
    told: list[tuple[float, str]] = []
    with listening(lambda share, note: told.append((share, note))), stage("Whole"), stage("Half", total=2) as half:
        half.advance(note="one")
        with stage("Inside", total=10) as inside:
            inside.advance(5, "deep")
        half.advance(note="two")
    assert told == [
        (0.0, "Whole"),
        (0.0, "Half"),
        (0.5, "one"),
        (0.5, "Inside"),
        (0.5, "deep"),
        (1.0, "two"),
    ]


def test_nobody_hears_other_threads_or_what_comes_after() -> None:
    told: list[str] = []

    def work() -> None:
        with stage("Elsewhere"):
            pass

    with listening(lambda share, note: told.append(note)):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    work()
    assert told == []


def test_listeners_inside_others_give_way_again() -> None:
    told: list[str] = []
    with listening(lambda share, note: told.append(f"outer {note}")):
        with listening(lambda share, note: told.append(f"inner {note}")), stage("A"):
            pass
        with stage("B"):
            pass
    assert told == ["inner A", "outer B"]


def test_work_stops_where_it_is_told_of() -> None:
    done: list[int] = []
    with pytest.raises(Cancelled) as stopped, listening(cancelled=lambda: len(done) >= 3), stage("Long", 9) as shown:
        for number in range(9):
            done.append(number)
            shown.advance()
    assert len(done) == 3
    assert not isinstance(stopped.value, TokumeiError), "whoever mends problems must not catch it"
    with stage("Another"):
        pass


def test_a_listener_is_not_told_too_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PAUSE", 60.0)
    told: list[float] = []
    with listening(lambda share, note: told.append(share)), stage("Long", total=1000) as shown:
        for _ in range(1000):
            shown.advance()
    assert told == [0.0, 1.0]


def test_compiling_is_told_while_it_lasts() -> None:
    from numba import njit

    import tokumei.loops  # which listens to numba

    assert tokumei.loops.UNCOUNTED

    @njit  # type: ignore[misc]
    def doubled(number: int) -> int:
        return 2 * number

    notes: list[str] = []
    with listening(lambda share, note: notes.append(note)), stage("Doubling", total=1):
        assert doubled(21) == 42
        assert doubled(4) == 8
    assert notes == ["Doubling", "compiling, once", "Doubling"]


def test_what_somebody_has_waited_already_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    class Timer(threading.Timer):
        def __init__(self, interval: float, function: Callable[[], None]) -> None:
            waited.append(interval)
            super().__init__(3600.0, function)

    monkeypatch.setenv("TOKUMEI_PROGRESS", "1")
    monkeypatch.setattr(progress.threading, "Timer", Timer)
    with stage("Whole"):
        pass
    with stage("Whole", gone=0.6):
        progress.clear()
    with stage("Whole", gone=2.0):
        pass
    assert waited == [1.0, 0.4, 1.0, 0.0]


def test_a_command_counts_what_starting_took(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command.time, "process_time", lambda: 0.4)
    assert command._starting() == 0.4
    monkeypatch.setattr(command.time, "process_time", lambda: 40.0)
    assert command._starting() == command.IMPORTS
