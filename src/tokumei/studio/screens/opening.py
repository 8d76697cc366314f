"""The ways to a table: a file, a plan, the example, a database, or a project of an earlier visit."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING

from tokumei.errors import TokumeiError
from tokumei.studio.drop import Drop
from tokumei.studio.parts import Text, box, button, card, note
from tokumei.studio.screens.databases import databases
from tokumei.studio.studio import PLAN
from tokumei.studio.worker import Superseded

if TYPE_CHECKING:
    from pathlib import Path

    from nicegui import ui

    from tokumei.studio.frame import View
    from tokumei.studio.projects import Kept
    from tokumei.studio.session import Session

UPLOAD = "/studio/upload"
STEPS = ("data", "risk", "hierarchies", "frontier", "method", "lattice", "compare", "records", "verdict", "export")
FEW = 5  # projects that are shown at once


async def opening(view: View) -> None:
    """Say what the studio is, and offer every way to begin."""
    words = view.words
    Text("h1", words("welcome"))
    Text("p", words("welcome_about"), "lead")
    ways_to_open(view)
    await projects(view)
    with card(words("welcome_steps")), box("steps", "ol"):
        for name in STEPS:
            with box("", "li"):
                Text("b", words(f"screen_{name}"))
                Text("div", words(f"lead_{name}"))


def ways_to_open(view: View) -> None:
    """Offer every way to a table."""
    words = view.words
    with card(words("data_open")):
        Drop(
            UPLOAD,
            partial(_handed, view),
            invitation=words("data_drop"),
            choose=words("data_choose"),
            failed=words("data_failed"),
        )
        with box("row"):
            Text("span", words("data_no_file"))
            button(words("open_example"), view.open_example, "primary")
        databases(view)


async def projects(view: View, place: ui.element | None = None) -> None:
    """List the projects of earlier visits."""
    await view.fill(
        "projects", lambda progress, cancelled: view.studio.projects.all(), partial(_projects, view, shown=FEW), place
    )


def _projects(view: View, found: list[Kept], shown: int) -> None:
    words = view.words
    if not found:
        return
    with card(words("projects")):
        note(words("projects_about"))
        with box("projects", "ul") as around:
            for each in found[:shown]:
                _project(view, each)
        if len(found) > shown:
            more = button(words("projects_more", count=f"{len(found) - shown:,}"))

            def show_all() -> None:
                with around:
                    for each in found[shown:]:
                        _project(view, each)
                more.delete()

            more.on("click", show_all)


def _project(view: View, kept: Kept) -> None:
    words = view.words
    with box("project", "li") as around:
        if kept.problem is not None or kept.saved is None:
            Text("span", view.say(kept.problem), "note")
        else:
            with box("grow"):
                Text("strong", kept.name)
                if kept.folder:
                    Text("div", kept.folder, "note")
                Text("div", words("project_told", when=_when(kept.saved), steps=kept.steps), "note")
            button(
                words("project_open"),
                partial(_go_on, view, kept.key, around),
                "primary",
                f"{words('project_open')}: {kept.name}",
            )
        gone = button(words("project_remove"), kind="quiet", data_focus=f"remove {kept.key}")
        gone.on("click", lambda: _remove(view, kept.key, around, gone))


def _when(saved: dt.datetime) -> str:
    return f"{saved.astimezone():%Y-%m-%d %H:%M}"


async def _go_on(view: View, key: str, around: ui.element) -> None:
    try:
        project = await view.do("open", lambda progress, cancelled: view.studio.projects.read(key), lane="change")
    except Superseded:
        return
    except TokumeiError as error:
        view.complain(error)
        return

    async def again(ticket: str) -> None:
        place, _ = view.studio.file(ticket)
        await view.open(lambda: _session().reopen(project, place), key)
        view.studio.forget(ticket)

    if not project.needs_file:
        await view.open(lambda: _session().reopen(project), key)
        return
    with around, box("again"):
        Drop(
            UPLOAD,
            again,
            invitation=view.words("project_again", name=project.name),
            choose=view.words("data_choose"),
            failed=view.words("data_failed"),
        )


def _remove(view: View, key: str, around: ui.element, pressed: Text) -> None:
    """Remove a project when the button is pressed again, since it cannot be taken back."""
    if pressed.text != view.words("project_really"):
        pressed.text = view.words("project_really")
        return
    try:
        view.studio.projects.remove(key)
    except TokumeiError as error:
        view.complain(error)
        return
    if view.studio.project == key:
        view.studio.project = None
    around.delete()


async def _handed(view: View, ticket: str) -> None:
    place, name = view.studio.file(ticket)
    if name.lower().endswith(PLAN):
        await _plan(view, ticket)
    elif _text(name):
        await _look(view, place, name)
    else:
        await view.open(lambda: _session().receive(place, name))
    view.studio.forget(ticket)


def _text(name: str) -> bool:
    from tokumei.studio.session.chosen import has_settings

    return has_settings(name)


async def _look(view: View, place: Path, name: str) -> None:
    """Show how a file seems to be written before it is opened."""
    from tokumei.studio.session.chosen import Chosen

    try:
        found = await view.do("open", lambda progress, cancelled: Chosen.receive(place, name), lane="change")
    except Superseded:
        view.tell(view.words("stopped"))
        return
    except TokumeiError as error:
        view.complain(error)
        return
    view.studio.choose(found)
    view.studio.changed()


async def _plan(view: View, ticket: str) -> None:
    """Take a plan for the table that is open, or open the one that it names."""
    from tokumei.plan import Plan

    place, _ = view.studio.file(ticket)
    try:
        plan = Plan.read(place)
    except TokumeiError as error:
        view.complain(error, hide=str(place))
        return
    if view.studio.session is None:
        await view.open(lambda: _session().open_plan(plan))
    elif await view.attempt(lambda: view.session.take_plan(plan)):
        view.tell(view.words("plan_taken"))


def _session() -> type[Session]:
    from tokumei.studio.session import Session

    return Session
