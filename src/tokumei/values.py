"""Frozen values that are checked once, when they are made.

Schemas, domains, methods and plan sections are all *values*: immutable, equal when their fields are equal, printable,
and described by a JSON Schema that forms can be built from. `value` turns a class into one. Bad fields raise one
`InvalidParameter` sentence instead of a page of validation output.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, field, fields, is_dataclass
from typing import Any, TypeVar, cast, dataclass_transform, get_args

import pydantic
import pydantic.dataclasses
from pydantic import ConfigDict

from tokumei.diagnostics import raise_alone
from tokumei.errors import InvalidParameter, TokumeiError
from tokumei.messages import Phrase, message_of, phrase
from tokumei.plain_values import plain_value
from tokumei.registry import Kinds
from tokumei.text import names, nearest

T = TypeVar("T")

# What tells the members of a union apart (the default of a keyword-only field); pydantic puts it into its paths.
_TAGS: set[str] = set()

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
    tokumei.errors.InvalidParameter: Dose: 'amount' must be a whole number.
    >>> Dose(amuont=3)
    Traceback (most recent call last):
    tokumei.errors.InvalidParameter: Dose: 'amuont' is not known here. Did you mean 'amount'?
    """
    made: Any = pydantic.dataclasses.dataclass(frozen=True, config=CONFIG)(cls)
    construct: Callable[..., None] = made.__init__
    _TAGS.update(_tags(made))
    positional = [part.name for part in fields(made) if part.init and not part.kw_only]

    @functools.wraps(construct)
    def checked(self: Any, *args: Any, **kwargs: Any) -> None:
        if len(args) > len(positional):
            raise InvalidParameter(
                "{kind}: takes at most {most} positional arguments.", kind=cls.__name__, most=len(positional)
            )
        try:
            first = dict(zip(positional, map(plain_value, args), strict=False))
            construct(self, **first, **{name: plain_value(each) for name, each in kwargs.items()})
        except pydantic.ValidationError as error:
            raise_alone(InvalidParameter("{kind}: {problem}", kind=cls.__name__, problem=sentence(error, made)))
        except OverflowError:
            raise_alone(InvalidParameter("{kind}: a number in it is too large to count with.", kind=cls.__name__))

    made.__init__ = checked
    return made


def described(given: Any) -> dict[str, Any]:
    """Return a value as plain names and values, as it stands in a plan or a manifest."""
    made: dict[str, Any] = pydantic.TypeAdapter(type(given)).dump_python(given, mode="json")
    return made


def said(given: Any, *, tags: bool = True) -> dict[str, Any]:
    """Return the parts of a value that are not what they are by default, and with ``tags`` what tells its kind.

    >>> @value
    ... class Dose:
    ...     amount: int
    ...     unit: str = "mg"
    >>> said(Dose(3)), said(Dose(3, "g"))
    ({'amount': 3}, {'amount': 3, 'unit': 'g'})
    """
    parts = {part.name: (part, getattr(given, part.name)) for part in fields(given) if part.init}
    return {name: found for name, (part, found) in parts.items() if (tags and _tag(part)) or _differs(part, found)}


def _tag(part: Field[Any]) -> bool:
    return part.kw_only and isinstance(part.default, str)


def _differs(part: Field[Any], found: Any) -> bool:
    usual = part.default if part.default_factory is MISSING else part.default_factory()
    return usual is MISSING or type(usual) is not type(found) or bool(usual != found)


def by_kind(given: Any) -> Any:
    """Take a name alone for a value of that kind with nothing else said, as plans write it.

    >>> by_kind("mondrian")
    {'kind': 'mondrian'}
    """
    return {"kind": given} if isinstance(given, str) else given


# Parts of a pydantic path that name the member of a union and mean nothing to a reader.
TYPE_WORDS = re.compile(r"^(float|int|str|bool|date|datetime|none|literal.*|constrained-.*|.*\[.*|[A-Z]\w*)$")


