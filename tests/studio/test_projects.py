"""What is kept between two visits: the plan and its history in a private folder, never the rows; and the way back to it."""

from __future__ import annotations

import json
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import tokumei as tk
from tokumei.errors import DataError, InvalidParameter
from tokumei.plan import Plan
from tokumei.studio.inbox import Inbox
from tokumei.studio.projects import Projects, state_folder
from tokumei.studio.session import Session
from tokumei.studio.session.project import Project
from tokumei.studio.studio import Studio


@pytest.fixture
def people(tmp_path: Path) -> Path:
    place = tmp_path / "people.csv"
    lines = [f"Name{row:03d} Family{row:03d},{20 + row % 40},{'fm'[row % 2]},{1000 + 7 * row}.25" for row in range(120)]
    place.write_text("name,age,sex,income\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return place


@pytest.fixture
def kept(tmp_path: Path) -> Projects:
    return Projects(tmp_path / "state")


def work(session: Session) -> None:
    session.give_role("sex", "insensitive")
    session.change(method=tk.Generalization(k=5))
    session.change(pinned=(tk.PkPerturbation(k=3),))
    session.change(method=tk.PkPerturbation(k=4))
    session.undo()


def test_a_project_comes_back_step_by_step(people: Path, kept: Projects) -> None:
    with Session.open(people) as session:
        work(session)
        key = kept.save(session)
        before, place = session.history, session.place
    with Session.reopen(kept.read(key)) as again:
        assert (again.history, again.place) == (before, place)
        assert again.redo().method == tk.PkPerturbation(k=4)
        assert kept.save(again, key) == key
    assert [each.key for each in kept.all()] == [key]
    kept.remove(key)
    assert kept.all() == []


def test_only_this_user_can_look_into_the_folder(people: Path, kept: Projects) -> None:
    with Session.open(people) as session:
        work(session)
        kept.save(session)
        for folder in (kept.folder, kept.folder.parent):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            folder.chmod(0o755)  # as it may have been made by somebody else
        kept.save(session)
    assert stat.S_IMODE(kept.folder.stat().st_mode) == 0o700
    # which may be /tmp, or a home, that others have to look into
    assert stat.S_IMODE(kept.folder.parent.stat().st_mode) == 0o755
    assert {stat.S_IMODE(file.stat().st_mode) for file in kept.folder.iterdir()} == {0o600}


def test_rows_are_never_kept(people: Path, kept: Projects) -> None:
    with Session.open(people) as session:
        work(session)
        session.release()
        key = kept.save(session)
    text = (kept.folder / f"{key}.project.json").read_text(encoding="utf-8")
    assert "people.csv" in text
    for row in people.read_text(encoding="utf-8").splitlines()[1:]:
        name = row.split(",")[0]
        assert name not in text
        assert name.split()[0] not in text
        assert row not in text
    assert json.loads(text)["steps"][0]["source"]["path"] == str(people)


def test_a_method_with_rows_of_its_own_is_not_kept(people: Path, kept: Projects) -> None:
    with Session.open(people) as session:
        pilot = session.table.slice(0, 20)
        split = tk.splits.OptimisedSplit(pilot=pilot, target="income")
        session.change(method=tk.PkPerturbation(k=3, tells="all", split=split))
        with pytest.raises(InvalidParameter, match="projects keep no rows"):
            kept.save(session)
    assert kept.all() == []


def test_a_file_that_was_handed_over_is_asked_for_again(people: Path, kept: Projects, tmp_path: Path) -> None:
    given = tmp_path / "given.csv"
    given.write_bytes(people.read_bytes())
    with Session.receive(given, "people.csv") as session:
        private = session.state.source.path
        work(session)
        key = kept.save(session)
    assert str(private) not in (kept.folder / f"{key}.project.json").read_text(encoding="utf-8")
    project = kept.read(key)
    assert project.needs_file
    with pytest.raises(DataError, match=r"'people\.csv' is no longer there"):
        Session.reopen(project)
    given.write_bytes(people.read_bytes())
    with Session.reopen(project, given) as again:
        assert [replace(each.state, source=again.state.source) for each in project.entries] == [
            each.state for each in again.history
        ]
        assert again.release().rows == 120
    given.write_text("age,sex\n1,f\n", encoding="utf-8")
    with pytest.raises(DataError, match="other columns"):
        Session.reopen(project, given)


def test_a_table_that_has_changed_is_checked_again(people: Path, kept: Projects) -> None:
    with Session.open(people) as session:
        work(session)
        key = kept.save(session)
    text = people.read_text(encoding="utf-8")
    people.write_text(text + "Somebody New,999,f,1000.25\n", encoding="utf-8")
    with pytest.raises(DataError, match="domain") as caught:
        Session.reopen(kept.read(key))
    assert "999" not in str(caught.value)
    people.unlink()
    assert kept.read(key).needs_file


def test_the_example_comes_back(kept: Projects) -> None:
    with Session.example(rows=300) as session:
        session.change(method=tk.Generalization(k=5))
        key = kept.save(session)
    with Session.reopen(kept.read(key)) as again:
        assert again.n_rows == 300
        assert again.state.method == tk.Generalization(k=5)


@pytest.mark.parametrize(
    "content",
    ["", "{}", "[]", "null", '{"tokumei_project": 2}', "\udcff".encode("utf-8", "surrogateescape").decode("latin-1")],
)
def test_what_is_no_project_is_said_in_a_sentence_and_hides_no_other(
    people: Path, kept: Projects, content: str
) -> None:
    with Session.open(people) as session:
        work(session)
        key = kept.save(session)
    (kept.folder / "broken.project.json").write_text(content, encoding="utf-8")
    found = {each.key: each for each in kept.all()}
    assert (found[key].name, found[key].steps, found[key].problem) == ("people.csv", 4, None)
    assert found[key].folder == str(people.parent)
    assert "cannot be read" in str(found["broken"].problem)


@pytest.mark.parametrize("change", [{"now": 99}, {"steps": []}, {"kind": "other"}, {"more": 1}, {"rows": "many"}])
def test_a_project_that_was_changed_is_refused(people: Path, kept: Projects, change: dict[str, object]) -> None:
    with Session.open(people) as session:
        work(session)
        key = kept.save(session)
    place = kept.folder / f"{key}.project.json"
    place.write_text(json.dumps({**json.loads(place.read_text(encoding="utf-8")), **change}), encoding="utf-8")
    with pytest.raises(DataError, match="cannot be read"):
        Project.read(place)


@pytest.mark.parametrize("key", ["../x", "", "a/b", "a" * 65, "x.y"])
def test_no_key_leads_out_of_the_folder(kept: Projects, key: str) -> None:
    with pytest.raises(DataError, match="no such project"):
        kept.read(key)


def test_the_folder_is_where_the_system_keeps_such_things(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TOKUMEI_STATE", str(tmp_path))
    assert state_folder() == tmp_path
    monkeypatch.delenv("TOKUMEI_STATE")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert state_folder() == tmp_path / ".local" / "state" / "tokumei"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "s"))
    assert state_folder() == tmp_path / "s" / "tokumei"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert state_folder() == tmp_path / "Library" / "Application Support" / "tokumei"


