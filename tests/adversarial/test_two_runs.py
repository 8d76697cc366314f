"""Two runs at one place: one of them is there, whole, and the other says so. A killed run is cleaned up after."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import tokumei as tk
from benchmarks.fuzz_targets import people, schema
from tests.command_line import Program, gate_for
from tokumei import files
from tokumei.errors import OutputError, ReleaseError


@pytest.fixture(scope="module")
def made() -> tuple[tk.Release, tk.Release]:
    """Two releases that can be told apart by their promise."""
    first, second = (tk.anonymize(people(), schema(), tk.PkPerturbation(k=k, tells="all"), seed=1) for k in (2, 5))
    return first, second


def k_of(release: tk.Release) -> float:
    return round(release.guarantees[0].value)


def together(*work: Callable[[], object]) -> list[BaseException | None]:
    """Do some things at the same moment, in threads; return what each raised."""
    gate, problems = threading.Barrier(len(work)), [None] * len(work)  # type: list[BaseException | None]

    def one(place: int) -> None:
        gate.wait()
        try:
            work[place]()
        except Exception as error:  # noqa: BLE001
            problems[place] = error

    threads = [threading.Thread(target=one, args=(place,)) for place in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return problems


def left_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_who_comes_second_says_so(made: tuple[tk.Release, tk.Release], tmp_path: Path) -> None:
    """The place was free when both began, and is taken when the second ends."""
    with (
        pytest.raises(OutputError, match="written by another run in the meantime"),
        files.atomic_folder(tmp_path / "out") as folder,
    ):
        (folder / "manifest.json").write_text("{}", encoding="utf-8")
        made[0].write(tmp_path / "out", allow_seeded=True)
    assert k_of(tk.read_release(tmp_path / "out")) == 2
    assert left_in(tmp_path) == ["out"]


def test_who_may_overwrite_replaces_it_whole(made: tuple[tk.Release, tk.Release], tmp_path: Path) -> None:
    with files.atomic_folder(tmp_path / "out", overwrite=True) as folder:
        made[0].write(tmp_path / "out", allow_seeded=True)
        made[1].write(folder / "x", allow_seeded=True)
        for file in (folder / "x").iterdir():
            file.rename(folder / file.name)
        (folder / "x").rmdir()
    assert k_of(tk.read_release(tmp_path / "out")) == 5
    assert left_in(tmp_path) == ["out"]


def test_a_file_is_not_overwritten_by_who_comes_second(tmp_path: Path) -> None:
    target = tmp_path / "plan.toml"
    with pytest.raises(OutputError, match="already exists"), files.atomic_file(target) as temporary:
        temporary.write_text("mine", encoding="utf-8")
        target.write_text("another's", encoding="utf-8")
    assert target.read_text(encoding="utf-8") == "another's"
    assert left_in(tmp_path) == ["plan.toml"]


@pytest.mark.parametrize("overwrite", [False, True])
def test_threads_that_write_one_folder(made: tuple[tk.Release, tk.Release], tmp_path: Path, overwrite: bool) -> None:
    for turn in range(5):
        target = tmp_path / str(turn) / "out"
        target.parent.mkdir()
        problems = together(
            *(partial(each.write, target, allow_seeded=True, overwrite=overwrite) for each in (*made, *made))
        )
        told = [error for error in problems if error is not None]
        assert all(isinstance(error, OutputError) for error in told), told
        assert len(told) < 4 if overwrite else len(told) == 3
        assert k_of(tk.read_release(target)) in {2, 5}
        assert left_in(target.parent) == ["out"]


WRITER = """
import sys
import tokumei as tk
release = tk.read_release(sys.argv[1])
gate.wait()
try:
    release.write(sys.argv[2], overwrite=sys.argv[3] == "yes", allow_seeded=True)
except tk.errors.OutputError as error:
    print(error)
    sys.exit(3)
"""


def test_processes_that_write_one_folder(made: tuple[tk.Release, tk.Release], tmp_path: Path) -> None:
    for place, release in enumerate(made):
        release.write(tmp_path / f"in{place}", allow_seeded=True)
    target = tmp_path / "home" / "out"
    target.parent.mkdir()
    gate = gate_for(2)
    running = [Program(WRITER, tmp_path / f"in{place}", target, "no", gate=gate) for place in range(2)]
    done = [each.ended() for each in running]
    assert sorted(each.returncode for each in done) == [0, 3], done
    (sentence,) = [each.stdout for each in done if each.stdout]
    assert "in the meantime" in sentence or "already exists" in sentence
    assert k_of(tk.read_release(target)) in {2, 5}
    assert left_in(target.parent) == ["out"]


def test_a_reader_while_writers_replace(made: tuple[tk.Release, tk.Release], tmp_path: Path) -> None:
    target = tmp_path / "out"
    made[0].write(target, "csv", allow_seeded=True)
    over = threading.Event()

    def write() -> None:
        turn = 0
        while not over.is_set():
            made[turn % 2].write(target, "csv", allow_seeded=True, overwrite=True)
            turn += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        found: list[tuple[float, str]] = []
        for _ in range(2_000):  # on a busy machine a release may be between two moves for long, and then there is none
            if (read := _promise_and_rows(target)) is not None:
                found.append(read)
            if len(found) == 30:
                break
    finally:
        over.set()
        writer.join()
    whole = {(k_of(each), _rows(each)) for each in made}
    assert set(found) <= whole
    assert len(found) == 30


def _rows(release: tk.Release) -> str:
    return str(release.table.to_pydict())


def _promise_and_rows(target: Path) -> tuple[float, str] | None:
    try:
        release = tk.read_release(target, frame="pyarrow")
    except ReleaseError:
        return None
    return k_of(release), _rows(release)


def test_rows_are_those_whose_digest_was_counted(
    made: tuple[tk.Release, tk.Release], tmp_path: Path, monkeypatch
) -> None:
    """Between the digest and the rows somebody puts other rows there."""
    from tokumei.release import files as release_files

    made[0].write(tmp_path / "out", "csv", allow_seeded=True)
    made[1].write(tmp_path / "other", "csv", allow_seeded=True)
    counted = release_files._digest

    def replaced(opened: object) -> str:
        digest = counted(opened)
        if (tmp_path / "other" / "data.csv").exists():
            (tmp_path / "other" / "data.csv").replace(tmp_path / "out" / "data.csv")
        return digest

    monkeypatch.setattr(release_files, "_digest", replaced)
    assert _rows(tk.read_release(tmp_path / "out", frame="pyarrow")) == _rows(made[0])


KILLED = """
import os, signal, sys
from pathlib import Path
import tokumei as tk
from tokumei import files
release = tk.read_release(sys.argv[1])
moved = Path.rename
def killed(self, target):
    made = moved(self, target)
    os.kill(os.getpid(), signal.SIGKILL)
