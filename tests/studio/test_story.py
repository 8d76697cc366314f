"""The studio in a real browser, from opening a table to the end, on the example and on a nasty file."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import tokumei as tk
from tests.studio.browsing import Watched, browser, look
from tests.studio.nasty import NAMES, write_nasty
from tests.studio.serving import Served, served
from tokumei.shown import shown
from tokumei.studio.frame import PATHS


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def studio() -> Iterator[Served]:
    with served() as made:
        yield made


@pytest.fixture(scope="module")
def seen(chromium: Browser, studio: Served) -> Watched:
    return look(chromium, studio)


def without_a_table_every_screen_says_how_to_begin(seen: Watched, studio: Served) -> None:
    for name, path in PATHS.items():
        seen.to(path)
        marked = "/data" if path == "/" else path  # at home that is the first step
        expect(seen.page.locator("nav a[aria-current]")).to_have_attribute("href", marked)
        expect(seen.page.get_by_role("button", name="Open the example")).to_be_visible()
        assert seen.page.locator("h1").count() == 1, name
    seen.check(studio.host)


def the_example_is_one_click_away_and_roles_are_corrected_with_another(seen: Watched, studio: Served) -> None:
    page = seen.page
    seen.to("/data")
    page.get_by_role("button", name="Open the example").click()
    page.locator('[data-column="income"]').wait_for()
    assert page.locator(".column-card").count() == 9
    assert page.locator('[data-column="age"] .bar').count() > 5
    expect(page.locator('[data-column="age"]')).to_contain_text("Counted in 12 intervals.")
    page.locator('[data-column="hours"]').get_by_label("Role").select_option("insensitive")
    page.locator('[data-column="hours"].insensitive').wait_for()
    expect(page.locator(".figures")).to_contain_text("12,000")
    page.get_by_role("button", name="Undo").click()
    page.locator('[data-column="hours"].quasi_identifier').wait_for()
    page.get_by_role("button", name="Redo").click()
    page.locator('[data-column="hours"].insensitive').wait_for()
    quantity = page.locator('[data-column="age"]').get_by_label("A quantity")
    expect(quantity).to_be_checked()
    quantity.click()
    expect(quantity).not_to_be_checked()
    page.get_by_role("button", name="Undo").click()
    expect(quantity).to_be_checked()
    assert page.locator('[data-column="sex"]').get_by_label("A quantity").count() == 0
    seen.check(studio.host)


def the_line_for_k_is_moved_in_the_browser_alone(seen: Watched, studio: Served) -> None:
    seen.to("/risk")
    slider = seen.page.locator(".slider input[type=range]")
    said = seen.page.locator("p[role=status]").last
    sent: list[str | bytes] = []
    seen.talk.on("framesent", lambda frame: sent.append(frame))
    slider.focus()
    before = said.inner_text()
    for _ in range(5):
        slider.press("ArrowRight")
    assert "k = 10" in said.inner_text()
    assert said.inner_text() != before
    assert not [each for each in sent if "event" in str(each)]
    expect(seen.page.get_by_role("img", name="How many rows a person hides among")).to_be_visible()
    seen.check(studio.host)


def a_hierarchy_is_edited_with_its_effect_at_once(seen: Watched, studio: Served) -> None:
    page = seen.page
    seen.to("/hierarchies")
    page.get_by_label("Column").select_option("occupation")
    page.get_by_role("button", name="Keep or suppress (*)").click()
    rows = page.locator("table tbody tr")
    expect(rows).to_have_count(2)
    assert cut_off(seen) == []
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("button", name="No hierarchy").wait_for()
    page.locator("summary", has_text="Levels as text").click()
    area = page.get_by_label("Levels as text")
    area.fill("Judge;x")
    expect(page.locator("main .problem")).to_contain_text("lacks")
    seen.check(studio.host)


def cut_off(seen: Watched) -> list[str]:
    """Name the tables of a screen that do not fit."""
    found: list[str] = seen.page.evaluate(
        "[...document.querySelectorAll('.wide')].filter((each) => each.scrollWidth > each.clientWidth)"
        ".map((each) => each.getAttribute('aria-label'))"
    )
    return found


def the_slider_moves_every_marker_along_its_line(seen: Watched) -> None:
    page = seen.page
    slider = page.get_by_role("slider")
    across = page.locator("svg.frontier > line").last
    for k, key in ((6, "ArrowRight"), (2, "Home"), (200, "End"), (199, "ArrowLeft")):
        slider.press(key)
        expect(slider).to_have_attribute("aria-valuetext", f"k = {k}")
        part = slider.evaluate("(each) => each.value / each.max")
        frame = page.evaluate(
            "(() => { const all = [...document.querySelectorAll('svg.frontier .axis')]"
            ".filter((each) => each.getAttribute('x1') === each.getAttribute('x2')).map((each) => +each.getAttribute('x1'));"
            " return [Math.min(...all), Math.max(...all)]; })()"
        )
        place = float(across.get_attribute("x1") or "nan")
        assert part == pytest.approx((place - frame[0]) / (frame[1] - frame[0]), abs=0.01), (
            "slider and axis are of one kind"
        )
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "k = 5")
    on = page.evaluate(
        """() => {
            const paths = [...document.querySelectorAll("svg.frontier path")];
            for (const path of paths) path.removeAttribute("stroke-dasharray"); // a gap of a line is on it too, and its very end
            return [...document.querySelectorAll('svg.frontier circle[r="6.5"]')].map((each) => paths.some((path) =>
                path.isPointInStroke(new DOMPoint(+each.getAttribute("cx") - 1, +each.getAttribute("cy")))));
        }"""
    )
    assert on
    assert all(on)
    expect(page.locator("svg.frontier .line-name", has_text="Generalization of whole columns")).to_have_count(1)


def a_method_is_chosen_on_the_frontier_and_shows_everywhere(seen: Watched, studio: Served) -> None:
    page = seen.page
    seen.to("/")
    row = page.locator(".method-row").filter(has=page.get_by_text("Pk-perturbation", exact=True))
    row.get_by_role("button", name="Pin").wait_for()
    the_slider_moves_every_marker_along_its_line(seen)
    chosen = page.get_by_label("After reconstruction")
    expect(chosen).to_be_checked()
    height = page.locator("svg.frontier path").nth(3).get_attribute("d")
    page.get_by_label("As released").check()
    expect(page.locator("svg.frontier")).to_contain_text("utility as released")
    assert page.locator("svg.frontier path").nth(3).get_attribute("d") != height
    chosen.check()
    row.get_by_role("button", name="Pin").click()
    page.get_by_role("heading", name="Pk-perturbation, k = 5").wait_for()
    row.get_by_role("button", name="Apply").click()
    expect(page.locator(".figures")).to_contain_text("20.0% (proven)")
    expect(page.locator(".figures")).to_contain_text("Utility")
    page.get_by_text("Copy as").click()
    page.get_by_role("button", name="Plan (TOML)").click()
    expect(page.locator(".dialog pre")).to_contain_text("pk_perturbation")
    page.get_by_role("button", name="Close").click()
    page.locator(".dialog").wait_for(state="detached")
    seen.check(studio.host)


def the_lattice_is_walked_and_a_tile_applied(seen: Watched, studio: Served) -> None:
    page = seen.page
    seen.to("/lattice")
    tiles = page.locator(".tile")
    assert tiles.count() > 4
    assert page.locator(".tile.unsafe").count() > 0
    safe = page.locator(".tile:not(.unsafe)").last
    safe.click()
    expect(safe).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".figures")).to_contain_text("(counted)")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".figures")).to_contain_text("(proven)")
    seen.check(studio.host)


def before_and_after_records_and_export(seen: Watched, studio: Served) -> None:
    page = seen.page
    seen.to("/records")
    assert page.locator("tbody tr").count() == 20
    assert "→" in page.locator("tbody tr").first.inner_text()
    head = page.locator("thead th").all_inner_texts()
    assert head[:4] == ["Row", "Risk, original", "Rows like it", "Risk, release (at most, proven)"]
    risks = page.locator("tbody tr td:nth-child(4)").all_inner_texts()
    assert [each.strip() for each in risks] == ["20.0%"] * 20
    broken = page.evaluate(
        "[...document.querySelectorAll('tbody td div')].filter((each) => each.textContent.length <= 24)"
        ".filter((each) => each.getClientRects().length && each.offsetHeight > 1.9 * parseFloat(getComputedStyle(each).lineHeight))"
        ".map((each) => each.textContent)"
    )
    assert broken == []
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Page 2 of 600")).to_be_visible()
    seen.to("/export")
    expect(page.locator(".duty.verdict.good")).to_be_visible()
    report = page.get_by_label("The report for the data holder (private)")
    expect(report).to_be_checked()
    report.uncheck()
    page.get_by_role("button", name="Check again and prepare").click()
    expect(page.locator("main .fine").first).to_contain_text("12,000 released rows")
    with page.expect_download() as coming:
        page.get_by_role("link", name="Download plan.toml").click()
    plan = tk.Plan.from_toml(coming.value.path().read_text(encoding="utf-8"))
    assert plan.method == tk.PkPerturbation(k=5)
    with page.expect_download() as coming:
        page.get_by_role("link", name="Download release.zip").click()
    assert zipfile.is_zipfile(coming.value.path())
    seen.check(studio.host)


def duties_are_ticked_and_the_header_is_green_only_where_all_hold(seen: Watched, studio: Served) -> None:
    page = seen.page
    seen.to("/verdict")
    expect(page.locator(".duty.verdict")).to_contain_text("No duty has been set yet")
    rungs = page.locator(".head-figure").filter(has_text="Linking")
    expect(rungs).to_contain_text("20%")
    assert "good" not in (rungs.get_attribute("class") or "").split()
    page.get_by_label("Linking by quasi-identifiers", exact=True).check()
    page.get_by_label("Linking by quasi-identifiers: at most").fill("1/5")
    page.get_by_label("Linking by quasi-identifiers: at most").press("Enter")
    expect(page.locator(".duty.verdict.good")).to_contain_text("Every duty holds (1 of 1).")
    expect(page.locator(".head-figure.good")).to_contain_text("20%")
    page.get_by_label("Linking by the whole table", exact=True).check()
    expect(page.locator(".duty.verdict.bad")).to_contain_text("Not every duty holds (1 of 2 not met)")
    expect(page.locator(".head-figure.bad").filter(has_text="20%")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".duty.verdict.good")).to_be_visible()
    seen.check(studio.host)


def test_the_whole_story(seen: Watched, studio: Served) -> None:
    """Each chapter goes on where the one before it ended, so they are one test."""
    without_a_table_every_screen_says_how_to_begin(seen, studio)
    the_example_is_one_click_away_and_roles_are_corrected_with_another(seen, studio)
    the_line_for_k_is_moved_in_the_browser_alone(seen, studio)
    a_hierarchy_is_edited_with_its_effect_at_once(seen, studio)
    a_method_is_chosen_on_the_frontier_and_shows_everywhere(seen, studio)
    the_lattice_is_walked_and_a_tile_applied(seen, studio)
    duties_are_ticked_and_the_header_is_green_only_where_all_hold(seen, studio)
    before_and_after_records_and_export(seen, studio)


def test_a_nasty_file_is_text_and_nothing_else(chromium: Browser, tmp_path: Path) -> None:
    with served() as other:
        seen = look(chromium, other)
        page = seen.page
        seen.to("/data")
        page.locator("input[type=file]").set_input_files(write_nasty(tmp_path))
        page.get_by_role("button", name="Open", exact=True).click()
        page.locator(".column-card").first.wait_for()
        read = page.locator(".column-card h2").all_inner_texts()
        assert [" ".join(name.split()) for name in read] == [" ".join(shown(n, lines=True).split()) for n in NAMES]
        for name in NAMES[:3]:
            page.locator(".column-card").nth(NAMES.index(name)).get_by_label("Role").select_option("quasi_identifier")
            page.locator(".column-card").nth(NAMES.index(name)).locator(
                "xpath=self::*[contains(@class,'quasi')]"
            ).wait_for()
        for path in PATHS.values():
            seen.to(path)
            seen.check(other.host)
        page.reload()
        seen.settle()
        seen.check(other.host)


def test_where_no_method_can_be_used_the_chart_stands_upright(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("age,sex\n30,f\n", encoding="utf-8")
    with served(str(tmp_path / "one.csv")) as other:
        seen = look(chromium, other)
        assert seen.page.locator("main").count() == 1
        seen.settle()
        places = [
            seen.page.locator("svg.frontier text", has_text=text).first.bounding_box() for text in ("100%", "80%")
        ]
        assert places[0] is not None
        assert places[1] is not None
        assert places[0]["y"] < places[1]["y"]
        seen.check(other.host)


@pytest.mark.parametrize(("width", "scheme", "locale"), [(390, "light", "en-GB"), (390, "dark", "ja-JP")])
def test_it_can_be_used_on_a_phone_in_the_dark_and_in_japanese(
    chromium: Browser, width: int, scheme: str, locale: str
) -> None:
    with served() as other:
        seen = look(chromium, other, viewport={"width": width, "height": 800}, color_scheme=scheme, locale=locale)
        expect(seen.page.locator("nav a[aria-current]")).to_have_attribute("href", "/data")  # a table is opened first
        seen.page.locator("main button.primary").first.click()
        seen.page.locator(".head-figure").first.wait_for()
        japanese = locale == "ja-JP"
        seen.to("/")
        apply = seen.page.locator(".method-row .actions button").first
        apply.wait_for()
        apply.scroll_into_view_if_needed()
        frame = apply.bounding_box()
        assert frame is not None
        assert frame["x"] >= 0
        assert frame["x"] + frame["width"] <= width
        seen.to("/data")
        seen.page.locator('[data-column="sex"] select').select_option("insensitive")
        seen.page.locator('[data-column="sex"].insensitive').wait_for()
        seen.page.locator(".history summary").click()
        steps = seen.page.locator(".history li")
        expect(steps).to_have_text(
            ["「example.csv」を開きました", "「sex」：その他の属性"]
            if japanese
            else ["Opened example.csv", "sex: insensitive"]
        )
        seen.page.keyboard.press("Escape")
        seen.to("/hierarchies")
        seen.page.locator("details:has(textarea) summary").click()
        seen.page.locator("textarea").fill("30; 20")
        said = seen.page.locator("main .problem")
        expect(said).to_have_text(
            "第 1 段の境界は、小さい順でなければなりません。" if japanese else "The edges of level 1 must increase."
        )
        for path in PATHS.values():
            seen.to(path)
            assert seen.across() <= 0, path
            expect(seen.page.locator("nav a[aria-current]")).to_be_in_viewport(ratio=1)
        assert seen.page.locator("html").get_attribute("lang") == ("ja" if locale == "ja-JP" else "en-US")
        seen.check(other.host)
