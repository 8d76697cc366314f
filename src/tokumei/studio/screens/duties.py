"""The ladder of the release, and which of its rungs are duties."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tokumei.privacy.duties import hold, read_duties, written
from tokumei.privacy.rungs import Rung, RungName
from tokumei.progress import Progress, Stop
from tokumei.release.ladder import Ladder
from tokumei.studio.figures import tone_of
from tokumei.studio.parts import Text, box, card, field, note, paragraph, table, tick

if TYPE_CHECKING:
    from tokumei.studio.frame import View

USUAL: dict[RungName, str] = {
    "linking": "1/10",
    "whole_table": "1/5",
    "inference": "3/4",
    "differencing": "1",
    "membership": "1/2",
}


async def rungs(view: View) -> None:
    """Show what the release promises against every kind of attacker; a rung that is ticked is a duty."""
    session = view.session

    def work(progress: Progress, cancelled: Stop) -> Ladder:
        return session.ladder(progress, cancelled)

    with card(view.words("ladder.title")):
        await view.fill("ladder", work, partial(_rungs, view))


def _rungs(view: View, found: Ladder) -> None:
    words, duties = view.words, view.session.state.duties
    head, *lines = found.table(words)
    table(head, lines, words("ladder.title"), numbers=range(1, len(head) - 1))
    paragraph(words("studio_duties"))
    with box("grid duties"):
        for rung in found.rungs:
            _duty(view, rung)
    tone = tone_of(found, duties)
    if tone:
        Text("p", words(f"studio_duties_{tone}"), f"duty {tone}", role="status")
    with box("", "details"):
        Text("summary", words("studio_rungs_told"))
        for line in found.lines(words):
            note(line)
        Text("h3", words("ladder.assumes"))
        for line in found.assumed(words):
            note(line)


def _duty(view: View, rung: Rung) -> None:
    words, duties = view.words, read_duties(view.session.state.duties)
    on, named = rung.name in duties, words(f"ladder.name.{rung.name}")
    allowed = written({rung.name: duties[rung.name]}).partition(" ")[2] if on else USUAL[rung.name]

    async def ticked(now: bool) -> None:
        await view.attempt(lambda: view.session.give_duty(rung.name, allowed if now else None))

    async def changed(text: str) -> None:
        await view.attempt(lambda: view.session.give_duty(rung.name, text))

    with box("row bottom"):
        tick(named, on, ticked)
        if on:
            (kept,) = hold([rung], {rung.name: duties[rung.name]})
            field(
                words("studio_duty_allowed", name=named),
                allowed,
                changed,
                classes="small" if kept.holds else "small bad",
            )
