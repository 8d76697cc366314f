"""Every method by mouse: chosen, filled in, refused beside the field, applied, and taken as a plan; in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import tokumei as tk
from tests.studio.browsing import Watched, agree, browser, field, look, write
from tests.studio.probed import HERE, PROBE, TOYS, ask
from tests.studio.serving import Served, served


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("probe") / "socket"


@pytest.fixture(scope="module")
def studio(probe: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("data") / "people.csv"
    tk.example_census(rows=300, frame="pandas").to_csv(place, index=False)
    settings: Any = {PROBE: str(probe), TOYS: "1", "PYTHONPATH": HERE}
    with served(str(place), module="tests.studio.probed", **settings) as made:
        yield made


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


def choose(page: Page, name: str) -> None:
    """Choose a method, and wait until its form is there: a field of the one before may have the same label."""
    drawn = field(page, "Method")
    before = drawn.get_attribute("id") or ""
    drawn.select_option(name)
    expect(drawn).not_to_have_attribute("id", before)


def apply(seen: Watched, gives: str = "rows would be released.") -> None:
    expect(seen.page.get_by_text("Not applied yet.")).to_be_visible()
    seen.page.get_by_role("button", name="Apply").click()
    expect(seen.page.get_by_text("Not applied yet.")).to_be_hidden()
    expect(seen.page.locator(".keeper").get_by_text(gives)).to_be_visible()
    seen.settle()


def test_methods_by_mouse(chromium: Browser, studio: Served, probe: Path) -> None:
    seen = look(chromium, studio)
    page = seen.page
    seen.to("/method")
    choose(page, "generalization")
    k = field(page, "k")
    expect(k).to_have_value("5")
    k.fill("1")
    wrong = page.locator(".beside:visible")
    expect(wrong).to_have_text("K must be a whole number of at least 2. Got 1.")
    assert k.get_attribute("aria-invalid") == "true"
    page.get_by_role("button", name="Apply").click()  # which does nothing now
    expect(page.get_by_text("Fill in or correct the marked fields first.")).to_be_visible()
    assert ask(probe)["method"] == "None"
    k.fill("3")
    expect(wrong).to_have_count(0)

    # another partition, a setting behind "more", a condition, and a step before
    field(page, "How values are made coarser").select_option("mondrian")
    page.locator("summary", has_text="More settings: Mondrian").click()
    field(page, "Which axis is cut").select_option("gain")
    field(page, "Add", 0).select_option("l_diversity")
    field(page, "Column").select_option("income")
    write(page, "l (values in each class)", "2")
    field(page, "Add", 1).select_option("top_bottom_code")
    field(page, "Column", 1).select_option("age")
    write(page, "Highest value kept (top coding)", "80")
    code = page.locator("main .code")
    expect(code).to_contain_text("high = 80")
    agree(seen, probe)
    seen.to("/records")
    seen.to("/method")  # what is not applied is not lost by looking elsewhere
    expect(field(page, "Highest value kept (top coding)")).to_have_value("80")
    expect(page.get_by_text("Not applied yet.")).to_be_visible()
    apply(seen)
    known = agree(seen, probe)
    assert "Mondrian(strict=True, choose='gain'" in known["method"]
    assert "LDiversity(column='income', l=2" in known["method"]
    assert "TopBottomCode" in known["prepare"]
    shown = code.inner_text()

    # the plan that is copied is the one that was shown, and it is read
    page.locator(".menu summary", has_text="Copy as").click()
    page.get_by_role("button", name="Plan (TOML)").click()
    text = page.locator(".dialog .code").inner_text()
    assert shown in text
    plan = tk.Plan.from_toml(text)
    assert repr(plan.method) == known["method"]
    page.locator(".dialog").get_by_role("button", name="Close").click()

    # matrices for columns, samples, and a weight for each column
    choose(page, "pram")
    field(page, "sex").select_option("keep_or_replace")
    write(page, "Probability that a value is kept", "0.6")
    write(page, "k", "")
    field(page, "Rows that are released").select_option("number")
    write(page, "Rows that are released: value", "0.5")
    apply(seen, "o matrix is given for")  # which only the columns can tell
    assert "'keep': 0.6" in agree(seen, probe)["method"]
    assert "sample=0.5" in ask(probe)["method"]
    choose(page, "local_suppression")
    write(page, "k", "3")
    page.locator("summary", has_text="More settings: Local suppression").click()
    write(page, "age", "2.5")
    apply(seen)
    assert "importance={'age': 2.5}" in agree(seen, probe)["method"]

    # a method of another package, which the studio has never heard of
    choose(page, "toy_replacement")
    apply(seen)
    assert "ToyReplacement" in agree(seen, probe)["method"]
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo").click()
    expect(field(page, "Method")).to_have_value("local_suppression")
    expect(field(page, "age")).to_have_value("2.5")
    agree(seen, probe)

    # and the checks
    choose(page, "generalization")
    apply(seen)
    page.locator("summary", has_text="Collation check").click()
    page.get_by_role("button", name="Run the check: Collation check").click()
    expect(page.get_by_text("Groups that only one set of original records fits")).to_be_visible()

    # in Japanese
    page.get_by_label("Language").select_option("ja")
    expect(page.locator("h1")).to_have_text("手法")
    write(page, "k の値", "x")
    expect(page.locator(".beside:visible")).to_have_text("5 のような整数を入力してください。")
    agree(seen, probe)
    for width in (1280, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert seen.across() <= 0, width
    seen.check(studio.host)
