"""Risk before and after in a browser: distributions, unique rows of chosen columns, and attackers in a population told by mouse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

import tokumei as tk
from tests.studio.browsing import Watched, agree, browser, field, look, write
from tests.studio.probed import HERE, PROBE
from tests.studio.serving import Served, served

ROWS, PEOPLE = 300, 3_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("data")
    everyone = tk.example_census(rows=PEOPLE, frame="pandas").assign(weight=10)
    everyone.to_csv(made / "register.csv", index=False)
    everyone.head(ROWS).to_csv(made / "people.csv", index=False)
    return made


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def studio(folder: Path) -> Iterator[Served]:
    settings: Any = {PROBE: str(folder / "socket"), "PYTHONPATH": HERE}
    with served(str(folder / "people.csv"), module="tests.studio.probed", **settings) as made:
        yield made


def attacker(seen: Watched, name: str, place: int = 0, columns: int = 4) -> Locator:
    """Find a figure of an attacker in their table, once the release has been looked at."""
    region = seen.page.get_by_role("region", name="Who might try")
    expect(region.locator("th")).to_have_count(1 + columns)
    return region.locator("tbody tr").filter(has_text=name).locator("td").nth(1 + place)


def test_risk_before_and_after(chromium: Browser, studio: Served, folder: Path) -> None:
    seen = look(chromium, studio)
    page, probe = seen.page, folder / "socket"
    seen.to("/risk")
    # nothing is said of a release that is not there
    expect(attacker(seen, "Prosecutor", columns=2)).to_have_text("100% (counted)")
    assert page.locator("rect.after").count() == 0
    seen.to("/")
    row = page.locator(".method-row").filter(has=page.get_by_text("Generalization in groups", exact=True))
    row.get_by_role("button", name="Apply").click()
    expect(page.locator(".figures")).to_contain_text("(counted)")
    seen.to("/risk")
    expect(page.get_by_text("after: 5")).to_be_visible()
    bars = page.locator("rect.before").count()
    assert bars > 3
    expect(page.locator("rect.after")).to_have_count(bars)
    expect(page.locator("p[role=status]").last).to_contain_text("release: 0 rows (0%) hide among fewer than k = 5.")
    sets = page.get_by_role("region", name="Smallest sets of columns that single out the most rows")
    expect(sets.locator("tbody tr").first).to_be_visible()
    assert {each.split("\t")[-1] for each in sets.locator("tbody tr").all_inner_texts()} == {"0"}
    expect(attacker(seen, "Journalist", 2)).to_have_text("20.0% (at most)")
    agree(seen, probe)

    page.get_by_text("Unique rows by columns").click()
    page.locator("label.tick", has_text="age").click()
    page.get_by_role("button", name="Count").click()
    alone = tk.example_census(rows=PEOPLE, frame="pandas").head(ROWS)["age"].value_counts()
    expect(page.get_by_role("region", name="Unique rows by columns")).to_contain_text(f"{(alone == 1).sum()}")

    field(page, "What is known of it").select_option("size")
    write(page, "People", "3,000")
    expect(page.get_by_text("of the 3,000 people of the population")).to_be_visible()
    seen.settle()
    expect(attacker(seen, "Prosecutor")).to_have_text("100% (counted)")
    # ln(10) / 9 for a row that is unique and stands for ten
    expect(attacker(seen, "Journalist")).to_have_text("25.6% (estimated)")
    expect(attacker(seen, "Marketer")).to_have_text("–")
    expect(attacker(seen, "Journalist", 2)).not_to_have_text(attacker(seen, "Prosecutor", 2).inner_text())
    assert agree(seen, probe)["places"] == [2, 3]
    write(page, "People", "12")  # fewer than there are rows
    expect(page.locator("main .problem").first).to_contain_text("fewer people (12) than the table has rows (300)")
    expect(attacker(seen, "Journalist")).to_have_text("100% (at most)")

    field(page, "What is known of it").select_option("weights")
    field(page, "Column with the weights").select_option("weight")
    expect(page.locator("main .problem")).to_have_count(0)
    expect(attacker(seen, "Journalist")).to_have_text("25.6% (estimated)")

    field(page, "What is known of it").select_option("table")
    with page.expect_file_chooser() as chosen:
        page.locator("main label.button").first.click()
    chosen.value.set_files(folder / "register.csv")
    expect(page.get_by_text("Table of the population: register.csv")).to_be_visible()
    expect(attacker(seen, "Journalist")).to_contain_text("(counted)")
    agree(seen, probe)
    field(page, "What is known of it").select_option("none")
    expect(page.get_by_text("Table of the population")).to_have_count(0)
    expect(attacker(seen, "Journalist")).to_have_text("100% (at most)")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Table of the population: register.csv")).to_be_visible()
    seen.check(studio.host)
