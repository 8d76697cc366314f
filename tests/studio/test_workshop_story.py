"""The hierarchy workshop in a browser: labels dragged and moved by keyboard, handles, drafts, an ARX file with labels that lack."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import tokumei as tk
from tests.studio.browsing import agree, browser, field, look
from tests.studio.probed import HERE, PROBE, ask
from tests.studio.serving import Served, served


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("probe") / "socket"


@pytest.fixture(scope="module")
def studio(probe: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("data") / "people.csv"
    tk.example_census(rows=300, frame="pandas").to_csv(place, index=False)
    settings: Any = {PROBE: str(probe), "PYTHONPATH": HERE}
    with served(str(place), module="tests.studio.probed", **settings) as made:
        yield made


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


def test_hierarchies_by_hand(chromium: Browser, studio: Served, probe: Path, tmp_path: Path) -> None:
    seen = look(chromium, studio)
    page = seen.page
    seen.to("/hierarchies")
    page.locator("summary", has_text="Levels as text").click()
    area = page.locator("textarea")

    # intervals by handles: dragged, and moved with the keyboard
    page.get_by_role("button", name="Begin with intervals").click()
    handles = page.get_by_role("slider")
    expect(handles).to_have_count(3)
    first = handles.first
    before = int(first.get_attribute("aria-valuenow") or 0)
    first.focus()
    page.keyboard.press("ArrowRight")
    expect(handles.first).to_have_attribute("aria-valuenow", str(before + 1))
    edge = handles.first.get_attribute("aria-valuetext")
    expect(area).to_have_value(_has(f"; {edge};"))
    spot, line = handles.first.bounding_box(), page.locator(".handles").bounding_box()
    assert spot is not None
    assert line is not None
    page.mouse.move(spot["x"] + 12, spot["y"] + 40)
    page.mouse.down()
    page.mouse.move(line["x"] + line["width"] * 0.1, spot["y"] + 40, steps=4)
    page.mouse.up()
    expect(handles.first).not_to_have_attribute("aria-valuenow", str(before + 1))
    handles.first.focus()
    page.keyboard.press("Delete")
    expect(handles).to_have_count(2)
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_text("Not applied yet.")).to_be_hidden()
    agree(seen, probe)

    # a learned draft stays a learned one, and says so
    field(page, "Column").select_option("occupation")
    page.get_by_role("button", name="Keep or suppress (*)").wait_for()  # which numbers do not have
    page.get_by_role("button", name="Learn it from the rows").click()
    expect(page.get_by_text("began as one that was learned")).to_be_visible()
    page.wait_for_timeout(500)
    page.locator(".chip", has_text="Teaching").drag_to(page.locator(".group").first)
    expect(page.locator(".group").first).to_contain_text("Teaching")

    # a file of ARX that lacks labels: named, and placed with a button
    arx = tmp_path / "occupation.csv"
    arx.write_text("Crafts;hands;*\nFarming;hands;*\nOffice;desk;*\n", encoding="utf-8")
    page.locator("input[type=file]").set_input_files(str(arx))
    expect(page.get_by_text("Not in the hierarchy:")).to_contain_text("Teaching")
    expect(page.get_by_text("began as one that was learned")).to_be_hidden()
    page.get_by_role("button", name="by themselves").click()
    expect(page.get_by_text("Not in the hierarchy:")).to_have_count(0)

    # labels by keyboard alone
    desk = page.locator('.group[data-group="desk"]')
    page.locator(".chip", has_text="Sales").focus()
    page.keyboard.press("Enter")
    page.locator("input.into").focus()
    page.keyboard.type("desk")
    page.keyboard.press("Enter")
    expect(desk.locator(".chip", has_text="Sales")).to_be_visible()
    expect(area).to_have_value(_has("Sales;desk;*"))
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_text("Not applied yet.")).to_be_hidden()
    agree(seen, probe)
    assert ask(probe)["places"] == [2, 3]
    page.get_by_label("Language").select_option("ja")
    expect(page.locator("h1")).to_have_text("階層")
    for width in (1280, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert seen.across() <= 0, width
        if width == 1280:  # nothing of the table is cut off
            assert (
                page.evaluate(
                    "(() => { const w = document.querySelector('.tight .wide'); return w.scrollWidth - w.clientWidth })()"
                )
                <= 0
            )
    seen.check(studio.host)


def _has(text: str) -> Any:
    import re

    return re.compile(re.escape(text))
