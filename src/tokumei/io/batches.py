"""Rows batch by batch: of one file, of all files of a folder or a pattern, in an order that never changes.

A row has a stable address, its file's place in the sorted list and its place in the file, and so a number from zero on.
"""

from __future__ import annotations

import copy
import glob
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from tokumei.diagnostics import raise_alone
from tokumei.errors import DataError
from tokumei.files import kind_of_place, reason
from tokumei.io.parquet import ParquetCells
from tokumei.io.source import (
    CSV_ENDINGS,
    PARQUET_ENDINGS,
    Dialect,
    check_header,
    check_text,
    check_width,
    declared_types,
    harmless,
    kind_of,
    not_text,
    options_of,
    read_codebook,
    said_of,
    text_columns,
    trouble,
)
from tokumei.io.unpacking import first_line, lines_per_byte, opened_text
from tokumei.progress import stage
from tokumei.table.codebook import Codebook, labelled
from tokumei.table.domain import Categories, Dates, Numbers
from tokumei.table.schema import Schema
from tokumei.text import names

LOOKED_AT = 2**18  # bytes of a CSV file that tell how long its lines are
BLOCK = 2**23  # bytes of a CSV file that are parsed at a time

# What a column of a CSV file is taken for, from the narrowest on: the order in which Arrow itself tries.
LADDER = (
    pa.null(), pa.int64(), pa.bool_(), pa.date32(), pa.time32("s"), pa.timestamp("s"), pa.timestamp("ns"), pa.float64(),
    pa.string(),
)  # fmt: skip


class Widened(Exception):
    """A later row showed that a column of a CSV file is of a wider type; reading must begin again."""


@dataclass(frozen=True)
class Batch:
    """Some rows, and how much of the whole has been read with them."""

    rows: pa.Table
    done: float


class Rows(ABC):
    """Rows that can be read from the beginning, batch by batch, as often as one likes."""

    columns: tuple[str, ...]
    total: float | None = None  # bytes or rows, where they are known beforehand
    by_rows: bool = False  # whether they are rows

    @abstractmethod
    def about(self) -> int:
        """Return about how many rows there are, without reading them."""

    @abstractmethod
    def batches(self, columns: Sequence[str], size: int) -> Iterator[Batch]:
        """Read some columns, about ``size`` rows at a time."""


def is_many(path: Path) -> bool:
    """Whether a path stands for a folder or is a pattern, rather than one file."""
    there = kind_of_place(path)
    return there == "folder" or (there == "nothing" and glob.has_magic(str(path)))


def files_of(path: Path) -> list[Path]:
    """List the files that a path, a folder or a pattern stands for, sorted; hidden ones and those with _ are left out."""
    there = kind_of_place(path)
    if there == "folder":
        try:
            found = [file for file in path.rglob("*") if file.is_file()]
        except OSError as error:
            raise DataError("{path} cannot be read: {reason}.", path=path, reason=reason(error)) from None
        found = [f for f in found if not any(part.startswith((".", "_")) for part in f.relative_to(path).parts)]
    elif there == "nothing" and glob.has_magic(str(path)):
        found = [Path(name) for name in glob.glob(str(path), recursive=True) if Path(name).is_file()]  # noqa: PTH207
    else:
        return [path]
    if not found:
        raise DataError("{path} holds no file of rows.", path=path)
    for file in found:
        if file.suffix.lower() not in CSV_ENDINGS | PARQUET_ENDINGS:
            raise DataError(
                "{path} holds {inside}, whose file extension is not known; move it away, or name a pattern "
                "such as folder/*.parquet.",
                path=path,
                inside=file.name,
            )
    return sorted(found)


