"""A short list of phrases stays out of README, docs and src; docs/contributing/style.md says what to write instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Whole words, in any case and across line breaks. Add a phrase once its last occurrence is gone.
BANNED = (
    "by chance",
    "by the alphabet",
    "drawn towards even",
    "for who",
    "he",
    "he or she",
    "him",
    "himself",
    "his",
    "his or her",
    "kept as it is",
    "made alike",
    "mankind",
    "method of the house",
    "one a person",
    "one row a person",
    "proved promise",
    "released as it is",
    "rightly",
    "so many",
    "surest",
    "take it that",
    "takes it that",
    "the house",
    "the receiver",
    "the whole way",
    "whoever",
)
SHOWS_THEM = ROOT / "docs" / "contributing" / "style.md"
TEXTS = [
    ROOT / "README.md",
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if page != SHOWS_THEM),
    *sorted((ROOT / "src").rglob("*.py")),
]


def banned_in(text: str) -> list[str]:
    line = re.sub(r"[\s#*>]+", " ", text)
    return [phrase for phrase in BANNED if re.search(rf"\b{re.escape(phrase)}\b", line, flags=re.IGNORECASE)]


@pytest.mark.parametrize("part", ["README.md", "docs", "src"])
def test_texts_do_without_banned_phrases(part: str) -> None:
    texts = [path for path in TEXTS if path.is_relative_to(ROOT / part)]
    assert texts
    found = {str(path.relative_to(ROOT)): banned_in(path.read_text(encoding="utf-8")) for path in texts}
    assert {path: phrases for path, phrases in found.items() if phrases} == {}


def test_a_banned_phrase_is_found_across_lines_and_only_as_words() -> None:
    assert banned_in("# The method\n# of the House changes a table") == ["method of the house", "the house"]
    assert banned_in("This is for\n> who changes it") == ["for who"]
    assert banned_in("for whom, the lighthouse") == []


def test_the_page_on_style_has_twenty_pairs_and_shows_what_is_banned() -> None:
    text = SHOWS_THEM.read_text(encoding="utf-8")
    pairs = text.split("## Twenty pairs")[1].split("## ")[0]
    rows = [line.strip("| ").split(" | ") for line in pairs.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 20
    assert all(len(row) == 2 and row[0] != row[1] for row in rows)
    assert all(not banned_in(after) for _, after in rows)
    assert banned_in(text)
