"""What was filled into a form: read as a value, or with what is wrong beside the part that it is about."""

from __future__ import annotations

import copy
import math
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pydantic

from tokumei.errors import InvalidParameter, TokumeiError
from tokumei.messages import message_of, phrase
from tokumei.plan.writing import plain_parts
from tokumei.studio.session.shapes import Each, Either, Grid, Many, Names, Number, Shape, Single, Whole
from tokumei.values import problems_by_place

Place = tuple[int | str, ...]
EMPTY: tuple[Any, ...] = (None, "", [], {})
TRIED: tuple[Any, ...] = (5, 0.5, 2, 1)  # for a number that has no usual value

EMPTY_PART = phrase("This must be filled in.")
NO_NUMBER = phrase("Write a number, such as 0.5.")
NO_WHOLE_NUMBER = phrase("Write a whole number, such as 5.")
NO_GRID = phrase("Write numbers only, one row in each line, with as many numbers in each.")


def number_of(text: str) -> int | float | str:
    """Read a number as people write it, full-width digits too; what is none stays as it is.

    >>> number_of(" 10 "), number_of("0.5"), number_of("５"), number_of("much"), number_of("1e999")
    (10, 0.5, 5, 'much', '1e999')
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    for kind in (int, float):
        try:
            found = kind(plain)
        except ValueError:
            continue
        if math.isfinite(found):
            return found
    return plain


def grid_of(text: str) -> list[list[int | float | str]]:
    r"""Read rows of numbers.

    >>> grid_of("0.9 0.1\n0.2, 0.8")
    [[0.9, 0.1], [0.2, 0.8]]
    """
    return [[number_of(cell) for cell in line.replace(",", " ").split()] for line in text.splitlines() if line.strip()]


def filled_from(given: Any) -> dict[str, Any] | None:
    """Return a value as it is filled into a form; None where it holds something that no form can show, such as a table."""
    try:
        made: dict[str, Any] = plain_parts(given)
    except InvalidParameter:
        return None
    return made


def spread(shape: Shape, filled: Any) -> Any:
    """Return what was filled in with its short forms written out: a matrix alone is a value that holds it."""
    if isinstance(shape, Either):
        if isinstance(filled, list):
            for _, each in shape.choices:
                if isinstance(each, Whole) and each.parts and isinstance(each.parts[0].shape, Grid):
                    return {**each.begin(), each.parts[0].name: filled}
        return spread(shape.of(filled), filled)
    if isinstance(shape, Each) and filled:
        return {name: spread(shape.inner, each) for name, each in filled.items()}
    if isinstance(shape, Whole) and isinstance(filled, dict):
        shapes = {part.name: part.shape for part in shape.parts}
        return {name: spread(shapes[name], each) if name in shapes else each for name, each in filled.items()}
    return filled


def faults(shape: Shape, filled: Any, place: Place = (), *, required: bool = False) -> Iterator[tuple[Place, str]]:
    """Go through what cannot be read at all, or is not there."""
    if isinstance(shape, Single):
        said = _fault(shape, filled, required=required)
        if said:
            yield place, said
    elif isinstance(shape, Either) and filled is None and not shape.fits(None):
        if required:
            yield place, EMPTY_PART
    elif isinstance(shape, Either):
        inner = shape.of(filled)
        yield from faults(inner, filled, place, required=required or isinstance(inner, Number | Names))
    elif isinstance(shape, Each):
        for name, each in (filled or {}).items():
            yield from faults(shape.inner, each, (*place, name), required=True)
    elif isinstance(shape, Many):
        for at, each in enumerate(filled or []):
            yield from faults(shape.inner, each, (*place, at), required=True)
    elif isinstance(shape, Whole):
        for part in shape.parts:
            given = (filled or {}).get(part.name, None if part.required else part.usual)
            yield from faults(part.shape, given, (*place, part.name), required=part.required)


def _fault(shape: Single, filled: Any, *, required: bool) -> str:
    """Say what is wrong with one control."""
    if filled in EMPTY:
        return EMPTY_PART if required else ""
    if isinstance(shape, Number) and shape.whole and type(filled) is not int:
        return NO_WHOLE_NUMBER
    if isinstance(shape, Number) and isinstance(filled, str) and not shape.moment:
        return NO_NUMBER
    if isinstance(shape, Grid):
        uneven = len({len(row) for row in filled}) != 1
        return NO_GRID if uneven or any(isinstance(cell, str) for row in filled for cell in row) else ""
    return ""


def without_empty(shape: Shape, filled: Any) -> Any:
    """Return what was filled in without the parts that were left empty, which are then as usual."""
    if isinstance(shape, Either):
        return without_empty(shape.of(filled), filled)
    if isinstance(shape, Many):
        return [without_empty(shape.inner, each) for each in filled or []]
    if isinstance(shape, Each):
        return {name: without_empty(shape.inner, each) for name, each in (filled or {}).items()}
    if not isinstance(shape, Whole) or not isinstance(filled, Mapping):
        return filled
    shapes = {part.name: part.shape for part in shape.parts}
    made = {}
    for name, each in filled.items():
        if name in shapes and each in EMPTY and isinstance(shapes[name], Single):
            continue
        made[name] = without_empty(shapes[name], each) if name in shapes else each
    return made


def read_filled(shape: Shape, filled: Any, read: Callable[[Any], Any]) -> tuple[Any, dict[Place, str]]:
    """Return the value that was filled in, or None and what is wrong with it, each by its place."""
    every = dict(faults(shape, filled, required=True))
    given = without_empty(shape, filled)
    wrong = _wrong(read, given)
    if not wrong and not every:
        return read(copy.deepcopy(given)), {}
    known = list(places(shape, filled))
    for where, said in wrong:
        place = _at_fault(shape, given, _nearest(where, known), said, read)
        if not any(other[: len(place)] == place for other in every):  # of a union only what says most
            every[place] = said
    return None, every


def _wrong(read: Callable[[Any], Any], given: Any) -> list[tuple[Place, str]]:
    try:
        read(copy.deepcopy(given))
    except pydantic.ValidationError as error:
        return problems_by_place(error)
    except TokumeiError as error:
        return [((), message_of(error))]
    return []


def places(shape: Shape, filled: Any, place: Place = ()) -> Iterator[Place]:
    """Go through the places of everything that a form shows."""
    yield place
    if isinstance(shape, Either):
        for each in places(shape.of(filled), filled, place):
            if each != place:
                yield each
    elif isinstance(shape, Many):
        for at, each in enumerate(filled or []):
            yield from places(shape.inner, each, (*place, at))
    elif isinstance(shape, Each):
        for name, each in (filled or {}).items():
            yield from places(shape.inner, each, (*place, name))
    elif isinstance(shape, Whole):
        for part in shape.parts:
            yield from places(part.shape, (filled or {}).get(part.name, part.usual), (*place, part.name))


def _nearest(where: Place, known: list[Place]) -> Place:
    """Return the deepest known place that a path leads by; paths also name kinds and types, which have no place."""
    return max((each for each in known if _leads_by(where, each)), key=len, default=())


def _leads_by(path: Place, place: Place) -> bool:
    rest = iter(path)
    return all(step in rest for step in place)


def _at_fault(shape: Shape, given: Any, place: Place, said: str, read: Callable[[Any], Any]) -> Place:
    """Return the part of a value whose usual content would mend it: the problem stands beside that."""
    whole = _at(shape, given, place) if _inside(given, place) is not None else None
    if not isinstance(whole, Whole):
        return place
    before = {each for _, each in _wrong(read, given)}
    for part in whole.parts:
        for other in _others(part.shape, required=part.required):
            changed = copy.deepcopy(given)
            held = _inside(changed, place)
            if part.name not in held and other is None:
                continue
            if other is None:
                del held[part.name]
            else:
                held[part.name] = other
            if {each for _, each in _wrong(read, changed)} <= before - {said}:
                return (*place, part.name)
    return place


def _others(shape: Shape, *, required: bool) -> tuple[Any, ...]:
    if not required:
        return (None,)
    return TRIED if isinstance(shape, Number) else ()


def _at(shape: Shape, filled: Any, place: Place) -> Shape:
    """Return the shape of what is at a place."""
    if isinstance(shape, Either):
        return _at(shape.of(filled), filled, place)
    if not place:
        return shape
    first, *rest = place
    if isinstance(shape, Many | Each):
        return _at(shape.inner, filled[first], tuple(rest))
    if isinstance(shape, Whole):
        part = next(each for each in shape.parts if each.name == first)
        return _at(part.shape, filled.get(part.name, part.usual), tuple(rest))
    return shape


def _inside(filled: Any, place: Place) -> Any:
    """Return what is at a place; None where nothing was filled in there."""
    for step in place:
        if isinstance(filled, Mapping):
            filled = filled.get(step)
        else:
            filled = filled[step] if isinstance(filled, list) and isinstance(step, int) else None
    return filled
