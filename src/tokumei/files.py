"""Files that are there whole or not at all, and readable errors where the system refuses."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tokumei.errors import DataError, OutputError


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
    if overwrite and path.exists() and not path.is_dir():
        raise OutputError(f"{path} is a file, not a release folder; it was left as it is.")
    if overwrite and path.is_dir() and any(path.iterdir()) and not (path / "manifest.json").is_file():
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
    if not overwrite and (path.is_file() or (path.is_dir() and any(path.iterdir()))):
        raise OutputError(
            f"{path} exists already; choose another place, or overwrite it (overwrite=True, --overwrite)."
        )


@contextmanager
def _beside(path: Path, *, overwrite: bool) -> Iterator[Path]:
    check_free(path, overwrite=overwrite)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {reason(error)}.") from None
    try:
        yield folder
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(f"{path} could not be written ({reason(error)}); nothing was left behind.") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def read_text(path: Path) -> str:
    """Read a UTF-8 text file, or say in one sentence why it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8 text.") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {reason(error)}.") from None


def reason(error: OSError) -> str:
    """Say why the system refused, without the numbers."""
    return (error.strerror or str(error)).lower()
