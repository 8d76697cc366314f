"""The glossary: one source for pages and studio, and terms found in sentences as a person would find them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tokumei.words.catalogue import table
from tokumei.words.glossary import find_terms, terms

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def pages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("glossary_pages", DOCS / "glossary.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def marked(text: str, language: str) -> list[str]:
    return [part for part, term in find_terms(text, language) if term is not None]  # type: ignore[arg-type]


def test_the_pages_are_filled_from_the_one_list(pages: ModuleType) -> None:
    for place, lines in pages.PAGES.items():
        page = place.read_text(encoding="utf-8")
        assert pages.filled(page, lines) == page, "run python docs/glossary.py"
        assert len(lines) == len(terms())
    place, lines = next(iter(pages.PAGES.items()))
    page = place.read_text(encoding="utf-8")
    assert pages.filled(page.replace("an attacker may know about a person", "an attacker may know"), lines) == page


def test_every_term_has_a_meaning_in_both_languages() -> None:
    for each in terms():
        assert all(each.meaning[language].strip() for language in ("en", "ja"))  # type: ignore[index]
    named = [form.lower() for each in terms() for form in each.forms["en"]]
    assert len(named) == len(set(named)), "two terms are written alike"
    written = [form for each in terms() for form in each.forms["ja"]]
    assert len(written) == len(set(written))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_parts_of_every_sentence_are_the_sentence(language: str) -> None:
    found = 0
    for sentence in table(language).values():  # type: ignore[arg-type]
        parts = list(find_terms(sentence, language))  # type: ignore[arg-type]
        assert "".join(part for part, _ in parts) == sentence
        found += sum(term is not None for _, term in parts)
    assert found > 500


def test_terms_are_found_whole_and_in_the_plural() -> None:
    assert marked("Equivalence classes, hierarchies and quasi-identifiers.", "en") == [
        "Equivalence classes",
        "hierarchies",
        "quasi-identifiers",
    ]
    assert marked("k-anonymity with wildcards, k = 5", "en") == ["k-anonymity with wildcards", "k"]
    assert marked("unreleased risky planning of Pk", "en") == []
    assert marked("確率的 k-匿名性と k-匿名性", "ja") == ["確率的 k-匿名性", "k-匿名性"]
    assert marked("地層と、年齢の階層", "ja") == ["階層"]  # not the strata of geologists


def test_names_of_columns_are_left_alone() -> None:
    assert marked("'risk', 'score' and “plan” are columns; the risk is not.", "en") == ["risk"]
    assert marked("「リスク」は列、リスクは別", "ja") == ["リスク"]
