"""Coded rows on disk, in files without a name: they vanish with the process, however it ends."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Bytes, Codes, Unsigned64
from tokumei.errors import InvalidParameter, OutputError
from tokumei.files import reason


def scratch_folder() -> Path:
    """Return where rows are kept while they are worked on: ``TOKUMEI_SCRATCH``, or the system's temporary folder."""
    folder = Path(os.environ.get("TOKUMEI_SCRATCH") or tempfile.gettempdir())
    if not folder.is_dir():
        raise InvalidParameter("TOKUMEI_SCRATCH must be a folder, and {folder} is not one.", folder=folder)
    return folder


TAGS = ("\0tag 1", "\0tag 2")  # where the tags of people lie beside codes; no column of a table is called so


@dataclass(frozen=True)
class Layout:
    """How the codes of a row lie side by side: the type and place of each column, and the bytes of a row."""

    types: Mapping[str, np.dtype[Any]]
    width: int

    @classmethod
    def of(cls, types: Mapping[str, Any], multiple: int = 1) -> Layout:
        """Lay columns side by side; the bytes of a row are a multiple of ``multiple``."""
        kinds = {name: np.dtype(kind) for name, kind in types.items()}
        width = sum(kind.itemsize for kind in kinds.values())
        return cls(kinds, max(1, -(-width // multiple)) * multiple)

    def pack(self, codes: Mapping[str, Codes], rows: int) -> Bytes:
        """Put columns into rows."""
        packed = np.zeros((rows, self.width), dtype=np.uint8)
        at = 0
        for name, kind in self.types.items():
            column = np.ascontiguousarray(codes[name], dtype=kind).view(np.uint8)
            if kind.itemsize == 1:
                packed[:, at] = column
            else:
                packed[:, at : at + kind.itemsize] = column.reshape(rows, kind.itemsize)
            at += kind.itemsize
        return packed

    def slots(self, packed: Bytes) -> dict[str, Any]:
        """Return where in rows each column lies, to be written to."""
        found, at = {}, 0
        for name, kind in self.types.items():
            found[name] = packed[:, at : at + kind.itemsize].view(kind)[:, 0]
            at += kind.itemsize
        return found

    def column(self, packed: Bytes, name: str) -> Codes:
        """Take a column out of rows."""
        at = 0
        for each, kind in self.types.items():
            if each == name:
                part = np.ascontiguousarray(packed[:, at : at + kind.itemsize])
                return part.view(kind).reshape(len(packed))
            at += kind.itemsize
        raise KeyError(name)


@dataclass(frozen=True)
class Chunk:
    """Consecutive rows: the number of the first, their codes packed, and the cells that are kept as they came."""

    start: int
    packed: Bytes
    cells: pa.Table | None
    layout: Layout

    @property
    def rows(self) -> int:
        """How many rows they are."""
        return len(self.packed)

    def codes(self, name: str) -> Codes:
        """Return the codes of a column."""
        return self.layout.column(self.packed, name)

    @property
    def tags(self) -> Unsigned64 | None:
        """The tags of the rows' people, in two words, where draws repeat."""
        if TAGS[0] not in self.layout.types:
            return None
        return np.column_stack([self.layout.column(self.packed, name) for name in TAGS]).astype(np.uint64, copy=False)


class Spool:
    """Rows written once in order, and read again as often as needed, in the chunks in which they were written."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.sizes: list[int] = []  # rows of each chunk
        self.bytes = 0
        self._places: list[int] = []  # where the cells of each chunk begin
        self._end = 0
        self._folder = scratch_folder()
        self._rows = self._file()
        self._cells: Any = None

    def _file(self) -> Any:
        try:
            file = tempfile.TemporaryFile(dir=self._folder, buffering=0)  # noqa: SIM115  (closed when the spool is gone)
        except OSError as error:
            raise self._full(error) from None
        weakref.finalize(self, file.close)
        return file

    def _full(self, error: OSError) -> OutputError:
        return OutputError(
            "Rows could not be stored in {folder} ({reason}); set TOKUMEI_SCRATCH to a folder with "
            "more room. Nothing was left behind.",
            folder=self._folder,
            reason=reason(error),
        )

    @property
    def rows(self) -> int:
        """How many rows have been written."""
        return sum(self.sizes)

    def append(self, packed: Bytes, cells: pa.Table | None = None) -> None:
        """Write rows behind the others."""
        try:
            _write(self._rows, packed.data)
            self._places.append(self._end)
            if cells is not None:
                sink = pa.BufferOutputStream()
                with pa.ipc.new_stream(sink, cells.schema) as writer:
                    writer.write_table(cells)
                made = sink.getvalue()
                self._cells = self._cells or self._file()
                _write(self._cells, memoryview(made))
                self._end += made.size
        except OSError as error:
            raise self._full(error) from None
        self.sizes.append(len(packed))
        self.bytes = sum(self.sizes) * self.layout.width + self._end

    def chunks(self) -> Iterator[Chunk]:
        """Read all rows in order."""
        start = 0
        for place, rows in enumerate(self.sizes):
            yield Chunk(start, self._read(start, rows), self._read_cells(place), self.layout)
            start += rows

    def whole(self) -> Chunk:
        """Read all rows at once."""
        cells = [found for place in range(len(self.sizes)) if (found := self._read_cells(place)) is not None]
        return Chunk(0, self._read(0, self.rows), pa.concat_tables(cells) if cells else None, self.layout)

    def _read(self, start: int, rows: int) -> Bytes:
        width = self.layout.width
        made = np.fromfile(self._rows, np.uint8, rows * width, offset=start * width - self._rows.tell())
        return made.reshape(rows, width)

    def _read_cells(self, place: int) -> pa.Table | None:
        if not self._end:
            return None
        stop = self._places[place + 1] if place + 1 < len(self._places) else self._end
        self._cells.seek(self._places[place])
        held = self._cells.read(stop - self._places[place])
        return pa.ipc.open_stream(held).read_all() if held else None

    def close(self) -> None:
        """Let the rows go."""
        self._rows.close()
        if self._cells is not None:
            self._cells.close()


def _write(file: Any, content: Any) -> None:
    left = memoryview(content).cast("B")
    while len(left):
        left = left[file.write(left) :]


def deal(buckets: Sequence[Spool], bucket: Any, packed: Bytes, cells: pa.Table | None, keep: Any) -> None:
    """Write each row that is kept behind those of its bucket."""
    from tokumei.engines.stream._kernels import dealt

    if not keep.all():
        packed, bucket = packed[keep], bucket[keep]
        cells = None if cells is None else cells.filter(pa.array(keep))
    if len(buckets) == 1:
        if len(packed):
            buckets[0].append(packed, cells)
        return
    counts = np.bincount(bucket, minlength=len(buckets))
    ends = np.cumsum(counts)
    out, order = np.empty_like(packed), np.empty(len(packed), dtype=np.int64)
    dealt(packed, bucket, ends - counts, out, order)
    cells = None if cells is None else cells.take(pa.array(order))
    for place, (count, end) in enumerate(zip(counts.tolist(), ends.tolist(), strict=True)):
        if count:
            part = None if cells is None else cells.slice(end - count, count)
            buckets[place].append(out[end - count : end], part)
