"""A file in a browser before it is opened: settings guessed and corrected, rows redrawn at once, and codes made missing with one click."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
    expect(page.locator(".problem")).to_contain_text("choose another encoding")
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
