"""A form for any registered value: its fields are those of the value, and what is wrong stands beside the field."""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from tokumei.studio.control import Control
from tokumei.studio.parts import Text, box, button, choice, describe, note, tick
from tokumei.studio.parts import field as line
from tokumei.studio.session.filling import Place, grid_of, number_of
from tokumei.studio.session.shapes import (
    Each,
    Either,
    Fixed,
    Grid,
    Many,
    Names,
    Number,
    Part,
    Shape,
    Truth,
    Whole,
    Word,
)
from tokumei.table.schema import DROPPED

if TYPE_CHECKING:
    from tokumei.studio.session import Session
    from tokumei.words import Words

CHOOSE = ""  # what a choice is called that has not been made


@dataclass
class Beside:
    """Where a problem is told, and the control that it is about."""

    place: Text
    control: Control[Any] | None = None

    def tell(self, said: str) -> None:
        """Say a problem, or that there is none."""
        self.place.text = said
        self.place.visible = bool(said)
        if self.control is not None:
            self.control.props.set_optional("aria-invalid", "true" if said else None)


@dataclass
class Form:
    """What is filled in, drawn; ``changed`` is called after every change.

    ``filled`` is what a plan would hold, and is changed in place.
    """

    words: Words
    session: Session
    filled: dict[str, Any]
    changed: Callable[[], Awaitable[None] | None]
    redraw: Callable[[], None]
    beside: dict[Place, Beside] = field(default_factory=dict)

    def parts(self, whole: Whole, held: dict[str, Any], place: Place) -> None:
        """Draw the parts of a value: what is basic, and the rest where it is asked for."""
        more = [part for part in whole.parts if not part.basic]
        for part in whole.parts:
            if part.basic:
                self.field(whole, part, held, (*place, part.name))
        if not more:
            return
        said = any(held.get(part.name, part.usual) not in (part.usual, None, [], {}) for part in more)
        with box("more", "details", open="open" if said else None):
            Text("summary", self.words("form_more", name=self.kind(whole.name)))
            with box("fields"):
                for part in more:
                    self.field(whole, part, held, (*place, part.name))

    def tell(self, found: Mapping[Place, str]) -> None:
        """Show what is wrong, each beside its field, or at the nearest one that is drawn."""
        told: dict[Place, list[str]] = {}
        for wanted, said in found.items():
            place = next((wanted[:size] for size in range(len(wanted), 0, -1) if wanted[:size] in self.beside), ())
            told.setdefault(place, []).append(said)
        for place, each in self.beside.items():
            each.tell(self.words.join(told.get(place, [])))

    def field(self, whole: Whole, part: Part, held: Any, place: Place) -> None:
        """Draw one part of a value."""
        label = self.label(whole.name, part.name)
        shape, now = part.shape, held.get(part.name, part.usual)
        told = self._help(whole.name, part.name)
        if isinstance(shape, Number | Word | Truth | Grid):
            with box("form-field"):
                control = self._leaf(shape, label, now, partial(self._set, held, part.name), part)
                self._after(place, told, control)
        elif isinstance(shape, Either):
            self._either(whole, part, shape, held, place, label, told)
        else:
            with box("form-field", "fieldset"):
                Text("legend", label)
                self._inner(shape, held, part.name, place, now)
                self._after(place, told)

    def _leaf(
        self, shape: Shape, label: str, now: Any, take: Callable[[Any], Awaitable[None] | None], part: Part
    ) -> Control[Any]:
        if isinstance(shape, Truth):
            return tick(label, bool(now), take)
        if isinstance(shape, Grid):
            text = "\n".join(" ".join(f"{cell}" for cell in row) for row in now or [])
            return line(label, text, lambda given: take(grid_of(given)), kind="textarea", spellcheck="false")
        if isinstance(shape, Word) and shape.column:
            first = {CHOOSE: self.words("form_choose")}
            every = self.session.state.schema.names()
            return choice(label, {**first, **{name: name for name in every}}, now or CHOOSE, take)
        empty = {} if part.required or now is not None else {"placeholder": self.words("form_usual")}
        if isinstance(shape, Number):
            return line(
                label,
                "" if now is None else f"{now}",
                lambda given: take(number_of(given) if given.strip() else None),
                delay=0.5,
                inputmode="text" if shape.moment else "decimal",
                **empty,
            )
        return line(label, now or "", lambda given: take(given.strip() or None), delay=0.5, **empty)

    def _either(self, whole: Whole, part: Part, shape: Either, held: Any, place: Place, label: str, told: str) -> None:
        now = held.get(part.name, part.usual)
        open_choice = part.required and part.name not in held
        name = CHOOSE if open_choice else shape.chosen(now)
        options = {CHOOSE: self.words("form_choose")} if open_choice else {}
        options |= {each: self.option(whole.name, part.name, each) for each, _ in shape.choices}

        async def take(given: str) -> None:
            inner = dict(shape.choices).get(given)
            if inner is None:
                return
            await self._set(held, part.name, inner.begin())
            if any(not isinstance(each, Fixed) for _, each in shape.choices):
                self.redraw()

        with box("form-field"):
            control = choice(label, options, name, take)
            inner = None if open_choice else dict(shape.choices)[name]
            about = self.about(name) if isinstance(inner, Whole) else ""
            self._after(place, about or told, control)
            if (
                inner is not None
                and not isinstance(inner, Fixed)
                and not (isinstance(inner, Whole) and not inner.parts)
            ):
                with box("inner"):
                    self._inner(inner, held, part.name, place, now, label)

    def _inner(self, shape: Shape, held: Any, name: Any, place: Place, now: Any, label: str = "") -> None:
        """Draw what has parts of its own, in its place."""
        if isinstance(shape, Whole):
            self.parts(shape, self._own(held, name, now), place)
        elif isinstance(shape, Names):
            self._names(shape, held, name, now)
        elif isinstance(shape, Each):
            self._each(shape, held, self._own(held, name, now), place)
        elif isinstance(shape, Many):
            self._many(shape, held, name, now, place)
        else:
            part = Part(str(name), shape, required=True, usual=None)
            empty = shape.begin()  # which keeps what was chosen, where nothing is written yet

            def take(given: Any) -> Awaitable[None]:
                return self._set(held, name, empty if given is None else given)

            self._leaf(shape, self.words("form_value", name=label), now, take, part)

    @staticmethod
    def _own(held: Any, name: Any, now: Any) -> Any:
        """Return what has parts of its own, as it is by default where nothing was filled in."""
        if held.get(name) is None:
            held[name] = copy.deepcopy(now or {})
        return held[name]

    def _names(self, shape: Names, held: Any, name: str, now: Any) -> None:
        listed = list(now or [])
        if not shape.columns:
            text = ", ".join(map(str, listed))
            line(
                self.words("form_names"),
                text,
                lambda given: self._set(held, name, [each.strip() for each in given.split(",") if each.strip()]),
            )
            return

        async def turn(column: str, on: bool) -> None:
            before = list(held.get(name) or [])
            await self._set(
                held, name, [each for each in self._columns() if (on if each == column else each in before)]
            )

        with box("ticks"):
            for column in self._columns():
                tick(column, column in listed, partial(turn, column))

    def _each(self, shape: Each, around: Any, held: Any, place: Place) -> None:
        keys = self._labels(around) if shape.labels else self._columns()
        if shape.labels and not keys:
            note(self.words("form_no_labels"))
        if not isinstance(shape.inner, Number):
            self._each_kind(shape, held, place, keys)
            return

        async def take(key: str, given: str) -> None:
            if given.strip():
                await self._set(held, key, number_of(given))
            else:
                held.pop(key, None)
                await self._tell_changed()

        with box("each"):
            for key in keys:
                with box("form-field"):
                    now = held.get(key)
                    control = line(
                        key, "" if now is None else f"{now}", partial(take, key), delay=0.5, inputmode="decimal"
                    )
                    self._after((*place, key), "", control)

    def _each_kind(self, shape: Each, held: Any, place: Place, keys: list[str]) -> None:
        assert isinstance(shape.inner, Either)
        options = {CHOOSE: self.words("form_unchanged")}
        options |= {each: self.option("", "", each) for each, _ in shape.inner.choices}

        async def take(key: str, given: str) -> None:
            if given == CHOOSE:
                held.pop(key, None)
                await self._tell_changed()
            else:
                await self._set(held, key, dict(shape.inner.choices)[given].begin())  # type: ignore[union-attr]
            self.redraw()

        with box("fields"):
            for key in keys:
                with box("form-field"):
                    name = shape.inner.chosen(held[key]) if key in held else CHOOSE
                    control = choice(key, options, name, partial(take, key))
                    self._after((*place, key), self.about(name) if name else "", control)
                    if name:
                        with box("inner"):
                            self._inner(dict(shape.inner.choices)[name], held, key, (*place, key), held[key])

    def _many(self, shape: Many, held: Any, name: str, now: Any, place: Place) -> None:
        every = held[name] = list(now or [])

        async def put(given: list[Any]) -> None:
            await self._set(held, name, given)
            self.redraw()

        async def add(given: str) -> None:
            inner = dict(shape.inner.choices).get(given) if isinstance(shape.inner, Either) else shape.inner
            if inner is not None:
                await put([*every, inner.begin()])

        for at, each in enumerate(every):
            whole = (
                dict(shape.inner.choices)[shape.inner.chosen(each)] if isinstance(shape.inner, Either) else shape.inner
            )
            assert isinstance(whole, Whole)
            with box("inner one-of", role="group", aria_label=self.kind(whole.name)):
                with box("row apart"):
                    Text("strong", self.kind(whole.name))
                    without = [other for place_, other in enumerate(every) if place_ != at]
                    button(
                        self.words("form_remove"),
                        partial(put, without),
                        "quiet",
                        f"{self.words('form_remove')}: {self.kind(whole.name)}",
                    )
                about = self.about(whole.name)
                if about:
                    note(about)
                self._after((*place, at), "")
                self.parts(whole, each, (*place, at))
        if isinstance(shape.inner, Either):
            options = {CHOOSE: self.words("form_add_one")}
            options |= {each: self.kind(each) for each, _ in shape.inner.choices}
            choice(self.words("form_add"), options, CHOOSE, add)
        else:
            button(self.words("form_add"), partial(add, ""))

    def _after(self, place: Place, told: str, control: Control[Any] | None = None) -> None:
        if told:
            note(told)
        wrong = Text("p", "", "problem beside", role="alert")
        wrong.visible = False
        if control is not None:
            describe(control, f"c{wrong.id}")
        self.beside[place] = Beside(wrong, control)

    # Changing

    async def _set(self, held: Any, name: Any, given: Any) -> None:
        held[name] = given
        await self._tell_changed()

    async def _tell_changed(self) -> None:
        done = self.changed()
        if done is not None:
            await done

    # What things are called

    def _columns(self) -> list[str]:
        """Return the columns that are released in some way."""
        return [each.name for each in self.session.state.schema if each.role not in DROPPED]

    def _labels(self, around: Any) -> list[str]:
        """Return the labels of the column that stands beside."""
        name = around.get("column")
        schema = self.session.state.schema
        domain = schema[name].domain if name in schema.names() else None
        return [] if domain is None or domain.size > 200 else list(domain.labels())

    def label(self, whole: str, part: str) -> str:
        """Name a field."""
        return self._known(f"form.{whole}.{part}", f"form.{part}") or _plain(part)

    def option(self, whole: str, part: str, name: str) -> str:
        """Name what can be chosen in a field."""
        return self._known(f"form.{whole}.{part}.{name}", f"form.{part}.{name}", f"option.{name}") or self.kind(name)

    def kind(self, name: str) -> str:
        """Name a kind of value."""
        said = self._known(f"kind.{name}", f"method_{name}") or _plain(name)
        return said[:1].upper() + said[1:] if said[1:2].isalpha() else said  # k-map, t-closeness

    def about(self, name: str) -> str:
        """Say what a kind of value does."""
        return self._known(f"help.{name}", f"about_{name}")

    def _help(self, whole: str, part: str) -> str:
        return self._known(f"help.{whole}.{part}", f"help.{part}")

    def _known(self, *keys: str) -> str:
        return next((self.words(key) for key in keys if self.words.knows(key)), "")


def _plain(name: str) -> str:
    """Return a name that has no words of its own as it may be read."""
    text = name.replace("_", " ")
    return text[:1].upper() + text[1:]
