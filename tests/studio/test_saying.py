"""Errors in the studio: in sentences, without what only programs and commands know, in both languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tokumei as tk
from tests.said import SOURCE, templates
from tokumei.errors import NotEnoughMemory, TokumeiError
from tokumei.memory import within_memory
from tokumei.messages import phrase
from tokumei.messages.phrase import translations
from tokumei.studio.hierarchy_text import read_hierarchy
from tokumei.studio.saying import INSTEAD, in_studio
from tokumei.studio.session import Session
from tokumei.words import Words
from tokumei.words.statement import Message

FOREIGN = re.compile(
    r"--[a-z]|=True|\btk\.|\b(Attribute|Tree|Intervals|Source|Schema|Generalization)\b\s*[:：]|Error\b"
)

ARGUMENTS = re.compile(r"\b[a-z]+=|\b[a-z]+_[a-z]+\b|[a-z][A-Z]|\w\(|`")  # of functions, and names of classes
HOLES = re.compile(r"\{[^}]*\}")


def refused(act: Callable[[], Any]) -> TokumeiError:
    with pytest.raises(TokumeiError) as caught:
        act()
    return caught.value


def received(folder: Path, name: str, content: bytes) -> Callable[[], Session]:
    place = folder / "given"
    place.write_bytes(content)
    return lambda: Session.receive(place, name)


def told(error: TokumeiError) -> None:
    for language in ("en", "ja"):
        said = in_studio(error, Words(language))  # type: ignore[arg-type]
        assert not FOREIGN.search(said), said
        assert "原文は英語" not in said
        assert said[0] == said[0].upper()
    assert re.search("[ぁ-ん]", said)


def test_every_sentence_that_is_replaced_is_one_of_the_library() -> None:
    ours = {said.template for path in SOURCE.rglob("*.py") for said in templates(path.read_text(encoding="utf-8"), "")}
    assert set(INSTEAD) <= ours
    named = {"PkPerturbation needs k, epsilon, or both.", "columns names no column to change."}  # by class or by field
    assert all(
        FOREIGN.search(each) or ARGUMENTS.search(HOLES.sub("", each)) or "{kind}" in each
        for each in INSTEAD.keys() - named
    )


def test_what_is_said_instead_names_no_argument_in_either_language() -> None:
    for template, told in INSTEAD.items():
        said = told(**dict.fromkeys(re.findall(r"\{(\w+)", template), 1)).template
        for text in (said, translations("ja")[said]):
            bare = HOLES.sub("", text)
            assert not FOREIGN.search(bare) and not ARGUMENTS.search(bare), text
        assert re.search("[ぁ-ん]", text)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "a,b\n1,2\n".encode("utf-16")),
        ("a.csv", "氏名,年齢\n田中,30\n".encode("cp932")),
        ("a.csv", ("a,b\n" + "1,2\n" * 10 + "田中,3\n").encode("cp932")),
        ("a.csv", b"a,b\n1,2\n1,2,3\n"),
        ("a.xlsx", b"no"),
        ("a.doc", b"no"),
    ],
)
def test_files_that_cannot_be_opened(tmp_path: Path, name: str, content: bytes) -> None:
    told(refused(received(tmp_path, name, content)))


def test_hierarchies_databases_and_places(tmp_path: Path) -> None:
    told(refused(lambda: Session.open("mysql://x", "t")))
    with Session.example(rows=300) as session:
        age, occupation = session.state.schema["age"], session.state.schema["occupation"]
        assert age.domain is not None
        assert occupation.domain is not None
        for attribute, text in (
            (occupation, "Judge;x"),
            (age, "17; 30\n20; 40"),
            (age, "30; 20"),
            (occupation, "Judge"),
        ):
            told(
                refused(
                    lambda attribute=attribute, text=text: session.describe(
                        replace(attribute, hierarchy=read_hierarchy(text, attribute.domain))
                    )
                )
            )
        session.change(method=tk.Generalization(k=5))
        session.export(tmp_path / "out", ("plan",))
        told(refused(lambda: session.export(tmp_path / "out", ("plan",))))


def test_too_little_memory_and_notes() -> None:
    with pytest.raises(NotEnoughMemory) as caught, within_memory():
        raise MemoryError
    told(caught.value)
    note = Message(text=phrase("the database refused ({kind})", kind="OperationalError"))
    assert in_studio(note, Words("en")) == "The database refused"
