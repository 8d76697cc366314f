"""The verdict before anything leaves: every rung, the duties, and changes that were tried with what they cost."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from tokumei.privacy.rungs import RUNGS, number_of
from tokumei.reports.mending import Advised, Tried
from tokumei.reports.numbers import percent
from tokumei.studio.parts import Text, box, button, card, link, no_method, note, paragraph, table
from tokumei.studio.screens.duties import rungs

if TYPE_CHECKING:
    from tokumei.studio.frame import View


async def verdict(view: View) -> None:
    """Show whether the release keeps its duties, what could be changed, and the way on."""
    words, session = view.words, view.session
    if session.state.method is None:
        no_method(words)
        return
    drawn = await rungs(view)
    if session.state.seed is not None:
        with card(classes="remedy"):
            paragraph(words("advice_seeded"))
            with box("row"):
                button(words("verdict_no_seed"), partial(view.step, lambda: session.change(seed=None)), "primary")
    if not drawn:
        return
    with card(words("verdict_advice_title")):
        paragraph(words("verdict_advice_about"))
        found = session.advised()
        with box("row"):
            button(words("verdict_try"), lambda: _try(view, place), "" if found else "primary")
        place = box("filled")
        if found is not None:
            with place:
                _changes(view, found)
    with box("row"):
        link(words("verdict_on"), "/export", "button primary")


async def _try(view: View, place: ui.element) -> None:
    await view.fill("advice", view.session.advise, partial(_changes, view), place)


def _changes(view: View, found: Advised) -> None:
    words = view.words
    possible = [each for each in found.changes if each.why is None]
    if not found.changes:
        paragraph(words("mend.none"))
        return
    with box("grid changes"):
        for tried in possible:
            _change(view, found, tried)
    refused = [each for each in found.changes if each.why is not None]
    if refused:
        Text("h3", words("verdict_impossible"))
        with box("", "ul"):
            for tried in refused:
                Text("li", f"{words.say(tried.change)}{words('colon')}{view.say(tried.why)}", "note")
    note(words("verdict_loss"))


def _change(view: View, found: Advised, tried: Tried) -> None:
    words, mended = view.words, found.mended(tried)
    said = words.say(tried.change)
    with card(said, "change" + (" mends" if mended else ""), level=3):
        if mended:
            names = words("history_list").join(words(f"ladder.name.{name}") for name in mended)
            Text("p", words("verdict_mends", rungs=names), "duty good")
        else:
            note(words("verdict_mends_nothing"))
        rows = [(words("mend.loss"), _loss(found.now), _loss(tried))]
        rows += [
            (
                words(f"ladder.name.{name}"),
                number_of(name, found.now.values[name], words),
                number_of(name, tried.values[name], words) + (" ✓" if name in mended else ""),
            )
            for name in RUNGS
        ]
        table((words("verdict_measure"), words("verdict_now"), words("verdict_then")), rows, said, numbers=(1, 2))
        with box("row"):
            button(
                words("verdict_take"),
                partial(view.step, lambda: view.session.take(tried)),
                "primary" if mended else "",
                f"{words('verdict_take')}{words('colon')}{said}",
            )


def _loss(tried: Tried) -> str:
    return "–" if tried.loss is None else percent(tried.loss)
