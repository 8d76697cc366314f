"""Results that are kept for as long as what they were made from is the same."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from tokumei.progress import stop_if_asked

T = TypeVar("T")
MOST_LOCKS = 32
PAUSE = 0.2  # seconds between two looks whether waiting is still worth it


@contextmanager
def holding(lock: Any) -> Iterator[None]:
    """Hold a lock; the wait for it ends when the work is stopped."""
    while not lock.acquire(timeout=PAUSE):
        stop_if_asked()
    try:
        yield
    finally:
        lock.release()


class Cache(Generic[T]):
    """The last few results, each under what it was made from; a thread that asks for one in the making waits for it.

    >>> kept = Cache[int](2)
    >>> kept.get(("a",), lambda: 1), kept.get(("a",), lambda: 2), kept.find(("b",))
    (1, 1, None)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: list[tuple[Any, T]] = []  # values such as a split by weights cannot be hashed
        self._lock = threading.Lock()
        self._making: list[tuple[Any, Any]] = []  # what is being made, and the lock of the one who makes it

    def find(self, key: Any) -> T | None:
        """Return the result that was made from ``key``, if it is still there."""
        with self._lock:
            for place, (made_from, found) in enumerate(self._found):
                if made_from == key:
                    self._found.append(self._found.pop(place))
                    return found
        return None

    def get(self, key: Any, make: Callable[[], T]) -> T:
        """Return the result that is made from ``key``."""
        found = self.find(key)
        if found is not None:
            return found
        with holding(self._lock_of(key)):
            found = self.find(key)
            if found is None:
                found = make()
                self.put(key, found)
        return found

    def _lock_of(self, key: Any) -> Any:
        """Return the lock of one result, so that work on another one keeps nobody waiting."""
        with self._lock:
            for made_from, lock in self._making:
                if made_from == key:
                    return lock
            lock = threading.RLock()
            self._making = [*self._making[-MOST_LOCKS:], (key, lock)]
            return lock

    def put(self, key: Any, found: T) -> None:
        """Keep a result."""
        with self._lock:
            self._found = (
                [each for each in self._found if each[0] != key][-(self._most - 1) :] if self._most > 1 else []
            )
            self._found.append((key, found))

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._found = []
