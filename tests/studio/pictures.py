"""The screens as they were looked at and found good: `python -m tests.studio.pictures` renews them.

Of each screen, at each width, two things are stored. Where its parts are: cards, tables, controls, in CSS pixels. And a small grey picture
of what is seen without scrolling; at the largest width also of how it looks in the dark. Both are compared with room for other fonts: letters may be wider
and lines may break elsewhere, but nothing may be gone, be somewhere else, stick out, or change from light to dark.

In the dark parts are where they are in the light. In Japanese the same parts stand side by side as in English; how tall they are depends on the letters that a
machine has, and is not compared.
"""

from __future__ import annotations

import base64
import json
import struct
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, expect

import tokumei as tk
from tests.studio.browsing import browser, look
from tests.studio.serving import served
from tokumei.studio.frame import PATHS
from tokumei.studio.session.frontier import lines

FOLDER = Path(__file__).parent / "stored"
BOXES = FOLDER / "boxes.json"
WIDTHS = {1280: 900, 768: 1000, 390: 844}
SMALL = 80  # pixels across of a stored picture
ACROSS, DOWN, LOOSE = (
    0.04,
    0.15,
    40,
)  # shares of the width and of the height by which a part may be off, and pixels besides
LETTERS = 0.15  # the share by which a table may be wider or narrower where letters are
GREY = 20.0  # by how much a picture may be off on the whole; white is 255
DARK = 1280  # the width at which pictures are taken in the dark
VARIES = ("method",)  # screens whose cards have more or fewer sentences from run to run: heights are not compared

SETTLED = {  # what comes last on a screen
    "risk": "rect.after",
    "frontier": f".method-row:not(.off) >> nth={len(lines()) - 1}",
    "method": "text=/rows would be released|行が公開されます/",
    "compare": "main .picture svg",
    "verdict": ".duties",
}
PARTS = """() => [...document.querySelectorAll("header.top, nav, main h1, main .card, main table, main svg.plot, main .drop")]
    .filter((each) => each.checkVisibility()).map((each) => {
        const at = each.getBoundingClientRect(), kind = each.tagName.toLowerCase();
        return [kind, Math.round(at.x), Math.round(at.y + scrollY), Math.round(at.width), Math.round(at.height)];
    })"""
SHRINK = """async ([url, width]) => {
    const picture = new Image();
    picture.src = url;
    await picture.decode();
    const canvas = document.createElement("canvas"), height = Math.round(picture.height * width / picture.width);
    canvas.width = width; canvas.height = height;
    const brush = canvas.getContext("2d");
    brush.imageSmoothingQuality = "high";
    brush.drawImage(picture, 0, 0, width, height);
    const all = brush.getImageData(0, 0, width, height).data, grey = [];
    for (let i = 0; i < all.length; i += 4) grey.push(Math.round(0.3 * all[i] + 0.59 * all[i + 1] + 0.11 * all[i + 2]));
    return [height, grey];
}"""

Boxes = list[list[Any]]
Grey = np.ndarray[Any, np.dtype[np.uint8]]


def screens(page: Page) -> Iterator[str]:
    """Go to every screen of a studio whose method is applied, and name it when it is drawn."""
    for name, path in PATHS.items():
        page.locator(f'nav a[href="{path}"]').click()
        page.locator(f'nav a[href="{path}"][data-drawn]').wait_for()
        page.mouse.move(0, 0)
        page.locator(SETTLED.get(name, "main h1")).first.wait_for(state="attached")
        page.wait_for_function("document.querySelector('main h1') && !document.querySelector('.waiting')")
        page.wait_for_function("getComputedStyle(document.querySelector('.work')).display === 'none'")
        _still(page, 500)
        yield name


def _still(page: Page, apart: int) -> Boxes:
    """Wait until nothing moves any more, and return where the parts are."""
    before: Boxes | None = None
    while before != (now := page.evaluate(PARTS)):
        before = now
        page.wait_for_timeout(apart)
    return now


def shaded(page: Page, shade: str) -> None:
    """Make the page light or dark."""
    page.locator(".tools select").nth(1).select_option(shade)
    page.locator(f"body.body--{shade}").wait_for()


def spoken(page: Page, language: str) -> None:
    """Switch the language, which loads the page anew."""
    with page.expect_navigation():
        page.locator(".tools select").nth(0).select_option(language)
    page.locator(f'html[lang^="{language}"]').wait_for(state="attached")


