"""Hierarchies: how values are made coarser, by hand, by rule, learned or as text, with what each level does shown at once."""

from __future__ import annotations

import csv
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
from tokumei.studio.parts import Text, box, button, card, choice, field, note, paragraph, problem, table
from tokumei.studio.screens.hierarchy_bench import Bench
from tokumei.studio.session.workshop import grouped, placed
from tokumei.studio.worker import Superseded
from tokumei.table.domain import Categories, Dates, Domain
from tokumei.table.hierarchy import AnyHierarchy, Hierarchy, Tree
from tokumei.table.schema import Attribute

if TYPE_CHECKING:
    from tokumei.studio.frame import View

UPLOAD = "/studio/upload"
LONGEST = 200_000  # letters that are edited in a page
EXAMPLES = 4
MOST_NAMED = 30  # labels that are lacking
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
        view.column, view.level = name, 1
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
        if attribute.name not in view.drafts:
            _keep_learned(view, attribute.name, attribute.hierarchy is not None and attribute.hierarchy.learned)
        self.bench = Bench(view, attribute, self._take)

    async def build(self) -> None:
        words = self.view.words
        with box("halves"):
            with card(words("tree_edit")):
                with box("row"):
                    for name, make in self._rules().items():
                        button(words(f"tree_{name}"), partial(self._make, make))
                    for name in ("auto", "learned"):
                        button(words(f"tree_{name}"), partial(self._draft, name))
                self.hands = box("filled")
                self.told_learned = note(words("tree_is_learned"))
                with box("", "details"):
                    Text("summary", words("tree_text"))
                    paragraph(words("tree_how_values" if isinstance(self.domain, Categories) else "tree_how_edges"))
                    if len(self.text) > LONGEST:
                        note(words("tree_long"))
                    else:
                        self._area()
                Drop(
                    UPLOAD,
                    self._import,
                    invitation=words("tree_drop"),
                    choose=words("data_choose"),
                    failed=words("data_failed"),
                    accept=".csv,.txt",
                )
            with card(words("tree_effect"), "plan-card"):
                self.effect = box("filled")
                with box("row"):
                    button(words("tree_apply"), self._apply, "primary")
                    if self.attribute.hierarchy is not None:
                        button(words("tree_none"), self._remove)
                    self.unsaved = note(words("tree_unsaved"))
                    self.unsaved.visible = self.text != self.applied
        self._show_hands()
        await self._show()

    def _show_hands(self) -> None:
        """Draw what can be taken hold of anew."""
        self.told_learned.visible = self.attribute.name in self.view.learned and bool(self.text)
        self.hands.clear()
        with self.hands:
            self.bench.draw(self.text)

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
            made = make()
        except TokumeiError as error:
            self.view.complain(error)
            return
        _keep_learned(self.view, self.attribute.name, made.learned)
        self._take(hierarchy_text(made))

    async def _draft(self, kind: str) -> None:
        """Draft a hierarchy: by the rule that suits the domain, or learned from the rows, which releases will say."""
        session, name = self.view.session, self.attribute.name
        rules = self._rules()
        rule = next((rules[each] for each in ("dates", "order", "masks") if each in rules), None)
        if kind == "auto" and rule is not None:
            self._make(rule)
            return
        try:
            made = await self.view.do("levels", lambda progress, cancelled: session.learned_hierarchy(name))
        except Superseded:
            return
        except TokumeiError as error:
            self.view.complain(error)
            return
        self._make(lambda: made)

    def _take(self, text: str, drawn: bool = True) -> None:
        self._keep(text)
        if hasattr(self, "area"):
            self.area.push(text)
        if drawn:
            self._show_hands()
        background_tasks.create(self._show())

    async def _typed(self, text: str) -> None:
        self._keep(text)
        self._show_hands()
        await self._show()

    def _read(self, text: str) -> AnyHierarchy | None:
        """Read the text; a tree that began as a learned one stays one, however it was changed."""
        found = read_hierarchy(text, self.domain) if text.strip() else None
        if isinstance(found, Tree) and self.attribute.name in self.view.learned:
            return replace(found, learned=True)
        return found

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
            made = Hierarchy.read_csv(place)
            _keep_learned(self.view, self.attribute.name, False)
            self._take(hierarchy_text(made))
        except TokumeiError as error:
            self.view.complain(error, hide=str(place))
        finally:
            self.view.studio.forget(ticket)

    async def _show(self) -> None:
        """Show what the text as it is would do, or what is wrong with it."""
        view, session = self.view, self.view.session
        try:
            changed = replace(self.attribute, hierarchy=self._read(self.text))
        except TokumeiError as error:
            self.effect.clear()
            with self.effect:
                problem(view.say(error))
                self._lacking()
            return
        await view.fill(
            "levels",
            lambda progress, cancelled: session.level_effects(changed),
            partial(_effects, view, changed),
            self.effect,
        )

    def _lacking(self) -> None:
        """Name the values that the hierarchy lacks, and offer to place them."""
        if not isinstance(self.domain, Categories):
            return
        try:
            lacking = grouped(self.text, self.domain, 1).lacking
        except csv.Error:
            return  # which was said already
        if not lacking or not self.text.strip():
            return
        words, more = self.view.words, len(lacking) - MOST_NAMED
        note(words("tree_lacks", labels=", ".join(lacking[:MOST_NAMED]) + (" …" if more > 0 else "")))
        button(words("tree_place", count=f"{len(lacking):,}"), lambda: self._take(placed(self.text, self.domain)))

    async def _apply(self) -> None:
        text = self.text

        def change() -> None:
            self.view.session.describe(replace(self.attribute, hierarchy=self._read(text)))

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
    head = ("level", "labels", "loss", "fewest", "classes", "smallest", "alone")
    with box("tight"):
        table(
            [words(f"tree_{each}") for each in head],
            [
                (
                    str(each.level),
                    f"{each.labels:,}",
                    percent(each.loss),
                    f"{each.rarest:,}",
                    f"{each.classes:,}",
                    f"{each.smallest:,}",
                    f"{each.unique:,}",
                )
                for each in found
            ],
            words("tree_effect"),
            numbers=(1, 2, 3, 4, 5, 6),
        )
    for each in found:
        note(words("tree_some", level=each.level, labels=_some(attribute, each.level)))
    note(words("tree_effect_about"))


def _keep_learned(view: View, column: str, learned: bool) -> None:
    if learned:
        view.learned.add(column)
    else:
        view.learned.discard(column)


def _some(attribute: Attribute, level: int) -> str:
    """Return the first few labels of a level."""
    hierarchy, domain = attribute.hierarchy, attribute.domain
    assert domain is not None
    if level and (hierarchy is None or level > hierarchy.depth):
        return "*"
    labels = domain.labels() if level == 0 or hierarchy is None else hierarchy.coarsen(domain, level)[0].labels()
    return ", ".join(labels[:EXAMPLES]) + (", …" if len(labels) > EXAMPLES else "")
