"""Closing the browser, or the studio, loses nothing; and nothing that is being counted keeps anybody waiting."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import tokumei as tk
from tests.studio.browsing import browser, look
from tests.studio.probed import DEAF, PROBE
from tests.studio.serving import PATIENCE, Served, served

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture
def people(tmp_path: Path) -> Path:
    place = tmp_path / "people.csv"
    tk.example_census(rows=200, frame="pandas").to_csv(place, index=False)
    return place


def told(studio: Served) -> Served:
    """Return the studio with the next link that it prints."""
    assert studio.process.stdout is not None
    while (found := re.search(r"http://\S+", studio.process.stdout.readline())) is None:
        pass
    return Served(found.group(0), studio.process, studio.folder)


def test_the_browser_is_closed_and_then_the_studio(chromium: Browser, people: Path, tmp_path: Path) -> None:
    keyboard, terminal = os.openpty()
    state = {"TOKUMEI_STATE": str(tmp_path / "state")}
    with served(terminal=terminal, **state) as studio:
        seen = look(chromium, studio)
        expect(seen.page.get_by_role("heading", name="Release a table about people, safely")).to_be_visible()
        seen.page.locator("input[type=file]").first.set_input_files(people)
        seen.page.get_by_role("button", name="Open", exact=True).click()
        seen.page.locator('[data-column="hours"]').get_by_label("Role").select_option("insensitive")
        seen.page.locator('[data-column="hours"].insensitive').wait_for()
        seen.check(studio.host)
        seen.page.context.close()
        os.write(keyboard, b"\n")
        again = look(chromium, told(studio))
        again.to("/data")
        again.page.locator('[data-column="hours"].insensitive').wait_for()
        again.page.get_by_label("Role").first.wait_for()
        until = time.monotonic() + PATIENCE
        while not list((tmp_path / "state" / "projects").glob("*.json")):
            assert time.monotonic() < until, "nothing was kept"
            time.sleep(0.1)
        again.check(studio.host)
        again.page.context.close()
    os.close(keyboard)
    os.close(terminal)
    (kept,) = (tmp_path / "state" / "projects").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    with served(**state) as studio:
        seen = look(chromium, studio)
        page = seen.page
        expect(page.locator(".project")).to_contain_text("people.csv")
        page.get_by_role("button", name="Open: people.csv").click()
        page.locator(".project input[type=file]").set_input_files(
            people
        )  # it was handed over, so it is asked for again
        # The table has to stand there first: to leave the page while it is being read would give the file up.
        expect(page.locator(".figures")).to_contain_text("people.csv")
        seen.to("/data")
        page.locator('[data-column="hours"].insensitive').wait_for()
        page.keyboard.press("Control+z")
        page.locator('[data-column="hours"].quasi_identifier').wait_for()
        page.get_by_text("Another table").click()
        page.get_by_role("button", name="Remove").click()
        assert kept.exists()
        page.get_by_role("button", name="Remove for good?").click()
        expect(page.locator(".project")).to_have_count(0)
        assert not kept.exists()
        seen.check(studio.host)


def test_cards_do_not_wait_for_the_header_and_what_looks_at_nothing_can_be_cancelled(
    chromium: Browser, people: Path, tmp_path: Path
) -> None:
    settings = {
        PROBE: str(tmp_path / "probe"),
        DEAF: "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
    }
    with served(str(people), module="tests.studio.probed", **settings) as studio:
        seen = look(chromium, studio)
        page = seen.page
        seen.to("/data")
        assert page.locator(".column-card").count() == 9
        figures = page.locator(".figures")
        expect(figures).to_contain_text("people.csv · 200")
        expect(figures).to_contain_text("…")
        work = page.locator(".work")
        expect(work).to_contain_text("Computing risk and utility")
        page.locator('[data-column="hours"]').get_by_label("Role").select_option("insensitive")
        page.locator('[data-column="hours"].insensitive').wait_for()
        expect(work).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        expect(work).to_be_hidden()  # though it goes on for ever
        expect(figures).not_to_contain_text("…")
        page.get_by_role("button", name="Undo").click()
        page.locator('[data-column="hours"].quasi_identifier').wait_for()
        seen.check(studio.host)
