"""Files that are there whole or not at all, and readable errors where the system refuses."""

from __future__ import annotations

import errno
import glob
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Literal

from tokumei.bounds import LARGEST_TEXT, size_text
from tokumei.errors import DataError, OutputError, raise_alone

QUICKER = {errno.EEXIST, errno.ENOTEMPTY, errno.ENOENT}  # what moving a folder meets where somebody else was quicker
OLD = "old"  # what was moved aside
OWN = ".own"  # a private file before it is moved to its place
LOCK = ".lock"  # who works in a folder holds it
PIECE = 2**20  # bytes to read at a time
FRESH = 5.0  # seconds in which a new folder's lock may not have been taken yet


def own_file(path: Path) -> IO[bytes]:
    """Make a new file that nobody but its owner may read or write, from its beginning on."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600), "wb")


@contextmanager
def atomic_file(path: Path, *, overwrite: bool = False, private: bool = False) -> Iterator[Path]:
    """Yield a temporary path beside ``path``; move it there when the block ends well, remove it otherwise.

    A private file is its owner's only, whoever wrote it: nobody else may enter the folder that it is made in.
    """
    with _beside(path, overwrite=overwrite) as folder:
        temporary = folder / path.name
        yield temporary
        if private:
            with temporary.open("rb") as made, own_file(folder / OWN) as own:
                shutil.copyfileobj(made, own)
            temporary = folder / OWN
        with temporary.open("rb+") as written:
            os.fsync(written.fileno())
        if overwrite:
            os.replace(temporary, path)  # noqa: PTH105  (replaces atomically, also over an existing file)
        else:
            _put_where_nothing_is(temporary, path)


@contextmanager
def atomic_folder(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Yield a temporary folder beside ``path``; move it there when the block ends well, remove it otherwise.

    An old folder that is to be overwritten is moved aside first and removed last, so that a reader finds the old
    one or the new one, or for a moment nothing. Only a folder that holds a manifest, or nothing, is ever overwritten.
    Of several that write to the same place at once, one wins and the others raise, or replace it where they may.
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
        try:
            _move_into_place(temporary, path, folder / OLD if overwrite else None)
        except OSError as error:
            if error.errno in QUICKER and kind_of_place(path) == "folder":
                raise OutputError(
                    f"{path} was written by another run in the meantime; that one is there, and this one was not written."
                ) from None
            raise


def _move_into_place(made: Path, path: Path, aside: Path | None) -> None:
    """Move a folder to where nothing is, or only an empty folder; an old one goes aside first, and comes back on failure."""
    if aside is None:
        if kind_of_place(path) == "folder":
            path.rmdir()  # which fails if anything is in it
        made.rename(path)
        return
    if kind_of_place(path) == "folder":
        path.rename(aside)
    try:
        made.rename(path)
    except OSError:
        _bring_back(aside, path)
        raise


def _bring_back(aside: Path, path: Path) -> None:
    """Put an old folder that was moved aside where it was, if nothing has taken its place."""
    if kind_of_place(aside) == "folder" and kind_of_place(path) == "nothing":
        with suppress(OSError):  # somebody was quicker, and has written a whole one
            aside.rename(path)


def _put_where_nothing_is(made: Path, path: Path) -> None:
    """Move a file to where none is; where the system has no second names for files, look first."""
    try:
        path.hardlink_to(made)
    except FileExistsError:
        check_free(path, overwrite=False)
        raise
    except OSError:
        check_free(path, overwrite=False)
        os.replace(made, path)  # noqa: PTH105


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
        if _clear_left_behind(path):
            check_free(path, overwrite=overwrite)
        folder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
        held = (folder / LOCK).open("w")
        _lock(held)
    except OutputError:
        raise
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


def _clear_left_behind(path: Path) -> bool:
    """Remove the working folders of runs that were killed: those whose lock nobody holds any more. Say whether there was one."""
    found = False
    for folder in path.parent.glob(f".{glob.escape(path.name)}.*"):
        lock = folder / LOCK
        if lock.is_file() and time.time() - lock.stat().st_mtime > FRESH:
            with lock.open("r+") as held:
                if _lock(held):
                    _bring_back(folder / OLD, path)  # it was killed between moving the old one and the new one
                    shutil.rmtree(folder, ignore_errors=True)
                    found = True
    return found


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


def beside(path: Path, name: str) -> Path:
    """Return the place of another file in the same folder; a path without a name of its own is that of the folder above.

    >>> beside(Path("data/people.csv"), "people.svg").as_posix()
    'data/people.svg'
    """
    return path.parent / name


def read_text(path: Path, largest: int = LARGEST_TEXT) -> str:
    """Read a UTF-8 text file, or say in one sentence why it cannot be read."""
    try:
        content = bytearray()
        with path.open("rb") as file:  # in pieces, since there is room made for as much as is asked for
            while len(content) <= largest and (piece := file.read(min(PIECE, largest + 1 - len(content)))):
                content += piece
        text = content.decode("utf-8-sig") if len(content) <= largest else None
    except UnicodeDecodeError:
        raise_alone(DataError(f"{path} is not UTF-8 text."))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {reason(error)}.") from None
    except ValueError:
        raise DataError(f"{str(path)!r} cannot be the name of a file.") from None
    if text is None:
        raise DataError(f"{path} is larger than {size_text(largest)}, which is the most that is read.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def reason(error: OSError) -> str:
    """Say why the system refused, without the numbers.

    >>> reason(OSError("Error writing bytes to file. Detail: [errno 28] No space left on device"))
    'no space left on device'
    """
    text = error.strerror or str(error)
    within = re.search(r"\[errno \d+\] ([^\]]+)$", text, re.IGNORECASE)
    return (within.group(1) if within else text).lower()
