"""The glossary: every term of the guarantees, the reports and the studio, what it means, and where a sentence uses it.

`glossary.tsv` is its only source: the pages on terms are filled from it, and the studio explains its words by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tokumei.messages import Language

PLACE = Path(__file__).with_name("glossary.tsv")
ASIDE = re.compile(r"\s\([^()]*\)|（[^（）]*）")  # an alternative, or what a term is about
QUOTED = re.compile(r"'[^']*'|「[^」]*」|“[^”]*”|\"[^\"]*\"")  # names, which mean nothing but themselves
NOWHERE = "-"
KANJI, KATAKANA = "一-鿿々", "ァ-ヺー"


@dataclass(frozen=True)
class Term:
    """One term.

    Attributes
    ----------
    place
        Its place in the list, by which pages refer to it.
    english, japanese
        What it is called, alternatives included, as the pages have it.
    meaning
        What it means, in each language.
    forms
        How sentences write it, in each language; none where the word means other things too.
    """

    place: int
    english: str
    japanese: str
    meaning: dict[Language, str]
    forms: dict[Language, tuple[str, ...]]


@cache
def terms() -> tuple[Term, ...]:
    """Return all terms, in the order of the English page.

    >>> next(each.meaning["en"] for each in terms() if each.english == "quasi-identifier")
    'a column that an attacker may know about a person'
    """
    lines = PLACE.read_text(encoding="utf-8").splitlines()
    return tuple(_term(place, line.split("\t")) for place, line in enumerate(lines))


def _term(place: int, cells: list[str]) -> Term:
    english, japanese, meaning_en, meaning_ja, *written = cells
    seen_en, seen_ja = written or ("", "")
    forms: dict[Language, tuple[str, ...]] = {
        "en": _forms(seen_en, english, ", "),
        "ja": _forms(seen_ja, japanese, "、"),
    }
    return Term(place, english, japanese, {"en": meaning_en, "ja": meaning_ja}, forms)


def _forms(written: str, term: str, comma: str) -> tuple[str, ...]:
    if written == NOWHERE:
        return ()
    if written:
        return tuple(written.split("|"))
    if term.startswith("("):  # as in (α, k)-anonymity
        return (term,)
    return tuple(part for part in (ASIDE.sub("", each).strip() for each in term.split(comma)) if part)


def find_terms(text: str, language: Language) -> Iterator[tuple[str, Term | None]]:
    """Divide a text into terms and what is between them; put together, the parts are the text.

    Names within quotation marks are left alone.

    >>> [(part, term and term.english) for part, term in find_terms("Quasi-identifiers such as 'risk'", "en")]
    [('Quasi-identifiers', 'quasi-identifier'), (" such as 'risk'", None)]
    """
    pattern, known = _pattern(language)
    names = [each.span() for each in QUOTED.finditer(text)]
    end = 0
    for found in pattern.finditer(text):
        start, stop = found.span()
        if any(low < stop and start < high for low, high in names):
            continue
        if start > end:
            yield text[end:start], None
        yield found.group(), known[int(str(found.lastgroup)[1:])]
        end = stop
    if end < len(text):
        yield text[end:], None


@cache
def _pattern(language: Language) -> tuple[re.Pattern[str], tuple[Term, ...]]:
    """Return what finds every form of every term, the longest first."""
    known = sorted(((form, term) for term in terms() for form in term.forms[language]), key=lambda pair: -len(pair[0]))
    write = _english if language == "en" else _japanese
    parts = [f"(?P<f{place}>{write(form)})" for place, (form, _) in enumerate(known)]
    return re.compile("|".join(parts), re.IGNORECASE), tuple(term for _, term in known)


def _english(form: str) -> str:
    """Find a word by itself, in the singular or the plural."""
    if form.endswith("y") and form[-2:-1] not in set("aeiou"):
        word = re.escape(form[:-1]) + "(?:y|ies)"
    else:
        word = re.escape(form) + ("(?:es)?" if form.endswith(("s", "x", "ch", "sh")) else "s?" if len(form) > 1 else "")
    return rf"(?<![\w-]){word}(?![\w-])"


def _japanese(form: str) -> str:
    """Find a word where it is no part of a longer one: a short one of Chinese characters, or one in katakana."""
    before, after = _same_script(form[0], form), _same_script(form[-1], form)
    return f"{f'(?<![{before}])' if before else ''}{re.escape(form)}{f'(?![{after}])' if after else ''}"


def _same_script(letter: str, form: str) -> str:
    if re.match(f"[{KATAKANA}]", letter):
        return KATAKANA
    if re.match(f"[{KANJI}]", letter):
        return KANJI if len(form) <= 2 else ""
    return r"\w-" if letter.isascii() else ""