def test_a_table_that_was_only_looked_at_makes_no_project(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKUMEI_STATE", str(tmp_path / "state"))
    studio = Studio(Inbox())
    try:
        studio.open(people)
        studio.save()
        assert not (tmp_path / "state").exists()
        work(studio.session)  # type: ignore[arg-type]
        studio.save()
        studio.save()
        assert len(list((tmp_path / "state" / "projects").iterdir())) == 1
        assert [each.name for each in (tmp_path / "state").iterdir()] == ["projects"]
    finally:
        studio.close()
        studio.inbox.close()


def test_a_plan_is_opened_and_taken_back(people: Path, tmp_path: Path) -> None:
    with Session.open(people) as session:
        work(session)
        text, schema = session.as_toml(), session.state.schema
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    studio = Studio(Inbox())
    try:
        opened = studio.open(tmp_path / "plan.toml")
        assert (opened.state.method, opened.state.schema) == (tk.Generalization(k=5), schema)
        opened.undo()
        assert opened.state.method is None
    finally:
        studio.close()
        studio.inbox.close()
    plan = Plan.from_toml(text)
    other = tmp_path / "other.csv"
    other.write_text("age,town\n" + "30,x\n" * 20, encoding="utf-8")
    with Session.open(other) as session, pytest.raises(InvalidParameter, match="other columns"):
        session.take_plan(plan)
    people.unlink()
    with pytest.raises(DataError, match="open the table first"):
        Session.open_plan(plan)
