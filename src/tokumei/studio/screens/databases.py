"""A table of a database: its address, and the tables there as a list to pick from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from tokumei.progress import Progress, Stop, listening
from tokumei.studio.parts import Text, box, button, field, note

if TYPE_CHECKING:
    from nicegui import ui

    from tokumei.studio.frame import View

MANY = 12  # tables that are found without a search
MOST = 200  # that are shown at once


def databases(view: View) -> None:
    """Ask for the address of a database, and offer its tables."""
    words = view.words
    written = {"url": ""}
    with box("", "details"):
        Text("summary", words("data_database"))

        async def ask() -> None:
            await _list(view, written["url"].strip(), place)

        with box("row bottom"):
            address = field(
                words("data_url"),
                "",
                partial(written.__setitem__, "url"),
                classes="grow",
                placeholder="sqlite:///people.db",
            )
            button(words("data_list"), ask)
        address.on("keyup.enter", ask)  # after the change that it tells
        note(words("data_password"))
        place = box("filled")


async def _list(view: View, url: str, place: ui.element) -> None:
    def work(progress: Progress, cancelled: Stop) -> tuple[str, ...]:
        from tokumei.io.listing import list_tables

        with listening(progress, cancelled):
            return list_tables(url)

    await view.fill("tables", work, partial(_tables, view, url), place)


def _tables(view: View, url: str, found: Sequence[str]) -> None:
    words = view.words
    if not found:
        note(words("data_no_tables"))
        return
    note(words("data_tables", count=len(found)))
    if len(found) > MANY:
        field(words("data_search"), "", lambda text: _show(view, url, found, text, listed), delay=0.2)
    listed = box("tables", "ul", aria_label=words("data_database"))
    _show(view, url, found, "", listed)


def _show(view: View, url: str, found: Sequence[str], text: str, listed: ui.element) -> None:
    """Show the tables whose name has a text in it."""
    words = view.words
    fitting = [name for name in found if text.strip().lower() in name.lower()]
    listed.clear()
    with listed:
        for name in fitting[:MOST]:
            with box("project", "li"):
                Text("strong", name, "grow")
                label = f"{words('data_open_table')}{words('colon')}{name}"
                button(words("data_open_table"), partial(_open, view, url, name), "primary", label)
        if len(fitting) > MOST:
            Text("li", words("data_tables_more", count=f"{len(fitting) - MOST:,}"), "note")
        if not fitting:
            Text("li", words("data_tables_none"), "note")


async def _open(view: View, url: str, name: str) -> None:
    from tokumei.studio.session import Session

    await view.open(lambda: Session.open(url, name))
