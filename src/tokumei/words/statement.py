"""A statement: a key with typed parameters. What it is in English or Japanese stands in the catalogue.

Attackers, promises, assumptions, reasons, treatments of a value, advice and notes are all statements. Programs compare and check
them as data; people read them through `tokumei.words.Words`. A manifest stores keys and parameters, never sentences.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

import pydantic
from pydantic import ConfigDict, StrictFloat, StrictInt, StrictStr

from tokumei.messages import Language, Phrase, message_of

Names = tuple[StrictStr, ...]
Count = Annotated[StrictInt, pydantic.Field(ge=0)]
Number = StrictInt | StrictFloat

REGISTRY: dict[str, type[Statement]] = {}


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Statement(pydantic.BaseModel):
    """Something that is said, as data.

    A subclass is declared with its parameters and gets its key from its name; ``kind`` is inherited by those below it.
    ``variants`` names the parameters that choose between several sentences: each of their values has one of its own.

    Examples
    --------
    >>> class Greeting(Statement, kind="example"):
    ...     name: str
    >>> Greeting(name="Ada").key, Greeting(name="Ada").describe()
    ('example.greeting', {'key': 'example.greeting', 'name': 'Ada'})
    >>> read_statement({"key": "example.greeting", "name": "Ada"})
    Greeting(name='Ada')
    >>> read_statement({"key": "example.farewell", "name": "Ada"})
    Unknown(unknown='example.farewell')
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    key: ClassVar[str] = ""
    kind: ClassVar[str] = ""
    variants: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, kind: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)

    @classmethod
    def __pydantic_init_subclass__(cls, kind: str = "", **options: Any) -> None:
        super().__pydantic_init_subclass__(**options)
        if kind and Statement in cls.__bases__ and not cls.model_fields:
            cls.kind = kind  # the base of a kind, which says nothing itself
            return
        cls.kind = kind or cls.kind
        cls.key = f"{cls.kind}.{_snake(cls.__name__)}"
        other = REGISTRY.get(cls.key)
        if other is not None and (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
            raise TypeError(f"{cls.key} is already the key of {other.__module__}.{other.__qualname__}.")
        REGISTRY[cls.key] = cls

    @property
    def sentence_key(self) -> str:
        """The key of the sentence in the catalogue: that of the statement, and of the variant that its parameters choose."""
        chosen = [str(getattr(self, name)) for name in self.variants if getattr(self, name) is not None]
        return ".".join([self.key, *chosen])

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in type(self).model_fields}

    def describe(self) -> dict[str, Any]:
        """Return the statement as it appears in a manifest; parameters that are not set are left out."""
        return {"key": self.key, **self.model_dump(mode="json", exclude_none=True)}

    def in_language(self, language: Language) -> str:
        """Say it in a language."""
        from tokumei.words.catalogue import Words

        return Words(language).say(self)

    def __str__(self) -> str:
        return self.in_language("en")


class Unknown(Statement, kind="unknown"):
    """A statement of a newer version, of which nothing is known but its key."""

    unknown: str

    def describe(self) -> dict[str, Any]:
        """Return the key as it was read; what else was said is not kept."""
        return {"key": self.unknown}


class Raw(Statement, kind="raw"):
    """English text that is no statement and has no translation, such as what an error of another library says."""

    text: str


class Message(Statement, kind="raw"):
    """What an error or a warning says."""

    text: pydantic.InstanceOf[Phrase]


def said_by(given: object) -> Statement:
    """Return what an error, a warning or a text says, as a statement."""
    if isinstance(given, Statement):
        return given
    said = message_of(given) if isinstance(given, Exception) else given
    if isinstance(said, Statement):
        return said
    return Message(text=said) if isinstance(said, Phrase) and said.known else Raw(text=str(said))


def read_statement(given: Mapping[str, Any], kind: str = "") -> Statement:
    """Make a statement from what `Statement.describe` gave; raise `ValueError` where a known one has wrong parameters.

    ``kind`` is what is expected: a known statement of another kind is refused.
    """
    content = dict(given)
    key = content.pop("key", None)
    if not isinstance(key, str) or not key or len(key) > LONGEST:
        raise ValueError("a statement needs a key.")
    known = REGISTRY.get(key)
    if known is None:
        return Unknown(unknown=key)
    if issubclass(known, Unknown | Raw | Message) or (kind and known.kind != kind):
        raise ValueError("a statement stands where one of its kind cannot.")
    return known.model_validate(content)


LONGEST = 200  # letters of a key


__all__ = [
    "REGISTRY",
    "Count",
    "Message",
    "Names",
    "Number",
    "Raw",
    "Statement",
    "Unknown",
    "read_statement",
    "said_by",
]
