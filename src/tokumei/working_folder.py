"""A hidden folder next to a target, in which what goes there is made; if its run is killed, the next one puts things right.

    .tokumei-PROOF-xxxxxxxx/    the proof follows from the target's name: no folder of anyone else's happens to have that name
        .lock                   names the target; held while the run lives, made first and removed last
        new/                    what is being made
        parts/                  what the machines of a cluster wrote on the way
        old/                    what was at the target before: whole, until the new one is there
        gone/                   the same afterwards, while it is being removed

At whatever moment a run ends, what it leaves is one of these, and `WorkingFolder.settle` knows what to do:

* a folder without a lock is empty, so it is removed as an empty folder is, which can take nothing with it;
* a lock without its text was taken before anything was made;
* ``old`` without a release at the target goes back there, before anything is removed;
* everything else of these names was made by us, and nothing but these names is ever removed.

A run that lives holds its lock, so nobody else touches its folder. Where the system has no locks nothing counts as free.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

LOCK = ".lock"
NEW, PARTS, OLD, GONE = "new", "parts", "old", "gone"
RELEASE = {
    "manifest.json",
    *(f"data.{kind}" for kind in ("parquet", "csv", "sav", "dta", "xpt")),
}  # the files of a release
VIEWS = {".DS_Store", "Thumbs.db", "desktop.ini"}  # how a folder is shown, which file managers note in it
TELLS = b'"tokumei"'  # in every manifest of ours, near its beginning
BEGINNING = 2**16  # bytes
LOCKLESS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}  # what file systems without locks answer
LEFT_ALONE = {
    *(errno.ENOENT, errno.ENOTEMPTY, errno.EEXIST),  # its run has ended, or another one puts it right
    *(errno.ELOOP, errno.EMLINK, errno.EISDIR, errno.ENXIO),  # its lock is no file
    *(errno.EACCES, errno.EPERM, errno.EROFS),  # nothing can be changed here
}
ATTEMPTS = 100  # to begin, while others clean up


@dataclass(frozen=True)
class WorkingFolder:
    """A working folder whose lock is ours, or free for any run to take where the system has no locks."""

    target: Path
    folder: Path
    lock: IO[bytes]

    @classmethod
    def begin(cls, target: Path) -> WorkingFolder:
        """Make one next to a target; a run that cleans up at the same moment may remove it before it is locked."""
        for _ in range(ATTEMPTS):
            folder = Path(tempfile.mkdtemp(prefix=f".tokumei-{_proof(target)}-", dir=target.parent))
            try:
                lock = _opened(folder, os.O_CREAT | os.O_EXCL)
            except FileNotFoundError:
                continue
            if _locked(lock) is not False and _is_there(lock, folder / LOCK):
                made = cls(target, folder, lock)
                try:
                    lock.write(_text(target))
                    made.new.mkdir()
                except OSError:
                    made.settle()
                    raise
                return made
            lock.close()
        raise OSError(errno.EBUSY, "other runs take its working folder away")

    @classmethod
    def left_behind(cls, target: Path) -> Iterator[WorkingFolder]:
        """Take over those of runs to the same target that were killed, the last one first."""
        for folder in _next_to(target):
            try:
                yield from cls._taken_over(target, folder)
            except OSError as error:
                if error.errno not in LEFT_ALONE:
                    raise

    @classmethod
    def _taken_over(cls, target: Path, folder: Path) -> Iterator[WorkingFolder]:
        try:
            lock = _opened(folder)
        except FileNotFoundError:
            folder.rmdir()  # which fails if anything is in it
            return
        made = cls(target, folder, lock)
        found = os.fstat(lock.fileno())
        if _own(found) and stat.S_ISREG(found.st_mode) and _locked(lock) and _is_there(lock, folder / LOCK):
            text = lock.read(len(_text(target)) + 1)
            if text == _text(target):
                yield made
                return
            if _text(target).startswith(text):  # killed before anything was made
                made._remove_lock()
        lock.close()

    @property
    def new(self) -> Path:
        """Where the new thing is made."""
        return self.folder / NEW

    @property
    def old(self) -> Path:
        """Where the old thing is while the new one takes its place."""
        return self.folder / OLD

    def settle(self) -> None:
        """End the work: put the old thing back if nothing took its place, then remove what was made, the lock last.

        Whatever fails, an old thing that is not replaced stays where it is, and so does the lock that tells whose it is.
        """
        try:
            if os.path.lexists(self.old):
                replaced = is_release(self.target) and may_be_replaced(self.old)
                self.old.rename(self.folder / GONE if replaced else self.target)
            for name in (GONE, NEW, PARTS):
                if os.path.lexists(self.folder / name):
                    shutil.rmtree(self.folder / name)
            self._remove_lock()
        finally:
            self.lock.close()

    def _remove_lock(self) -> None:
        if os.name == "nt":
            self.lock.close()  # an open file cannot be removed there
        with suppress(FileNotFoundError):  # the folder vanished with the one that it is in, or somebody removed it
            (self.folder / LOCK).unlink()
        try:
            self.folder.rmdir()
        except FileNotFoundError:
            pass
        except OSError as error:
            if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:  # what others have put there stays
                raise


def waiting(target: Path) -> Path | None:
    """Return where an old thing is that a run has moved aside and not replaced yet; nothing is touched."""
    with suppress(OSError):  # nothing can be there
        return next((folder / OLD for folder in _next_to(target) if (folder / OLD).is_dir()), None)
    return None


def _next_to(target: Path) -> list[Path]:
    """List the working folders of this user next to a target, the last one first."""
    ours = re.compile(rf"\.tokumei-{_proof(target)}-[a-z0-9_]{{8}}")
    found: dict[Path, int] = {}
    with suppress(
        FileNotFoundError, NotADirectoryError, PermissionError, ValueError
    ):  # nothing is there, or nobody may look
        for each in os.scandir(target.parent):
            if ours.fullmatch(each.name) and each.is_dir(follow_symlinks=False):
                with suppress(FileNotFoundError):  # its run has ended
                    seen = each.stat(follow_symlinks=False)
                    found |= {Path(each.path): seen.st_mtime_ns} if _own(seen) else {}
    return sorted(found, key=found.__getitem__, reverse=True)


def may_be_replaced(folder: Path) -> bool:
    """Say whether a folder is empty or a release, and nothing but that: others' files are never removed."""
    return not any(folder.iterdir()) or is_release(folder)


