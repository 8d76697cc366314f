"""Pieces of a page. Text is escaped unless it is a piece already, so that no name or label can become markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


class Html(str):
    """Markup that is safe to put into a page as it is."""

    __slots__ = ()


def safe(part: str) -> Html:
    """Return text as markup: escaped, unless it is markup.

    >>> safe("a < b")
    'a &lt; b'
    """
    return part if isinstance(part, Html) else Html(escape(part, quote=True))


def tag(name: str, *parts: str, **attributes: str) -> Html:
    """Return an element. ``class_`` is its class, and an underscore in a name a hyphen.

    >>> tag("p", "a < b", class_="note")
    '<p class="note">a &lt; b</p>'
    """
    named = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(each)}"' for key, each in attributes.items())
    return Html(f"<{name}{named}>{''.join(safe(part) for part in parts)}</{name}>")


def joined(parts: Iterable[str]) -> Html:
    """Put pieces after each other."""
    return Html("\n".join(safe(part) for part in parts))


def paragraphs(*texts: str) -> Html:
    """Make each text a paragraph, and empty ones nothing."""
    return joined(tag("p", text) for text in texts if text)


def bullets(items: Iterable[str]) -> Html:
    """Make a list."""
    return tag("ul", *(tag("li", item) for item in items))


def section(key: str, title: str, *parts: str) -> Html:
    """Make a section with a heading that can be pointed at."""
    return tag("section", tag("h2", title), *parts, id=key)


def number(text: str, measure: str, value: float) -> Html:
    """Write a number so that its exact value and what it measures stand beside it."""
    return tag("span", text, class_="number", data_measure=measure, data_value=repr(value))


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
