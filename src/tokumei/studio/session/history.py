"""What was done, step by step, so that it can be taken back."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from itertools import pairwise

from tokumei.errors import InvalidParameter
from tokumei.studio.session.state import State
from tokumei.studio.session.wording import told
from tokumei.words import Words

MOST_STEPS = 200


@dataclass(frozen=True)
class Entry:
    """One step: the state it led to, and what was done in words of somebody's own, where there are such."""

    state: State
    label: str | None = None


class History:
    """States in the order in which they came to be, and which of them is now."""

    def __init__(self, first: State, *more: Entry, now: int = 0) -> None:
        self._lock = threading.RLock()
        self._entries = [Entry(first), *more]
        if not 0 <= now < len(self._entries):
            raise InvalidParameter("There is no such step in the history.")
        self._now = now

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
            self._entries.append(Entry(state, label))
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

    def told(self, words: Words) -> list[str]:
        """Say what each step after the first was, in words."""
        entries = self.entries
        return [each.label or told(before.state, each.state, words) for before, each in pairwise(entries)]
