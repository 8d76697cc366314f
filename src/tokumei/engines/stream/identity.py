"""What tells rows apart, as words of eight bytes: codes where they say it all, otherwise the cells themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.arrays import AnyUnsigned, Bytes, Unsigned64
from tokumei.engines.stream.counting import as_words
from tokumei.engines.stream.spool import Chunk, Layout
from tokumei.errors import InvalidParameter
from tokumei.table.domain import family, plain

FIXED = {"booleans", "numbers", "dates", "times of day", "nothing but missing cells"}


class CellNumbers:
    """Numbers canonical cells, the same cell always alike: fixed-width ones by their bits, others as they come up."""

    def __init__(self, name: str, memory: int) -> None:
        self.name, self.memory = name, memory
        self._seen: Any = None

    @property
    def different(self) -> int:
        """How many different labels have come up."""
        return 0 if self._seen is None else len(self._seen)

    def of(self, column: Any) -> AnyUnsigned:
        """Return a number for each cell; which are missing, `absent` tells."""
        cells = plain(column)
        if pa.types.is_dictionary(cells.type) or pa.types.is_decimal(cells.type) or family(cells.type) not in FIXED:
            return self.labels(cells)
        return _bits(cells)

    def labels(self, column: Any) -> AnyUnsigned:
        """Number cells as they come up, from 1 on; a missing one is 0."""
        numbers, indices = self.numbered(column)
        return numbers.take(indices)

    def numbered(self, column: Any) -> tuple[AnyUnsigned, Any]:
        """Return the numbers of the different labels of a column, and which of them each cell has."""
        cells = plain(column)
        if pa.types.is_decimal(cells.type):
            cells = cells.cast(pa.string())
        if not pa.types.is_dictionary(cells.type):
            cells = cells.dictionary_encode()
        places = np.append(self._by_value(cells.dictionary), np.uint32(0))
        indices = cells.indices.fill_null(len(places) - 1) if cells.null_count else cells.indices
        return places, indices.to_numpy(zero_copy_only=False)

    def _by_value(self, values: Any) -> AnyUnsigned:
        if self._seen is None:
            self._seen = pa.array([], values.type)
        found = pc.index_in(values, value_set=self._seen)
        if found.null_count:
            new = values.filter(pc.is_null(found)).unique().drop_null()
            self._seen = pa.concat_arrays([self._seen, new])
            if self._seen.nbytes > self.memory:
                raise InvalidParameter(
                    "Column {name!r} has too many different values to tell apart in this memory; declare a "
                    "domain, recode it, or allow more memory.",
                    name=self.name,
                )
            found = pc.index_in(values, value_set=self._seen)
        return pc.add(found, 1).fill_null(0).to_numpy(zero_copy_only=False).astype(np.uint32)


def _bits(cells: Any) -> AnyUnsigned:
    """Return the bits of fixed-width cells, widened where they are short; equal cells have the same bits already."""
    kind = cells.type
    if pa.types.is_null(kind):
        return np.zeros(len(cells), dtype=np.uint8)
    if pa.types.is_floating(kind):
        return cells.cast(pa.float64()).fill_null(0.0).to_numpy(zero_copy_only=False).view(np.uint64)
    if pa.types.is_unsigned_integer(kind):
        return cells.cast(pa.uint64()).fill_null(0).to_numpy(zero_copy_only=False)
    if not (pa.types.is_integer(kind) or pa.types.is_boolean(kind)):  # days and times: the integers behind them
        cells = cells.cast(pa.int32() if kind.bit_width == 32 else pa.int64())
    return cells.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False).view(np.uint64)


def absent(column: Any) -> Bytes:
    """Say which cells are missing, as a number of its own."""
    return pc.is_null(plain(column)).to_numpy(zero_copy_only=False).astype(np.uint8)


class Identity:
    """Turns the rows of chunks into keys: rows have the same key if they agree in some columns, cell for cell as released."""

    def __init__(self, columns: Sequence[str], by_cells: Sequence[str], layout: Layout, memory: int) -> None:
        self.columns = tuple(columns)
        self._cells = {name: CellNumbers(name, memory) for name in columns if name in by_cells}
        types: dict[str, Any] = {}
        for name in columns:
            if name in self._cells:
                types |= {name: np.uint64, f"{name}\0": np.uint8}
            else:
                types[name] = layout.types[name]
        self._layout = Layout.of(types, multiple=8)

    @property
    def words(self) -> int:
        """How many words a key has."""
        return self._layout.width // 8

    def keys(self, chunk: Chunk) -> Unsigned64:
        """Return the keys of rows."""
        codes: dict[str, Any] = {}
        for name in self.columns:
            if name in self._cells:
                assert chunk.cells is not None
                column = chunk.cells.column(name)
                codes |= {name: self._cells[name].of(column), f"{name}\0": absent(column)}
            else:
                codes[name] = chunk.codes(name)
        return as_words(self._layout.pack(codes, chunk.rows))
