"""axe-core on every screen, in light and dark, in English and Japanese: it has nothing to find.

Everything is looked at in one browser on one table, as browsers are slow to start.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import tokumei as tk
from tests.studio.browsing import Watched, browser, look
from tests.studio.serving import Served, served
from tokumei.studio.frame import PATHS

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RUN = """async () => {
    const found = await axe.run(document, { resultTypes: ["violations"] });
    return found.violations.map((each) => [each.id, each.help, each.nodes.map((node) => node.html.slice(0, 160)).slice(0, 4)]);
}"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("data") / "people.csv"
    tk.example_census(rows=400, frame="pandas").to_csv(place, index=False)
    with served(str(place)) as made:
        yield made


def findings(seen: Watched) -> list[Any]:
    """Return what axe finds on the page as it is."""
    if not seen.page.evaluate("() => typeof axe === 'object'"):
        seen.page.evaluate(AXE)
    found: list[Any] = seen.page.evaluate(RUN)
    return found


def in_every_shade(seen: Watched, name: str) -> dict[str, list[Any]]:
    """Look at a screen in light and dark."""
    found = {}
    for shade in ("light", "dark"):
        seen.page.locator(".tools select").nth(1).select_option(shade)
        seen.page.locator(f"body.body--{shade}").wait_for()
        found[f"{name}, {shade}"] = findings(seen)
    return {where: what for where, what in found.items() if what}


def speak(seen: Watched, language: str) -> None:
    """Switch the language, which loads the page anew."""
    chosen = seen.page.locator(".tools select").nth(0)
    if chosen.input_value() != language:
        with seen.page.expect_navigation():
            chosen.select_option(language)
    expect(seen.page.locator("html")).to_have_attribute("lang", language if language == "ja" else "en-US")
    seen.settle()


def test_axe_finds_nothing_on_any_screen(chromium: Browser, studio: Served) -> None:
    seen = look(chromium, studio)
    page = seen.page
    seen.to("/")
    row = page.locator(".method-row").filter(has=page.get_by_text("Generalization in groups", exact=True))
    row.get_by_role("button", name="Apply").click()
    expect(page.locator(".figures")).to_contain_text("(counted)")
    seen.to("/verdict")
    page.get_by_label("Inference", exact=True).check()
    page.locator(".duty.verdict.bad").wait_for()
    page.get_by_role("button", name="Try changes and measure them").click()
    page.locator(".change").first.wait_for()
    found: dict[str, list[Any]] = {}
    for language in ("en", "ja"):
        speak(seen, language)
        for name, path in PATHS.items():
            seen.to(path)
            found |= in_every_shade(seen, f"{name}, {language}")
    assert found == {}
    seen.check(studio.host)


def test_axe_finds_nothing_on_the_first_screen(chromium: Browser) -> None:
    with served() as other:
        seen = look(chromium, other)
        found: dict[str, list[Any]] = {}
        for language in ("en", "ja"):
            speak(seen, language)
            found |= in_every_shade(seen, f"first screen, {language}")
        assert found == {}


def test_axe_finds_what_is_wrong(chromium: Browser, tmp_path: Path) -> None:
    """A picture without a text and a field without a label are found, so that finding nothing means something."""
    place = tmp_path / "page.html"
    place.write_text(
        "<html lang='en'><title>x</title><main><h1>x</h1><img src='x.png'><input></main>", encoding="utf-8"
    )
    page = chromium.new_page()
    page.goto(place.as_uri())
    assert {each[0] for each in findings(Watched(page))} >= {"image-alt", "label"}
    page.close()
