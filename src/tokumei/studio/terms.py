"""Terms of the glossary on the screens: each is explained where it stands first, by mouse, by keyboard and to those who listen."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any
from weakref import WeakKeyDictionary

from nicegui import ui

from tokumei.words import Language, Words
from tokumei.words.glossary import Term, find_terms, terms

SCREEN = "screen"  # the class of what a screen is drawn into


class Said(str):
    """What the studio says itself, in a language. Only here are terms looked for: never in names and cells of the table."""

    __slots__ = ("language",)
    language: Language

    def __new__(cls, text: str, language: Language) -> Said:
        """Mark a text as said."""
        made = super().__new__(cls, text)
        made.language = language
        return made


class Speaking(Words):
    """The words of one language, marked as the studio's own.

    >>> said = Speaking("en")("risk_mean")
    >>> isinstance(said, Said), said.language
    (True, 'en')
    """

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return a sentence with its parameters put in."""
        return Said(super().__call__(key, **values), self.language)


_EXPLAINED: WeakKeyDictionary[ui.element, dict[int, ui.element]] = WeakKeyDictionary()


def explained(text: str, by: ui.element) -> list[tuple[str, str | None]]:
    """Divide what is said into plain parts and terms that the screen has not explained yet, each with the id of its meaning."""
    if not isinstance(text, Said):
        return [(text, None)]
    scope = _screen(by)
    known = _EXPLAINED.setdefault(scope, {})
    parts: list[tuple[str, str | None]] = []
    for part, term in find_terms(text, text.language):
        if term is None or _still_there(known.get(term.place)):
            parts.append((part, None))
        else:
            known[term.place] = by
            parts.append((part, name_of(term)))
    return parts


def name_of(term: Term) -> str:
    """Return the id of the element of the page that holds the meaning of a term."""
    return f"term-{term.place}"


def names_in(text: str, language: Language) -> str | None:
    """Return the ids of the meanings of all terms in a text, as ``aria-describedby`` has them."""
    found = dict.fromkeys(name_of(term) for _, term in find_terms(text, language) if term is not None)
    return " ".join(found) or None


def meanings(language: Language) -> ui.element:
    """Put the meaning of every term into the page, where nobody sees it and everything can refer to it."""
    lines = (f'<span id="{name_of(each)}">{escape(each.meaning[language])}</span>' for each in terms())
    made = ui.html("".join(lines), sanitize=True)
    made.props["hidden"] = True
    return made


def _still_there(element: ui.element | None) -> bool:
    return element is not None and not element.is_deleted


def _screen(element: ui.element) -> ui.element:
    """Return what the screen is drawn into, or the whole page for what is around screens."""
    for each in _around(element):
        element = each
        if SCREEN in each._classes:
            break
    return element


def _around(element: ui.element) -> Iterator[ui.element]:
    while element.parent_slot is not None:
        element = element.parent_slot.parent
        yield element
