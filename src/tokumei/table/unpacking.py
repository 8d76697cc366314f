"""Packed files, as long as they do not unpack to far more than they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from tokumei.bounds import FAR, UNPACKED, size_text, unpacks_too_far
from tokumei.errors import DataError

PACKED = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".lz4": "lz4"}
PIECE = 2**25  # bytes to unpack at a time, so many that what a reader holds in advance does not count
LIMIT = f"to more than {size_text(UNPACKED)} and {FAR} times its size"


class Unpacked:
    """A stream that counts what comes out, and ends with one sentence where it is too much."""

    def __init__(self, file: Path, raw: Any) -> None:
        self.file = file
        self.closed = False
        self._packed, self.seen = raw.size(), 0
        self._stream = pa.CompressedInputStream(raw, PACKED[file.suffix.lower()])

    def readable(self) -> bool:
        """Whether it can be read, as files say it."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Read some bytes."""
        piece: bytes = self._stream.read(size) if size >= 0 else self._stream.read()
        self.seen += len(piece)
        if unpacks_too_far(self._packed, self.seen):
            raise DataError(f"{self.file} unpacks {LIMIT}; unpack it first, if it is meant to be so large.")
        return piece

    def close(self) -> None:
        """Close it."""
        self.closed = True
        self._stream.close()


def opened_text(file: Path, raw: Any) -> Any:
    """Return the stream of a text file that was opened as ``raw``, unpacked where its ending says that it is packed."""
    if file.suffix.lower() not in PACKED:
        return raw
    _check_start(file)
    return pa.PythonFile(Unpacked(file, raw), mode="r")


def _check_start(file: Path) -> None:
    """Unpack a file without keeping anything, as long as it unpacks so far that it may be a trap: an honest one stops at once."""
    with pa.OSFile(str(file)) as raw:
        stream = Unpacked(file, raw)
        while piece := stream.read(PIECE):
            if len(piece) < PIECE or stream.seen < FAR * raw.tell():
                break


def check_parquet(name: Path | str, found: Any, packed: int) -> None:
    """Refuse a Parquet file whose cells in memory would be far more than the file is: runs of one value take no room there."""
    parts = (found.row_group(place) for place in range(found.num_row_groups))
    unpacked = max(sum(part.total_byte_size for part in parts), 4 * found.num_rows * found.num_columns)
    if unpacks_too_far(packed, unpacked):
        raise DataError(f"{name} unpacks {LIMIT}; take the stream engine (--engine stream), or save it as CSV.")
