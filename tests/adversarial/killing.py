"""Run by a test: end a run at every line of writing, or let every operation of the file system fail, and look what is left.

``python -m tests.adversarial.killing HOW WHAT`` prints what went wrong, and how many moments were tried. It forks, so nothing with
threads is imported here.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl  # noqa: F401  (opened before anything is counted)
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from tokumei import files, working_folder
from tokumei.errors import LeftBehindWarning, OutputError
from tokumei.files import atomic_file, atomic_folder

What = Literal["folder", "folder over another", "file", "file over another"]
How = Literal["killed", "interrupted", "no space", "no permission", "read-only from then on"]
TRACED = {files.__file__, working_folder.__file__, shutil.__file__}
CHANGING = {
    "open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.scandir", "os.listdir", "fcntl.flock"
}  # fmt: skip
FIRED: list[int] = []  # whether it went wrong in this process
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # where it is quickest
STEP = 31  # so many lines apart a second run is killed, beginning at another one each time
NOBODY = 65534
NAME = "people"
UNDISTURBED = "written, and nothing went wrong"
MANIFEST = '{{"format": 1, "declared": {{"tokumei": "0"}}, "made": "{}"}}'


def tree(folder: Path | str) -> dict[str, Any]:
    """Everything below a folder."""
    found: dict[str, Any] = {}
    for each in os.scandir(folder):
        if each.is_symlink():
            found[each.name] = ("link", os.readlink(each.path))  # noqa: PTH115
        elif each.is_dir():
            found[each.name] = tree(each.path)
        else:
            with open(each.path, errors="surrogateescape") as file:  # noqa: PTH123
                found[each.name] = file.read()
    return found


def a_release(folder: Path, made: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "manifest.json").write_text(MANIFEST.format(made))
    (folder / "data.csv").write_text(f"age\n{made}\n")


def strangers(home: Path) -> None:
    """What others have put beside the target, with names that begin like ours or like it."""
    a_release(home / "people.2024", "another")
    for name in (".people.2024.abcd_123", ".people.abcd_123", ".people.work", ".tokumei", ".tokumei-notes"):
        (home / name / "old").mkdir(parents=True)
        (home / name / ".lock").write_text("")
        a_release(home / name / "old", "a stranger's")
    for name in ("People", "people ", "people.", "ｐｅｏｐｌｅ", ".people", ".tokumei-0123456789abcdef-abcd_123"):
        (home / name).write_text("mine")
    other = working_folder.WorkingFolder.begin(home / "people.2024")  # a killed run to a place of a longer name
    a_release(other.old, "older")
    other.lock.close()
    (home / "link").symlink_to(other.folder)


def write(what: What, home: Path, made: str, *, overwrite: bool) -> None:
    """Write a release or a file to the place that is fought over."""
    if what.startswith("folder"):
        with atomic_folder(home / NAME, overwrite=overwrite) as folder:
            a_release(folder, made)
    else:
        with atomic_file(home / NAME, overwrite=overwrite) as file:
            file.write_text(made)


def there(what: What, home: Path) -> str | None:
    """Say whose thing is there; one that is not whole is nobody's."""
    path = home / NAME
    if not os.path.lexists(path):
        return None
    if not what.startswith("folder"):
        return path.read_text()
    made = json.loads((path / "manifest.json").read_text())["made"] if (path / "manifest.json").exists() else "nobody"
    whole = {"manifest.json": MANIFEST.format(made), "data.csv": f"age\n{made}\n"}
    return made if tree(path) == whole else f"parts of {made}"


def kill_at(moment: int, end: Callable[[], None]) -> None:
    """Do something before the line that is carried out at this moment."""
    left = moment

    def line(frame: Any, event: str, _: Any) -> Any:
        nonlocal left
        if event == "line":
            left -= 1
            if left < 0:
                sys.settrace(None)
                FIRED.append(moment)
                end()
        return line

    sys.settrace(lambda frame, *_: line if frame.f_code.co_filename in TRACED else None)


def fail_at(moment: int, problem: Callable[[], BaseException], *, always: bool = False) -> None:
    """Let an operation of the file system fail, or all from then on."""
    left = moment

    def hook(event: str, _: Any) -> None:
        nonlocal left
        if event in CHANGING:
            left -= 1
            if left == -1 or (left < 0 and always):
                FIRED.append(moment)
                raise problem()

    sys.addaudithook(hook)


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt() -> None:
    raise KeyboardInterrupt


def faulty(how: How, moment: int) -> None:
    """Arrange for what goes wrong."""
    if how == "killed":
        kill_at(moment, kill)
    elif how == "interrupted":
        kill_at(moment, interrupt)
    elif how == "no space":
        fail_at(moment, lambda: OSError(errno.ENOSPC, "No space left on device"))
    elif how == "no permission":
        fail_at(moment, lambda: OSError(errno.EACCES, "Permission denied"))
    else:
        fail_at(moment, lambda: OSError(errno.EROFS, "Read-only file system"), always=True)


