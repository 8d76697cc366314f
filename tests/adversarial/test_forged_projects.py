"""Project files of the studio that were forged: refused in one sentence, nothing run, and no other project hidden by them."""

from __future__ import annotations

import copy
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tokumei as tk
from tokumei.errors import DataError, OutputError
from tokumei.studio.projects import LONGEST, Projects
from tokumei.studio.screens.opening import _when
from tokumei.studio.session import Session

Content = dict[str, Any]


@pytest.fixture
def kept(tmp_path: Path) -> Projects:
    return Projects(tmp_path / "state")


@pytest.fixture
def good(tmp_path: Path, kept: Projects) -> Content:
    place = tmp_path / "people.csv"
    lines = [f"Name{row:03d} Family{row:03d},{20 + row % 40},{'fm'[row % 2]}" for row in range(60)]
    place.write_text("name,age,sex\n" + "\n".join(lines) + "\n", encoding="utf-8")
    with Session.open(place) as session:
        session.give_role("sex", "insensitive")
        session.change(method=tk.Generalization(k=5))
        key = kept.save(session, "good")
    made: Content = json.loads((kept.folder / f"{key}.project.json").read_text(encoding="utf-8"))
    return made


def put(kept: Projects, content: Content | str) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    (kept.folder / "forged.project.json").write_text(text, encoding="utf-8")


def with_source(good: Content, **changes: object) -> Content:
    made = copy.deepcopy(good)
    for step in made["steps"]:
        step["source"].update(changes)
    return made


def with_step(good: Content, **changes: object) -> Content:
    made = copy.deepcopy(good)
    made["steps"][-1].update(changes)
    return made


def test_a_forged_project_like_the_true_one_is_opened(kept: Projects, good: Content) -> None:
    """So that what is refused below is refused for what was forged."""
    put(kept, good)
    with Session.reopen(kept.read("forged")) as session:
        assert session.n_rows == 60


FORGED: dict[str, Callable[[Content], Content | str]] = {
    "nested": lambda _: "[" * 100_000,
    "nested tables": lambda _: '{"a":' * 5_000 + "1" + "}" * 5_000,
    "a long number": lambda _: '{"rows": ' + "9" * 5_000 + "}",
    "not a number": lambda good: json.dumps(good).replace(f'"now": {good["now"]}', '"now": NaN'),
    "too many parts": lambda _: "[" + "0," * 2**25 + "0]",
    "rows that would have to be made": lambda good: {**good, "kind": "example", "rows": 10**12},
    "fewer rows than none": lambda good: {**good, "kind": "example", "rows": -5},
    "a query": lambda good: with_source(good, path=None, database="duckdb:///x.duckdb", query="SELECT 1"),
    "a query of a database": lambda good: {
        **with_source(good, path=None, database="duckdb:///x.duckdb", query="SELECT * FROM read_text('/etc/passwd')"),
        "kind": "database",
    },
    "a database that says it is a file": lambda good: with_source(
        good, path=None, database="sqlite:///x.db", table="t"
    ),
    "a file that says it is a database": lambda good: {**good, "kind": "database"},
    "a schema counted from the end": lambda good: with_step(good, schema=-1),
    "a schema that is none": lambda good: with_step(good, schema="0"),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_is_forged_is_refused_and_hides_no_other(kept: Projects, good: Content, name: str) -> None:
    put(kept, FORGED[name](good))
    with pytest.raises(DataError) as caught:
        Session.reopen(kept.read("forged"))
    assert str(caught.value) == "This project cannot be read; it is damaged, or of another version."
    assert caught.value.__context__ is None
    assert {each.key for each in kept.all()} == {"good", "forged"}


@pytest.mark.parametrize("saved", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00", "today", 5])
def test_every_listed_time_can_be_shown(
    kept: Projects, good: Content, saved: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    for zone in ("Asia/Tokyo", "America/Los_Angeles"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        put(kept, {**good, "saved": saved})
        assert all(_when(each.saved) for each in kept.all() if each.saved is not None)
    monkeypatch.undo()
    time.tzset()


def test_the_list_names_the_folder_that_is_opened_and_no_more(kept: Projects, good: Content) -> None:
    made = copy.deepcopy(good)
    made["steps"][made["now"]]["source"]["path"] = "/elsewhere/people.csv"
    put(kept, {**made, "name": "x" * 10**6})
    listed = next(each for each in kept.all() if each.key == "forged")
    assert listed.folder == "/elsewhere"
    assert len(listed.name) == LONGEST


@pytest.mark.parametrize("path", ["/dev/zero", "people.csv", "/tmp/a\0.csv", "/tmp/\udcff.csv", ".", "pipe.csv"])
def test_no_device_pipe_or_folder_is_waited_for(kept: Projects, good: Content, path: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    put(kept, with_source(good, path=str(tmp_path / "pipe.csv") if path == "pipe.csv" else path))
    with pytest.raises(DataError, match="hand it over again"):
        Session.reopen(kept.read("forged"))


def test_a_link_is_not_written_through(kept: Projects, good: Content, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text("{}", encoding="utf-8")
    (kept.folder / "link.project.json").symlink_to(tmp_path / "secret.json")
    with Session.reopen(kept.read("good")) as session, pytest.raises(OutputError, match="symbolic link"):
        kept.save(session, "link")
    assert (tmp_path / "secret.json").read_text(encoding="utf-8") == "{}"


def test_of_columns_that_name_people_no_cell_is_kept(kept: Projects, tmp_path: Path) -> None:
    """Steps that were taken back are kept too."""
    rows = [(f"Name{row:03d}", f"n{row // 2}@example.jp", f"said {row}", 20 + row % 9) for row in range(80)]
    place = tmp_path / "people.csv"
    text = "\n".join(",".join(map(str, row)) for row in (("name", "mail", "note", "age"), *rows))
    place.write_text(text + "\n", encoding="utf-8")
    with Session.open(place) as session:
        assert {each.name for each in session.state.schema if each.role == "identifier"} == {"name", "mail", "note"}
        session.give_role("age", "sensitive")
        session.undo()
        kept.save(session, "people")
    written = (kept.folder / "people.project.json").read_text(encoding="utf-8")
    assert "people.csv" in written
    assert not [cell for row in rows for cell in row[:3] if str(cell) in written]
