"""Both languages say the same things."""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import Literal, get_args

import pytest
from tokumei.reports.words import TABLES, Words
from tokumei.reports.words.sentences import in_japanese

import tokumei as tk
from tokumei import reports
from tokumei.anonymizers import METHODS
from tokumei.prepare import STEPS
from tokumei.privacy.guarantee import Guarantee, Notion, attacker_words


def _parts(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_both_languages_have_the_same_keys() -> None:
    assert list(TABLES["en"]) == list(TABLES["ja"])


@pytest.mark.parametrize("key", TABLES["en"])
def test_both_languages_say_the_same_facts(key: str) -> None:
    assert _parts(TABLES["en"][key]) == _parts(TABLES["ja"][key])


def test_japanese_is_japanese() -> None:
    same = {key for key in TABLES["en"] if TABLES["en"][key] == TABLES["ja"][key]}
    assert same == {"absent"}
    for key in TABLES["ja"].keys() - {"absent"}:
        assert re.search(r"[ぁ-んァ-ン一-龥、：～（]", TABLES["ja"][key]), key


def test_every_method_and_step_has_words() -> None:
    for method in METHODS:
        name = method.__dataclass_fields__["method"].default
        assert {f"method_{name}", f"about_{name}"} <= set(TABLES["en"])
    for step in STEPS:
        assert f"step_{step.__dataclass_fields__['step'].default}" in TABLES["en"]


def test_every_word_is_used() -> None:
    room = Path(reports.__file__).parent
    files = [path for path in room.rglob("*.py") if path.name not in {"english.py", "japanese.py", "sentences.py"}]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    prefixes = set(re.findall(r'f"([a-z_]+_)\{', text)) | {"chart_", "advice_"}
    for key in TABLES["en"]:
        assert f'"{key}"' in text or any(key.startswith(prefix) for prefix in prefixes), key


def test_names_with_quotes_and_braces_stay_whole() -> None:
    odd = "it's {odd}"
    said = in_japanese(f"There is none for what is released as it is ({odd!r}, 'b'): its ε is infinite.")
    assert said is not None
    assert "「it's {odd}」「b」" in said
    assert Words("ja").names(["a<b"]) == "「a<b」"


@pytest.mark.parametrize("membership", [None, "secret", "known"])
def test_a_promise_names_every_column_it_does_not_cover(membership: Literal["secret", "known"] | None) -> None:
    promise = Guarantee("Pk-anonymity", 5.0, attacker_words(["income", "it's"], "unknown", membership), (), "pk")
    said = Words("ja").headline(promise)
    assert "「income」「it's」から" in said
    assert "者であっても" not in said  # even he: as if others were held back too


def test_a_promise_against_everybody_says_so() -> None:
    promise = Guarantee("Pk-anonymity", 5.0, "Nobody, whatever he knows of the original table,", (), "pk")
    assert Words("ja").headline(promise).startswith("元の表について何を知っている者であっても、")


def test_a_sentence_that_is_not_known_is_marked() -> None:
    assert Words("ja").sentence("Something new.") == "Something new.（原文は英語）"
    assert Words("en").sentence("Something new.") == "Something new."


def test_other_languages_are_refused() -> None:
    with pytest.raises(tk.errors.InvalidParameter, match="language must be 'en' or 'ja'"):
        Words("fr")  # type: ignore[arg-type]


def test_every_notion_has_words() -> None:
    assert {f"notion_{notion}" for notion in get_args(Notion)} <= set(TABLES["en"])