Path.rename = killed
release.write(sys.argv[2], overwrite=True, allow_seeded=True)
"""


def test_a_kill_between_the_old_and_the_new(made: tuple[tk.Release, tk.Release], tmp_path: Path) -> None:
    """The worst moment: the old release was moved aside, and the new one is not there yet."""
    made[1].write(tmp_path / "in", allow_seeded=True)
    home = tmp_path / "home"
    made[0].write(home / "out", allow_seeded=True)
    assert Program(KILLED, tmp_path / "in", home / "out").ended().returncode == -signal.SIGKILL
    with pytest.raises(ReleaseError, match=r"not a release: .* the old one to .*/old; if it was killed, the next run"):
        tk.read_release(home / "out")
    assert len(left_in(home)) == 1
    made[0].write(home / "another", allow_seeded=True)  # a run to another place leaves it alone
    assert len(left_in(home)) == 2
    with pytest.raises(OutputError, match="already exists"):
        made[1].write(home / "out", allow_seeded=True)
    assert k_of(tk.read_release(home / "out")) == 2  # the old one is back
    assert left_in(home) == ["another", "out"]
    made[1].write(home / "out", allow_seeded=True, overwrite=True)
    assert k_of(tk.read_release(home / "out")) == 5


def test_a_kill_beside_another_place(made: tuple[tk.Release, tk.Release], tmp_path: Path) -> None:
    """A run to a place whose name begins like that of a killed one, or like a folder of somebody else, leaves both alone."""
    made[1].write(tmp_path / "in", allow_seeded=True)
    home = tmp_path / "home"
    made[0].write(home / "people.2024", allow_seeded=True)
    assert Program(KILLED, tmp_path / "in", home / "people.2024").ended().returncode == -signal.SIGKILL
    made[1].write(home / "people", allow_seeded=True)
    (home / ".people.work" / "mine").mkdir(parents=True)
    (home / ".people.work" / ".lock").touch()
    for lock in home.rglob(".lock"):
        os.utime(lock, (0, 0))
    made[1].write(home / "people", allow_seeded=True, overwrite=True)
    assert (home / ".people.work" / "mine").is_dir()
    assert k_of(tk.read_release(home / "people")) == 5
    with pytest.raises(OutputError, match="already exists"):
        made[1].write(home / "people.2024", allow_seeded=True)
    assert k_of(tk.read_release(home / "people.2024")) == 2  # the old one is back, at its own place
    assert left_in(home) == [".people.work", "people", "people.2024"]


def test_the_old_release_comes_back_when_the_new_one_cannot_be_moved(
    made: tuple[tk.Release, tk.Release], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made[0].write(tmp_path / "out", allow_seeded=True)
    moved = Path.rename

    def refuses(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError(13, "Permission denied")
        return moved(self, target)

    monkeypatch.setattr(Path, "rename", refuses)
    with pytest.raises(OutputError, match="permission denied"):
        made[1].write(tmp_path / "out", allow_seeded=True, overwrite=True)
    assert k_of(tk.read_release(tmp_path / "out")) == 2
    assert left_in(tmp_path) == ["out"]


def test_a_release_that_appears_while_the_place_is_looked_at_is_not_moved_aside(
    made: tuple[tk.Release, tk.Release], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, looked = tmp_path / "out", files.kind_of_place

    def another_run_is_quicker(path: Path) -> str:
        found = looked(path)
        if path == target and found == "nothing" and (tmp_path / "begun").exists():
            monkeypatch.setattr(files, "kind_of_place", looked)
            made[0].write(target, allow_seeded=True)
        return found

    with pytest.raises(OutputError, match="written by another run"), files.atomic_folder(target) as folder:
        (folder / "manifest.json").write_text("{}", encoding="utf-8")
        (tmp_path / "begun").touch()
        monkeypatch.setattr(files, "kind_of_place", another_run_is_quicker)
    assert k_of(tk.read_release(target)) == 2
    assert left_in(tmp_path) == ["begun", "out"]
