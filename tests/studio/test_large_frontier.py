"""The frontier of a large table says, where the person sees it, what was measured on some rows only."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

import tokumei as tk
from tests.studio.browsing import browser, look
from tests.studio.probed import FEW, HERE, PROBE
from tests.studio.serving import served

NOTE = "utility measured on 100 random rows; the risk is the limit for all rows"


def test_what_is_measured_on_some_rows_says_so(tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    tk.example_census(rows=300, frame="pandas").to_csv(table, index=False)
    settings = {PROBE: str(tmp_path / "socket"), FEW: "100", "PYTHONPATH": HERE}
    with served(str(table), module="tests.studio.probed", **settings) as studio, browser() as chromium:
        seen = look(chromium, studio)
        page = seen.page
        seen.to("/")
        expect(page.get_by_text("Slow methods are measured on 100 random rows, and say so")).to_be_visible()
        row = page.locator(".method-row", has_text="Microaggregation")
        expect(row).to_contain_text(NOTE, timeout=30_000)
        expect(row).to_contain_text("limit")
        move = "(slider) => { slider.value = 400; slider.dispatchEvent(new Event('input', { bubbles: true })); }"
        page.get_by_role("slider", name="k").evaluate(move)  # not left there yet, so that nothing is measured at it
        expect(row).to_contain_text("measured at k =")
        expect(row).to_contain_text(NOTE)
        whole = page.locator(".method-row", has_text="Generalization in groups")
        expect(whole).to_contain_text("counted")
        expect(whole).not_to_contain_text("random rows")
