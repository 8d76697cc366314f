"""The sentences of a report: one file a language, the same keys in each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, get_args

from tokumei.errors import InvalidParameter
from tokumei.privacy.guarantee import LETTERS, Guarantee, down, up
from tokumei.reports.words import english, japanese
from tokumei.reports.words.sentences import in_japanese

Language = Literal["en", "ja"]
TABLES: Mapping[str, Mapping[str, str]] = {"en": english.WORDS, "ja": japanese.WORDS}


class Words:
    """The words of one language."""

    def __init__(self, language: Language) -> None:
        if language not in get_args(Language):
            raise InvalidParameter(f"language must be 'en' or 'ja'. Got {language!r}.")
        self.language = language
        self._table = TABLES[language]

    def __call__(self, key: str, /, **values: str) -> str:
        """Return a sentence with what it is about put in."""
        return self._table[key].format(**values)

    def knows(self, key: str) -> bool:
        """Say whether there is a sentence of this name."""
        return key in self._table

    def names(self, given: Iterable[str]) -> str:
        """List names.

        >>> Words("en").names(["age", "sex"]), Words("ja").names(["age", "sex"])
        ('age, sex', '「age」「sex」')
        """
        return ", ".join(given) if self.language == "en" else "".join(f"「{name}」" for name in given)

    def sentence(self, text: str) -> str:
        """Return a sentence of the library in this language; one that is not known stays English, and is marked so."""
        return text if self.language == "en" else in_japanese(text) or f"{text}（原文は英語）"

    def join(self, sentences: Iterable[str]) -> str:
        """Put sentences after each other."""
        return (" " if self.language == "en" else "").join(each for each in sentences if each)

    def headline(self, promise: Guarantee) -> str:
        """Return a promise in one sentence."""
        if self.language == "en":
            return promise.headline
        rising = promise.notion not in {
            "local differential privacy",
            "t-closeness",
            "delta-disclosure privacy",
            "beta-likeness",
        }
        shown = down(promise.value) if rising else up(promise.value)
        letter = "ε" if promise.notion == "local differential privacy" else LETTERS.get(promise.notion, "k")
        linking = promise.notion in {"Pk-anonymity", "sampling anonymity", "k-anonymity"}
        key = "headline_linking" if linking else "headline"
        return self(
            key,
            attacker=self.sentence(promise.attacker),
            value=shown,
            notion=self(f"notion_{promise.notion}"),
            letter=letter,
        )
