"""Records: the rows that are easiest to recognize, a page at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from tokumei.reports.numbers import percent
from tokumei.studio.parts import Text, box, breaking, button, card, choice, note, turn_off
from tokumei.studio.session.records import Record, RecordPage

if TYPE_CHECKING:
    from tokumei.studio.frame import View

SIZE = 20


async def records(view: View) -> None:
    """Show a page of records."""
    words = view.words
    shown: dict[str, Any] = {"page": 0, "order": "risk"}

    async def show(**changes: Any) -> None:
        shown.update(changes)
        await view.fill(
            "records",
            lambda progress, cancelled: view.session.records(shown["page"], shown["order"], SIZE),
            partial(_page, view, show),
            place,
        )

    with card():
        orders = {"risk": words("records_by_risk"), "row": words("records_by_row")}
        choice(words("records_order"), orders, "risk", lambda order: show(order=order, page=0))
        note(words("records_private"))
    place = box("filled")
    await show()


def _page(view: View, go: Callable[..., Awaitable[None]], found: RecordPage) -> None:
    words = view.words
    columns = list(found.records[0].cells) if found.records else []
    with box("row"):
        turn_off(button(words("records_back"), lambda: go(page=found.page - 1)), found.page == 0)
        turn_off(button(words("records_on"), lambda: go(page=found.page + 1)), found.page == found.pages - 1)
        Text("span", words("records_page", page=f"{found.page + 1:,}", pages=f"{found.pages:,}"), "note")
    with card(), box("wide", tabindex="0", role="region", aria_label=words("screen_records")), box("", "table"):
        with box("", "thead"), box("", "tr"):
            after = () if found.basis is None else (words(f"records_after_{found.basis}"),)
            for title in (words("records_row"), words("records_risk"), words("records_alike"), *after, *columns):
                Text("th", title, scope="col")
        with box("", "tbody"):
            for record in found.records:
                _record(view, record, columns)


def _record(view: View, record: Record, columns: list[str]) -> None:
    words = view.words
    with box("", "tr"):
        Text("td", f"{record.row + 1:,}", "number")
        _risk(percent(record.risk), record.risk)
        Text("td", f"{record.class_size:,}", "number")
        if record.after is not None:
            gone = record.after == 0
            _risk(words("records_left_out") if gone else percent(record.after), record.after)
        for name in columns:
            with box("", "td"):
                text = _cell(view, record.cells[name])
                Text("div", text, breaking(text))
                if record.released is not None and name in record.released:
                    text = _cell(view, record.released[name])
                    Text("div", f"→ {text}", f"note {breaking(text)}", title=words("records_became"))


def _risk(text: str, risk: float) -> None:
    with box("", "td"):
        Text("span", text)
        with box("risk-bar", aria_hidden="true"):
            box("", "i").style(f"width: {risk:.0%}")


def _cell(view: View, cell: str | None) -> str:
    return view.words("records_missing") if cell is None else cell if len(cell) <= 120 else cell[:120] + "…"
