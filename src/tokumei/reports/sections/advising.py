"""The advice that applies."""

from __future__ import annotations

from tokumei.reports.advice import Advice
from tokumei.reports.html import Html, bullets, paragraphs, section
from tokumei.words import Words


def advising(advice: tuple[Advice, ...], words: Words) -> Html:
    """Write the advice down, or say that there is none."""
    said = [words(each.key, column=words.names(each.columns), **each.values) for each in advice]
    return section("advice", words("title_advice"), bullets(said) if said else paragraphs(words("advice_none")))