@dataclass(eq=False)
class Files(Rows):
    """The rows of files that have the same columns."""

    files: Sequence[Path]
    schema: Schema | None = None
    dialect: Dialect = Dialect()  # noqa: RUF009  (it is frozen)
    columns: tuple[str, ...] = ()
    total: float | None = None
    _types: dict[str, Any] = field(default_factory=dict)  # of the columns of CSV files, as far as they are known
    _book: Codebook | None = None

    def __post_init__(self) -> None:
        if self.dialect.codebook is not None:
            self._book = read_codebook(self.dialect.codebook, self.dialect.encoding)
        first: Mapping[str, Any] | None = None
        declared = declared_types(self.schema)
        for file in self.files:
            with _readable(file, self.dialect):
                found = self._header(file)
            if first is None:
                first = found
                if file.suffix.lower() not in PARQUET_ENDINGS:
                    self._types = {**found, **declared}
            _check_alike(self.files[0], first, file, found, self.parquet)
        assert first is not None
        self.columns = tuple(first)
        self.total = sum(self._size(file) for file in self.files)

    @property
    def parquet(self) -> bool:
        """Whether they are Parquet files."""
        kinds = {file.suffix.lower() in PARQUET_ENDINGS for file in self.files}
        if len(kinds) > 1:
            raise DataError("The files are a mixture of CSV and Parquet; convert them to one format.")
        return kinds == {True}

    def about(self) -> int:
        """Return about how many rows there are: as Parquet files say, or as many as lines like the first ones fit into CSV files."""
        found = 0.0
        for file in self.files:
            with _readable(file, self.dialect):
                if self.parquet:
                    found += pyarrow.parquet.read_metadata(file).num_rows
                else:
                    found += self._size(file) * lines_per_byte(file, LOOKED_AT)
        return round(found)

    @property
    def types(self) -> dict[str, Any]:
        """The types of the columns of CSV files, as far as they are known."""
        return dict(self._types)

    def settle(self) -> None:
        """Take columns whose first rows have no cell for numbers where the schema says so, otherwise for text."""
        numbers = {a.name for a in self.schema or () if isinstance(a.domain, Numbers)}
        for name, kind in self._types.items():
            if pa.types.is_null(kind):
                self._types[name] = pa.float64() if name in numbers else pa.string()

    def only(self, file: Path) -> Files:
        """Return the rows of one of the files, read as all of them are."""
        made = copy.copy(self)
        made.files, made.total = [file], self._size(file)
        return made

    def _size(self, file: Path) -> float:
        """Return the bytes of a file, which may have gone since it was looked at."""
        with _readable(file, self.dialect):
            return float(file.stat().st_size)
        raise AssertionError

    def _header(self, file: Path) -> dict[str, Any]:
        """Return the columns of a file, with their types (of a CSV file, those of its first rows)."""
        kind_of(file, self.dialect)
        if file.suffix.lower() in PARQUET_ENDINGS:
            found = pyarrow.parquet.read_schema(file)
        else:
            check_width(file, first_line(file, BLOCK), self._delimiter(file))
            found = self._open_csv(file, None, {}).schema
            check_text(file, found, self.dialect.encoding)
        check_header(file, found)
        return {each.name: each.type for each in found}

    def batches(self, columns: Sequence[str], size: int) -> Iterator[Batch]:
        """Read some columns, about ``size`` rows at a time.

        Raises
        ------
        Widened
            Where a column of a CSV file turns out to be of a wider type; the next attempt knows it.
        """
        done = 0.0
        for file in self.files:
            weight = self._size(file)
            read = self._parquet if self.parquet else self._csv
            with _readable(file, self.dialect):
                for rows, share in read(file, columns, size):
                    if rows.num_rows:
                        yield Batch(self._labelled(rows), done + share * weight)
            done += weight

    def _labelled(self, rows: pa.Table) -> pa.Table:
        """Put labels in place of codes, where there is a codebook and the schema wants them."""
        return rows if self._book is None else labelled(rows, self._book, text_columns(self.schema))

    def _parquet(self, file: Path, columns: Sequence[str], size: int) -> Iterator[tuple[pa.Table, float]]:
        labels = [
            a.name
            for a in self.schema or ()
            if isinstance(a.domain, Categories) and isinstance(a.domain.values[0], str)
        ]
        read_otherwise = {a.name for a in self.schema or () if isinstance(a.domain, Numbers | Dates)}
        texts = {name: pa.string() for name in columns if name not in read_otherwise}
        with pa.OSFile(str(file)) as raw:
            cells, read = ParquetCells(file, raw), 0
            for table in cells.batches(columns, size, labels if self.schema else columns):
                read += table.num_rows
                yield said_of(table, self.dialect, texts), read / max(1, cells.rows)

    def _csv(self, file: Path, columns: Sequence[str], size: int) -> Iterator[tuple[pa.Table, float]]:
        with pa.OSFile(str(file)) as raw:
            every = max(1, raw.size())
            waiting: list[Any] = []
            for batch in self._csv_batches(file, columns, raw):
                waiting += [batch.slice(low, size) for low in range(0, batch.num_rows, size)]
                while sum(each.num_rows for each in waiting) >= size:
                    together = pa.Table.from_batches(waiting)
                    yield together.slice(0, size), raw.tell() / every
                    waiting = together.slice(size).to_batches()
            if waiting:
                yield pa.Table.from_batches(waiting), 1.0

    def _csv_batches(self, file: Path, columns: Sequence[str], raw: Any) -> Iterator[Any]:
        try:
            yield from self._open_csv(file, columns, self._types, raw)
        except pa.ArrowInvalid as error:
            self._widen(str(error))
            raise

    def _open_csv(self, file: Path, columns: Sequence[str] | None, types: Mapping[str, Any], raw: Any = None) -> Any:
        reading, parsing, converting = options_of(self.dialect, self._delimiter(file), types)
        reading.block_size = BLOCK
        if columns is not None:
            converting.include_columns = list(columns)
        parsing.ignore_empty_lines = len(self.columns) != 1  # an empty line is then a row with an absent cell
        stream = opened_text(file, pa.OSFile(str(file)) if raw is None else raw)
        return pyarrow.csv.open_csv(stream, reading, parsing, converting)

    def _delimiter(self, file: Path) -> str:
        return "\t" if file.suffix.lower() == ".tsv" else self.dialect.delimiter

    def _widen(self, message: str) -> None:
        """Take the column that a message complains about for the next wider type, unless its type is declared."""
        place = re.search(r"In CSV column #(\d+): (?:Row #\d+: )?CSV conversion error to", message)
        name = self.columns[int(place.group(1))] if place else None
        if name is None or name in declared_types(self.schema) or self._types[name] not in LADDER[:-1]:
            return
        self._types[name] = LADDER[LADDER.index(self._types[name]) + 1]
        raise Widened


