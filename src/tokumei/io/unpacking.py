"""Packed files, as long as they do not unpack to far more than they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from tokumei.bounds import FAR, UNPACKED, size_text, unpacks_too_far
from tokumei.errors import DataError

PACKED = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".lz4": "lz4"}
PIECE = 2**25  # bytes to unpack at a time: enough that what a reader holds in advance does not count
CELL = 8  # bytes of a cell in memory, at least about this many, however short it is written


class Unpacked:
    """A stream that counts what comes out, and ends with one sentence where it is too much.

    With a ``delimiter`` it counts what the cells take in memory too.
    """

    def __init__(self, file: Path, raw: Any, delimiter: bytes | None = None) -> None:
        self.file = file
        self.closed = False
        self._packed, self.seen, self.cells = raw.size(), 0, 0
        self._marks = () if delimiter is None else (delimiter, b"\n")
        self._stream = pa.CompressedInputStream(raw, PACKED[file.suffix.lower()])

    def readable(self) -> bool:
        """Whether it can be read, as files say it."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Read some bytes."""
        piece: bytes = self._stream.read(size) if size >= 0 else self._stream.read()
        self.seen += len(piece)
        self.cells += sum(piece.count(mark) for mark in self._marks)
        if unpacks_too_far(self._packed, self.seen):
            raise DataError(
                "{file} unpacks to more than {size} and {far} times its size; unpack it first, if it is meant to be that "
                "large.",
                file=self.file,
                size=size_text(UNPACKED),
                far=FAR,
            )
        if unpacks_too_far(self._packed, CELL * self.cells):
            raise DataError(
                "{file} unpacks to more than {size} and {far} times its size, counting its {cells:,} cells as they are stored in memory; "
                "unpack it first, if it is meant to be that large.",
                file=self.file,
                size=size_text(UNPACKED),
                far=FAR,
                cells=self.cells,
            )
        return piece

    def close(self) -> None:
        """Close it."""
        self.closed = True
        self._stream.close()


def opened_text(file: Path, raw: Any, delimiter: str | None = None) -> Any:
    """Return the stream of a text file that was opened as ``raw``, unpacked where its ending says that it is packed.

    With a ``delimiter`` its cells are counted, for a reader that holds all of them.
    """
    if file.suffix.lower() not in PACKED:
        return raw
    _check_start(file)
    return pa.PythonFile(Unpacked(file, raw, None if delimiter is None else delimiter.encode()), mode="r")


def first_line(file: Path, most: int) -> bytes:
    """Return the first line of a text file, or as much of it as is no longer than ``most`` bytes."""
    with pa.OSFile(str(file)) as raw:
        packed = file.suffix.lower() in PACKED
        stream: Any = Unpacked(file, raw) if packed else raw
        line = bytearray()
        while len(line) < most and (piece := stream.read(min(2**16, most - len(line)))):
            end = piece.find(b"\n")
            line += piece if end < 0 else piece[:end]
            if end >= 0:
                break
    return bytes(line)


def lines_per_byte(file: Path, most: int) -> float:
    """Return how many lines a byte of a text file holds, as far as its first ``most`` bytes of text tell."""
    with pa.OSFile(str(file)) as raw:
        packed = file.suffix.lower() in PACKED
        stream: Any = Unpacked(file, raw) if packed else raw
        text = stream.read(most)
        read = raw.tell()
    return text.count(b"\n") / max(1, read if packed else len(text))


def _check_start(file: Path) -> None:
    """Unpack a file without keeping anything, as long as it unpacks so far that it may be a trap: an honest one stops at once."""
    with pa.OSFile(str(file)) as raw:
        stream = Unpacked(file, raw)
        while piece := stream.read(PIECE):
            if len(piece) < PIECE or stream.seen < FAR * raw.tell():
                break