LIST, TEXT = phrase("a list"), phrase("text")
TRUTH, WHOLE, NUMBER = phrase("true or false"), phrase("a whole number"), phrase("a number")
OBJECT = phrase("an object of its kind, or a table with its parts")
KINDS = {
    "tuple_type": LIST,
    "list_type": LIST,
    "string_type": TEXT,
    "bool_type": TRUTH,
    "bool_parsing": TRUTH,
    "int_type": WHOLE,
    "int_parsing": WHOLE,
    "int_from_float": WHOLE,
    "float_type": NUMBER,
    "float_parsing": NUMBER,
    "dict_type": phrase("a table of names and values"),
    "dataclass_type": OBJECT,
    "model_attributes_type": OBJECT,
}


def sentence(error: pydantic.ValidationError, root: Any = None, places: Mapping[str, str] | None = None) -> str:
    """Put the first problem of a validation error into one sentence with its path.

    Wrong names come with the nearest right one; for the names of parts, ``root`` is the type that was to be made. Paths that begin
    as one of ``places`` does begin in another way.
    """
    problems = error.errors(include_url=False)
    problem = max(problems, key=_tells)
    path = _replaced(_path(problem), places or {})
    cause, kind = problem.get("ctx", {}).get("error"), problem["type"]
    if isinstance(cause, TokumeiError):
        return phrase("{path}: {problem}", path=path, problem=cause) if path else cast("str", message_of(cause))
    if kind in {"missing", "missing_argument"}:
        return phrase("{path!r} is missing.", path=path)
    if kind in WRONG_NAME:
        *place, wrong = problem["loc"]
        hint = nearest(str(wrong), parts_at(root, place))
        return phrase("{path!r} is not known here.{hint}", path=path, hint=hint)
    if kind in {"union_tag_invalid", "union_tag_not_found"}:
        return _without_kind(problem, path)
    return _of_another_type([each for each in problems if _path(each) == _path(problem)], problem, path)


def problems_by_place(error: pydantic.ValidationError) -> list[tuple[tuple[int | str, ...], str]]:
    """Return every problem of a validation error with its place, in words that stand beside the place: the most telling first.

    >>> @value
    ... class Dose:
    ...     amount: int
    >>> try:
    ...     pydantic.TypeAdapter(Dose).validate_python({"amount": "much"})
    ... except pydantic.ValidationError as error:
    ...     print(problems_by_place(error))
    [(('amount',), 'This must be a whole number.')]
    """
    found = []
    for problem in sorted(error.errors(include_url=False), key=_plainness, reverse=True):
        cause = problem.get("ctx", {}).get("error")
        if isinstance(cause, TokumeiError):
            said = cast("str", message_of(cause))
        elif problem["type"] in {"missing", "missing_argument"}:
            said = phrase("This must be filled in.")
        else:
            said = phrase("This must be {wanted}.", wanted=_wanted(problem))
        found.append((problem["loc"], said))
    return found


def _plainness(problem: Any) -> tuple[bool, bool]:
    """Rank problems: our own sentences, then limits, then other types, of which unions name every one."""
    return isinstance(problem.get("ctx", {}).get("error"), TokumeiError), problem["type"] in BOUNDS


def _without_kind(problem: Any, path: str) -> str:
    """Say that a value does not say of which kind it is, or names one that is not known."""
    context = problem["ctx"]
    tag = context["discriminator"].strip("'")
    if problem["type"] == "union_tag_invalid":
        known = QUOTED.findall(context["expected_tags"])
        where = ".".join(part for part in (path, tag) if part)
        hint = nearest(str(context["tag"]), known)
        return phrase("{where} must be one of {known}.{hint}", where=where, known=names(known), hint=hint)
    if not path:
        return phrase("needs {tag!r}, which says what kind it is.", tag=tag)
    return phrase("{path} needs {tag!r}, which says what kind it is.", path=path, tag=tag)


def _of_another_type(problems: Sequence[Any], problem: Any, path: str) -> str:
    """Say of which types a value may be."""
    wanted = dict.fromkeys(map(_wanted, problems))
    if {NUMBER, WHOLE} <= set(wanted):
        del wanted[WHOLE]
    hint = nearest(problem["input"], QUOTED.findall(problem["ctx"]["expected"])) if _misspelt(problem) else ""
    either = functools.reduce(lambda one, other: phrase("{one} or {other}", one=one, other=other), wanted)
    if not path:
        return phrase("{wanted}.{hint}", wanted=either, hint=hint)
    return phrase("{path!r} must be {wanted}.{hint}", path=path, wanted=either, hint=hint)


