"""Method: every method of the library and every step before it, filled in by mouse; what is filled in is a plan."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from tokumei.privacy.guarantee import headline
from tokumei.progress import Progress, Stop
from tokumei.studio.form import CHOOSE, Form
from tokumei.studio.parts import Text, box, button, card, choice, note, problem
from tokumei.studio.screens.method_checks import checks
from tokumei.studio.session.method_form import MethodForm, whole_form
from tokumei.studio.session.shapes import Either, Whole

if TYPE_CHECKING:
    from tokumei.privacy.guarantee import Guarantee
    from tokumei.studio.frame import View
    from tokumei.words import Statement


async def method(view: View) -> None:
    """Show the form, the plan that it stands for, and what the method that is applied gives."""
    editor = _Editor(view)
    with box("halves method-halves"):
        with box("filled"):
            editor.build()
        with box("filled"):
            with card(view.words("setting_plan"), "plan-card"):
                editor.build_plan()
            with card(view.words("setting_gives")):
                given = box("filled")
            with card(view.words("setting_checks")):
                checks(view)
    editor.look()
    await _give(view, given)


class _Editor:
    """The form, and what is said about it."""

    def __init__(self, view: View) -> None:
        self.view = view
        applied = MethodForm.of(view.session.state)
        self.applied = applied.toml()
        self.now: MethodForm = view.method_draft or applied
        self.shape = whole_form()

    def build(self) -> None:
        """Draw the form."""
        words = self.view.words
        with card(words("setting_which")):
            if self.now.unshown:
                note(words("setting_unshown"))
            self.first = box("filled fields")
        with card(words("setting_before"), level=2):
            note(words("setting_before_about"))
            self.second = box("filled fields")
        self._draw()

    def build_plan(self) -> None:
        """Draw where the plan is shown, and the buttons."""
        words = self.view.words
        self.whole = Text("p", "", "problem", role="alert")
        self.plan = Text("pre", "", "code", tabindex="0", aria_label=words("setting_plan"))
        with box("row"):
            button(words("setting_apply"), self._apply, "primary")
            self.reset = button(words("setting_reset"), self._reset)
            self.unsaved = note(words("tree_unsaved"))

    def _draw(self) -> None:
        method, steps = self.shape.parts
        self.form = Form(self.view.words, self.view.session, self.now.filled, self._changed, self._redraw)
        self.first.clear()
        with self.first:
            self._method(method.shape)
        self.second.clear()
        with self.second:
            self.form.field(self.shape, steps, self.now.filled, ("prepare",))

    def _method(self, kinds: object) -> None:
        assert isinstance(kinds, Either)
        filled = self.now.filled.get("method")
        name = CHOOSE if filled is None else filled["method"]
        options = {CHOOSE: self.view.words("form_choose")} if filled is None else {}
        options |= {each: self.form.kind(each) for each, _ in kinds.choices}
        choice(self.view.words("setting_name"), options, name, self._choose)
        if filled is None:
            return
        note(self.form.about(name))
        whole = dict(kinds.choices)[name]
        assert isinstance(whole, Whole)
        self.form.parts(whole, filled, ("method",))

    def _choose(self, name: str) -> None:
        if name == CHOOSE:
            return
        self.now.choose(name)
        self._changed()
        self._redraw()

    def _redraw(self) -> None:
        self._draw()
        self.look()

    def _changed(self) -> None:
        self.view.method_draft = self.now
        self.look()

    def look(self) -> None:
        """Say what is wrong beside each field, and show the plan."""
        wrong, begun = self.now.read()[2], "method" in self.now.filled
        beside = {place: said for place, said in wrong.items() if place not in ((), ("method",), ("prepare",))}
        self.form.tell({place: self.view.say(said) for place, said in beside.items()})
        rest = [self.view.say(said) for place, said in wrong.items() if place not in beside] if begun else []
        self.whole.text, self.whole.visible = self.view.words.join(rest), bool(rest)
        self.plan.text = self.now.toml()
        self.plan.visible = bool(self.plan.text)
        same = not wrong and self.plan.text == self.applied
        self.unsaved.visible = self.reset.visible = begun and not same
        if same:
            self.view.method_draft = None

    async def _apply(self) -> None:
        made, steps, wrong = self.now.read()
        if wrong or made is None:
            self.look()
            self.view.tell(self.view.words("setting_mend"))
            return
        session = self.view.session
        self.view.method_draft = None
        if await self.view.attempt(lambda: session.change(method=made, prepare=steps)):
            self.view.tell(self.view.words("tree_applied"))
        else:
            self.view.method_draft = self.now
            self.view.redraw()

    def _reset(self) -> None:
        self.view.method_draft = None
        self.view.redraw()


async def _give(view: View, place: ui.element) -> None:
    """Make the release of the method that is applied, and say what it guarantees."""
    session = view.session
    if session.state.method is None:
        with place:
            note(view.words("setting_none"))
        return

    def work(progress: Progress, cancelled: Stop) -> tuple[tuple[Guarantee, ...], tuple[Statement, ...], int]:
        release = session.release(progress, cancelled)
        return release.guarantees, session.notes(), release.rows

    await view.fill("release", work, partial(_given, view), place)


def _given(view: View, found: tuple[tuple[Guarantee, ...], tuple[Statement, ...], int]) -> None:
    guarantees, notes, rows = found
    note(view.words("setting_rows", rows=f"{rows:,}"))
    if not guarantees:
        problem(view.words("head_nothing"))
    with box("", "ul"):
        for each in guarantees:
            with box("", "li"):
                Text("strong", view.said(headline(each, view.words)))
    for said in notes:
        note(view.say(said))
