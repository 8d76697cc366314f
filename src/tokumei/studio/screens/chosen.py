"""A file before it is opened: its first rows, and how it is written, which can be corrected."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tokumei.errors import TokumeiError
from tokumei.io.delimiter import DELIMITERS
from tokumei.io.encodings import ENCODINGS
from tokumei.io.guessing import DATES
from tokumei.studio.parts import Text, box, breaking, button, card, choice, field, note
from tokumei.studio.worker import Superseded

if TYPE_CHECKING:
    from nicegui import ui

    from tokumei.io.source import Dialect
    from tokumei.studio.control import Control
    from tokumei.studio.frame import View
    from tokumei.studio.session.chosen import Beginning, Chosen

CALLED = {
    "utf-8": "UTF-8",
    "cp932": "Shift-JIS (CP932)",
    "euc_jp": "EUC-JP",
    "latin-1": "Latin-1 (ISO 8859-1)",
    "cp1252": "Windows-1252",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16 LE",
    "utf-16-be": "UTF-16 BE",
}
MARKS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
DAY = dt.date(2001, 12, 31)
MOST = 40  # columns of the preview
LONGEST = 60  # letters of a cell


async def chosen(view: View) -> None:
    """Show the first rows of the file that was chosen, with the settings by which they are read."""
    words, file = view.words, view.studio.chosen
    assert file is not None
    Text("h1", words("chosen_title", name=file.name))
    Text("p", words("chosen_lead"), "lead")
    shown = Shown({})
    with card(words("chosen_settings")):
        _settings(view, file, shown)
        note(words("chosen_guessed"))
        with box("row"):
            button(words("chosen_open"), partial(_open, view, file), "primary")
            button(words("cancel"), partial(_leave, view))
    with card(words("chosen_rows")):
        shown.rows = box("filled")
    await _show(view, file, shown)


@dataclass
class Shown:
    """The controls of the settings, and where the rows are."""

    controls: dict[str, Control[str]]
    rows: ui.element | None = None


def _settings(view: View, file: Chosen, shown: Shown) -> None:
    words, known = view.words, file.dialect
    offered = {
        "encoding": {each: CALLED[each] for each in ENCODINGS},
        "delimiter": {each: words(f"chosen_mark_{MARKS[each]}") for each in DELIMITERS},
        "decimal": {".": words("chosen_point"), ",": words("chosen_comma")},
        "dates": {"": words("chosen_iso"), **{each: DAY.strftime(each) for each in DATES}},
    }
    with box("row bottom"):
        for name, options in offered.items():
            if name == "delimiter" and file.tabbed:
                continue
            change = partial(_choose, view, file, shown, name)
            shown.controls[name] = choice(words(f"chosen_{name}"), options, _written(known, name), change)
        shown.controls["missing"] = field(
            words("chosen_missing"),
            _written(known, "missing"),
            partial(_choose, view, file, shown, "missing"),
            delay=0.6,
            placeholder="NA, ?, -9",
        )


def _written(known: Dialect, name: str) -> str:
    """Return a setting as its control shows it."""
    if name == "missing":
        return ", ".join(each for each in known.missing if each)
    return str(getattr(known, name) or "")


async def _choose(view: View, file: Chosen, shown: Shown, name: str, given: str) -> None:
    value = [each.strip() for each in given.split(",") if each.strip()] if name == "missing" else given
    try:
        known = await view.do(f"choose {name}", lambda progress, cancelled: file.choose(name, value))
    except Superseded:
        return
    except TokumeiError as error:
        view.complain(error)
        return
    for other in file.guessed:  # which may be another guess now
        control = shown.controls.get(other)
        if control is not None and control.value != _written(known, other):
            control.push(_written(known, other))
    await _show(view, file, shown)


async def _show(view: View, file: Chosen, shown: Shown) -> None:
    await view.fill("beginning", lambda progress, cancelled: file.beginning(), partial(_rows, view), shown.rows)


def _rows(view: View, found: Beginning) -> None:
    words = view.words
    count = len(found.columns)
    note(words("chosen_shown", rows=len(found.rows), columns=f"{count:,}"))
    caption = words("chosen_rows")
    with box("wide", tabindex="0", role="region", aria_label=caption), box("", "table"):
        Text("caption", caption, "unseen")
        with box("", "thead"), box("", "tr"):
            for name, holds, missing in list(zip(found.columns, found.holds, found.missing, strict=True))[:MOST]:
                with box("number" if holds == "numbers" else "", "th", scope="col"):
                    Text("div", name)
                    known = words.knows(f"holds_{holds}")
                    Text("span", words(f"holds_{holds}" if known else "holds_other"), "tag")
                    if missing:
                        Text("span", words("data_missing", count=f"{missing:,}"), "tag")
        with box("", "tbody"):
            for row in found.rows:
                with box("", "tr"):
                    for cell, holds in list(zip(row, found.holds, strict=True))[:MOST]:
                        _cell(words("chosen_absent"), cell, holds)
    if count > MOST:
        note(words("chosen_more", count=f"{count - MOST:,}"))


def _cell(absent: str, cell: str | None, holds: str) -> None:
    if cell is None:
        Text("td", absent, "absent short")
        return
    shown = cell if len(cell) <= LONGEST else cell[:LONGEST] + "…"
    Text("td", shown, "number" if holds == "numbers" else breaking(shown))


async def _open(view: View, file: Chosen) -> None:
    from tokumei.studio.session import Session

    await view.open(lambda: Session.open_chosen(file))
    if view.studio.chosen is file and not file.file.exists():  # it was stopped when it was open already
        _leave(view)


def _leave(view: View) -> None:
    view.studio.choose(None)
    view.studio.changed()
