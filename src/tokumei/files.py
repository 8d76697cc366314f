"""Files that are there whole or not at all, and readable errors where the system refuses."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Literal

from tokumei.bounds import LARGEST_TEXT, size_text
from tokumei.diagnostics import raise_alone, warn
from tokumei.errors import DataError, LeftBehindWarning, OutputError
from tokumei.messages import phrase, said_in, spoken_language
from tokumei.working_folder import WorkingFolder, may_be_replaced

QUICKER = {errno.EEXIST, errno.ENOTEMPTY, errno.ENOENT}  # what moving a folder meets where somebody else was quicker
OWN = ".own"  # a private file before it is moved to its place
PIECE = 2**20  # bytes to read at a time


def own_file(path: Path) -> IO[bytes]:
    """Make a new file that nobody but its owner may read or write, from its beginning on."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600), "wb")


@contextmanager
def atomic_file(path: Path, *, overwrite: bool = False, private: bool = False) -> Iterator[Path]:
    """Yield a temporary path next to ``path``; move it there when the block ends well, remove it otherwise.

    A private file is for its owner only: nobody else may enter the folder in which it is made.
    """
    with atomic_files([path], overwrite=overwrite, private=private) as temporary:
        yield temporary[0]


@contextmanager
def atomic_files(paths: Sequence[Path], *, overwrite: bool = False, private: bool = False) -> Iterator[list[Path]]:
    """Yield temporary paths next to ``paths``; move all there when the block ends well, the first one last, and remove them otherwise.

    Whatever needs room on the disk is done before the first is moved, so that a full one leaves none of them behind.
    """
    with ExitStack() as stack:
        work = [stack.enter_context(_working_next_to(path, overwrite=overwrite)) for path in paths]
        yield [each.new / path.name for each, path in zip(work, paths, strict=True)]
        ready = [_made_ready(each, path, private) for each, path in zip(work, paths, strict=True)]
        for temporary, path in reversed(list(zip(ready, paths, strict=True))):
            if overwrite:
                check_free(path, overwrite=True)
                os.replace(temporary, path)  # noqa: PTH105  (replaces atomically, also over an existing file)
            else:
                _put_where_nothing_is(temporary, path)


def _made_ready(work: WorkingFolder, path: Path, private: bool) -> Path:
    """Return a file that only has to be moved: on the disk, and its owner's alone where it is private."""
    temporary = work.new / path.name
    if private:
        with temporary.open("rb") as made, own_file(work.new / OWN) as own:
            shutil.copyfileobj(made, own)
        temporary = work.new / OWN
    with temporary.open("rb+") as written:
        os.fsync(written.fileno())
    return temporary


