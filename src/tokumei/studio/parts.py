"""The pieces that screens are made of: plain elements of a page with a label each, never text that is read as markup."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from tokumei.shown import shown
from tokumei.studio.control import Control
from tokumei.studio.terms import explained

C = TypeVar("C", bound=ui.element)
Handler = Callable[..., Awaitable[None] | None]
LONGEST_WORD = 24  # letters
READ_OUT = {"title", "aria-label", "alt", "placeholder"}  # attributes that people are shown, or hear
PRESSED = {"button", "a", "summary", "caption"}  # tags in which no term is explained: they are pressed, or not seen


class Text(TextElement):
    """An element of any tag with text in it, and nothing but text; terms of the glossary in what the studio says are explained."""

    def __init__(self, tag: str, text: str = "", classes: str = "", **attributes: Any) -> None:
        super().__init__(tag=tag, text=shown(text, lines=True))
        self.classes(classes)
        give(self, **attributes)
        if tag not in PRESSED and "aria-hidden" not in self.props:
            self._explain(text)

    def _explain(self, text: str) -> None:
        parts = explained(text, self)
        if any(meaning for _, meaning in parts):
            self.text = ""
            with self:
                for part, meaning in parts:
                    if meaning is None:
                        TextElement(tag="span", text=shown(part, lines=True))
                    else:
                        give(TextElement(tag="dfn", text=part), tabindex="0", aria_describedby=meaning).classes("term")


def give(element: C, **attributes: Any) -> C:
    """Set attributes as they are; an underscore stands for a hyphen, and nothing stands for an attribute left out."""
    for name, content in attributes.items():
        key = name.strip("_").replace("_", "-")
        if content is not None:
            element.props[key] = shown(content) if key in READ_OUT else content
    return element


def box(classes: str = "", tag: str = "div", **attributes: Any) -> ui.element:
    """Begin a block."""
    made = ui.element(tag).classes(classes)
    return give(made, **attributes)


def card(title: str = "", classes: str = "", level: int = 2) -> ui.element:
    """Begin a card with a heading."""
    made = box(f"card {classes}", "section")
    if title:
        with made:
            Text(f"h{level}", title)
    return made


def paragraph(text: str, classes: str = "") -> Text:
    """Write a sentence."""
    return Text("p", text, classes)


def no_method(words: Callable[[str], str]) -> None:
    """Say that a method must be chosen first, and where."""
    with card(classes="empty"):
        paragraph(words("export_no_method"))
        link(words("export_choose"), "/", "button primary")


def note(text: str) -> Text:
    """Write a sentence in small letters."""
    return Text("p", text, "note")


def problem(text: str) -> Text:
    """Say what went wrong, aloud for those who listen."""
    return Text("p", text, "problem", role="alert")


def button(
    text: str, on_click: Handler | None = None, kind: str = "", label: str | None = None, **attributes: Any
) -> Text:
    """Make a button; ``kind`` is ``primary``, ``quiet`` or nothing, and ``label`` says what it does where its text does not."""
    made = Text("button", text, f"button {kind}", type="button", aria_label=label, title=label, **attributes)
    if on_click is not None:
        made.on("click", lambda _event: None if made.props.get("aria-disabled") else on_click())
    return made


def turn_off(made: ui.element, off: bool) -> ui.element:
    """Show that a button does nothing now; it keeps the focus, which one that is disabled would lose."""
    made.props.set_optional("aria-disabled", "true" if off else None)
    return made


def link(text: str, target: str, classes: str = "", **attributes: Any) -> Text:
    """Make a link within the studio."""
    return Text("a", text, classes, href=target, **attributes)


def choice(
    label: str,
    options: Mapping[str, str],
    chosen: str | None,
    on_change: Callable[[str], Awaitable[None] | None],
    *,
    hidden: bool = False,
    classes: str = "",
) -> Control[str]:
    """Let one of some options be chosen; they are given by name, with what is shown for each."""
    first = chosen if chosen in options else next(iter(options), "")
    with box(f"field {classes}", "label"):
        meant = _label(label, "unseen" if hidden else "")
        made = Control("select", str(first), on_change, options={name: shown(each) for name, each in options.items()})
    return describe(made, *meant)


def field(
    label: str,
    content: str,
    on_change: Callable[[str], Awaitable[None] | None],
    *,
    kind: str = "text",
    delay: float | None = None,
    classes: str = "",
    **attributes: Any,
) -> Control[str]:
    """Let something be written: a line, or with the kind ``textarea`` several; with a ``delay`` it is told while it is written."""
    with box(f"field {classes}", "label"):
        meant = _label(label)
        made = Control(kind, content, on_change, delay=delay)
        give(made, autocomplete="off", **attributes)
    return describe(made, *meant)


def tick(label: str, on: bool, on_change: Callable[[bool], Awaitable[None] | None]) -> Control[bool]:
    """Let something be ticked."""
    with box("tick", "label"):
        made = Control("checkbox", bool(on), on_change)
        meant = _label(label)
    return describe(made, *meant)


def _label(label: str, classes: str = "") -> list[str]:
    """Write what a control is called. Its terms are explained when one points at them, or reaches the control, which they describe."""
    made = TextElement(tag="span", text="").classes(classes)
    parts = [(label, None)] if classes else explained(label, made)
    meant = [meaning for _, meaning in parts if meaning is not None]
    if not meant:
        made.text = shown(label, lines=True)
        return []
    with made:
        for part, meaning in parts:
            give(TextElement(tag="span", text=shown(part, lines=True)), data_term=meaning).classes(
                "term" if meaning else ""
            )
    return meant


def describe(control: C, *ids: str) -> C:
    """Let elements of the page describe a control, in addition to those that do already."""
    known = str(control.props.get("aria-describedby", "")).split()
    return give(control, aria_describedby=" ".join(dict.fromkeys([*known, *ids])) or None)


def breaking(text: str) -> str:
    """Return the class of a cell: a short text stays in one line, and only a word that is too long for any line is broken."""
    if len(text) <= LONGEST_WORD:
        return "short"
    return "long" if any(len(word) > LONGEST_WORD for word in text.split()) else ""


def table(
    head: Sequence[str], rows: Iterable[Sequence[str | list[str]]], caption: str, numbers: Sequence[int] = ()
) -> ui.element:
    """Show a table; ``numbers`` are the columns that stand to the right, and the parts of a list are not broken."""
    with box("wide", tabindex="0", role="region", aria_label=caption) as around, box("", "table"):
        Text("caption", caption, "unseen")
        with box("", "thead"), box("", "tr"):
            for place, title in enumerate(head):
                if title:
                    Text("th", title, "number" if place in numbers else "", scope="col")
                else:
                    box("", "td")
        with box("", "tbody"):
            for row in rows:
                with box("", "tr"):
                    for place, cell in enumerate(row):
                        if isinstance(cell, str):
                            Text("td", cell, "number" if place in numbers else breaking(cell))
                            continue
                        with box("", "td"):
                            for part in cell:
                                Text("span", part, f"part {breaking(part)}")
    return around


def figure(svg: str) -> ui.element:
    """Show a picture; the browser is made to drop anything in it that could do something."""
    return ui.html(svg, sanitize=True).classes("picture")


def bars(shares: Sequence[float], labels: Sequence[str], label: str) -> None:
    """Show a small distribution; the whole is described in words for those who listen."""
    top = max(shares, default=0.0) or 1.0
    with box("bars", role="img", aria_label=label):
        for share, name in zip(shares, labels, strict=True):
            box("bar", "i", title=f"{name}: {share:.1%}").style(f"height: {max(share / top, 0.02):.1%}")


def number(figure: str, caption: str, classes: str = "") -> None:
    """Show one number that matters."""
    with box(f"figure-number {classes}"):
        Text("strong", figure)
        Text("span", caption)
