"""What a person waits for in the browser itself: the slider's redraw, and an answer to Cancel. `python -m benchmarks.studio browser` runs it.

The slider's figure is CPU time of the page's main thread for one position (script, style, layout, paint), as Chromium counts it. Cancel is wall-clock
time from the click until the bar is gone and the page says that the work was stopped, on the rows of `cards`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from benchmarks import data
from tests.studio.browsing import PATIENCE, browser, look
from tests.studio.serving import served
from tokumei.studio.session.frontier import lines
from tokumei.words import Words

POSITIONS = 100
MOVE = """async (places) => {
    const slider = document.querySelector("input[type=range]");
    const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    for (let i = 0; i < places; i++) {
        slider.value = Math.round(i * Number(slider.max) / (places - 1));
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await drawn();
    }
    return document.querySelector("output").textContent;
}"""
MEASURED = """([lines, waiting]) => {
    const rows = [...document.querySelectorAll(".method-row")];
    return rows.length === lines && !rows.some((row) => row.innerText.includes(waiting));
}"""
STOP = """async () => {
    const bar = document.querySelector(".work"), start = performance.now();
    const gone = () => getComputedStyle(bar).display === "none";
    bar.querySelector("button").click();
    await new Promise((done) => {
        const look = () => gone() ? done() : setTimeout(look, 5);
        look();
    });
    return (performance.now() - start) / 1000;
}"""


def busy(page: Page) -> Any:
    """Return a function that gives the CPU seconds that the page's main thread has had."""
    talk = page.context.new_cdp_session(page)
    talk.send("Performance.enable", {"timeDomain": "threadTicks"})
    return lambda: {each["name"]: each["value"] for each in talk.send("Performance.getMetrics")["metrics"]}[
        "TaskDuration"
    ]


def slider() -> Iterator[tuple[str, float, float | None]]:
    """Move the slider over the whole axis, with every line of Adult's frontier there."""
    with browser() as chromium, served(str(data.adult())) as studio:
        page = look(chromium, studio).page
        page.locator('nav a[href="/"]').click()
        page.wait_for_function(MEASURED, arg=[len(lines()), Words("en")("frontier_waiting")], timeout=10 * PATIENCE)
        page.evaluate(MOVE, POSITIONS)  # once, so that everything is compiled
        cpu = busy(page)
        start = cpu()
        page.evaluate(MOVE, POSITIONS)
        yield "the slider in the browser: one redraw", (cpu() - start) / POSITIONS, 0.05


def cancel(rows: Path, what: str) -> Iterator[tuple[str, float, float | None]]:
    """Press Cancel as soon as it can be seen, while the risk of many rows is counted, and while the frontier is built."""
    with browser() as chromium, served(str(rows)) as studio:
        seen = look(chromium, studio)
        page = seen.page
        for screen, path in (("counting the risk", "/risk"), ("building the frontier", "/")):
            page.locator(f'nav a[href="{path}"]').click()
            page.locator(".work button").wait_for(timeout=PATIENCE)
            yield f"cancel in the browser, {what}: {screen} (wall clock)", page.evaluate(STOP), 1.0


def measured(rows: Any, millions: float) -> Iterator[tuple[str, float, float | None]]:
    """Measure both; ``rows`` writes so many million rows into a folder."""
    yield from slider()
    with tempfile.TemporaryDirectory() as place:
        yield from cancel(rows(millions, Path(place)), f"{millions:g} million rows")
