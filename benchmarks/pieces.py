"""A long measurement in pieces: what is finished is kept on disk, and the next call of the same command goes on from there.

A command that takes `--minutes M` begins no piece after that time, says what is left, and ends with exit status 75 (try again). Its result is
stored by the call that finishes the last piece. Pieces are thrown away when the sources of the package or of the benchmark change, so that one
result never mixes two programs.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "pieces"
LATER = 75  # EX_TEMPFAIL


class Pieces:
    """The finished pieces of one command.

    >>> import tempfile
    >>> pieces = Pieces("example", None, Path(tempfile.mkdtemp()))
    >>> pieces.piece("one", lambda: 1), pieces.piece("one", lambda: 2)
    (1, 1)
    """

    def __init__(self, name: str, minutes: float | None, folder: Path = FOLDER, made_by: str | None = None) -> None:
        self._file, self._end = folder / f"{name}.json", None if minutes is None else time.monotonic() + 60 * minutes
        self._made_by = sources(name.split("_", maxsplit=1)[0]) if made_by is None else made_by
        kept = json.loads(self._file.read_text(encoding="utf-8")) if self._file.exists() else {}
        self._done: dict[str, Any] = kept["done"] if kept.get("made_by") == self._made_by else {}

    def piece(self, key: str, make: Callable[[], Any]) -> Any:
        """Return a piece: as it was kept, or else made now; where the time is over, end the program."""
        if key not in self._done:
            if self._end is not None and time.monotonic() > self._end:
                print(f"{len(self._done)} pieces are done; the same command again goes on with: {key}", flush=True)
                sys.exit(LATER)
            self._done[key] = make()
            self._file.parent.mkdir(parents=True, exist_ok=True)
            half = self._file.with_suffix(".part")
            half.write_text(json.dumps({"made_by": self._made_by, "done": self._done}), encoding="utf-8")
            half.replace(self._file)
        return self._done[key]

    def finish(self) -> None:
        """Throw the pieces away: the result is stored."""
        self._file.unlink(missing_ok=True)


def sources(benchmark: str) -> str:
    """Return a digest of the package's sources and of the benchmark's own."""
    files = [*sorted((ROOT / "src").rglob("*.py")), *sorted((ROOT / "benchmarks").glob(f"{benchmark}*.py"))]
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def minutes_of(arguments: list[str]) -> tuple[list[str], float | None]:
    """Take `--minutes M` out of the arguments of a command.

    >>> minutes_of(["200", "--minutes", "7"])
    (['200'], 7.0)
    """
    if "--minutes" not in arguments:
        return arguments, None
    at = arguments.index("--minutes")
    return [*arguments[:at], *arguments[at + 2 :]], float(arguments[at + 1])
