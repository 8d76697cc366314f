"""Pieces of a page or of what a notebook shows. Text is escaped unless it is a piece already, so that no name or label can become markup."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from tokumei.shown import shown


class Html(str):
    """Markup that is safe to put into a page as it is."""

    __slots__ = ()


def safe(part: str) -> Html:
    """Return text as markup: escaped, unless it is markup; what nobody would see of it is shown.

    >>> safe("a < b")
    'a &lt; b'
    """
    return part if isinstance(part, Html) else Html(escape(shown(part, lines=True), quote=True))


def tag(name: str, *parts: str, **attributes: str) -> Html:
    """Return an element. ``class_`` is its class, and an underscore in a name a hyphen.

    >>> tag("p", "a < b", class_="note")
    '<p class="note">a &lt; b</p>'
    """
    named = "".join(f' {key.rstrip("_").replace("_", "-")}="{safe(each)}"' for key, each in attributes.items())
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
