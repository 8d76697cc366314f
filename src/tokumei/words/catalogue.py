"""The catalogue: a sentence for each key, one file per language, and how parameters are put into it.

In a sentence ``{columns}`` stands for a parameter, written the way its type is: names quoted, whole numbers with separators, other
numbers in short. ``{rows:row|rows}`` counts: "1 row", "20 rows". ``{columns:|is|are}`` chooses between words by the number without
showing it. ``{partition:kind}`` names what a plan calls ``nearest_groups`` and Python ``NearestGroups`` in words. Other formats are Python's own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from string import Formatter
from typing import Any, get_args

from tokumei.errors import InvalidParameter
from tokumei.messages import LANGUAGE_SETTING, LANGUAGES, Language, Phrase, counted, quoted
from tokumei.shown import shown
from tokumei.words.statement import Statement, said_by


@cache
def table(language: Language) -> dict[str, str]:
    """Return the sentences of a language by key; who adds a method may put theirs in."""
    made: dict[str, str] = import_module(f"tokumei.words.{language}").WORDS
    return dict(made)


LONG, FIRST = 8, 3  # names that are told again, and those of a longer list


def add_words(language: Language, sentences: Mapping[str, str]) -> None:
    """Put sentences of one's own into the catalogue; a key that is there already is refused."""
    known = table(language)
    taken = sorted(key for key in sentences if key in known and known[key] != sentences[key])
    if taken:
        raise InvalidParameter("The catalogue already has {keys}.", keys=", ".join(taken))
    known.update(sentences)


def spoken() -> Words:
    """Return the words that the command line and notebooks speak: English, or the language that ``TOKUMEI_LANGUAGE`` names."""
    wanted: Any = os.environ.get(LANGUAGE_SETTING) or "en"
    if wanted not in get_args(Language):
        raise InvalidParameter("{setting} must be 'en' or 'ja'. Got {given!r}.", setting=LANGUAGE_SETTING, given=wanted)
    return Words(wanted)


class Words(Formatter):
    """The words of one language.

    >>> Words("en").names(["age", "sex"]), Words("ja").names(["age", "sex"])
    ("'age', 'sex'", '「age」「sex」')
    """

    def __init__(self, language: Language = "en") -> None:
        if language not in get_args(Language):
            raise InvalidParameter("language must be 'en' or 'ja'. Got {language!r}.", language=language)
        self.language: Language = language
        self._table = table(language)

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return a sentence with its parameters put in; where there is none, say that a newer version made it."""
        if key not in self._table:
            key, values = "unknown.unknown", {"unknown": key}
        return self.vformat(self._table[key], (), values)

    def say(self, said: object, /, **more: Any) -> str:
        """Return a statement in words, or what an error says; English that is no statement is marked where it is foreign."""
        statement = said_by(said)
        return self(statement.sentence_key, **{**statement.parameters, **more})

    def knows(self, key: str) -> bool:
        """Say whether there is a sentence with this key."""
        return key in self._table

    def names(self, given: Iterable[str]) -> str:
        """List names, quoted."""
        return (", " if self.language == "en" else "").join(quoted(name, self.language) for name in given)

    def some_names(self, given: Sequence[str], most: int = 12) -> str:
        """List the first names, quoted, and count the other columns."""
        first = self.names(given[:most])
        return first if len(given) <= most else self("and_more", columns=first, count=f"{len(given) - most:,}")

    def join(self, sentences: Iterable[str]) -> str:
        """Put sentences after each other."""
        return (" " if self.language == "en" else "").join(each for each in sentences if each)

    def _written(self, text: str, format_spec: str) -> str:
        """Write a text: a name quoted, a kind of value by its words where there are some."""
        if format_spec == "name":
            return self.names([text])
        if format_spec == "kind":
            kinds = (key for key in self._table if key.startswith("kind."))
            named = (self._table[key] for key in kinds if key[5:].replace("_", "") == text.lower().replace("_", ""))
            return next(named, shown(text))
        return shown(text, lines=True)

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Return a parameter; one that is not given, such as the attacker of a promise by itself, is shown as an ellipsis.

        A row is linked to a person where nobody says that it is to a household.
        """
        return kwargs.get(str(key), self._table["unit.person"] if key == "someone" else "…")

    def format_field(self, value: Any, format_spec: str) -> str:
        """Write one parameter."""
        if "|" in format_spec:
            return counted(int(value) if isinstance(value, int) else len(value), format_spec)
        if isinstance(value, Statement):
            return self.say(value)
        if isinstance(value, Phrase):
            return shown(value.in_language(self.language))
        if isinstance(value, str):
            return self._written(value, format_spec)
        if isinstance(value, Sequence):
            return self.names(value)
        return format(value, format_spec or ("," if isinstance(value, int) else ".4g"))


class Brief(Words):
    """Words that tell a long list of names by its first: always, or but for the first time.

    >>> brief = Brief("en", first_in_full=True)
    >>> brief.names("abcdefghi"), brief.names("abcdefghi")
    ("'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'", "'a', 'b', 'c' and 6 more")
    """

    def __init__(self, language: Language = "en", *, first_in_full: bool = False) -> None:
        super().__init__(language)
        self._first_in_full, self._told = first_in_full, set[tuple[str, ...]]()

    def names(self, given: Iterable[str]) -> str:
        """List names, quoted; of a long list the first, and how many more columns there are."""
        listed = tuple(given)
        if len(listed) <= LONG or (self._first_in_full and listed not in self._told):
            self._told.add(listed)
            return super().names(listed)
        return self.some_names(listed, FIRST)


__all__ = ["LANGUAGES", "LANGUAGE_SETTING", "Brief", "Language", "Words", "add_words", "spoken", "table"]
