"""Draw the pictures of the page on the studio: python docs/pictures/studio.py. Needs Chromium."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tokumei.reports.browser import find_browser

HERE = Path(__file__).parent
SCREENS = {"frontier": "/", "risk": "/risk"}
PATIENCE = 180_000.0


def main() -> None:
    """Start a studio, open the example, and take a picture of two screens."""
    command = [sys.executable, "-m", "tokumei", "studio", "--no-browser"]
    with (
        tempfile.TemporaryDirectory() as state,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "TOKUMEI_STATE": state}
        ) as studio,
        sync_playwright() as play,
    ):
        assert studio.stdout is not None
        found = re.search(r"http://\S+", studio.stdout.readline())
        assert found is not None
        browser = play.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1100, "height": 860}, color_scheme="light", locale="en-GB")
        page.set_default_timeout(PATIENCE)
        page.goto(found.group(0))
        page.get_by_role("button", name="Open the example").click()
        page.locator(".column-card").first.wait_for()
        page.locator('nav a[href="/"]').click()
        page.locator(".method-row:not(.off)").first.wait_for()
        row = page.locator(".method-row").filter(has=page.get_by_text("Generalization in groups", exact=True))
        row.get_by_role("button", name="Apply").click()
        page.locator(".figures").get_by_text("(counted)").wait_for()
        for name, path in SCREENS.items():
            page.locator(f'nav a[href="{path}"]').click()
            page.locator(f'nav a[href="{path}"][aria-current="page"]').wait_for()
            page.wait_for_function(
                "!document.querySelector('.waiting') && getComputedStyle(document.querySelector('.work')).display === 'none'"
            )
            page.mouse.move(0, 0)
            page.wait_for_timeout(1500)
            page.wait_for_function(
                "getComputedStyle(document.querySelector('.work')).display === 'none'", timeout=240_000
            )  # the frontier goes on measuring after its first lines
            page.screenshot(path=HERE / f"studio-{name}.png")
        browser.close()
        studio.terminate()


if __name__ == "__main__":
    main()