def _replaced(path: str, places: Mapping[str, str]) -> str:
    for place, other in places.items():
        if path == place or path.startswith(f"{place}."):
            return other + path.removeprefix(place)
    return path


QUOTED = re.compile(r"'([^']*)'")


def _misspelt(problem: Any) -> bool:
    return problem["type"] == "literal_error" and isinstance(problem["input"], str)


def parts_at(root: Any, place: Sequence[Any]) -> list[str]:
    """Return the names of the parts that a value may have at a place inside a value of the type ``root``.

    >>> from tokumei import Plan
    >>> parts_at(Plan, ["output"])
    ['path', 'format', 'overwrite', 'database', 'table', 'formulas']
    >>> parts_at(Plan, ["method", "generalization", "partition", "mondrian"])
    ['strict', 'choose', 'min_size', 'kind']
    """
    found = _classes(root)
    for step in place:
        inner = [hint for cls in found if step in _names(cls) for hint in _hints(cls.__pydantic_fields__[step])]
        named = [cls for cls in found if step == cls.__name__ or step in _tags(cls)]
        if inner:
            found = [cls for hint in inner for cls in _classes(hint)]
        elif named:
            found = named
    return list(dict.fromkeys(name for cls in found for name in _names(cls)))


def kinds_of(cls: Any, part: str) -> list[str]:
    """Return the names of the kinds that a part of a value may be; none where there is no such part, or no such choice.

    >>> from tokumei.partitions import DBSCAN
    >>> kinds_of(DBSCAN, "then")
    ['mondrian', 'noise_aware']
    """
    found = cls.__pydantic_fields__.get(part)
    every = [] if found is None else [cls for hint in _hints(found) for cls in _classes(hint)]
    return [tag for each in every for tag in sorted(_tags(each))]


def _hints(part: Any) -> list[Any]:
    """Return what says of which types a field may be."""
    return [part.annotation, *part.metadata]


def _classes(hint: Any) -> list[Any]:
    """Return the dataclasses that a type is, or is made of."""
    if isinstance(hint, Kinds):
        return list(hint)
    return (
        [hint]
        if isinstance(hint, type) and is_dataclass(hint)
        else [cls for part in get_args(hint) for cls in _classes(part)]
    )


def _names(cls: Any) -> list[str]:
    return [part.name for part in fields(cls) if part.init]


def _tags(cls: Any) -> set[str]:
    return {part.default for part in fields(cls) if part.kw_only and isinstance(part.default, str)}


WRONG_NAME = {"extra_forbidden", "unexpected_keyword_argument"}
TELLING = {*WRONG_NAME, "missing", "union_tag_invalid", "union_tag_not_found"}


def _tells(problem: Any) -> tuple[bool, int, bool]:
    """Rank problems: one of our own sentences, or a wrong name deep inside, says more than a wrong type.

    A name that is not known also says more than one that is missing for it.
    """
    own = isinstance(problem.get("ctx", {}).get("error"), TokumeiError)
    return own or problem["type"] in TELLING, len(problem["loc"]), problem["type"] in WRONG_NAME


def _path(problem: Any) -> str:
    parts = [str(part) for part in problem["loc"]]
    return ".".join(part for part in parts if part not in _TAGS and not TYPE_WORDS.match(part))


def _wanted(problem: Any) -> str:
    kind, context = problem["type"], problem.get("ctx", {})
    if kind in KINDS:
        return KINDS[kind]
    if kind == "literal_error":
        *others, last = QUOTED.findall(context["expected"]) or [""]
        listed = phrase("{others} or {last!r}", others=names(others), last=last) if others else names([last])
        return listed if listed == context["expected"] else context["expected"]
    if kind in BOUNDS:
        return BOUNDS[kind](**context)
    return phrase(problem["msg"].removeprefix("Value error, ").removeprefix("Input should be "))


BOUNDS: Mapping[str, Callable[..., Phrase]] = {
    "greater_than": lambda gt: phrase("greater than {gt}", gt=gt),
    "greater_than_equal": lambda ge: phrase("greater than or equal to {ge}", ge=ge),
    "less_than": lambda lt: phrase("less than {lt}", lt=lt),
    "less_than_equal": lambda le: phrase("less than or equal to {le}", le=le),
}
