"""What all pages of one studio share: the session, the thread that works, and the files that were handed over."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tokumei.errors import InvalidParameter
from tokumei.randomness import token
from tokumei.studio.inbox import Inbox
from tokumei.studio.worker import Worker

if TYPE_CHECKING:
    from tokumei.studio.projects import Projects
    from tokumei.studio.session import Session
    from tokumei.studio.session.chosen import Chosen

PLAN = ".toml"


class Studio:
    """One person's studio, on as many pages as they like."""

    def __init__(self, inbox: Inbox) -> None:
        self.inbox = inbox
        self.worker = Worker()
        self.session: Session | None = None
        self.chosen: Chosen | None = None  # a file that is looked at before it is opened
        self.project: str | None = None  # the key under which the session is kept
        self.dark: bool | None = None
        self.language: str | None = None
        self._tickets: dict[str, tuple[Path, str]] = {}
        self._watching: list[Callable[[], None]] = []
        self._saving = threading.Lock()

    def open(self, source: str | Path, table: str | None = None, encoding: str = "utf-8") -> Session:
        """Begin work on another table, or with the table of a plan."""
        from tokumei.plan import Plan
        from tokumei.studio.session import Session

        if str(source).lower().endswith(PLAN):
            return self.take(Session.open_plan(Plan.read(source)))
        return self.take(Session.open(source, table, encoding=encoding))

    def take(self, session: Session, project: str | None = None) -> Session:
        """Put a session in the place of the one before; ``project`` is the key of the one that it goes on with."""
        self.worker.cancel()
        if self.session is not None:
            self.session.close()
        self.session, self.project = session, project
        self.choose(None)
        return session

    def choose(self, chosen: Chosen | None) -> None:
        """Look at a file before it is opened, in place of the one before; or at none any more."""
        if self.chosen is not None and self.chosen is not chosen:
            self.chosen.close()
        self.chosen = chosen

    @property
    def projects(self) -> Projects:
        """What was kept of earlier work."""
        from tokumei.studio.projects import Projects

        return Projects()

    def save(self) -> None:
        """Keep the work as a project, once something was done."""
        session = self.session
        with self._saving:
            if session is not None and len(session.history) > 1:
                made = self.projects.save(session, self.project)
                if session is self.session:
                    self.project = made

    def close(self) -> None:
        """End all work."""
        self.worker.close()
        self.choose(None)
        if self.session is not None:
            self.session.close()

    async def hand_over(self, name: str, pieces: AsyncIterator[bytes]) -> str:
        """Keep a file and return the ticket by which it is known."""
        return self.offer(await self.inbox.take(name, pieces), name)

    def offer(self, place: Path, name: str) -> str:
        """Return the ticket by which a file in the private folder can be fetched under a name."""
        ticket = token()
        self._tickets[ticket] = place, name
        return ticket

    def file(self, ticket: str) -> tuple[Path, str]:
        """Return the file of a ticket, and what its owner calls it."""
        if ticket not in self._tickets:
            raise InvalidParameter("This file is no longer there; upload it again.")
        return self._tickets[ticket]

    def forget(self, ticket: str) -> None:
        """Remove the file of a ticket."""
        place, _ = self._tickets.pop(ticket)
        place.unlink(missing_ok=True)

    def watch(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have somebody told whenever the work has changed; return what ends that."""
        self._watching.append(changed)
        return lambda: self._watching.remove(changed) if changed in self._watching else None

    def changed(self) -> None:
        """Tell every page."""
        for tell in list(self._watching):
            tell()