@contextmanager
def atomic_folder(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Yield a temporary folder next to ``path``; move it there when the block ends well, remove it otherwise.

    An old folder that is to be overwritten is moved aside first and removed last, so that a reader finds the old
    one or the new one, or for a moment nothing. Only a folder that holds a release and nothing else, or nothing, is ever
    overwritten. Of several that write to the same place at once, one wins and the others raise, or replace it where they may.
    """
    with _working_next_to(path, overwrite=overwrite, folder=True) as work:
        yield work.new
        for file in work.new.iterdir():
            with file.open("rb+") as written:
                os.fsync(written.fileno())
        try:
            _move_into_place(work, path, overwrite=overwrite)
        except OSError as error:
            if error.errno in QUICKER and kind_of_place(path) == "folder":
                raise OutputError(
                    "{path} was written by another run in the meantime; that one was kept, and this one was not written.",
                    path=path,
                ) from None
            raise


def _move_into_place(work: WorkingFolder, path: Path, *, overwrite: bool) -> None:
    """Move a folder to where nothing is, or only an empty folder; an old one goes aside first, and comes back on failure."""
    if kind_of_place(path) == "folder":  # looked at once: what comes there later makes the last step fail
        if overwrite:
            path.rename(work.old)
            if not may_be_replaced(work.old):
                raise _no_release(path)
        else:
            path.rmdir()  # which fails if anything is in it
    work.new.rename(path)


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


def check_free(path: Path, *, overwrite: bool, folder: bool = False) -> None:
    """Refuse a place where there is something already, unless it may be replaced.

    Links, devices and pipes never are, nor is a folder of others' where a release is to go (``folder``).
    """
    there = kind_of_place(path)
    if os.path.islink(path):  # noqa: PTH114  (also of a path that cannot be)
        raise OutputError("{path} is a symbolic link; name the place it points to, or another one.", path=path)
    if there == "other":
        raise OutputError("{path} is neither a file nor a folder; it was left unchanged.", path=path)
    if not overwrite and (there == "file" or (there == "folder" and not _is_empty(path))):
        raise OutputError(
            "{path} already exists; choose another place, or overwrite it (overwrite=True, --overwrite).", path=path
        )
    if folder and there == "file":
        raise OutputError("{path} is a file, not a release folder; it was left unchanged.", path=path)
    if folder and there == "folder" and not may_be_replaced(path):
        raise _no_release(path)


def _no_release(path: Path) -> OutputError:
    return OutputError(
        "{path} contains other things than a release, so it is not overwritten; move them away, or choose another place.",
        path=path,
    )


def _is_empty(folder: Path) -> bool:
    try:
        return not any(folder.iterdir())
    except OSError as error:
        raise OutputError("{folder} cannot be written: {reason}.", folder=folder, reason=reason(error)) from None


@contextmanager
def _working_next_to(path: Path, *, overwrite: bool, folder: bool = False) -> Iterator[WorkingFolder]:
    """Put right what killed runs left, look whether the place is free, and work in a folder beside it."""
    if path.name in {"", ".."}:
        raise OutputError("{path} has no name of its own; name a place inside it.", path=path)
    try:
        with suppress(FileNotFoundError):
            path.lstat()  # which fails for what no file can be called, before any work is done
        _put_right(path)
        check_free(path, overwrite=overwrite, folder=folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        work = WorkingFolder.begin(path)
    except OutputError:
        raise
    except OSError as error:
        raise OutputError("{path} cannot be written: {reason}.", path=path, reason=reason(error)) from None
    except ValueError:
        raise OutputError("{path!r} cannot be the name of a file.", path=str(path)) from None
    try:
        yield work
    except OutputError as error:
        left = _settled(work)
        if left:
            raise OutputError("{error} {left}", error=error, left=left) from None
        raise
    except OSError as error:
        left = _settled(work)
        if left:
            raise OutputError(
                "{path} could not be written ({reason}). {left}", path=path, reason=reason(error), left=left
            ) from None
        raise OutputError(
            "{path} could not be written ({reason}); nothing was left behind.", path=path, reason=reason(error)
        ) from None
    except BaseException as error:
        left = _settled(work)
        if left:
            error.add_note(said_in(left, spoken_language()))
        raise
    left = _settled(work)
    if left:
        warn("{path} was written. {left}", LeftBehindWarning, path=path, left=left)


def _settled(work: WorkingFolder) -> str:
    """End the work, and say in a sentence what could not be put right."""
    try:
        work.settle()
    except OSError as error:
        if os.path.lexists(work.old):
            return phrase(
                "What was there before is in {old}, and could not be put back ({reason}).",
                old=work.old,
                reason=reason(error),
            )
        return phrase(
            "Its working folder {folder} could not be removed ({reason}); the next run to this place tries again.",
            folder=work.folder,
            reason=reason(error),
        )
    return ""


def _put_right(path: Path) -> None:
    """Put an old release back that a killed run had moved aside, and remove what such runs left."""
    for work in WorkingFolder.left_behind(path):
        left = _settled(work)
        if os.path.lexists(work.old) and kind_of_place(path) == "nothing":
            raise OutputError(
                "{path} cannot be written: an earlier run was killed while replacing it. {left}", path=path, left=left
            )


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


def is_plain(name: str) -> bool:
    r"""Whether a name can be handed to libraries and drivers: they take UTF-8, and nothing of what comes after a zero.

    >>> is_plain("名前.csv"), is_plain(os.fsdecode(b"caf\xe9.csv")), is_plain("a\0b")
    (True, False, False)
    """
    return "\0" not in name and name == name.encode("utf-8", "replace").decode("utf-8")


def sibling(path: Path, name: str) -> Path:
    """Return the place of another file in the same folder; a path without a name of its own is that of the folder above.

    >>> sibling(Path("data/people.csv"), "people.svg").as_posix()
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
        raise_alone(DataError("{path} is not UTF-8 text.", path=path))
    except OSError as error:
        raise DataError("{path} cannot be read: {reason}.", path=path, reason=reason(error)) from None
    except ValueError:
        raise DataError("{path!r} cannot be the name of a file.", path=str(path)) from None
    if text is None:
        raise DataError("{path} is larger than {size}, the most that is read.", path=path, size=size_text(largest))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def reason(error: OSError) -> str:
    """Say why the system refused, without the numbers.

    >>> reason(OSError("Error writing bytes to file. Detail: [errno 28] No space left on device"))
    'no space left on device'
    """
    text = error.strerror or str(error)
    within = re.search(r"\[errno \d+\] ([^\]]+)$", text, re.IGNORECASE)
    return phrase((within.group(1) if within else text).lower())
