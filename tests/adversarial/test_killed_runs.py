"""Runs that end at the wrong moment: the old release or the new one is whole afterwards, and nothing of others is touched."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.adversarial.killing import MANIFEST, a_release, strangers, there, tree
from tokumei import files
from tokumei.errors import LeftBehindWarning, OutputError
from tokumei.files import atomic_file, atomic_folder
from tokumei.release.files import MANIFEST as MANIFEST_FILE
from tokumei.release.files import STATISTICAL, WRITERS
from tokumei.working_folder import LOCK, RELEASE, WorkingFolder

ROOT = Path(__file__).parent.parent.parent


def write(path: Path, made: str = "new", *, overwrite: bool = False) -> None:
    with atomic_folder(path, overwrite=overwrite) as folder:
        a_release(folder, made)


def killed(path: Path, old: str | None = None) -> Path:
    """Leave what a run that was killed leaves, which had moved an old release aside or not; return its working folder."""
    work = WorkingFolder.begin(path)
    (work.new / "data.csv").write_text("half of it")
    if old is not None:
        a_release(work.old, old)
    work.lock.close()
    return work.folder


TRIED = [
    *(("killed", what) for what in ("folder", "folder over another", "file", "file over another")),
    *(("interrupted", what) for what in ("folder over another", "file over another")),
    *((how, "folder over another") for how in ("no space", "no permission", "read-only from then on")),
    ("no space", "file over another"),
]


def killing(how: str, what: str) -> str:
    """Let a process of its own do it, and return what it says."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.adversarial.killing", how, what],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(("how", "what"), TRIED)
def test_every_moment(how: str, what: str) -> None:
    """A run is ended before every line, or every operation fails once; then the same place is written again."""
    found = json.loads(killing(how, what))
    assert found["problems"] == []
    assert found["moments"] > (60 if how in {"killed", "interrupted"} else 12)
    assert (found["aside"] > 2) == (what == "folder over another" and how in {"killed", "read-only from then on"})


@pytest.mark.parametrize("what", ["folder", "file"])
def test_runs_at_once_that_are_killed(what: str) -> None:
    found = json.loads(killing("storm", what))
    assert found["problems"] == []
    assert 20 < found["killed"] < found["of"]


def test_the_harness_finds_a_mistake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is told apart by it: the old, the new, parts of one, and others' things."""
    strangers(tmp_path)
    before = tree(tmp_path)
    a_release(tmp_path / "people", "old")
    assert there("folder", tmp_path) == "old"
    (tmp_path / "people" / "data.csv").unlink()
    assert there("folder", tmp_path) == "parts of old"
    (tmp_path / "people" / "manifest.json").unlink()
    assert there("folder", tmp_path) == "parts of nobody"
    (tmp_path / "people").rmdir()
    assert tree(tmp_path) == before
    (tmp_path / ".people.work" / LOCK).unlink()
    assert tree(tmp_path) != before


NAMES = [
    "people", "people.2024", "people.2024.csv", "People", "people ", " people", "p", ".people", ".tokumei", "people.new",
    "a[b]*?", "people\n2024", "é", "e\u0301", "匿名", "x" * 250, os.fsdecode(b"caf\xe9"), LOCK, "new", "-rf", "~",
]  # fmt: skip


def test_names_that_are_like_each_other(tmp_path: Path) -> None:
    """Each name has a killed run; a run to one of them puts right its own and no other."""
    folders = {name: killed(tmp_path / name, old=f"old {place}") for place, name in enumerate(NAMES)}
    assert len({folder.name for folder in folders.values()}) == len(NAMES)
    for place, name in enumerate(NAMES):
        others = {each: tree(folder) for each, folder in folders.items() if each != name}
        with pytest.raises(OutputError, match="already exists"):
            write(tmp_path / name)
        assert json.loads((tmp_path / name / "manifest.json").read_text())["made"] == f"old {place}"
        assert not folders.pop(name).exists()
        assert {each: tree(folder) for each, folder in folders.items()} == others
        write(tmp_path / name, overwrite=True)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(NAMES)
    for name in NAMES:
        with atomic_file(tmp_path / "files" / name) as file:
            file.write_text("x")
    assert sorted(each.name for each in (tmp_path / "files").iterdir()) == sorted(NAMES)


def test_what_has_no_lock(tmp_path: Path) -> None:
    """Killed before the lock was made, before it was written, and after it was removed."""
    empty, unwritten, half = killed(tmp_path / "out"), killed(tmp_path / "out"), killed(tmp_path / "out")
    for folder in (empty, unwritten, half):
        (folder / "new" / "data.csv").unlink()
        (folder / "new").rmdir()
    (empty / LOCK).unlink()
    (unwritten / LOCK).write_text("")
    (half / LOCK).write_text("tokumei is wr")
    write(tmp_path / "out")
    assert tree(tmp_path) == {"out": tree(tmp_path / "out")}


def test_what_others_put_into_a_working_folder(tmp_path: Path) -> None:
    folder = killed(tmp_path / "out")
    (folder / "notes.txt").write_text("mine")
    bare = killed(tmp_path / "out")
    (bare / LOCK).unlink()  # so nothing says that what is in it is ours
    before = tree(bare)
    write(tmp_path / "out")
    assert tree(folder) == {"notes.txt": "mine"}
    assert tree(bare) == before


