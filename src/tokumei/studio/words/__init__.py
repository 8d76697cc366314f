"""The words of the studio: one file a language, the same keys in each; sentences of the library come from the reports."""

from __future__ import annotations

from collections.abc import Mapping

from tokumei.reports.words import Language
from tokumei.reports.words import Words as ReportWords
from tokumei.studio.words import english, japanese

TABLES: Mapping[str, Mapping[str, str]] = {"en": english.WORDS, "ja": japanese.WORDS}
LANGUAGES: Mapping[str, str] = {"en": "English", "ja": "日本語"}


class Words(ReportWords):
    """The words of one language, those of reports and those of the studio.

    >>> Words("en")("screen_risk"), Words("ja")("screen_risk")
    ('Risk today', '現在のリスク')
    """

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self._table = {**self._table, **TABLES[language]}