def taken(chromium: Browser, page: Page, widths: Iterable[int] = tuple(WIDTHS)) -> Iterator[tuple[int, Boxes, Grey]]:
    """Look at the screen at every width: where its parts are, and what is seen."""
    blank = chromium.new_page()
    for width in widths:
        height = WIDTHS[width]
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        parts = _still(page, 125)
        picture = "data:image/png;base64," + base64.b64encode(page.screenshot()).decode()
        down, grey = blank.evaluate(SHRINK, [picture, SMALL])
        yield width, parts, np.array(grey, dtype=np.uint8).reshape(down, SMALL)
    blank.close()
    page.set_viewport_size({"width": 1280, "height": 900})


def moved(name: str, stored: Boxes, found: Boxes, width: int, *, heights: bool = True) -> list[str]:
    """Say which parts of a screen are gone, new, or elsewhere than other fonts would put them; without ``heights`` only sideways."""
    kinds = [[each[0] for each in boxes] for boxes in (stored, found)]
    if kinds[0] != kinds[1]:
        return [f"{len(kinds[0])} parts were stored, {len(kinds[1])} are there"]
    wrong = []
    for (kind, x, y, wide, tall), (_, x_now, y_now, wide_now, tall_now) in zip(stored, found, strict=True):
        room = max(ACROSS * width, LETTERS * wide if kind == "table" else 0) + 8
        letters = kind == "table" and not heights  # a table is as wide as its words
        sideways = abs(x - x_now) > ACROSS * width + 8 or (abs(wide - wide_now) > room and not letters)
        above, high = DOWN * max(y, y_now) + LOOSE, DOWN * max(tall, tall_now) + LOOSE
        upright = heights and name not in VARIES and (abs(y - y_now) > above or abs(tall - tall_now) > high)
        if sideways or upright:
            wrong.append(f"{kind} was at {x, y, wide, tall}, is at {x_now, y_now, wide_now, tall_now}")
    return wrong


def off(stored: Grey, found: Grey) -> float:
    """Return by how much two pictures differ on the whole."""
    if stored.shape != found.shape:
        return 255.0
    return float(np.abs(stored.astype(float) - found.astype(float)).mean())


def write_png(path: Path, grey: Grey) -> None:
    """Write a grey picture."""
    rows, columns = grey.shape
    raw = b"".join(b"\0" + row.tobytes() for row in grey)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(raw, 9)),
        (b"IEND", b""),
    )
    written = b"\x89PNG\r\n\x1a\n"
    for kind, data in parts:
        written += struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    path.write_bytes(written)


def read_png(path: Path) -> Grey:
    """Read a grey picture that `write_png` wrote."""
    content, at, data = path.read_bytes(), 8, b""
    size = (0, 0)
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        kind, part = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            size = struct.unpack(">II", part[:8])
        elif kind == b"IDAT":
            data += part
        at += 12 + length
    return np.frombuffer(zlib.decompress(data), dtype=np.uint8).reshape(size[1], size[0] + 1)[:, 1:]


def place_of(name: str, width: int | str) -> Path:
    """Return where a picture is stored."""
    return FOLDER / f"{name}-{width}.png"


def begun(chromium: Browser, studio: Any) -> Page:
    """Open a studio and apply a method, so that every screen has something to show."""
    page = look(chromium, studio, color_scheme="light").page
    page.locator('nav a[href="/"]').click()
    row = page.locator(".method-row").filter(has=page.get_by_text("Generalization in groups", exact=True))
    row.get_by_role("button", name="Apply").click()
    expect(page.locator(".figures")).to_contain_text("(counted)")
    return page


def table(folder: Path) -> Path:
    """Write the table that the pictures show."""
    place = folder / "people.csv"
    tk.example_census(rows=400, frame="pandas").to_csv(place, index=False)
    return place


def main() -> None:
    """Take every picture anew."""
    FOLDER.mkdir(exist_ok=True)
    boxes: dict[str, Boxes] = {}
    with tempfile.TemporaryDirectory() as folder, browser() as chromium, served(str(table(Path(folder)))) as studio:
        page = begun(chromium, studio)
        for name in screens(page):
            for width, parts, grey in taken(chromium, page):
                boxes[f"{name}-{width}"] = parts
                write_png(place_of(name, width), grey)
            shaded(page, "dark")
            for _, _, grey in taken(chromium, page, (DARK,)):
                write_png(place_of(name, "dark"), grey)
            shaded(page, "light")
    told = (f" {json.dumps(key)}: {json.dumps(each)}" for key, each in boxes.items())
    BOXES.write_text("{\n" + ",\n".join(told) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
