"""Files that are there whole or not at all, and readable errors where the system refuses."""

from __future__ import annotations

import glob
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal

from tokumei.bounds import LARGEST_TEXT, size_text
from tokumei.errors import DataError, OutputError

LOCK = ".lock"  # who works in a folder holds it
FRESH = 5.0  # seconds in which a new folder's lock may not have been taken yet


@contextmanager
def atomic_file(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Yield a temporary path beside ``path``; move it there when the block ends well, remove it otherwise."""
    with _beside(path, overwrite=overwrite) as folder:
        temporary = folder / path.name
        yield temporary
        with temporary.open("rb+") as written:
            os.fsync(written.fileno())
        os.replace(temporary, path)  # noqa: PTH105  (replaces atomically, also over an existing file)


@contextmanager
def atomic_folder(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Yield a temporary folder beside ``path``; move it there when the block ends well, remove it otherwise.

    An old folder that is to be overwritten is moved aside first and removed last, so that a reader finds the old
    one or the new one. Only a folder that holds a manifest, or nothing, is ever overwritten.
    """
    there = kind_of_place(path)
    if overwrite and there == "file":
        raise OutputError(f"{path} is a file, not a release folder; it was left as it is.")
    if overwrite and there == "folder" and any(path.iterdir()) and not (path / "manifest.json").is_file():
        raise OutputError(f"{path} is not a release folder, so it is not overwritten.")
    with _beside(path, overwrite=overwrite) as folder:
        temporary = folder / "new"
        temporary.mkdir()
        yield temporary
        for file in temporary.iterdir():
            with file.open("rb+") as written:
                os.fsync(written.fileno())
        if path.exists():
            path.rename(folder / "old")
        temporary.rename(path)


def check_free(path: Path, *, overwrite: bool) -> None:
    """Refuse a place where there is something already, unless it may be replaced."""
    there = kind_of_place(path)
    if not overwrite and (there == "file" or (there == "folder" and any(path.iterdir()))):
        raise OutputError(
            f"{path} exists already; choose another place, or overwrite it (overwrite=True, --overwrite)."
        )


@contextmanager
def _beside(path: Path, *, overwrite: bool) -> Iterator[Path]:
    check_free(path, overwrite=overwrite)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _clear_left_behind(path)
        folder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
        held = (folder / LOCK).open("w")
        _lock(held)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {reason(error)}.") from None
    except ValueError:
        raise OutputError(f"{str(path)!r} cannot be the name of a file.") from None
    try:
        yield folder
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(f"{path} could not be written ({reason(error)}); nothing was left behind.") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        held.close()


def _clear_left_behind(path: Path) -> None:
    """Remove the working folders of runs that were killed: those whose lock nobody holds any more."""
    for folder in path.parent.glob(f".{glob.escape(path.name)}.*"):
        lock = folder / LOCK
        if lock.is_file() and time.time() - lock.stat().st_mtime > FRESH:
            with lock.open("r+") as held:
                if _lock(held):
                    shutil.rmtree(folder, ignore_errors=True)


def _lock(file: IO[str]) -> bool:
    """Take a lock that the system takes away when the process ends, however it ends; say whether it was free.

    Where the system has no such locks nothing counts as free, so nothing is ever removed.
    """
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def kind_of_place(path: Path) -> Literal["file", "folder", "other", "nothing"]:
    """Say what there is at a path; one that cannot be, or must not be looked at, leads to nothing.

    >>> kind_of_place(Path("x" * 10_000)), kind_of_place(Path("."))
    ('nothing', 'folder')
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return "nothing"
    if stat.S_ISDIR(mode):
        return "folder"
    return "file" if stat.S_ISREG(mode) else "other"


def read_text(path: Path, largest: int = LARGEST_TEXT) -> str:
    """Read a UTF-8 text file, or say in one sentence why it cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(largest + 1)
        if len(content) > largest:
            raise DataError(f"{path} is larger than {size_text(largest)}, which is the most that is read.")
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8 text.") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {reason(error)}.") from None
    except ValueError:
        raise DataError(f"{str(path)!r} cannot be the name of a file.") from None


def reason(error: OSError) -> str:
    """Say why the system refused, without the numbers.

    >>> reason(OSError("Error writing bytes to file. Detail: [errno 28] No space left on device"))
    'no space left on device'
    """
    text = error.strerror or str(error)
    within = re.search(r"\[errno \d+\] ([^\]]+)$", text, re.IGNORECASE)
    return (within.group(1) if within else text).lower()