def in_a_child(work: Callable[[], str]) -> str | None:
    """Do something in a process of its own and return what it says; None if it was killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        status = 1
        try:
            os.write(writing, work().encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return None
    return said if status == 0 else "an error of another kind"


def tried(what: What, home: Path, made: str, how: How | None = None, moment: int = 0, *, overwrite: bool) -> str | None:
    """Write in a process of its own, in which something goes wrong; return how it ended, and whether nothing went wrong."""

    def work() -> str:
        warnings.simplefilter("ignore", LeftBehindWarning)
        if how is not None:
            faulty(how, moment)
        try:
            write(what, home, made, overwrite=overwrite)
        except OutputError as error:
            return str(error)
        except KeyboardInterrupt:
            return "interrupted"
        finally:
            sys.settrace(None)
        return "written" if FIRED else UNDISTURBED

    return in_a_child(work)


def look(what: What, how: How) -> dict[str, Any]:
    """Try every moment, and return what was found."""
    over = what.endswith("another")
    problems: list[str] = []
    moments = aside = 0
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        home = Path(name) / "home"
        home.mkdir()
        strangers(home)
        before = tree(home)
        ended: str | None = ""
        while ended != UNDISTURBED and not problems:
            if over:
                write(what, home, "old", overwrite=False)
            ended = tried(what, home, "new", how, moments, overwrite=over)
            found = there(what, home)
            left = [path for path in home.iterdir() if path.name not in before and path.name != NAME]
            said = judged(ended, found, left, over=over)
            if found is None and any((path / "old").exists() for path in left):
                aside += 1
                said += twice(what, home, before, moments % STEP) if how == "killed" else []
            said += settled(what, home, {found or "old"} if over or found else {"newer"}, before)
            problems += [f"{moments}: {each}" for each in said]
            moments += 1
    return {"problems": problems, "moments": moments, "aside": aside}


def judged(ended: str | None, found: str | None, left: list[Path], *, over: bool) -> list[str]:
    """What a run that ended may leave."""
    said = []
    if found not in {"new", "old" if over else None, None}:
        said.append(f"{found} is there")
    if found is None and over and not any((path / "old").exists() for path in left):
        said.append("the old one is lost")
    if (ended or "").startswith("written") and found != "new":
        said.append("it says that it was written")
    if ended is not None and "nothing was left behind" in ended and left:
        said.append("something was left behind")
    if ended == "an error of another kind":
        said.append(ended)
    return said


def twice(what: What, home: Path, before: dict[str, Any], first: int) -> list[str]:
    """Kill the second run too, while the old thing is aside; each time, the third one must find everything in order."""
    said, moment, ended = [], first, None
    while ended is None:
        again = home.parent / "again"
        shutil.copytree(home, again, symlinks=True)
        ended = tried(what, again, "newer", "killed", moment, overwrite=True)
        said += [f"then {moment}: {each}" for each in settled(what, again, {"old", "newer"}, before)]
        shutil.rmtree(again)
        moment += STEP
    return said


def settled(what: What, home: Path, expected: set[str], before: dict[str, Any]) -> list[str]:
    """A run that nothing disturbs finds or makes a whole thing, leaves nothing, and touches nothing of others."""
    said = []
    ended = tried(what, home, "newer", overwrite=False)
    found = there(what, home)
    if found not in expected:
        said.append(f"{found} is there instead of {expected}")
    if found != "newer" and "already exists" not in (ended or ""):
        said.append(f"the second run says: {ended}")
    path = home / NAME
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    if tree(home) != before:
        said.append("others' things were touched, or something is left")
    return said


def storm(what: What, rounds: int = 25, runs: int = 5) -> dict[str, Any]:
    """Let runs that write and clean up at once be killed at lines of chance; then everything must be in order."""
    chance = random.Random(7)
    problems: list[str] = []
    killed = 0
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        home = Path(name)
        strangers(home)
        before = tree(home)
        for each in range(rounds):
            write(what, home, "old", overwrite=False)
            children = [started(what, home, f"new {run}", chance.randrange(300)) for run in range(runs)]
            killed += sum(os.WIFSIGNALED(os.waitpid(child, 0)[1]) for child in children)
            expected = {"old", *(f"new {run}" for run in range(runs))}
            problems += [f"{each}: {problem}" for problem in settled(what, home, expected, before)]
    return {"problems": problems, "killed": killed, "of": rounds * runs}


def started(what: What, home: Path, made: str, moment: int) -> int:
    """Begin to write in a process of its own, which will be killed."""
    child = os.fork()
    if not child:
        try:
            kill_at(moment, kill)
            with contextlib.suppress(OutputError):  # another was quicker
                write(what, home, made, overwrite=True)
        finally:
            sys.settrace(None)
            os._exit(0)
    return child


def unprivileged(path: str) -> str:
    """Write as a user who may change nothing that others do not let them; return how it ended."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    try:
        with atomic_folder(Path(path), overwrite=True) as folder:
            a_release(folder, "new")
    except OutputError as error:
        return str(error)
    return "written"


if __name__ == "__main__":
    os.fsync = lambda _: None  # nothing here is about a machine that loses its power
    how, what = sys.argv[1:]
    if how == "unprivileged":
        print(unprivileged(what))
    else:
        print(json.dumps(storm(what) if how == "storm" else look(what, how)))  # type: ignore[arg-type]
