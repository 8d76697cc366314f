"""Frozen values that are checked once, when they are made.

Schemas, domains, methods and plan sections are all *values*: immutable, equal when their fields are equal, printable,
and described by a JSON Schema that forms can be built from. `value` turns a class into one. Bad fields raise one
`InvalidParameter` sentence instead of a page of validation output.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import field, fields
from typing import Any, TypeVar, dataclass_transform

import pydantic
import pydantic.dataclasses
from pydantic import ConfigDict

from tokumei.errors import InvalidParameter, TokumeiError

T = TypeVar("T")

CONFIG = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """Make ``cls`` a frozen, validated dataclass whose constructor raises `InvalidParameter`.

    >>> @value
    ... class Dose:
    ...     amount: int
    >>> Dose(3)
    Dose(amount=3)
    >>> Dose("much")
    Traceback (most recent call last):
    tokumei.errors.InvalidParameter: Dose: 'amount' must be a valid integer, unable to parse string as an integer.
    """
    made: Any = pydantic.dataclasses.dataclass(frozen=True, config=CONFIG)(cls)
    construct: Callable[..., None] = made.__init__
    positional = [part.name for part in fields(made) if part.init and not part.kw_only]

    @functools.wraps(construct)
    def checked(self: Any, *args: Any, **kwargs: Any) -> None:
        if len(args) > len(positional):
            raise InvalidParameter(f"{cls.__name__}: takes at most {len(positional)} positional arguments.")
        try:
            construct(self, **dict(zip(positional, args, strict=False)), **kwargs)
        except pydantic.ValidationError as error:
            raise InvalidParameter(f"{cls.__name__}: {sentence(error)}") from None

    made.__init__ = checked
    return made


# Parts of a pydantic path that name the member of a union and mean nothing to a reader.
TYPE_WORDS = re.compile(r"^(float|int|str|bool|date|datetime|none|literal.*|constrained-.*|.*\[.*|[A-Z]\w*)$")


def sentence(error: pydantic.ValidationError) -> str:
    """Put the first problem of a validation error into one sentence with its path."""
    problem = error.errors(include_url=False)[0]
    cause = problem.get("ctx", {}).get("error")
    path = ".".join(str(part) for part in problem["loc"] if not TYPE_WORDS.match(str(part)))
    if isinstance(cause, TokumeiError):
        text = str(cause)
        return f"{path}: {text}" if path else text
    message = problem["msg"]
    for lead in ("Value error, ", "Input should be "):
        message = message.removeprefix(lead)
    kind = problem["type"]
    if kind in {"missing", "missing_argument"}:
        return f"{path!r} is missing."
    if kind in {"extra_forbidden", "unexpected_keyword_argument"}:
        return f"{path!r} is not known here."
    if kind == "union_tag_invalid":
        context = problem["ctx"]
        return f"{path}.{context['discriminator'].strip(chr(39))} must be one of {context['expected_tags']}."
    if kind == "union_tag_not_found":
        return f"{path} needs {problem['ctx']['discriminator']}, which says what kind it is."
    return f"{path!r} must be {message}." if path else f"{message}."
