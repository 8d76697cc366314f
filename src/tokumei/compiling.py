"""Where compiled loops are kept (beside their sources, in the user's cache, or in a folder of this run), and how long compiling them took."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

SETTING = "NUMBA_CACHE_DIR"  # by which numba can be told where
CACHES = ("~/.cache", "~/Library/Caches", "~/AppData/Local")


def find_room() -> None:
    """Give numba a folder of this run's own where it has none that it can write: it would not work at all otherwise.

    That is so in a read-only installation whose user has no home. The loops are then compiled anew by every run.
    """
    if os.environ.get(SETTING):
        return
    here = os.path.join(os.path.dirname(__file__), "__pycache__")  # noqa: PTH118, PTH120  (pathlib is slow to load)
    caches = [os.environ.get("XDG_CACHE_HOME") or CACHES[0], *CACHES[1:]]
    if any(_writable(os.path.expanduser(each)) for each in (here, *caches)):  # noqa: PTH111
        return
    import atexit
    import shutil
    import tempfile

    made = os.environ[SETTING] = tempfile.mkdtemp(prefix="tokumei-loops-")  # which nobody else can write to, or guess
    atexit.register(shutil.rmtree, made, ignore_errors=True)


def _writable(place: str) -> bool:
    """Whether a folder is there and can be written, or could be made."""
    while place and not os.path.exists(place):  # noqa: PTH110
        above = os.path.dirname(place)  # noqa: PTH120
        if above == place:
            return False
        place = above
    return bool(place) and os.access(place, os.W_OK | os.X_OK)


class Compiled:
    """How much CPU time went into compiling loops, in seconds."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._open = 0
        self._start = 0.0

    def begin(self) -> None:
        """A loop begins to be compiled; loops that it calls are compiled meanwhile."""
        if self._open == 0:
            self._start = time.process_time()
        self._open += 1

    def end(self) -> None:
        """A loop is compiled."""
        self._open -= 1
        if self._open == 0:
            self.seconds += time.process_time() - self._start


@contextmanager
def compiling() -> Iterator[Compiled]:
    """Measure the CPU time that compiling loops takes meanwhile: only the first run pays it, so it is no method's cost.

    Loops that were compiled before are read from the cache, which counts as nothing.

    >>> with compiling() as compiled:
    ...     pass
    >>> compiled.seconds
    0.0
    """
    from numba.core.event import Event, Listener, register, unregister

    found = Compiled()

    class Heard(Listener):  # type: ignore[misc]
        def on_start(self, event: Event) -> None:
            found.begin()

        def on_end(self, event: Event) -> None:
            found.end()

    heard = Heard()
    register("numba:compile", heard)
    try:
        yield found
    finally:
        unregister("numba:compile", heard)
