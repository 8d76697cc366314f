"""Every screen at 1280, 768 and 390 pixels against what was stored; `python -m tests.studio.pictures` renews it after a look."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.studio import pictures
from tests.studio.browsing import Watched, browser
from tests.studio.pictures import DARK, GREY, WIDTHS, moved, off, place_of, read_png
from tests.studio.serving import Served, served
from tokumei.studio.frame import PATHS

STORED = json.loads(pictures.BOXES.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Served]:
    with served(str(pictures.table(tmp_path))) as made:  # one for each test: its link works once
        yield made


def test_every_screen_looks_as_it_was_stored(chromium: Browser, studio: Served) -> None:
    page = pictures.begun(chromium, studio)
    wrong: dict[str, object] = {}
    for name in pictures.screens(page):
        for width, boxes, grey in pictures.taken(chromium, page):
            found = moved(name, STORED[f"{name}-{width}"], boxes, width)
            whole = off(read_png(place_of(name, width)), grey)
            if found or whole > GREY:
                wrong[f"{name} at {width}"] = (found, round(whole, 1))
        pictures.shaded(page, "dark")
        for width, boxes, grey in pictures.taken(chromium, page, (DARK,)):
            found, whole = (
                moved(name, STORED[f"{name}-{width}"], boxes, width),
                off(read_png(place_of(name, "dark")), grey),
            )
            if found or whole > GREY:
                wrong[f"{name} in the dark"] = (found, round(whole, 1))
        pictures.shaded(page, "light")
    assert wrong == {}

    # Planted changes are found: something dark over the page, columns below each other, cards that are gone, and a dark page.
    page.locator('nav a[href="/risk"]').click()
    page.locator("rect.after").first.wait_for(state="attached")
    stored, picture = STORED["risk-1280"], read_png(place_of("risk", 1280))
    page.add_style_tag(
        content="body::after { content: ''; position: fixed; inset: 300px 700px 300px 60px; background: #000; z-index: 99 }"
    )
    _, boxes, grey = next(pictures.taken(chromium, page))
    assert off(picture, grey) > GREY
    for style in ("main .halves { grid-template-columns: 1fr !important }", "main .card { display: none !important }"):
        page.add_style_tag(content=style)
        _, boxes, grey = next(pictures.taken(chromium, page))
        assert moved("risk", stored, boxes, 1280)
    pictures.shaded(page, "dark")
    _, _, grey = next(pictures.taken(chromium, page))
    assert off(picture, grey) > 5 * GREY

    # In the dark too: a card that stays white, as charts once did.
    page.reload()
    page.locator("rect.after").first.wait_for(state="attached")
    picture = read_png(place_of("risk", "dark"))
    page.add_style_tag(content="main .card { background: #fff !important }")
    _, _, grey = next(pictures.taken(chromium, page, (DARK,)))
    assert off(picture, grey) > GREY


def test_in_japanese_the_same_parts_stand_side_by_side(chromium: Browser, studio: Served) -> None:
    page = pictures.begun(chromium, studio)
    pictures.spoken(page, "ja")
    wrong: dict[str, object] = {}
    for name in pictures.screens(page):
        for width, boxes, _ in pictures.taken(chromium, page):
            found, out = moved(name, STORED[f"{name}-{width}"], boxes, width, heights=False), Watched(page).across()
            if found or out > 0:
                wrong[f"{name} at {width}"] = (found, out)
    assert wrong == {}

    # Planted changes are found: columns below each other, and a word that makes the page wider than the screen.
    page.locator('nav a[href="/risk"]').click()
    page.locator("rect.after").first.wait_for(state="attached")
    page.add_style_tag(content="main .halves { grid-template-columns: 1fr !important }")
    _, boxes, _ = next(pictures.taken(chromium, page))
    assert moved("risk", STORED["risk-1280"], boxes, 1280, heights=False)
    page.add_style_tag(content="main h1 { width: 3000px }")
    assert Watched(page).across() > 0


def test_nothing_is_stored_that_is_not_compared() -> None:
    named = {f"{name}-{width}" for name in PATHS for width in WIDTHS}
    assert named == set(STORED)
    assert {path.stem for path in pictures.FOLDER.glob("*.png")} == named | {f"{name}-dark" for name in PATHS}
    assert sum(path.stat().st_size for path in pictures.FOLDER.iterdir()) < 250_000


def test_a_grey_picture_comes_back_as_it_was(tmp_path: Path) -> None:
    grey = read_png(place_of("data", 390))
    pictures.write_png(tmp_path / "again.png", grey)
    assert (read_png(tmp_path / "again.png") == grey).all()
    assert off(grey, grey) == 0
    other = grey.copy()
    other[: len(grey) // 5] = 0
    assert off(grey, other) > GREY