def is_release(folder: Path) -> bool:
    """Say whether a folder holds the files of a release, and no others."""
    try:
        if folder.is_symlink() or not all(each.name in RELEASE | VIEWS and each.is_file() for each in folder.iterdir()):
            return False
        with (folder / "manifest.json").open("rb") as manifest:
            return TELLS in manifest.read(BEGINNING)
    except OSError:
        return False


def _proof(target: Path) -> str:
    return hashlib.blake2b(_name(target), digest_size=8, person=b"tokumei work").hexdigest()


def _text(target: Path) -> bytes:
    return b"tokumei is writing " + _name(target)


def _name(target: Path) -> bytes:
    return target.name.encode("utf-8", "surrogatepass")  # whatever is in it, two names are never the same bytes


def _opened(folder: Path, flags: int = 0) -> IO[bytes]:
    """Open a lock; what is no plain file of ours is not followed, nor waited for."""
    flags |= os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    return os.fdopen(os.open(folder / LOCK, flags, 0o600), "r+b", buffering=0)


def _own(found: os.stat_result) -> bool:
    """Say whether it is this user's: what others leave in a shared folder is not trusted."""
    return not hasattr(os, "geteuid") or found.st_uid == os.geteuid()


def _is_there(lock: IO[bytes], place: Path) -> bool:
    """Say whether an open file is still the one of its name."""
    try:
        return os.path.samestat(os.fstat(lock.fileno()), place.lstat())
    except FileNotFoundError:
        return False


def _locked(lock: IO[bytes]) -> bool | None:
    """Take a lock that the system takes away when the process ends, however it ends; say whether it was free.

    None where there are no such locks.
    """
    try:
        import fcntl
    except ImportError:
        return None
    try:
        fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in LOCKLESS:
            return None
        raise
    return True