def _check_alike(first: Path, expected: Mapping[str, Any], file: Path, found: Mapping[str, Any], typed: bool) -> None:
    """Refuse a file whose columns are not those of the first."""
    lacking, more = [n for n in expected if n not in found], [n for n in found if n not in expected]
    if lacking or more:
        if lacking:
            raise DataError(
                "{file} has other columns than {first}: it lacks {columns}.",
                file=file,
                first=first.name,
                columns=names(lacking[:3]),
            )
        raise DataError(
            "{file} has other columns than {first}: it also has {columns}.",
            file=file,
            first=first.name,
            columns=names(more[:3]),
        )
    if typed:
        for name, kind in expected.items():
            if found[name] != kind:
                raise DataError(
                    "{file} has another type of {name!r} than {first} ({found}, not {kind}); convert one of them.",
                    file=file,
                    name=name,
                    first=first.name,
                    found=found[name],
                    kind=kind,
                )


class _readable:  # noqa: N801  (used like a function)
    """Turn what goes wrong in reading a file into one sentence that shows nothing of it."""

    def __init__(self, file: Path, dialect: Dialect) -> None:
        self.file, self.dialect = file, dialect

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, pa.ArrowException) and not isinstance(error, OSError | MemoryError):
            problem = harmless(str(error))
        elif isinstance(error, UnicodeError):
            problem = not_text(self.dialect.encoding)
        elif isinstance(error, OSError) and not isinstance(error, DataError):
            problem = trouble(error, self.file)
        else:
            return
        raise_alone(
            DataError("{file} cannot be read: {problem}.", file=self.file, problem=problem)
        )  # the library's own message quotes the line


def read_all(rows: Rows) -> pa.Table:
    """Read every row into memory."""
    while True:
        read = []
        try:
            with stage("Reading the rows", rows.total, rows=rows.by_rows) as reading:
                for batch in rows.batches(rows.columns, 2**20):
                    read.append(batch.rows)
                    reading.advance(batch.done - reading.done)
        except Widened:
            continue
        if not read:
            raise DataError("The table has no rows.")
        return pa.concat_tables([_plain(table) for table in read])


def _plain(table: pa.Table) -> pa.Table:
    """Return a table without dictionaries, which may differ from batch to batch."""
    kinds = [each.type for each in table.schema]
    return table.cast(
        pa.schema(
            [
                pa.field(each.name, kind.value_type if pa.types.is_dictionary(kind) else kind)
                for each, kind in zip(table.schema, kinds, strict=True)
            ]
        )
    )
