"""Keys for pseudonyms: where they come from, and how one is made. No message tells a key or its place."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from tokumei.errors import InvalidParameter, OutputError
from tokumei.files import own_file, reason
from tokumei.messages import phrase
from tokumei.randomness import from_os

LEAST = 16  # bytes


def check_reference(reference: str) -> None:
    """Refuse what does not say where a key is; what was given is not shown, since it may be a key."""
    kind, _, place = reference.partition(":")
    if kind not in {"env", "file"} or not place:
        raise InvalidParameter(
            "key must be 'env:NAME' or 'file:PATH', which says where the key is; it is never the key itself."
        )


def read_key(reference: str, column: str) -> bytes:
    """Fetch the key that a reference stands for."""
    kind, _, place = reference.partition(":")
    text = os.environ.get(place) if kind == "env" else _file(Path(place), column)
    if text is None:
        raise InvalidParameter(
            "The key for {column!r} is missing: set the environment variable that is named for it to a key such as the one that `tokumei key FILE` makes.",
            column=column,
        )
    key = b""
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""  # refused below, outside, so that no message that quotes it is the context of ours
    if len(key) < LEAST:
        raise InvalidParameter(
            "The key for {column!r} must be at least {least} bytes written as hexadecimal digits, such as the one that `tokumei key FILE` makes.",
            column=column,
            least=LEAST,
        )
    return key


def _file(path: Path, column: str) -> str:
    problem = ""
    try:
        with path.open("rb") as opened:
            if os.name == "posix" and stat.S_IMODE(os.fstat(opened.fileno()).st_mode) & 0o077:
                problem = phrase("others than its owner can use its file; let only the owner read it (chmod 600)")
            else:
                return opened.read(2**16).decode("ascii", "replace")
    except OSError as error:
        problem = reason(error)
    except ValueError:
        problem = phrase("no file can have that name")
    raise InvalidParameter(
        "The key for {column!r} cannot be read from the file that is named for it: {problem}.",
        column=column,
        problem=problem,
    )


def write_key(place: str | Path) -> None:
    """Make a key in a new file that only its owner can read; a file that is there already is left as it is."""
    path, problem = Path(place), ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with own_file(path) as file:
            file.write(from_os().hex().encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        problem = phrase("it already exists, and a lost key cannot be made again; choose another place")
    except OSError as error:
        problem = reason(error)
    if problem:
        raise OutputError("{path} cannot be written: {problem}.", path=path, problem=problem)
