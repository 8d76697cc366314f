"""Text that knows the template and the fields it was made from, so that it can be said in another language."""

from __future__ import annotations

import datetime as dt
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from numbers import Number
from string import Formatter
from typing import Any, Literal

from tokumei.shown import shown

Language = Literal["en", "ja"]
LANGUAGES: Mapping[str, str] = {"en": "English", "ja": "日本語"}
LANGUAGE_SETTING = "TOKUMEI_LANGUAGE"


def spoken_language() -> Language:
    """Return the language that ``TOKUMEI_LANGUAGE`` names; English where it names none that there is."""
    return "ja" if os.environ.get(LANGUAGE_SETTING) == "ja" else "en"


@cache
def translations(language: Language) -> dict[str, str]:
    """Return what English templates are in a language."""
    if language == "en":
        return {}
    from tokumei.messages.ja import MESSAGES

    return dict(MESSAGES)


def add_messages(language: Language, messages: Mapping[str, str]) -> None:
    """Put translations of one's own templates beside those of the library, which stay as they are."""
    known = translations(language)
    known.update({template: text for template, text in messages.items() if template not in known})


class Phrase(str):
    """English text, and what it was made from. A program may treat it as a string; it survives pickling and copying."""

    __slots__ = ("fields", "template")

    template: str
    fields: Mapping[str, Any]

    def __reduce__(self) -> tuple[Callable[[str, Mapping[str, Any]], Phrase], tuple[str, Mapping[str, Any]]]:
        return _made, (self.template, self.fields)

    @property
    def known(self) -> bool:
        """Whether it can be said in every language."""
        return self.template in translations("ja")

    def in_language(self, language: Language) -> str:
        """Say it in a language; where there is no translation, in English."""
        if language == "en":
            return str(self)
        template = translations(language).get(self.template)
        if template is None:
            return str(self)
        return Sayings(language).vformat(template, (), self.fields) if self.fields else template


class Listed(str):
    """Names, quoted and joined as English has them.

    >>> Listed(["age", "sex"]), Listed(["age", "sex"]).in_language("ja")
    ("'age', 'sex'", '「age」「sex」')
    """

    __slots__ = ("items",)

    items: tuple[str, ...]

    def __new__(cls, items: Iterable[str]) -> Listed:
        """Keep the names beside the text."""
        items = tuple(map(str, items))
        made = super().__new__(cls, ", ".join(map(repr, items)))
        made.items = items
        return made

    def __reduce__(self) -> tuple[type[Listed], tuple[tuple[str, ...]]]:
        return Listed, (self.items,)

    def in_language(self, language: Language) -> str:
        """List the names as a language does."""
        return str(self) if language == "en" else "".join(quoted(item, language) for item in self.items)


class Joined(str):
    """Phrases after each other, each of them whole; English has a space before those that follow another."""

    __slots__ = ("parts",)

    parts: tuple[str, ...]

    def __new__(cls, parts: Iterable[str]) -> Joined:
        """Keep the phrases beside the text."""
        parts = tuple(parts)
        made = super().__new__(cls, "".join(parts))
        made.parts = parts
        return made

    def __reduce__(self) -> tuple[type[Joined], tuple[tuple[str, ...]]]:
        return Joined, (self.parts,)

    def in_language(self, language: Language) -> str:
        """Say the phrases in a language."""
        return "".join(said_in(part, language) for part in self.parts)


class Spoken(ABC):
    """Something that is shown as lines of text: English where it is printed, and in any language where it is said."""

    @abstractmethod
    def lines(self) -> list[str]:
        """Return the lines, most of them phrases."""

    def in_language(self, language: Language) -> str:
        """Say the lines in a language."""
        return "\n".join(said_in(line, language) for line in self.lines())

    def __str__(self) -> str:
        return self.in_language("en")


class Seen(str):
    """How a value of any kind looks: its text, and what stands for it in quotation."""

    __slots__ = ("look",)

    look: str

    def __repr__(self) -> str:
        return self.look

    def __reduce__(self) -> tuple[Callable[[str, str], Seen], tuple[str, str]]:
        return seen, (str(self), self.look)


