"""Ctrl-C while a database driver works.

Drivers take the signal for themselves: ADBC's cancel the query and tell of a problem, or go on to the end and complain then. So
they work in a thread of their own, where signals do not go, while the main thread waits for them or for Ctrl-C.
"""

from __future__ import annotations

import contextvars
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import TypeVar

from tokumei.progress import handed_on

T = TypeVar("T")
LOOKED = 0.1  # seconds after which it is looked at again: a signal that another thread got does not wake this one


def interruptibly(work: Callable[[], T], cancel: Callable[[], bool | None] | None) -> T:
    """Let a driver work; on Ctrl-C have it cancel, wait until it has stopped, and raise ``KeyboardInterrupt``.

    Parameters
    ----------
    work
        What the driver does.
    cancel
        Makes it stop early; where it says ``False`` that cannot be done, and the work is left alone rather than waited for. Without it
        the work cannot be undone once it is over, so Ctrl-C comes too late and does nothing.

    Examples
    --------
    >>> interruptibly(lambda: 6 * 7, None)
    42
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    done: Future[T] = Future()
    context, inside = contextvars.copy_context(), handed_on(work)

    def run() -> None:
        try:
            done.set_result(context.run(inside))
        except BaseException as error:  # noqa: BLE001  (it is raised where somebody waits for it)
            done.set_exception(error)

    with _asked_to_stop() as asked:
        threading.Thread(target=run, name="tokumei-database", daemon=True).start()
        while not done.done() and not asked.is_set():
            wait([done], LOOKED)
        stopped = asked.is_set() and cancel is not None
        if stopped and cancel is not None and cancel() is False:
            raise KeyboardInterrupt
        wait([done])
    if stopped:
        raise KeyboardInterrupt
    return done.result()


@contextmanager
def _asked_to_stop() -> Iterator[threading.Event]:
    """Take note of Ctrl-C meanwhile, where it would raise something, instead of having that raised just anywhere."""
    asked = threading.Event()
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):  # it is ignored, or nobody's in Python
        yield asked
        return
    signal.signal(signal.SIGINT, lambda *_: asked.set())
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)
