"""Reports in a real browser: nothing is fetched, nothing complains, nothing sticks out on a phone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from playwright.sync_api import sync_playwright

import tokumei as tk
from tokumei.reports.browser import find_browser
from tokumei.reports.evidence import Evidence, now
from tokumei.reports.findings import private_findings, public_findings
from tokumei.reports.report import Report, _html
from tokumei.words import Language, Words

pytestmark = pytest.mark.usefixtures("true_letters")

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
METHODS: dict[str, Any] = {
    "pk": tk.PkPerturbation(k=5, tells="all"),
    "generalization": tk.Generalization(k=5),
    "microaggregation": tk.Microaggregation(k=5),
}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    try:
        path = find_browser()
    except tk.errors.MissingDependency as error:
        pytest.skip(str(error))
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def pages(true_letters: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    rows, schema = tk.example_census(rows=200, frame="pyarrow"), tk.example_schema()
    made = {}
    for name, method in METHODS.items():
        release = tk.anonymize(rows, schema, method)
        private = private_findings(release, {}, Evidence(now()), rows, schema, (), None, None, None)
        for audience, found in (("private", private), ("public", public_findings(release, {}, Evidence(now())))):
            for language in get_args(Language):
                place = folder / f"{name}-{language}-{audience}.html"
                made[place.stem] = Report(_html(found, Words(language)), audience == "public").write(place)[0]
    return made


def test_pages_open_without_network_or_complaint(chromium: Any, pages: dict[str, Path]) -> None:
    for path in pages.values():
        context = chromium.new_context()
        page = context.new_page()
        asked: list[str] = []
        said: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.on("console", lambda message, said=said: said.append(message.text))
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        page.goto(path.as_uri())
        for width, scheme in itertools.product((1200, 360), ("light", "dark")):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            across = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
            assert across[0] <= across[1] == width, path.name
            background = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (background == "rgb(255, 255, 255)") is (scheme == "light")
            drawn = page.evaluate(
                "[...document.querySelectorAll('figure svg')].map(each => each.getBoundingClientRect().height)"
            )
            assert all(height > 20 for height in drawn)
            assert len(drawn) >= (0 if "public" in path.stem else 5)
        assert asked == [path.as_uri()]
        assert said == []
        context.close()


def test_charts_follow_the_colours_of_the_page(chromium: Any, pages: dict[str, Path]) -> None:
    found = {}
    for scheme in ("light", "dark"):
        page = chromium.new_context(color_scheme=scheme).new_page()
        page.goto(pages["pk-en-private"].as_uri())
        found[scheme] = page.evaluate("getComputedStyle(document.querySelector('figure:not(.light) svg text')).fill")
        page.context.close()
    assert found["light"] != found["dark"]


def test_a_report_is_printed(chromium: Any, tmp_path: Path) -> None:
    rows, schema = tk.example_census(rows=100), tk.example_schema()
    made = tk.report(tk.anonymize(rows, schema, tk.Generalization(k=5)))
    written = made.write(tmp_path / "report.html", pdf=True)
    assert [path.name for path in written] == ["report.html", "report.pdf"]
    assert written[1].read_bytes().startswith(b"%PDF")
