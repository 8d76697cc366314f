"""Sections, numbers and tables of a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tokumei.markup.pieces import Html, bullets, joined, paragraphs, safe, tag
from tokumei.results import shown

__all__ = ["Html", "bullets", "joined", "number", "paragraphs", "safe", "section", "table", "tag"]


def section(key: str, title: str, *parts: str) -> Html:
    """Make a section with a heading that can be pointed at."""
    return tag("section", tag("h2", title), *parts, id=key)


def number(text: str, measure: str, value: float) -> Html:
    """Write a number so that its exact value and what it measures stand beside it."""
    return tag("span", text, class_="number", data_measure=measure, data_value=repr(shown(value)))


def table(head: Sequence[str], rows: Iterable[Sequence[str]], class_: str = "") -> Html:
    """Make a table; it scrolls by itself where the page is too narrow for it."""
    first = tag("tr", *(tag("th", title, scope="col") for title in head))
    body = [
        tag(
            "tr",
            tag("th", row[0], scope="row"),
            *(tag("td", each, data_title=title) for title, each in zip(head[1:], row[1:], strict=True)),
        )
        for row in rows
    ]
    return tag("div", tag("table", tag("thead", first), tag("tbody", *body)), class_=f"wide {class_}".strip())