@pytest.mark.parametrize("lock", ["another name", "a link", "a folder", "a pipe"])
def test_a_lock_that_is_not_ours(tmp_path: Path, lock: str) -> None:
    folder = killed(tmp_path / "out", old="old")
    (folder / LOCK).unlink()
    kept = tmp_path / "kept"
    kept.write_bytes(b"tokumei is writing out")
    if lock == "another name":
        (folder / LOCK).write_bytes(b"tokumei is writing out.2024")
    elif lock == "a link":
        (folder / LOCK).symlink_to(kept)
    elif lock == "a folder":
        (folder / LOCK).mkdir()
    else:
        os.mkfifo(folder / LOCK)
    before = sorted(folder.rglob("*"))
    write(tmp_path / "out")
    assert sorted(folder.rglob("*")) == before
    assert kept.read_bytes() == b"tokumei is writing out"


def test_a_working_folder_that_is_a_link(tmp_path: Path) -> None:
    folder = killed(tmp_path / "out", old="old")
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    before = tree(tmp_path / "elsewhere")
    write(tmp_path / "out")
    assert folder.is_symlink()
    assert tree(tmp_path / "elsewhere") == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_the_working_folder_of_another_user(tmp_path: Path) -> None:
    """A stranger in a shared folder could make a run put a release of theirs at our place."""
    folder = killed(tmp_path / "out", old="forged")
    os.chown(folder, 12345, 12345)
    os.chown(folder / LOCK, 12345, 12345)
    before = tree(folder)
    write(tmp_path / "out")
    assert there("folder", tmp_path) is None
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["made"] == "new"
    assert tree(folder) == before


def test_the_last_of_several_old_releases_comes_back(tmp_path: Path) -> None:
    for place, made in enumerate(["older", "old", "oldest"]):
        os.utime(killed(tmp_path / "out", made), (100 - 10 * (place != 1), 100 - 10 * (place != 1)))
    with pytest.raises(OutputError, match="already exists"):
        write(tmp_path / "out")
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["made"] == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_an_old_release_stays_while_something_else_is_in_its_place(tmp_path: Path) -> None:
    folder = killed(tmp_path / "out", "old")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    for overwrite, said in ((True, "contains other things than a release"), (False, "already exists")):
        with pytest.raises(OutputError, match=said):
            write(tmp_path / "out", overwrite=overwrite)
    assert tree(folder / "old") == {"manifest.json": MANIFEST.format("old"), "data.csv": "age\nold\n"}
    (tmp_path / "out" / "notes.txt").unlink()
    with pytest.raises(OutputError, match="already exists"):
        write(tmp_path / "out")  # an empty folder does not keep it from coming back
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_an_old_release_that_cannot_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written over it, and the message says where it is."""
    folder = killed(tmp_path / "out", "old")
    rename = Path.rename

    def refuses(self: Path, target: Path) -> Path:
        if self.name == "old":
            raise OSError(5, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuses)
    with pytest.raises(OutputError, match=r"killed while replacing it.* is in .*/old.*input/output error"):
        write(tmp_path / "out", overwrite=True)
    assert (folder / "old" / "data.csv").read_text() == "age\nold\n"
    monkeypatch.undo()
    write(tmp_path / "out", overwrite=True)
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_an_old_release_that_cannot_be_moved_back_is_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new one cannot be moved, and then the old one neither."""
    write(tmp_path / "out", "old")
    rename = Path.rename

    def refuses(self: Path, target: Path) -> Path:
        if self.name in {"new", "old"}:
            raise OSError(5, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuses)
    with pytest.raises(OutputError, match=r"What was there before is in .*/old"):
        write(tmp_path / "out", overwrite=True)
    monkeypatch.undo()
    with pytest.raises(OutputError, match="already exists"):
        write(tmp_path / "out")
    assert (tmp_path / "out" / "data.csv").read_text() == "age\nold\n"


def test_what_cannot_be_removed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.rmtree", lambda *_: (_ for _ in ()).throw(OSError(5, "Input/output error")))
    write(tmp_path / "out", "old")
    with pytest.warns(LeftBehindWarning, match="was written. Its working folder .* could not be removed"):
        write(tmp_path / "out", overwrite=True)
    with pytest.raises(OutputError, match="input/output error"), atomic_folder(tmp_path / "other"):
        raise OSError(5, "Input/output error")
    monkeypatch.undo()
    assert (tmp_path / "out" / "data.csv").read_text() == "age\nnew\n"
    write(tmp_path / "out", "newer", overwrite=True)
    write(tmp_path / "other")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["other", "out"]


