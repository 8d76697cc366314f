"""Hierarchies: how values are made coarser, edited as text, with what each level does shown at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from nicegui import background_tasks

from tokumei.errors import TokumeiError
from tokumei.hierarchies.effects import LevelEffect
from tokumei.reports.numbers import percent
from tokumei.studio.drop import Drop
from tokumei.studio.hierarchy_text import hierarchy_text, read_hierarchy
from tokumei.studio.parts import box, button, card, choice, field, note, paragraph, problem, table
from tokumei.table.domain import Categories, Dates, Domain
from tokumei.table.hierarchy import AnyHierarchy, Hierarchy
from tokumei.table.schema import Attribute

if TYPE_CHECKING:
    from tokumei.studio.frame import View

UPLOAD = "/studio/upload"
LONGEST = 200_000  # letters that are edited in a page
EXAMPLES = 4
DELAY = 0.4  # seconds after the last letter


async def hierarchies(view: View) -> None:
    """Show and edit the hierarchy of one column."""
    words, schema = view.words, view.session.state.schema
    known = schema.names("quasi_identifier")
    if not known:
        note(words("tree_no_columns"))
        return
    if view.column not in known:
        view.column = known[0]
    attribute = schema[view.column]

    def go(name: str) -> None:
        view.column = name
        view.redraw()

    choice(words("tree_column"), {name: name for name in known}, view.column, go)
    await _Editor(view, attribute).build()


class _Editor:
    """The text of one column's hierarchy, and what it would do."""

    def __init__(self, view: View, attribute: Attribute) -> None:
        assert attribute.domain is not None
        self.view = view
        self.attribute = attribute
        self.domain: Domain = attribute.domain
        self.applied = "" if attribute.hierarchy is None else hierarchy_text(attribute.hierarchy)
        self.text = view.drafts.get(attribute.name, self.applied)

    async def build(self) -> None:
        words = self.view.words
        with box("halves"):
            with card(words("tree_edit")):
                paragraph(words("tree_how_values" if isinstance(self.domain, Categories) else "tree_how_edges"))
                if len(self.text) > LONGEST:
                    note(words("tree_long"))
                else:
                    self._area()
                with box("row"):
                    for name, make in self._rules().items():
                        button(words(f"tree_{name}"), partial(self._make, make))
                Drop(
                    UPLOAD,
                    self._import,
                    invitation=words("tree_drop"),
                    choose=words("data_choose"),
                    failed=words("data_failed"),
                    accept=".csv,.txt",
                )
            with card(words("tree_effect")):
                self.effect = box("filled")
                with box("row"):
                    button(words("tree_apply"), self._apply, "primary")
                    if self.attribute.hierarchy is not None:
                        button(words("tree_none"), self._remove)
                    self.unsaved = note(words("tree_unsaved"))
                    self.unsaved.visible = self.text != self.applied
        await self._show()

    def _area(self) -> None:
        self.area = field(
            self.view.words("tree_text"),
            self.text,
            self._typed,
            kind="textarea",
            delay=DELAY,
            spellcheck="false",
            rows="14",
        )

    def _rules(self) -> dict[str, Callable[[], AnyHierarchy]]:
        """Return what can be made from the domain alone."""
        domain, made = self.domain, dict[str, Callable[[], AnyHierarchy]]()
        if isinstance(domain, Dates):
            made["dates"] = lambda: Hierarchy.dates(domain)
        if not isinstance(domain, Categories) or domain.ordered:
            steps = [5] if domain.size > 10 else [2]
            made["order"] = lambda: Hierarchy.order(domain, [*steps, 4] if domain.size > 40 else steps)
        if isinstance(domain, Categories) and len({len(label) for label in domain.labels()}) == 1:
            made["masks"] = lambda: Hierarchy.masks(domain)
        if isinstance(domain, Categories):
            made["star"] = lambda: Hierarchy.groups({"*": domain.labels()})
        return made

    def _make(self, make: Callable[[], AnyHierarchy]) -> None:
        try:
            self._take(hierarchy_text(make()))
        except TokumeiError as error:
            self.view.complain(error)

    def _take(self, text: str) -> None:
        self._keep(text)
        if hasattr(self, "area"):
            self.area.push(text)
        background_tasks.create(self._show())

    async def _typed(self, text: str) -> None:
        self._keep(text)
        await self._show()

    def _keep(self, text: str) -> None:
        """Keep what was written for when the screen is drawn anew."""
        self.text = text
        if text == self.applied:
            self.view.drafts.pop(self.attribute.name, None)
        else:
            self.view.drafts[self.attribute.name] = text
        self.unsaved.visible = text != self.applied

    def _import(self, ticket: str) -> None:
        place, _ = self.view.studio.file(ticket)
        try:
            self._take(hierarchy_text(Hierarchy.read_csv(place)))
        except TokumeiError as error:
            self.view.complain(error, hide=str(place))
        finally:
            self.view.studio.forget(ticket)

    async def _show(self) -> None:
        """Show what the text as it is would do, or what is wrong with it."""
        view, session = self.view, self.view.session
        try:
            hierarchy = read_hierarchy(self.text, self.domain) if self.text.strip() else None
            changed = replace(self.attribute, hierarchy=hierarchy)
        except TokumeiError as error:
            self.effect.clear()
            with self.effect:
                problem(view.say(error))
            return
        await view.fill(
            "levels",
            lambda progress, cancelled: session.level_effects(changed),
            partial(_effects, view, changed),
            self.effect,
        )

    async def _apply(self) -> None:
        text = self.text

        def change() -> None:
            hierarchy = read_hierarchy(text, self.domain) if text.strip() else None
            self.view.session.describe(replace(self.attribute, hierarchy=hierarchy))

        draft = self.view.drafts.pop(self.attribute.name, None)
        if await self.view.attempt(change):
            self.view.tell(self.view.words("tree_applied"))
        elif draft is not None:
            self.view.drafts[self.attribute.name] = draft

    async def _remove(self) -> None:
        self.view.drafts.pop(self.attribute.name, None)
        await self.view.attempt(lambda: self.view.session.describe(replace(self.attribute, hierarchy=None)))


def _effects(view: View, attribute: Attribute, found: tuple[LevelEffect, ...]) -> None:
    words = view.words
    head = ("tree_level", "tree_labels", "tree_some", "tree_loss", "tree_fewest", "tree_alone")
    table(
        [words(each) for each in head],
        [
            (
                str(each.level),
                f"{each.labels:,}",
                _some(attribute, each.level),
                percent(each.loss),
                f"{each.rarest:,}",
                f"{each.unique:,}",
            )
            for each in found
        ],
        words("tree_effect"),
        numbers=(1, 3, 4, 5),
    )
    note(words("tree_effect_about"))


def _some(attribute: Attribute, level: int) -> list[str]:
    """Return the first few labels of a level."""
    hierarchy, domain = attribute.hierarchy, attribute.domain
    assert domain is not None
    if level and (hierarchy is None or level > hierarchy.depth):
        return ["*"]
    labels = domain.labels() if level == 0 or hierarchy is None else hierarchy.coarsen(domain, level)[0].labels()
    some = list(labels[:EXAMPLES])
    return (
        [f"{each}, " for each in some] + ["…"]
        if len(labels) > len(some)
        else [*(f"{each}, " for each in some[:-1]), some[-1]]
    )
