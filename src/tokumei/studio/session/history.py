"""What was done, step by step, so that it can be taken back."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from tokumei.errors import InvalidParameter
from tokumei.studio.session.state import State
from tokumei.studio.session.wording import told

MOST_STEPS = 200


@dataclass(frozen=True)
class Entry:
    """One step: what was done, in words, and the state it led to."""

    label: str
    state: State


class History:
    """States in the order in which they came to be, and which of them is now."""

    def __init__(self, first: State, label: str) -> None:
        self._lock = threading.RLock()
        self._entries = [Entry(label, first)]
        self._now = 0

    @property
    def state(self) -> State:
        """The state as it is now."""
        with self._lock:
            return self._entries[self._now].state

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every step, those taken back included."""
        with self._lock:
            return tuple(self._entries)

    @property
    def place(self) -> int:
        """Which of the entries is now."""
        with self._lock:
            return self._now

    def push(self, state: State, label: str | None = None) -> State:
        """Go on to another state; what had been taken back is forgotten. The same state again is no step."""
        with self._lock:
            before = self._entries[self._now].state
            if state == before:
                return before
            del self._entries[self._now + 1 :]
            self._entries.append(Entry(label or told(before, state), state))
            del self._entries[: max(0, len(self._entries) - MOST_STEPS)]
            self._now = len(self._entries) - 1
            return state

    def move(self, steps: int) -> State:
        """Go back or on by some steps."""
        with self._lock:
            if not 0 <= self._now + steps < len(self._entries):
                if steps < 0:
                    raise InvalidParameter("There is nothing to undo.")
                raise InvalidParameter("There is nothing to redo.")
            self._now += steps
            return self._entries[self._now].state
