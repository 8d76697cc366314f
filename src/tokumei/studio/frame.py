"""What is around every screen: the header, the way between screens, and what is being worked on."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from nicegui import background_tasks, ui

from tokumei.errors import Cancelled, TokumeiError
from tokumei.files import own_file
from tokumei.progress import Progress, Stop, listening, stop_if_asked
from tokumei.shown import shown
from tokumei.studio.internal_errors import report_internal_error
from tokumei.studio.parts import Text, box, button, choice, give, link, note, problem, turn_off
from tokumei.studio.saying import in_studio
from tokumei.studio.screens import screen
from tokumei.studio.stage import Stage
from tokumei.studio.studio import Studio
from tokumei.studio.terms import Said, Speaking, meanings, names_in
from tokumei.studio.worker import Lane, Superseded
from tokumei.words import LANGUAGES, Words

if TYPE_CHECKING:
    from tokumei.privacy.rungs import RungName
    from tokumei.studio.session import Session
    from tokumei.studio.session.frontier import Side
    from tokumei.studio.session.method_form import MethodForm

T = TypeVar("T")

# The names of screens and their paths, in the order in which work usually goes.
PATHS = {
    "data": "/data",
    "risk": "/risk",
    "hierarchies": "/hierarchies",
    "frontier": "/",
    "method": "/method",
    "lattice": "/lattice",
    "compare": "/compare",
    "records": "/records",
    "verdict": "/verdict",
    "export": "/export",
}
DOWNLOAD = "/studio/download"
SAVED = {"python": "release.py", "toml": "plan.toml"}
POLL = 0.25  # seconds between two looks at the progress
PATIENCE = 0.8  # seconds of work before it is worth a word
QUICK = 0.3  # seconds in which nothing is cleared away


class View:
    """One page in one browser."""

    def __init__(self, studio: Studio, words: Words) -> None:
        self.studio = studio
        self.words = words
        self.screen = "frontier"
        self.column = ""  # which one is being looked at
        self.k = 0  # where the slider was left
        self.side: Side = "reconstructed"  # which utility the frontier shows
        self.rung: RungName | None = None  # which rung is on its axis; k without one
        self.chart: Any = None
        self.recommended: Any = None  # where the frontier recommends something
        self.cross: Any = None
        self.sets: Any = None  # where sets of columns with unique rows are listed
        self.population = ""  # what is being said of the population and not filled in yet
        self.drafts: dict[str, str] = {}  # hierarchies that were written and not applied, by column
        self.learned: set[str] = set()  # columns whose hierarchy that is being edited was learned from rows
        self.level = 1  # of the hierarchy that is taken into one's hands
        self.method_draft: MethodForm | None = None  # a method that was filled in and not applied
        self.stage: Stage | None = None
        self._changes = itertools.count()
        self._newest: dict[str, int] = {}  # the newest request of each kind that this page draws
        self._client = ui.context.client
        self._links: dict[str, Text] = {}

    @property
    def session(self) -> Session:
        """The session, which screens ask for only when there is one."""
        assert self.studio.session is not None
        return self.studio.session

    # Building

    def build(self) -> None:
        """Put the page together."""
        words = self.words
        give(link(words("skip"), "#main", "skip"))
        with box("top", "header"):
            with box("banner"):
                with box("brand"):
                    Text("span", "匿", "mark", aria_hidden="true", lang="ja")
                    Text("span", "tokumei studio")
                self.figures = box("figures", role="status", aria_label=words("header_figures"))
                with box("tools"):
                    self._history()
                    self._copies()
                    choice(words("language"), LANGUAGES, words.language, self._speak, hidden=True, classes="small")
                    shades = {"auto": words("shade_auto"), "light": words("shade_light"), "dark": words("shade_dark")}
                    chosen = {None: "auto", False: "light", True: "dark"}[self.studio.dark]
                    choice(words("shade"), shades, chosen, self._shade, hidden=True, classes="small")
            with box("work", role="status", aria_live="polite") as self.work:
                self.work.visible = False
                self.work_text = Text("span", "", "work-text")
                with box(
                    "meter", role="progressbar", aria_label=words("working"), aria_valuemin="0", aria_valuemax="100"
                ) as self.meter:
                    self.meter_fill = box("", "i")
                button(words("cancel"), self._cancel, "quiet")
            with box("screens", "nav", aria_label=words("screens")):
                for place, (name, path) in enumerate(PATHS.items(), 1):
                    meant = names_in(words(f"screen_{name}"), words.language)
                    self._links[name] = link("", path, aria_describedby=meant)
                    with self._links[name]:
                        Text("b", str(place), aria_hidden="true")
                        Text("span", str(words(f"screen_{name}")))  # the link as a whole is described
            meanings(words.language)
        self.shade = ui.dark_mode(self.studio.dark)
        with box("page", id="main", tabindex="-1"):  # within the main that NiceGUI makes
            self.content = ui.sub_pages({path: partial(self._screen, name) for name, path in PATHS.items()})
        ui.timer(POLL, self._look)
        self._client.on_delete(self.studio.watch(self.refresh))
        self._client.on_delete(lambda: self.stage.stop() if self.stage is not None else None)
        self.head()

    def _screen(self, name: str) -> None:
        if self.stage is not None:
            self.stage.stop()
        self.screen, self.stage = name, Stage()
        self.stage.show(partial(self._draw, name))

    def _mark(self, drawn: str) -> None:
        """Say which screen is drawn, and where one is on the way: at home, as long as there is no table, that is its first step."""
        step = "data" if self.studio.session is None and drawn == "frontier" else drawn
        for name, anchor in self._links.items():
            for mark, value, here in (("aria-current", "page", step), ("data-drawn", "true", drawn)):
                if name == here:
                    anchor.props[mark] = value
                else:
                    anchor.props.pop(mark, None)

    async def _draw(self, name: str) -> None:
        self._mark(name)
        if self.studio.chosen is not None and (self.studio.session is None or name == "data"):
            await screen("chosen")(self)
            return
        if self.studio.session is None:
            await screen("opening")(self)
            return
        Text("h1", self.words(f"screen_{name}"))
        Text("p", self.words(f"lead_{name}"), "lead")
        await screen(name)(self)

    def _copies(self) -> None:
        words = self.words
        with box("menu", "details") as self.copies:
            Text("summary", words("copy"), "button quiet")
            with box("sheet"):
                for kind in ("python", "toml", "cli"):
                    button(words(f"copy_{kind}"), partial(self._copy, kind), "quiet")

    def head(self) -> None:
        """Bring the header up to date."""
        session = self.studio.session
        self.copies.visible = session is not None
        self.history.visible = session is not None
        if session is None:
            self.figures.clear()
            return
        self._tell_history(session)
        background_tasks.create(self._figures(session))

    async def _figures(self, session: Session) -> None:
        from tokumei.studio.figures import Figure, figures

        loop = asyncio.get_running_loop()
        shown: list[Figure] = []
        mine = self._newest["figures"] = next(self._changes)

        def draw(found: list[Figure], wrong: str = "") -> None:
            if session is not self.studio.session or self.figures.is_deleted or self._newest["figures"] != mine:
                return
            shown[:] = found
            self.figures.clear()
            with self.figures:
                for caption, figure, tone in found:
                    with box(f"head-figure {tone}"):
                        Text("span", caption)
                        Text("b", figure)
                if wrong:
                    problem(wrong)

        def work(progress: Progress, cancelled: Stop) -> None:
            for found in figures(session, self.words, progress, cancelled):
                if cancelled():
                    return
                loop.call_soon_threadsafe(draw, found)

        try:
            await self.do("figures", work, lane="header")
        except Superseded:
            draw([(caption, "–" if figure == "…" else figure, tone) for caption, figure, tone in shown])
        except TokumeiError as error:
            draw(shown[:1], self.say(error))

    def _history(self) -> None:
        # The buttons stay the same ones: one that is pressed while the page is drawn anew must not be lost.
        words = self.words
        with box("history") as self.history:
            self.back = button("↶", self._undo, "quiet icon", words("undo"), data_key="undo")
            self.on = button("↷", self._redo, "quiet icon", words("redo"), data_key="redo")
            with box("menu", "details"):
                Text("summary", words("history"), "button quiet")
                with box("sheet"):
                    self.steps = box("", "ol")

    def _tell_history(self, session: Session) -> None:
        entries, place = session.told(self.words), session.place
        turn_off(self.back, place == 0)
        turn_off(self.on, place == len(entries) - 1)
        self.steps.clear()
        with self.steps:
            for step, entry in enumerate(entries):
                now = step == place
                Text("li", entry, "now" if now else "", aria_current="step" if now else None)

    # Doing

    async def do(self, kind: str, work: Callable[[Progress, Stop], T], *, lane: Lane = "screen") -> T:
        """Do some work off the page; a newer request of this page's for the same kind puts an end to it."""
        return await self.studio.worker.do(f"{self._client.id} {kind}", work, lane=lane)

    def stop(self, kind: str) -> None:
        """Give up one kind of work of this page."""
        self.studio.worker.cancel(f"{self._client.id} {kind}")

    async def fill(
        self, kind: str, work: Callable[[Progress, Stop], T], draw: Callable[[T], Any], into: ui.element | None = None
    ) -> bool:
        """Do some work and draw what it gives, or say why not, in the place where this is called; return whether it is drawn."""
        place = into if into is not None else box("filled")
        mine = self._newest[kind] = next(self._changes)
        working = asyncio.ensure_future(self.do(kind, work))
        try:
            if place.default_slot.children:  # which stay where the new ones come soon
                await asyncio.wait({working}, timeout=QUICK)
            if not working.done() and not place.is_deleted:
                place.clear()
                with place:
                    Text("p", self.words("working"), "note waiting")
            made = await working
        except asyncio.CancelledError:
            working.cancel()
            raise
        except Superseded:
            if place.is_deleted or self._newest[kind] != mine:
                return False  # something newer fills it, or has done so already
            place.clear()
            with place:
                note(self.words("stopped"))
                button(self.words("again"), lambda: self._again(kind, work, draw, place))
        except TokumeiError as error:
            if place.is_deleted:
                return False
            place.clear()
            with place:
                problem(self.say(error))
        except Exception as error:  # noqa: BLE001  (what it says may quote a cell, so only its kind is told)
            report_internal_error(error)
            if place.is_deleted:
                return False
            place.clear()
            with place:
                problem(self.words("unexpected"))
        else:
            if place.is_deleted:
                return False
            place.clear()
            with place:
                draw(made)
            return True
        return False

    async def _again(
        self, kind: str, work: Callable[[Progress, Stop], T], draw: Callable[[T], Any], place: ui.element
    ) -> None:
        await self.fill(kind, work, draw, place)

    async def attempt(self, change: Callable[[], Any]) -> bool:
        """Change something; where it cannot be done say so, and where it can bring every page up to date."""

        def work(progress: Progress, cancelled: Stop) -> None:
            with listening(progress, cancelled):
                change()

        try:  # each change is a kind of its own: none puts an end to another
            await self.do(f"change {next(self._changes)}", work, lane="change")
        except Superseded:
            self.tell(self.words("stopped"))
            self.refresh()
            return False
        except TokumeiError as error:
            self.complain(error)
            self.refresh()
            return False
        self.studio.changed()
        await self._save()
        return True

    async def _save(self) -> None:
        """Keep the work; where that cannot be done say so, and go on."""
        try:
            await self.do(f"save {next(self._changes)}", lambda progress, cancelled: self.studio.save(), lane="change")
        except Superseded:
            return  # the next change keeps it
        except TokumeiError as error:
            self.complain(error)

    def say(self, said: object) -> str:
        """Say what an error or a note says."""
        return self.said(in_studio(said, self.words))

    def said(self, text: str) -> str:
        """Mark a text as the studio's own, so that its terms are explained."""
        return Said(text, self.words.language)

    def complain(self, error: Exception, hide: str = "") -> None:
        """Say what could not be done; ``hide`` is a private path that says nothing to anybody."""
        said = self.say(error)
        for mark in (": ", "："):
            said = said.replace(f"{hide}{mark}", "") if hide else said
        with self._client:
            ui.notify(shown(said), type="negative", multi_line=True, timeout=10_000, close_button=self.words("close"))

    def tell(self, text: str) -> None:
        """Say something in passing."""
        with self._client:
            ui.notify(shown(text))

    async def _undo(self) -> None:
        if self.session.place > 0:
            await self.step(self.session.undo)

    async def _redo(self) -> None:
        if self.session.place < len(self.session.history) - 1:
            await self.step(self.session.redo)

    async def step(self, move: Callable[[], Any]) -> None:
        """Go back or on in the history."""
        await self.attempt(move)

    async def open(self, make: Callable[[], Session], project: str | None = None) -> None:
        """Begin with another table, or go on with a project."""

        def work(progress: Progress, cancelled: Stop) -> Session:
            with listening(progress, cancelled):
                made = make()
                try:
                    stop_if_asked()
                except Cancelled:
                    made.close()
                    raise
                return made

        try:
            session = await self.do("open", work, lane="change")
        except Superseded:
            self.tell(self.words("stopped"))
            return
        except TokumeiError as error:
            self.complain(error)
            return
        first = self.studio.session is None and project is None
        self.studio.take(session, project)
        self.drafts.clear()
        self.learned.clear()
        self.method_draft = None
        self.population = ""
        if first and self.screen != "data":  # where the work begins
            with self._client:
                ui.navigate.to(PATHS["data"])
        self.studio.changed()
        await self._save()

    async def open_example(self) -> None:
        """Begin with the example."""
        await self.open(_example)

    def redraw(self) -> None:
        """Show the screen anew."""
        with self._client:
            if self.stage is not None:
                self.stage.show(partial(self._draw, self.screen))

    def refresh(self) -> None:
        """Show everything anew."""
        self.redraw()
        with self._client:
            self.head()

    def _cancel(self) -> None:
        self.studio.worker.cancel()

    # Tools

    async def _copy(self, kind: str) -> None:
        make: Callable[[], str] = {
            "python": self.session.as_python,
            "toml": self.session.as_toml,
            "cli": self.session.as_cli,
        }[kind]
        try:
            text = make()
        except TokumeiError as error:
            self.complain(error)
            return
        with ui.dialog() as dialog, box("card dialog", role="document"):
            Text("h2", self.words(f"copy_{kind}"))
            Text("pre", text, "code", tabindex="0")
            with box("row"):
                button(self.words("copy_now"), lambda: self._to_clipboard(text), "primary")
                if kind in SAVED:
                    button(self.words("copy_save", name=SAVED[kind]), lambda: self._to_file(text, SAVED[kind]))
                button(self.words("close"), dialog.close)
        dialog.open()

    def _to_clipboard(self, text: str) -> None:
        ui.clipboard.write(text)
        self.tell(self.words("copied"))

    def _to_file(self, text: str, name: str) -> None:
        place = self.studio.inbox.place(name)
        with own_file(place) as file:
            file.write(text.encode())
        ui.download(f"{DOWNLOAD}/{self.studio.offer(place, name)}", name)

    def _speak(self, language: str) -> None:
        self.studio.language = language
        ui.navigate.reload()

    def _shade(self, name: str) -> None:
        self.studio.dark = {"auto": None, "light": False, "dark": True}[name]
        self.shade.value = self.studio.dark

    def _look(self) -> None:
        job = self.studio.worker.current
        self.work.visible = job is not None and job.seconds > PATIENCE
        if job is not None:
            key = f"work_{job.kind.split()[1]}"
            self.work_text.text = self.words(key if self.words.knows(key) else "working")
            self.meter.props["aria-valuenow"] = f"{100 * job.share:.0f}"
            self.meter_fill.style(f"width: {job.share:.0%}")


def _example() -> Session:
    from tokumei.studio.session import Session

    return Session.example()


def show(studio: Studio) -> None:
    """Build one page."""
    request = ui.context.client.request
    words = words_for(studio, request.headers if request else {})
    ui.context.client.page.language = "ja" if words.language == "ja" else "en-US"
    View(studio, words).build()


def words_for(studio: Studio, headers: Mapping[str, str]) -> Words:
    """Return the words of the language that was chosen, or else that the browser asks for, as far as it is one of ours."""
    asked = headers.get("accept-language", "").lower().startswith("ja")
    return Speaking("ja" if (studio.language or ("ja" if asked else "en")) == "ja" else "en")