def test_only_a_release_is_overwritten(tmp_path: Path) -> None:
    """A folder with a manifest of something else, or with others' files beside a release, is not ours to delete."""
    target = tmp_path / "out"
    cases: list[dict[str, Any]] = [
        {"manifest.json": '{"manifest_version": 3, "name": "a browser extension"}'},
        {"manifest.json": MANIFEST.format("old"), "data.csv": "age\n1\n", "notes.txt": "mine"},
        {"manifest.json": MANIFEST.format("old"), "data.csv": {"notes.txt": "mine"}},
        {"data.csv": "mine"},
        {"old": {"data.csv": "mine"}},
    ]
    for case in cases:
        target.mkdir()
        for name, content in case.items():
            if isinstance(content, dict):
                (target / name).mkdir()
                (target / name / "notes.txt").write_text("mine")
            else:
                (target / name).write_text(content)
        before = tree(tmp_path)
        with pytest.raises(OutputError, match="contains other things than a release"):
            write(target, overwrite=True)
        assert tree(tmp_path) == before
        target.rename(tmp_path / f"kept {cases.index(case)}")
    a_release(target, "old")
    (target / ".DS_Store").write_text("how it is shown")
    write(target, overwrite=True)
    assert set(tree(target)) == {"manifest.json", "data.csv"}
    assert {MANIFEST_FILE, *(f"data.{kind}" for kind in (*WRITERS, *STATISTICAL))} == RELEASE


def test_what_others_put_there_in_the_meantime_is_not_overwritten(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with (
        pytest.raises(OutputError, match="contains other things than a release"),
        atomic_folder(target, overwrite=True) as folder,
    ):
        a_release(folder, "new")
        target.mkdir()
        (target / "notes.txt").write_text("mine")
    assert tree(tmp_path) == {"out": {"notes.txt": "mine"}}


@pytest.mark.parametrize("overwrite", [False, True])
def test_links_pipes_and_devices_stay(tmp_path: Path, overwrite: bool) -> None:
    home = tmp_path / "home"
    home.mkdir()
    a_release(tmp_path / "release", "old")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "empty").mkdir()
    for place, target in enumerate(["release", "file", "empty", "nowhere"]):
        (home / f"link {place}").symlink_to(tmp_path / target)
    (home / "loop").symlink_to(home / "loop")
    os.mkfifo(home / "pipe")
    before = sorted(tmp_path.rglob("*"))
    for path in home.iterdir():
        said = "is a symbolic link|is neither a file nor a folder"
        with pytest.raises(OutputError, match=said):
            write(path, overwrite=overwrite)
        with pytest.raises(OutputError, match=said), atomic_file(path, overwrite=overwrite):
            raise AssertionError
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "file").read_text() == "mine"
    (tmp_path / "leads").symlink_to(home)  # a link on the way is followed, as everywhere
    write(tmp_path / "leads" / "out", overwrite=overwrite)
    assert (home / "out" / "data.csv").read_text() == "age\nnew\n"


@pytest.mark.parametrize("path", [".", "..", "x/..", "/"])
def test_a_place_without_a_name_of_its_own(tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    a_release(home, "old")
    (home / "x").mkdir()
    monkeypatch.chdir(home)
    with pytest.raises(OutputError, match="no name of its own"):
        write(Path(path), overwrite=True)
    assert (home / "data.csv").read_text() == "age\nold\n"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["home"]


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """Return a folder that other users can reach."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_folders_that_may_not_be_written(open_to_all: Path) -> None:
    """Read-only folders, folders that may not be looked into, and an old release that may not be moved."""
    home = open_to_all / "home"
    home.mkdir()
    a_release(home / "out", "old")
    before = tree(home)
    home.chmod(0o555)
    try:
        for path in (home / "out", home / "new", home / "new" / "out"):
            assert killing("unprivileged", str(path)) == f"{path} cannot be written: permission denied."
        assert tree(home) == before
        home.chmod(0o777)
        if os.geteuid() == 0:  # others may write beside the old release, and not move it away
            said = killing("unprivileged", str(home / "out"))
            assert said.endswith("could not be written (permission denied); nothing was left behind.")
            assert tree(home) == before
        home.chmod(0o333)  # one may put things there, and not look
        assert killing("unprivileged", str(home / "second")) == "written"
        home.chmod(0o777)
        (home / "closed").mkdir(mode=0o000)
        assert (
            killing("unprivileged", str(home / "closed")) == f"{home / 'closed'} cannot be written: permission denied."
        )
    finally:
        home.chmod(0o755)
        if (home / "closed").exists():
            (home / "closed").chmod(0o755)


def test_a_folder_that_vanishes(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with (
        pytest.raises(OutputError, match=r"could not be written \(no such file"),
        atomic_folder(home / "out") as folder,
    ):
        a_release(folder, "new")
        home.rename(tmp_path / "moved")
    assert [each.name for each in tmp_path.iterdir()] == ["moved"]
    with pytest.raises(OutputError, match=r"could not be written \(no such file"), atomic_file(home / "out") as file:
        file.write_text("x")
        shutil.rmtree(home)


def test_names_of_files_in_messages(tmp_path: Path) -> None:
    """A name that is no UTF-8 can be written, and told of."""
    name = os.fsdecode(b"caf\xe9")
    write(tmp_path / name)
    with pytest.raises(OutputError) as caught:
        write(tmp_path / name)
    assert "already exists" in str(caught.value)
    assert files.kind_of_place(tmp_path / name) == "folder"
