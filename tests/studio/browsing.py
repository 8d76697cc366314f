"""A browser that writes down everything a page asks for and complains of."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.studio.probed import ask
from tests.studio.serving import Served
from tokumei.reports.browser import find_browser

SEEN = """() => Object.fromEntries([...document.querySelectorAll('select, textarea, input')]
    .filter((each) => !['file', 'range', 'radio'].includes(each.type) && !each.closest('.workshop'))
    .map((each) => [each.id, each.type === 'checkbox' ? each.checked : each.value]))"""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 240_000.0  # a busy machine makes tests slow, and must not make them fail
expect.set_options(timeout=PATIENCE)


@dataclass
class Watched:
    """A page, what it asked for, and what went wrong on it."""

    page: Page
    talk: Any = None  # its socket
    asked: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def to(self, path: str) -> None:
        """Go to a screen as a person does, and wait until it is drawn."""
        self.page.locator(f'nav a[href="{path}"]').click()
        self.page.locator(f'nav a[href="{path}"][data-drawn]').wait_for(timeout=PATIENCE)
        self.settle()

    def settle(self) -> None:
        """Wait until nothing is being worked on."""
        self.page.wait_for_function(
            "document.querySelector('main h1') && !document.querySelector('.waiting')", timeout=PATIENCE
        )

    def listen(self, socket: Any) -> None:
        """Remember the socket."""
        self.talk = socket
        self.asked.append(socket.url)

    def check(self, host: str) -> None:
        """Nothing went wrong, nothing was executed, and nobody else was asked."""
        assert self.wrong == []
        assert self.page.evaluate("window.pwned") is None
        for url in self.asked:
            assert url.startswith((f"http://{host}/", f"ws://{host}/", "data:image/", "blob:")), url

    def across(self) -> int:
        """How much the page sticks out to the right."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


@contextmanager
def browser() -> Iterator[Browser]:
    """Start Chromium."""
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=shutil.which(find_browser()), args=ARGUMENTS)
        try:
            yield opened
        finally:
            opened.close()


def look(chromium: Browser, studio: Served, **context: Any) -> Watched:
    """Open the link in a new window."""
    page = chromium.new_context(**{"locale": "en-GB", "viewport": {"width": 1280, "height": 900}, **context}).new_page()
    page.set_default_timeout(PATIENCE)
    found = Watched(page)
    page.on("request", lambda request: found.asked.append(request.url))
    page.on("websocket", found.listen)
    page.on(
        "console", lambda message: found.wrong.append(message.text) if message.type in {"error", "warning"} else None
    )
    page.on("pageerror", lambda error: found.wrong.append(str(error)))
    page.on("dialog", lambda dialog: (found.wrong.append("dialog"), dialog.dismiss()))
    page.goto(studio.link)
    page.locator("main h1").wait_for()
    return found


def agree(seen: Watched, probe: Path) -> dict[str, Any]:
    """Compare every control of the page with the studio's own value, once what either has sent has reached the other."""
    until = time.monotonic() + PATIENCE / 1000
    while True:
        seen.settle()
        shown, known = seen.page.evaluate(SEEN), ask(probe)
        if shown == known["controls"] or time.monotonic() > until:
            break
        seen.page.wait_for_timeout(100)
    assert shown == known["controls"]
    assert len(shown) >= 2  # the language and the shade are on every screen
    return known


def field(page: Page, label: str, nth: int = 0) -> Locator:
    """Find what is to be filled in under a label."""
    named = page.locator("span", has_text=re.compile(f"^{re.escape(label)}$"))
    return page.locator("label.field, label.tick").filter(has=named).nth(nth).locator("select, input, textarea")


def write(page: Page, label: str, text: str, nth: int = 0) -> None:
    """Write into a field, and go on to something else."""
    field(page, label, nth).fill(text)
    field(page, label, nth).blur()
