"""Both languages say the same things, and every screen finds its words."""

from __future__ import annotations

import datetime as dt
import re
import string
from pathlib import Path

import pytest
from tokumei.reports.words import TABLES as REPORT_TABLES
from tokumei.studio.words import TABLES, Words

import tokumei as tk
import tokumei.studio
from tokumei.studio.frame import PATHS
from tokumei.studio.screens.data import domain_words

FOLDER = Path(tokumei.studio.__file__).parent


def holes(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_languages_have_the_same_keys_and_holes() -> None:
    english, japanese = TABLES["en"], TABLES["ja"]
    assert list(english) == list(japanese)
    for key, text in english.items():
        assert holes(text) == holes(japanese[key]), key
        assert re.search(r"[ぁ-んァ-ヶ一-龠]", japanese[key]) or key in SAME, key


SAME = {"risk_slider", "frontier_k"}  # signs that are the same everywhere


def test_no_word_hides_one_of_the_reports() -> None:
    for language, table in TABLES.items():
        assert not set(table) & set(REPORT_TABLES[language])


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: path.name)
def test_every_word_that_is_asked_for_is_there(path: Path) -> None:
    words = Words("en")
    for key in re.findall(r'words\(\s*"([^"]+)"', path.read_text(encoding="utf-8")):
        assert words.knows(key), key


def test_no_word_is_left_over() -> None:
    asked = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py") if "words" not in path.parts)
    begun = set(re.findall(r'f"([a-z_]+_)\{', asked))
    for key in TABLES["en"]:
        assert f'"{key}"' in asked or any(key.startswith(start) for start in begun), key


def test_a_domain_is_said_in_both_languages_with_its_numbers_whole() -> None:
    income = tk.Numbers(low=790_000, high=28_290_340, step=420)
    assert domain_words(Words("en"), income) == "numbers 790000 to 28290340 in steps of 420"
    assert domain_words(Words("ja"), income) == "790000 から 28290340 まで 420 刻みの数値"
    days = tk.Dates(dt.date(2020, 1, 1), dt.date(2020, 12, 31))
    for domain in (income, days, tk.Categories(("a", "b"))):
        assert re.search(r"[ぁ-んァ-ヶ一-龠]", domain_words(Words("ja"), domain))


def test_every_screen_has_a_name_and_a_lead() -> None:
    for name in PATHS:
        for language in ("en", "ja"):
            words = Words(language)  # type: ignore[arg-type]
            assert words(f"screen_{name}")
            assert words(f"lead_{name}")
