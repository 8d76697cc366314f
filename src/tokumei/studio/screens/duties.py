"""The ladder of the release, and which of its rungs are duties."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from tokumei.privacy.duties import hold, read_duties, written
from tokumei.privacy.rungs import Rung, RungName
from tokumei.release.ladder import Ladder
from tokumei.studio.figures import tone_of
from tokumei.studio.parts import Text, box, card, field, note, paragraph, table, tick

if TYPE_CHECKING:
    from tokumei.studio.frame import View
    from tokumei.words import Words

USUAL: dict[RungName, str] = {
    "linking": "1/10",
    "whole_table": "1/5",
    "inference": "3/4",
    "differencing": "1",
    "membership": "1/2",
}


async def rungs(view: View) -> bool:
    """Show what the release promises against every kind of attacker; a rung that is ticked is a duty. Return whether it is drawn."""
    said = box("filled")
    with card(view.words("ladder.title")):
        return await view.fill("ladder", view.session.ladder, partial(_rungs, view, said))


def verdict_words(found: Ladder, duties: str, words: Words) -> str:
    """Say in a sentence whether the duties hold, and which do not."""
    if not duties:
        return words("verdict_no_duties")
    if found.seeded:
        return words("verdict_duties_seeded")
    kept = found.duties(duties)
    failing = [words(f"ladder.name.{each.name}") for each in kept if not each.holds]
    if failing:
        return words(
            "verdict_duties_bad", failing=len(failing), all=len(kept), which=words("history_list").join(failing)
        )
    return words("verdict_duties_good", all=len(kept))


def _rungs(view: View, said: ui.element, found: Ladder) -> None:
    words, duties = view.words, view.session.state.duties
    said.clear()
    with said:
        Text("p", verdict_words(found, duties, words), f"duty verdict {tone_of(found, duties)}", role="status")
    head, *lines = found.table(words)
    table(head, lines, words("ladder.title"), numbers=range(1, len(head) - 1))
    paragraph(words("studio_duties"))
    with box("duties"):
        for rung in found.rungs:
            _duty(view, rung)
    with box("", "details"):
        Text("summary", words("studio_rungs_told"))
        for line in found.lines(words):
            note(view.said(line))
        Text("h3", words("ladder.assumes"))
        for line in found.assumed(words):
            note(view.said(line))


def _duty(view: View, rung: Rung) -> None:
    words, duties = view.words, read_duties(view.session.state.duties)
    on, named = rung.name in duties, words(f"ladder.name.{rung.name}")
    allowed = written({rung.name: duties[rung.name]}).partition(" ")[2] if on else USUAL[rung.name]

    async def ticked(now: bool) -> None:
        await view.attempt(lambda: view.session.give_duty(rung.name, allowed if now else None))

    async def changed(text: str) -> None:
        await view.attempt(lambda: view.session.give_duty(rung.name, text))

    with box("row bottom one-duty"):
        tick(named, on, ticked)
        if on:
            (kept,) = hold([rung], {rung.name: duties[rung.name]})
            field(words("studio_duty_allowed", name=named), allowed, changed, classes="allowed")
            tone = "good" if kept.holds else "bad"
            Text("span", words(f"verdict_{tone}"), f"duty {tone}")