class Sayings(Formatter):
    """Puts fields into the templates of one language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def convert_field(self, value: Any, conversion: Any) -> Any:
        """Quote text as the language does."""
        if conversion == "r" and self.language != "en" and isinstance(value, str) and not isinstance(value, Seen):
            return quoted(value, self.language)
        return super().convert_field(value, conversion)

    def format_field(self, value: Any, format_spec: str) -> str:
        """Write one field: what is itself in words is said in the language, and the rest as Python writes it."""
        if "|" in format_spec:
            return counted(int(value), format_spec)
        if hasattr(value, "in_language"):
            value = value.in_language(self.language)
        return format(value, format_spec)


def phrase(template: str, /, **fields: Any) -> Phrase:
    """Fill a template of which there is a translation; an error that is a field stands for what it says.

    >>> phrase("{rows:row|rows} of {column!r} {rows:|is|are} missing.", rows=1, column="age")
    "1 row of 'age' is missing."
    """
    return _made(template, {name: _plain(each) for name, each in fields.items()})


def said_in(said: object, language: Language) -> str:
    """Say in a language what an error or a warning says."""
    if isinstance(said, BaseException):
        said = message_of(said)
    if hasattr(said, "in_language"):
        return str(said.in_language(language))
    return translations(language).get(str(said), str(said))


def spoken_text(template: str, /, **fields: Any) -> str:
    """Fill a template and say it in the language that ``TOKUMEI_LANGUAGE`` names."""
    return phrase(template, **fields).in_language(spoken_language())


def message_of(error: BaseException) -> Any:
    """Return what an error says, with what it was made from, to raise it again or to make it part of another message."""
    said = error.args[0] if len(error.args) == 1 else None
    if isinstance(said, str) and not hasattr(said, "in_language"):
        return _made(said, {}) if said in translations("ja") else said
    return said if said is not None and hasattr(said, "in_language") else str(error)


def with_fields(said: Phrase, fields: Mapping[str, Any]) -> Phrase:
    """Return a message with other fields."""
    return _made(said.template, fields)


def with_text(said: str, old: str, new: str) -> str:
    """Return a message with one text in place of another in its fields.

    >>> with_text(phrase("{path} is empty.", path="/tmp/a7/people.csv"), "/tmp/a7/people.csv", "people.csv")
    'people.csv is empty.'
    """
    if not isinstance(said, Phrase):
        return said.replace(old, new) if old in said else said
    fields = {name: with_text(each, old, new) if isinstance(each, str) else each for name, each in said.fields.items()}
    return _made(said.template, fields)


def quoted(name: str, language: Language) -> str:
    """Quote a name.

    >>> quoted("age", "en"), quoted("age", "ja")
    ("'age'", '「age」')
    """
    return shown(repr(name)) if language == "en" else f"「{shown(name)}」"


def counted(number: int, words: str) -> str:
    """Count in words: those for one and for several, with an empty one before them where the number is not shown.

    >>> counted(1, "row|rows"), counted(1200, "row|rows"), counted(2, "|is|are")
    ('1 row', '1,200 rows', 'are')
    """
    *silent, one, many = words.split("|")
    word = one if number == 1 else many
    return word if silent else f"{number:,} {word}"


def _made(template: str, fields: Mapping[str, Any]) -> Phrase:
    made = Phrase(Sayings("en").vformat(template, (), fields) if fields else template)
    made.template, made.fields = template, fields
    return made


def seen(text: str, look: str) -> Seen:
    """Keep how a value looks, and nothing else of it."""
    made = Seen(text)
    made.look = look
    return made


def _plain(value: Any) -> Any:
    """Return a field as a value that can be pickled and holds no more than what is shown."""
    if isinstance(value, BaseException):
        return message_of(value)
    if value is None or isinstance(value, str | Number | dt.date) or hasattr(value, "in_language"):
        return value
    return seen(str(value), repr(value))
