"""What a control shows is what the studio goes by: read from the page and from the studio, after everything was drawn anew.

Everything here is done on one table in one browser, as browsers are slow to start.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import tokumei as tk
from tests.studio.browsing import Watched, agree, browser, look
from tests.studio.probed import HERE, PROBE, ask
from tests.studio.serving import Served, served
from tokumei.studio.frame import PATHS


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("probe") / "socket"


@pytest.fixture(scope="module")
def studio(probe: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("data") / "people.csv"
    tk.example_census(rows=600, frame="pandas").to_csv(place, index=False)
    with served(str(place), module="tests.studio.probed", **{PROBE: str(probe), "PYTHONPATH": HERE}) as made:
        yield made


@pytest.fixture(scope="module")
def seen(chromium: Browser, studio: Served) -> Watched:
    return look(chromium, studio, viewport={"width": 1280, "height": 600})


def drawn_anew(seen: Watched) -> None:
    """Have the whole page drawn anew: the browser renders everything again whenever anything on it changes."""
    seen.page.locator(".menu summary", has_text="History").click()
    seen.page.keyboard.press("Escape")
    seen.page.wait_for_timeout(350)  # the page looks at the progress of work this often, which draws it anew


def test_every_control_on_every_screen(seen: Watched, studio: Served, probe: Path) -> None:
    page = seen.page
    seen.to("/data")
    page.locator('[data-column="hours"]').get_by_label("Role").select_option("insensitive")
    page.locator('[data-column="hours"].insensitive').wait_for()
    page.locator('[data-column="age"]').get_by_label("A quantity").uncheck()
    expect(page.locator('[data-column="age"]').get_by_label("A quantity")).not_to_be_checked()
    known = agree(seen, probe)
    assert known["roles"]["hours"] == "insensitive"
    seen.to("/")
    row = page.locator(".method-row").filter(has=page.get_by_text("Pk-perturbation", exact=True))
    row.get_by_role("button", name="Apply").click()
    expect(page.locator(".figures")).to_contain_text("20.0% (proven)")
    for path in PATHS.values():
        seen.to(path)
        # everything that offers a choice is given another one than the first
        for each in page.locator(".keeper select").all() if path in {"/", "/compare", "/records", "/export"} else []:
            last = each.evaluate("(select) => select.options[select.options.length - 1].value")
            each.select_option(last)
            seen.settle()
        if path == "/":
            expect(
                page.locator(".frontier-card th", has_text="Membership")
            ).to_be_visible()  # the rung that the box says
            expect(page.locator("svg.frontier").get_by_text("nothing promised")).to_be_visible()
        drawn_anew(seen)
        known = agree(seen, probe)
        if path == "/compare":
            assert page.locator(".picture figcaption").first.inner_text().startswith("income")
            heat_maps_follow_the_shade(seen)
    # the box says CSV, and the archive holds CSV
    page.get_by_label("Rows as").select_option("csv")
    for each in ("A Python program", "The report for the data holder"):
        page.get_by_label(each).uncheck()
    page.get_by_role("button", name="Check again and prepare").click()
    with page.expect_download() as coming:
        page.get_by_role("link", name="Download release.zip").click()
    with zipfile.ZipFile(coming.value.path()) as archive:
        assert any(name.endswith(".csv") for name in archive.namelist())
    assert page.get_by_role("link", name="Download release.py").count() == 0
    agree(seen, probe)
    seen.check(studio.host)


def heat_maps_follow_the_shade(seen: Watched) -> None:
    shade = seen.page.get_by_label("Light or dark")
    for chosen, white in (("dark", False), ("light", True)):
        shade.select_option(chosen)
        figure = seen.page.locator("figure:visible", has_text="Cramér")
        expect(figure).to_have_count(1)
        drawn = expect(figure.locator("svg > rect, svg > g > rect").first)
        (drawn.to_have_attribute if white else drawn.not_to_have_attribute)("fill", "#ffffff")


def test_a_change_is_tried_and_taken_with_one_click(seen: Watched, studio: Served, probe: Path) -> None:
    page = seen.page
    seen.to("/")
    row = page.locator(".method-row").filter(has=page.get_by_text("Generalization in groups", exact=True))
    row.get_by_role("button", name="Apply").click()
    expect(page.locator(".figures")).to_contain_text("(counted)")
    seen.to("/verdict")
    page.get_by_label("Inference", exact=True).check()
    expect(page.locator(".duty.verdict.bad")).to_contain_text("(1 of 1 not met): Inference.")
    page.get_by_role("button", name="Try changes and measure them").click()
    first = page.locator(".change.mends").first
    expect(first.get_by_text("Mends: Inference")).to_be_visible()
    expect(first.locator("tr", has_text="Loss").locator("td").last).to_contain_text("%")
    drawn_anew(seen)
    agree(seen, probe)
    first.get_by_role("button", name="Apply this change").click()
    expect(page.locator(".duty.verdict.good")).to_contain_text("Every duty holds (1 of 1).")
    expect(page.get_by_label("Inference: at most")).to_have_value("3/4")
    known = agree(seen, probe)
    assert known["places"][1] > 0
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".duty.verdict.bad")).to_be_visible()
    expect(first).to_be_visible()  # what was measured for this state is still there
    page.get_by_role("link", name="Go on to export").click()
    expect(page.locator("h1")).to_have_text("Export")
    expect(page.locator(".duty.verdict.bad")).to_be_visible()
    seen.check(studio.host)


def test_a_hierarchy_is_typed_and_nothing_of_it_is_lost(seen: Watched, studio: Served, probe: Path) -> None:
    page = seen.page
    seen.to("/hierarchies")
    page.get_by_label("Column").select_option("occupation")
    page.get_by_role("button", name="Keep or suppress (*)").wait_for()  # which numbers do not have
    page.locator("summary", has_text="Levels as text").click()
    area = page.get_by_label("Levels as text")
    expect(area).to_have_value("")
    area.press_sequentially("Judge;law", delay=150)
    expect(area).to_have_value("Judge;law")
    expect(page.locator("main .problem")).to_contain_text("lacks")
    expect(page.get_by_text("Not applied yet.")).to_be_visible()
    drawn_anew(seen)
    expect(area).to_have_value("Judge;law")
    agree(seen, probe)
    seen.to("/records")
    seen.to("/hierarchies")
    expect(area).to_have_value("Judge;law")  # what is not applied is not lost by looking elsewhere
    page.get_by_role("button", name="Keep or suppress (*)").click()
    expect(area).not_to_have_value("Judge;law")
    agree(seen, probe)
    text = area.input_value()
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("button", name="No hierarchy").wait_for()
    expect(area).to_have_value(text)
    expect(page.get_by_text("Not applied yet.")).to_be_hidden()
    agree(seen, probe)
    seen.check(studio.host)


def test_scroll_and_focus_stay_and_the_keyboard_is_enough(seen: Watched, studio: Served, probe: Path) -> None:
    page = seen.page
    seen.to("/data")
    before = ask(probe)["places"]
    role = page.locator('[data-column="income"]').get_by_label("Role")
    role.focus()
    page.evaluate("window.scrollTo(0, 420)")
    page.keyboard.press("ArrowDown")
    page.locator('[data-column="income"].insensitive').wait_for()
    seen.settle()
    page.wait_for_timeout(400)
    assert page.evaluate("window.scrollY") == 420
    assert page.evaluate("document.activeElement.closest('[data-column]')?.dataset.column") == "income"
    assert page.evaluate("document.activeElement.value") == "insensitive"
    page.keyboard.press("Control+z")
    page.locator('[data-column="income"].sensitive').wait_for()
    assert ask(probe)["places"] == [before[0], before[1] + 1]
    page.keyboard.press("Control+Shift+Z")
    page.locator('[data-column="income"].insensitive').wait_for()
    page.keyboard.press("Control+z")
    page.locator('[data-column="income"].sensitive').wait_for()
    assert page.evaluate("window.scrollY") == 420
    # from screen to screen, to a choice and back, without a mouse
    page.locator('nav a[href="/records"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Records")
    seen.settle()
    page.get_by_role("button", name="Next").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Page 2 of")).to_be_visible()
    page.wait_for_timeout(400)
    page.wait_for_function("document.activeElement.textContent === 'Next'")  # also after it was drawn anew
    page.keyboard.press("Enter")
    expect(page.get_by_text("Page 3 of")).to_be_visible()
    agree(seen, probe)
    seen.check(studio.host)
