"""What a notebook shows for an object: a frame with a title, tables and lists.

There is no script and no colour of its own: text and lines take the notebook's, light or dark. Cells of a table of people
have no business here; a card shows names, declared labels, counts and sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tokumei.markup.pieces import Html, bullets, tag

LINE = "1px solid rgba(128, 128, 128, 0.4)"
FRAME = f"border: {LINE}; border-radius: 6px; padding: 0.6em 0.9em; max-width: 60em; margin: 0.3em 0"
CELL = f"text-align: left; vertical-align: top; padding: 0.2em 0.8em 0.2em 0; border: 0; border-bottom: {LINE}"
HEAD = f"{CELL}; font-weight: 600"
TABLE = "border-collapse: collapse; font-size: inherit; margin: 0.4em 0"
IGNORED = "tokumei tex2jax_ignore mathjax_ignore"  # a dollar in a column's name starts no formula


def card(title: str, *parts: str) -> str:
    """Return the whole card.

    >>> "<b>" in card("A & B", "<b>")
    False
    """
    heading = tag("div", title, style="font-weight: 600; margin-bottom: 0.4em")
    return str(tag("div", heading, *(part for part in parts if part), class_=IGNORED, style=FRAME))


def said(text: str, *, loud: bool = False) -> Html:
    """Make a sentence a paragraph."""
    return tag("p", tag("strong", text) if loud else text, style="margin: 0.3em 0")


def grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    """Make a table whose cells are text."""
    first = tag("tr", *(tag("th", title, scope="col", style=HEAD) for title in head))
    body = [tag("tr", *(tag("td", cell, style=CELL) for cell in row), style="background: transparent") for row in rows]
    inside = tag("table", tag("thead", first), tag("tbody", *body), style=TABLE)
    return tag("div", inside, style="overflow-x: auto")


def pairs(facts: Mapping[str, str]) -> Html:
    """Make a table of names and what belongs to each."""
    body = [
        tag("tr", tag("th", name, scope="row", style=HEAD), tag("td", fact, style=CELL)) for name, fact in facts.items()
    ]
    return tag("table", tag("tbody", *body), style=TABLE)


def folded(title: str, items: Iterable[str]) -> Html:
    """Make a list that opens on a click."""
    return tag("details", tag("summary", title, style="cursor: pointer"), bullets(items), style="margin: 0.3em 0")


def in_words(given: Any) -> str:
    """Write a setting so that no table inside it is shown: plain values as they are, others by their names only.

    >>> in_words(10), in_words({"age": 2.0, "sex": 1.0}), in_words(["age", 3]), in_words(print)
    ('10', 'age, sex', 'age, 3', 'builtin_function_or_method')
    """
    if isinstance(given, bool | int | float | str):
        return str(given)
    if isinstance(given, Mapping):
        return ", ".join(str(name) for name in given)
    if isinstance(given, list | tuple):
        return ", ".join(in_words(each) for each in given)
    return type(given).__name__
