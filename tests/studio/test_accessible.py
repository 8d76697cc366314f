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
from tokumei.words.glossary import terms

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RUN = """async () => {
    const found = await axe.run(document, { resultTypes: ["violations"] });
    return found.violations.map((each) => [each.id, each.help, each.nodes.map((node) => node.html.slice(0, 160)).slice(0, 4)]);
}"""
BY_THE_CHART = {
    f"term-{each.place}" for each in terms() if each.english in {"risk", "utility", "loss, NCP", "link, linkability"}
}


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


@pytest.fixture(scope="module")
def window(chromium: Browser, studio: Served) -> Watched:
    return look(chromium, studio)


def findings(seen: Watched) -> list[Any]:
    """Return what axe finds on the page as it is."""
    if not seen.page.evaluate("() => typeof axe === 'object'"):
        seen.page.evaluate(AXE)
    found: list[Any] = seen.page.evaluate(RUN)
    return found


TERMS = """() => [...document.querySelectorAll("main .screen .term")].map((each) => {
    const names = (each.dataset.term ?? each.getAttribute("aria-describedby")).split(" ");
    const meant = names.filter((name) => name.startsWith("term-")).map((name) => document.getElementById(name));
    const within = each.closest("label")?.querySelector("input, select, textarea");
    return { text: each.textContent, names, meanings: meant.map((one) => one?.textContent ?? ""), seen: meant.some((one) => one?.checkVisibility()),
        reached: within ? names.every((name) => (within.getAttribute("aria-describedby") ?? "").split(" ").includes(name)) : each.tabIndex === 0 };
})"""


def explained(seen: Watched, language: str) -> list[str]:
    """Read every term that is explained on the screen, with what it is said to mean; each once, and within reach of the keyboard."""
    found = seen.page.evaluate(TERMS)
    known = {f"term-{term.place}": term.meaning[language] for term in terms()}  # type: ignore[index]
    for each in found:
        assert each["meanings"] == [known[name] for name in each["names"] if name.startswith("term-")] != [], each
        assert each["reached"], each
        assert not each["seen"], each
    once = [name for each in found for name in each["names"] if name not in BY_THE_CHART]
    assert len(once) == len(set(once)), once
    return [each["text"] for each in found]


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


def test_axe_finds_nothing_on_any_screen(window: Watched, studio: Served) -> None:
    seen, page = window, window.page
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
            assert len(explained(seen, language)) >= 3, name
    assert found == {}
    seen.check(studio.host)


def test_a_term_is_explained_by_mouse_and_by_keyboard(window: Watched, studio: Served) -> None:
    seen, page, tip = window, window.page, window.page.locator(".tip")
    speak(seen, "en")
    seen.to("/risk")
    term = page.locator("main .screen dfn.term", has_text="attacker").first
    meaning = next(each.meaning["en"] for each in terms() if each.english == "attacker")
    expect(tip).to_be_hidden()
    term.hover()
    expect(tip).to_have_text(meaning)
    expect(tip).to_be_visible()
    assert findings(seen) == []
    tip.hover()  # it stays while it is read
    page.wait_for_timeout(400)
    expect(tip).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.mouse.move(0, 0)
    term.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(term).to_be_focused()
    expect(term).to_have_accessible_description(meaning)
    expect(tip).to_have_text(meaning)
    box, edge = tip.bounding_box(), page.viewport_size
    assert box is not None
    assert edge is not None
    assert box["x"] >= 0 and box["x"] + box["width"] <= edge["width"]
    term.evaluate("(each) => each.blur()")
    expect(tip).to_be_hidden()
    seen.to("/data")
    expect(page.locator(".column-card h2").first).to_be_visible()
    expect(page.locator(".column-card h2 .term")).to_have_count(0)  # what columns are called means nothing else
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
