"""Parquet files, their cells counted as they are made.

A file of a few hundred bytes can say that a million rows hold the same long text. Texts are therefore read as the numbers of
their values, and become cells only once it is known how many bytes that takes. Values that come in no such form are read so
few at a time that they fit, however long they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from tokumei.arrays import Integers
from tokumei.bounds import FAR, UNPACKED, size_text, unpacks_too_far
from tokumei.errors import DataError
from tokumei.io.pages import BadPage, Pages
from tokumei.messages import phrase

PIECE = 2**26  # bytes of cells to make at a time
MOST_ROWS = 2**20  # to read at a time
WIDTHS = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 12, "FLOAT": 4, "DOUBLE": 8}  # bytes of a cell
NUMBER = 4  # bytes of a value's number
WIDEST = 32  # bytes of any other cell that is no text


class ParquetCells:
    """The cells of a file that is open, within bounds.

    Parameters
    ----------
    name
        What messages call the file.
    file
        The file, opened for Arrow.
    """

    def __init__(self, name: Path | str, file: Any) -> None:
        self.name, self.file = name, file
        self.packed: int = file.size()
        self._opened = pyarrow.parquet.ParquetFile(file)
        self.schema = self._opened.schema_arrow.remove_metadata()
        self.rows: int = self._opened.metadata.num_rows

    def read(self) -> pa.Table:
        """Read every row into memory."""
        leaves = self._leaves(self.schema.names)
        claimed = 4 * self.rows * self._opened.metadata.num_columns
        whole = max(claimed, sum(max(leaf.pages.unpacked, leaf.pages.values * leaf.width) for leaf in leaves))
        self._check(whole, "use the stream engine (--engine stream), or save it as CSV")
        advice = phrase("leave out its long texts, or save it as CSV")
        held: dict[str, Any] = {}
        made = [_sharing(table, held) for table in self._tables(leaves, self.schema.names, MOST_ROWS, (), advice)]
        return pa.concat_tables(made) if made else self.schema.empty_table()

    def batches(self, columns: Sequence[str], size: int, numbered: Collection[str]) -> Iterator[pa.Table]:
        """Read some columns, at most ``size`` rows at a time; texts of ``numbered`` ones stay a dictionary and numbers."""
        advice = phrase("declare its labels as its domain, drop it, or save the file as CSV")
        yield from self._tables(self._leaves(columns), columns, size, numbered, advice)

    def _leaves(self, columns: Collection[str]) -> list[_Leaf]:
        """Count the pages of each column of plain values; refuse what unpacks too far."""
        metadata, described = self._opened.metadata, self._opened.schema
        kinds, asked = dict(zip(self.schema.names, self.schema.types, strict=True)), set(columns)
        leaves = [_Leaf(described.column(place), kinds) for place in range(metadata.num_columns)]
        wanted = [place for place, leaf in enumerate(leaves) if leaf.name in asked]
        try:
            for group in range(metadata.num_row_groups):
                chunks = metadata.row_group(group)
                for place in wanted:
                    leaves[place].pages.add(self.file, chunks.column(place))
        except (BadPage, OverflowError):
            raise DataError("{name} cannot be read: it is damaged.", name=self.name) from None
        found = [leaves[place] for place in wanted]
        self._check(
            sum(leaf.pages.unpacked for leaf in found),
            phrase("write it without compression, if it is meant to be that large"),
        )
        for leaf in found:
            if leaf.nested and leaf.wild:  # a row may hold any number of them
                self._check(
                    leaf.pages.values * leaf.pages.largest, phrase("leave out the column {column!r}", column=leaf.name)
                )
        return found

    def _check(self, size: int, advice: str) -> None:
        if unpacks_too_far(self.packed, size):
            raise DataError(
                "{file} unpacks to more than {size} and {far} times its size; {advice}.",
                file=self.name,
                size=size_text(UNPACKED),
                far=FAR,
                advice=advice,
            )

    def _tables(
        self, leaves: Sequence[_Leaf], columns: Sequence[str], size: int, numbered: Collection[str], advice: str
    ) -> Iterator[pa.Table]:
        width = sum(leaf.width for leaf in leaves) or 1
        wild = sum(leaf.pages.largest for leaf in leaves if leaf.wild) or 1
        rows = max(1, min(size, PIECE // width, UNPACKED // 4 // wild))
        by_number = [leaf.path for leaf in leaves if leaf.by_number]
        wild_columns = {leaf.name for leaf in leaves if leaf.wild}
        opened = pyarrow.parquet.ParquetFile(
            self.file, metadata=self._opened.metadata, read_dictionary=by_number, pre_buffer=False
        )
        made = 0
        for batch in opened.iter_batches(rows, columns=list(columns)):
            check_cells(batch)
            table = pa.Table.from_batches([batch]).replace_schema_metadata(None).select(list(columns))
            texts = [name for name in columns if name not in numbered and _is_numbered(table.schema.field(name).type)]
            if not texts and not wild_columns:
                yield table
                continue
            sizes = sum((_sizes(table.column(name)) for name in texts), np.zeros(table.num_rows, dtype=np.int64))
            made += int(sizes.sum()) + sum(table.column(name).nbytes for name in wild_columns)
            self._check(made, advice)
            for low, high in _pieces(sizes):
                yield self._with_texts(table.slice(low, high - low), texts)

    def _with_texts(self, table: pa.Table, texts: Sequence[str]) -> pa.Table:
        for name in texts:
            kind = self.schema.field(name).type
            if not pa.types.is_dictionary(
                kind
            ):  # those that are one in the file stay one, and are counted all the same
                column = table.column(name).cast(table.schema.field(name).type.value_type).cast(kind)
                table = table.set_column(table.column_names.index(name), name, column)
        return table


class _Leaf:
    """A column of plain values: a column of the table, or a part of one that is nested."""

    def __init__(self, described: Any, kinds: Mapping[str, Any]) -> None:
        self.path: str = described.path
        self.nested = self.path not in kinds
        self.name = self.path if not self.nested else self.path.partition(".")[0]
        self.pages = Pages()
        self.text = described.physical_type == "BYTE_ARRAY"
        self._kind = kinds.get(self.path)
        self._width = described.length if described.physical_type == "FIXED_LEN_BYTE_ARRAY" else 0
        self._width = max(self._width, WIDTHS.get(described.physical_type, 0))

    @property
    def by_number(self) -> bool:
        """Whether it is read as a dictionary and the number of each cell in it."""
        dictionary = self._kind is not None and pa.types.is_dictionary(self._kind)
        decimal = self._kind is not None and pa.types.is_decimal(self._kind)
        return self.text and not (dictionary or decimal) and self.pages.dictionary and self.pages.by_number

    @property
    def wild(self) -> bool:
        """Whether its cells may take more room than its pages, and cannot be counted before they are made."""
        numbered = self.by_number or (self._kind is not None and pa.types.is_dictionary(self._kind))
        return self.text and not (numbered or self.pages.plain)

    @property
    def width(self) -> int:
        """Bytes of a cell, texts not counted."""
        if self._kind is not None and pa.types.is_decimal(self._kind):
            return max(self._width, WIDEST)
        return self._width or NUMBER


def check_cells(batch: Any) -> None:
    """Refuse text that is no text, and numbers of values that are not there, whatever the file says.

    Arrow's own full check of a dictionary looks at one number after the other; here only the lowest and the highest are compared.
    """
    batch.validate()
    for column in batch.columns:
        if not pa.types.is_dictionary(column.type):
            column.validate(full=True)
            continue
        column.dictionary.validate(full=True)
        found = pc.min_max(column.indices).as_py()
        if found["max"] is not None and not 0 <= found["min"] <= found["max"] < len(column.dictionary):
            raise pa.ArrowInvalid("a number of a value that is not there")


def _is_numbered(kind: Any) -> bool:
    """Whether a column is a dictionary of texts and the number of each cell in it."""
    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    return pa.types.is_dictionary(kind) and any(test(kind.value_type) for test in texts)


def _sizes(column: Any) -> Integers:
    """Return the bytes that each cell of a column takes once it is text."""
    parts = [np.zeros(0, dtype=np.int64)]
    for chunk in column.chunks:
        lengths = pc.binary_length(chunk.dictionary).fill_null(0).to_numpy(zero_copy_only=False)
        numbers = chunk.indices.fill_null(len(lengths)).to_numpy(zero_copy_only=False)
        parts.append(np.append(lengths, 0).astype(np.int64)[numbers])
    return np.concatenate(parts)


def _pieces(sizes: Integers) -> Iterator[tuple[int, int]]:
    """Cut rows into stretches whose texts take about `PIECE` bytes at most."""
    number = np.cumsum(sizes) // PIECE
    starts = np.flatnonzero(np.append(True, number[1:] != number[:-1]))
    yield from zip(starts.tolist(), [*starts[1:].tolist(), len(sizes)], strict=True)


def _sharing(table: pa.Table, held: dict[str, Any]) -> pa.Table:
    """Let columns that came as dictionaries share one with the rows before, where it is the same: each batch has its own copy."""
    for place, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            chunks = []
            for chunk in table.column(place).chunks:
                if field.name not in held or not chunk.dictionary.equals(held[field.name]):
                    held[field.name] = chunk.dictionary
                chunks.append(
                    pa.DictionaryArray.from_arrays(
                        chunk.indices, held[field.name], ordered=field.type.ordered, safe=False
                    )
                )
            table = table.set_column(place, field, pa.chunked_array(chunks, field.type))
    return table
