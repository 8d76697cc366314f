"""A file in a browser before it is opened: settings guessed and corrected, rows redrawn at once, and codes made missing with one click."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from playwright.sync_api import Browser, expect

from tests.studio.browsing import agree, browser, field, look, write
from tests.studio.probed import HERE, PROBE
from tests.studio.serving import Served, served

ROWS = [
    f"田中{i};p{i}@example.jp;{1 + i % 28:02}.0{1 + i % 9}.19{60 + i % 30};{-9 if i % 20 == 0 else i % 60 + 20};{i % 7},5;{'北南東'[i % 3]}"
    for i in range(200)
]


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("probe") / "socket"


@pytest.fixture(scope="module")
def studio(probe: Path) -> Iterator[Served]:
    settings: Any = {PROBE: str(probe), "PYTHONPATH": HERE}
    with served(module="tests.studio.probed", **settings) as made:
        yield made


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


def test_a_file_is_looked_at_corrected_and_opened(
    chromium: Browser, studio: Served, probe: Path, tmp_path: Path
) -> None:
    place = tmp_path / "住民.csv"
    place.write_bytes("\n".join(["氏名;mail;生年月日;年齢;通院;地域", *ROWS]).encode("cp932"))
    seen = look(chromium, studio)
    page = seen.page
    page.locator("input[type=file]").set_input_files(str(place))
    expect(page.locator("h1")).to_have_text("Open 住民.csv")

    # what was guessed stands in the controls, and in the rows
    expect(field(page, "Encoding")).to_have_value("cp932")
    expect(field(page, "Delimiter")).to_have_value(";")
    expect(field(page, "Decimal mark")).to_have_value(",")
    expect(field(page, "Dates")).to_have_value("%d.%m.%Y")
    first = page.locator("tbody tr").first.locator("td")
    expect(first).to_have_text(["田中0", "p0@example.jp", "1960-01-01", "-9", "0.5", "北"])
    agree(seen, probe)

    # another encoding shows something else, one that cannot be is said, and the right one brings the rows back
    field(page, "Encoding").select_option("utf-8")
    expect(page.locator(".problem")).to_contain_text("looks like cp932; choose that encoding")
    assert str(tmp_path) not in page.locator("main").inner_text()
    field(page, "Encoding").select_option("cp932")
    expect(first.first).to_have_text("田中0")
    field(page, "Dates").select_option("")
    expect(first.nth(2)).to_have_text("01.01.1960")
    field(page, "Dates").select_option("%d.%m.%Y")
    write(page, "Missing, separated by commas", "北")
    expect(first.last).to_have_text("missing")
    write(page, "Missing, separated by commas", "")
    expect(first.last).to_have_text("北")
    agree(seen, probe)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert seen.across() <= 0, width
    page.set_viewport_size({"width": 1280, "height": 900})

    # it is opened like that: roles have reasons, what names people is flagged, and a code becomes missing
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator('[data-column="mail"]')).to_contain_text("Its cells look like e-mail addresses.")
    expect(page.locator('[data-column="mail"] .flag')).to_have_text("e-mail addresses")
    expect(page.locator('[data-column="氏名"] .flag')).to_have_text("names")
    age = page.locator('[data-column="年齢"]')
    expect(age.locator(".noticed")).to_contain_text("-9 stands in 10 rows")
    age.get_by_role("button", name="Treat -9 as missing").click()
    expect(age.locator(".tag", has_text="10 missing")).to_be_visible()
    expect(age.locator(".noticed")).to_have_count(0)
    agree(seen, probe)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert seen.across() <= 0, width
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("button", name="Undo").click()
    expect(age.locator(".noticed")).to_contain_text("-9 stands in 10 rows")

    # an identifier that is kept is warned of, and another file can be looked at and left
    page.locator('[data-column="mail"]').get_by_label("Role").select_option("insensitive")
    expect(page.locator('[data-column="mail"] .problem')).to_contain_text("name people directly")
    page.locator("summary", has_text="Another table").click()
    page.locator("input[type=file]").first.set_input_files(str(place))
    expect(page.locator("h1")).to_have_text("Open 住民.csv")
    page.get_by_label("Language").select_option("ja")
    expect(page.locator("h1")).to_have_text("「住民.csv」を開く")
    expect(field(page, "文字コード")).to_have_value("cp932")
    page.locator("main").get_by_role("button", name="中止").click()
    expect(page.locator('[data-column="mail"]')).to_be_visible()
    seen.check(studio.host)


def test_the_tables_of_a_database_are_a_list_to_pick_from(chromium: Browser, tmp_path: Path) -> None:
    rows = pd.DataFrame({"age": range(20, 60), "city": ["Kyoto", "Osaka"] * 20})
    with closing(sqlite3.connect(tmp_path / "people.db")) as made:
        for name in ("people", "homes", *(f"year_{each}" for each in range(15))):
            rows.to_sql(name, made, index=False)
    duckdb = pytest.importorskip("duckdb")
    with closing(duckdb.connect(str(tmp_path / "one.duckdb"))) as made:
        made.execute("CREATE SCHEMA register; CREATE TABLE register.moves AS SELECT 1 AS age")
    with served() as other:
        seen = look(chromium, other)
        page = seen.page
        page.get_by_text("A database table").click()
        tables = page.locator("ul.tables li")
        listing = page.get_by_role("button", name="List its tables")
        write(page, "Database", f"duckdb:///{tmp_path}/one.duckdb")
        listing.click()
        expect(tables).to_have_text(["register.movesOpen"])
        write(page, "Database", f"sqlite:///{tmp_path}/nothing.db")
        listing.click()
        expect(page.locator("main .problem")).to_contain_text("nothing.db does not exist.")
        assert not (tmp_path / "nothing.db").exists()
        write(page, "Database", "mysql://localhost/people")
        listing.click()
        expect(page.locator("main .problem")).not_to_contain_text("does not exist")
        write(page, "Database", f"sqlite:///{tmp_path}/people.db")
        listing.click()
        expect(tables).to_have_count(17)
        expect(page.get_by_text("17 tables that can be read. Pick one.")).to_be_visible()
        field(page, "Find a table").fill("YEAR_1")
        expect(tables).to_have_count(6)
        field(page, "Find a table").fill("people")
        expect(tables).to_have_count(1)
        page.get_by_role("button", name="Open: people").click()
        page.locator('[data-column="city"]').wait_for()
        expect(page.locator(".figures")).to_contain_text("people · 40")
        seen.check(other.host)
