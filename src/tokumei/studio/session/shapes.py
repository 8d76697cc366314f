"""What a form asks for: the JSON Schema of registered values, read as a few shapes that can be filled in by mouse.

Nothing here knows a method. Whatever is registered, by another package too, has a form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pydantic

from tokumei.registry import Kinds

NUMBERS = {"integer", "number"}
COLUMN = ("column", "target", "person")  # what the parts of a value are called that name one column
BASIC = {
    "k",
    "column",
    "columns",
    "partition",
    "tells",
    "kept",
    "sample",
    "constraints",
    "cells",
    "level",
    "low",
    "high",
    "show",
}


class Single:
    """Something that is one control: it may be left empty."""

    def fits(self, given: Any) -> bool:
        """Whether a value has this shape."""
        return given is not None and not isinstance(given, Mapping | list | tuple | bool)

    def begin(self) -> Any:
        """Return a value of this shape with nothing filled in."""
        return ""


class Listing(Single):
    """Something that is a list."""

    def fits(self, given: Any) -> bool:
        """Whether a value is a list."""
        return isinstance(given, list | tuple)

    def begin(self) -> Any:
        """Return an empty list."""
        return []


@dataclass(frozen=True)
class Number(Single):
    """A number, or a whole one only; it may also stand for a date, where ``moment`` says so."""

    whole: bool = False
    moment: bool = False


@dataclass(frozen=True)
class Word(Single):
    """A text: the name of a column, or anything."""

    column: bool = False


@dataclass(frozen=True)
class Names(Listing):
    """Several names: of columns, or any."""

    columns: bool = False


@dataclass(frozen=True)
class Grid(Listing):
    """Rows of numbers, all of the same length."""


@dataclass(frozen=True)
class Truth:
    """Yes or no."""

    def fits(self, given: Any) -> bool:
        """Whether a value is true or false."""
        return isinstance(given, bool)

    def begin(self) -> Any:
        """Return no."""
        return False


@dataclass(frozen=True)
class Fixed:
    """One value, which need not be filled in."""

    value: Any

    def fits(self, given: Any) -> bool:
        """Whether a value is this one."""
        return type(given) is type(self.value) and bool(given == self.value)

    def begin(self) -> Any:
        """Return the value."""
        return self.value


@dataclass(frozen=True)
class Each:
    """Something for each column, or with ``labels`` for each label of the column that stands beside it."""

    inner: Shape
    labels: bool = False

    def fits(self, given: Any) -> bool:
        """Whether a value has something by name."""
        return isinstance(given, Mapping)

    def begin(self) -> Any:
        """Return nothing for anything."""
        return {}


@dataclass(frozen=True)
class Many:
    """As many as one likes."""

    inner: Shape

    def fits(self, given: Any) -> bool:
        """Whether a value is a list."""
        return isinstance(given, list | tuple)

    def begin(self) -> Any:
        """Return an empty list."""
        return []


@dataclass(frozen=True)
class Either:
    """One of several shapes, each with a name."""

    choices: tuple[tuple[str, Shape], ...]

    def fits(self, given: Any) -> bool:
        """Whether a value has one of the shapes."""
        return any(each.fits(given) for _, each in self.choices)

    def begin(self) -> Any:
        """Return a value of the first shape."""
        return self.choices[0][1].begin()

    def chosen(self, given: Any) -> str:
        """Return which of the shapes a value has; the first where it has none of them."""
        return next((name for name, each in self.choices if each.fits(given)), self.choices[0][0])

    def of(self, given: Any) -> Shape:
        """Return the shape that a value has."""
        return dict(self.choices)[self.chosen(given)]


@dataclass(frozen=True)
class Part:
    """One part of a value."""

    name: str
    shape: Shape
    required: bool
    usual: Any  # what it is by default

    @property
    def basic(self) -> bool:
        """Whether it is shown at once."""
        return self.required or self.name in BASIC


@dataclass(frozen=True)
class Whole:
    """A value with parts; ``tag`` is where its kind stands, for those that have one."""

    name: str
    parts: tuple[Part, ...]
    tag: str | None = None

    def fits(self, given: Any) -> bool:
        """Whether a value is of this kind, or has no parts but these."""
        if not isinstance(given, Mapping):
            return False
        return given.get(self.tag) == self.name if self.tag is not None else set(given) <= {p.name for p in self.parts}

    def begin(self) -> Any:
        """Return it with nothing filled in but what must be there and has only one form."""
        made: dict[str, Any] = {} if self.tag is None else {self.tag: self.name}
        needed = [part for part in self.parts if part.required and isinstance(part.shape, Each | Many)]
        return made | {part.name: part.shape.begin() for part in needed}


Shape = Number | Truth | Word | Names | Grid | Fixed | Each | Many | Either | Whole


def shape_of_kinds(kinds: Kinds[Any]) -> Either:
    """Return the shape of a value of any registered kind."""
    return _of_kinds(tuple(kinds), kinds.tag)


@cache
def _of_kinds(classes: tuple[type, ...], tag: str) -> Either:
    every = []
    for cls in classes:
        schema = pydantic.TypeAdapter(cls).json_schema()
        shape = _Reader(schema.get("$defs", {})).whole(schema, tag)
        if shape is not None:
            every.append((shape.name, shape))
    return Either(tuple(every))


class _Reader:
    """Reads JSON Schema, with the definitions that it refers to."""

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self.definitions = definitions

    def whole(self, schema: Mapping[str, Any], tag: str | None = None) -> Whole | None:
        """Return the shape of a value with parts; nothing where a part that it needs cannot be asked for."""
        every: Mapping[str, Any] = schema["properties"]
        if tag is None:
            tag = next((name for name, each in every.items() if "const" in each), None)
        name = _snake(schema["title"]) if tag is None else str(every[tag]["const"])
        has_column = "column" in every
        parts = []
        for key, each in every.items():
            shape = None if "const" in each else self.shape(key, each, has_column=has_column)
            required = key in schema.get("required", ())
            if shape is not None:
                parts.append(Part(key, shape, required, each.get("default")))
            elif required:
                return None
        return Whole(name, tuple(parts), tag)

    def shape(self, name: str, schema: Mapping[str, Any], *, has_column: bool = False) -> Shape | None:
        """Return the shape of a part; nothing where no form can ask for it, and it then stays as it is."""
        found = self._alternatives(name, schema, has_column=has_column)
        if not found or found == [("none", Fixed(None))]:
            return None
        if len(found) == 1:
            return found[0][1]
        if len(found) == 2 and found[0][0] == "none" and isinstance(found[1][1], Number | Word | Names):
            return found[1][1]  # which may be left empty
        return Either(tuple(found))

    def _alternatives(self, name: str, schema: Mapping[str, Any], *, has_column: bool) -> list[tuple[str, Shape]]:
        """Return what a part may be: nothing first, then fixed words, a number, and what has parts of its own."""
        every = list(self._flat(schema))
        found: list[tuple[str, Shape]] = [("none", Fixed(None))] if any(map(_is_null, every)) else []
        for each in every:
            words = each.get("enum", [each["const"]] if "const" in each else [])
            found += [(str(word), Fixed(word)) for word in words]
        numbers = [each for each in every if _is_number(each) or _is_moment(each)]
        if numbers:
            whole = all(each.get("type") == "integer" for each in numbers)
            found.append(("number", Number(whole, any(map(_is_moment, numbers)))))
        for each in every:
            if each in numbers or _is_null(each) or "enum" in each or "const" in each:
                continue
            shape = self._single(name, each, has_column=has_column)
            if shape is not None:
                called = _choice_name(shape)
                found.append((f"{called}_more" if called in dict(found) else called, shape))
        return found

    def _flat(self, schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """Go through everything that a schema may be."""
        if "$ref" in schema:
            yield from self._flat(self.definitions[schema["$ref"].rpartition("/")[2]])
        elif "anyOf" in schema or "oneOf" in schema:
            for each in schema.get("anyOf") or schema["oneOf"]:
                yield from self._flat(each)
        else:
            yield schema

    def _single(self, name: str, schema: Mapping[str, Any], *, has_column: bool) -> Shape | None:
        kind = schema.get("type")
        if kind == "boolean":
            return Truth()
        if kind == "string":
            return Word(column=name in COLUMN)
        if kind == "object" and "properties" in schema:
            return self.whole(schema)
        if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
            inner = self.shape("", schema["additionalProperties"])
            return None if inner is None else Each(inner, labels=has_column)
        if kind == "array" and "items" in schema:
            return self._listed(name, schema["items"])
        return None

    def _listed(self, name: str, items: Mapping[str, Any]) -> Shape | None:
        every = list(self._flat(items))
        if all(each.get("type") in {"string", "integer", "boolean", "number"} for each in every):
            return Names(columns=name == "columns")
        if all(each.get("type") == "array" for each in every):
            numbers = all(_is_number(cell) for each in every for cell in self._flat(each.get("items", {})))
            return Grid() if numbers else None
        inner = self.shape("", items)
        if isinstance(inner, Whole | Either):
            return Many(inner)
        return None


def _is_number(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") in NUMBERS


def _is_null(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "null"


def _is_moment(schema: Mapping[str, Any]) -> bool:
    return schema.get("format") in {"date", "date-time"}


def _choice_name(shape: Shape) -> str:
    if isinstance(shape, Whole):
        return shape.name
    return {Each: "each", Many: "several", Names: "names", Word: "text", Truth: "truth", Grid: "grid"}.get(
        type(shape), "other"
    )


def _snake(title: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", title).lower()
