"""Getting at a table: a file, a database, an upload or the example, with a first guess of what its columns are."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Literal, TypeVar

import pyarrow as pa
import pyarrow.csv

from tokumei.errors import DataError, InvalidParameter
from tokumei.examples import example_census, example_schema
from tokumei.io.delimiter import guess_decimal, guess_delimiter
from tokumei.io.source import CSV_ENDINGS, PARQUET_ENDINGS, READ, WHOLE_ENDINGS, codebook_of, read_to_draft
from tokumei.messages import message_of, with_text
from tokumei.plan import Plan, Source
from tokumei.plan.draft import suggest_attribute
from tokumei.plan.guessing import WHY
from tokumei.reports.evidence import ROWS, file_digest, rows_digest
from tokumei.runner import read_rows
from tokumei.table.codebook import Codebook
from tokumei.table.schema import Schema

if TYPE_CHECKING:
    from tokumei.studio.session.project import Project

EXAMPLE = "example.csv"
ENDINGS = (".csv.gz", *sorted(CSV_ENDINGS | PARQUET_ENDINGS | WHOLE_ENDINGS))
LARGEST_UPLOAD = 2**31  # bytes
T = TypeVar("T")
Kind = Literal["file", "upload", "example", "database"]


@dataclass(frozen=True)
class Opened:
    """A table that was opened.

    Attributes
    ----------
    source
        Where its rows are.
    name
        What it is called: the name of its file, or of its table.
    schema
        A first guess of what its columns are; for the example what they are.
    why
        For each column why it has its role.
    held
        The private folder that holds a copy of the file, for an upload and for the example; nothing where the file is
        where its owner has it.
    kind
        Where it came from: a file of this machine, one that was handed over, the example, or a database.
    """

    source: Source
    name: str
    schema: Schema
    why: Mapping[str, str]
    held: tempfile.TemporaryDirectory[str] | None = field(default=None, repr=False)
    kind: Kind = "file"
    stamp: tuple[int, int] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        object.__setattr__(self, "stamp", _stamp(self.source))

    def digests(self, rows: pa.Table) -> dict[str, str]:
        """Return the digest of the file, as long as it is the one that was opened; otherwise, and for a database, that of the rows as read."""
        if self.source.path is not None and self.stamp is not None and _stamp(self.source) == self.stamp:
            return {self.name: file_digest(Path(self.source.path))}
        return {ROWS: rows_digest(rows)}


def _stamp(source: Source) -> tuple[int, int] | None:
    """Return what tells whether a file was changed: its size and its time."""
    if source.path is None or not Path(source.path).is_file():
        return None
    found = Path(source.path).stat()
    return found.st_size, found.st_mtime_ns


def open_example(rows: int) -> Opened:
    """Make the example's file, and open it with the schema that it was made by."""
    held = _private()
    file = Path(held.name) / EXAMPLE
    pyarrow.csv.write_csv(example_census(rows=rows, frame="pyarrow"), file)
    schema = example_schema()
    return Opened(Source(str(file)), EXAMPLE, schema, {a.name: WHY[a.role] for a in schema}, held, "example")


def open_table(
    place: str | Path, table: str | None = None, delimiter: str | None = None, encoding: str = "utf-8"
) -> Opened:
    """Open a file, or a table of a database."""
    if "://" in str(place):
        return _database(str(place), table)
    if table is not None:
        raise InvalidParameter("a table name is only for databases; a file is already a table.")
    return open_held(Path(place).resolve(), Path(place).name, None, delimiter, encoding)


def receive(
    given: Path, name: str, delimiter: str | None = None, encoding: str = "utf-8", limit: int = LARGEST_UPLOAD
) -> Opened:
    """Move a file that somebody sent, up to a limit, into a private folder, and open it.

    Of the name nothing but its ending is used on disk.
    """
    file, shown, held = put_away(given, name, limit)
    try:
        return open_held(file, shown, held, delimiter, encoding)
    except BaseException:
        held.cleanup()
        raise


def put_away(given: Path, name: str, limit: int = LARGEST_UPLOAD) -> tuple[Path, str, tempfile.TemporaryDirectory[str]]:
    """Move a file that somebody sent into a private folder; return where it is, what it is called, and the folder."""
    shown = PureWindowsPath(PurePosixPath(name).name).name
    ending = next((each for each in ENDINGS if shown.lower().endswith(each)), None)
    if ending is None:
        raise DataError("The file has no known file extension; tokumei reads {read}.", read=READ)
    if given.stat().st_size > limit:
        raise DataError("The file is larger than {limit:byte|bytes}; start the studio with its path.", limit=limit)
    held = _private()
    file = Path(held.name) / f"table{ending}"
    shutil.move(given, file)
    return file, shown, held


def open_plan(plan: Plan) -> Opened:
    """Open the rows that a plan names."""
    source = plan.source
    if source.path is not None:
        file = plan.source_path
        if not file.exists():
            raise DataError("The plan's table {path} is not there; open the table first, then the plan.", path=file)
        source = replace(source, path=str(file.resolve()))
    elif source.table is None:
        raise InvalidParameter("The studio opens a table of a database, not a query; run the plan instead.")
    why = {each.name: WHY[each.role] for each in plan.schema}
    name = Path(source.path).name if source.path is not None else str(source.table)
    return Opened(source, name, plan.schema, why, kind="file" if source.path is not None else "database")


def reopen(project: Project, given: Path | None = None) -> Opened:
    """Open the table of a project; one that was handed over, or is no longer where it was, has to be ``given`` again."""
    state, first = project.state, project.entries[0].state
    if given is not None:
        held = _private()
        ending = next((each for each in ENDINGS if project.name.lower().endswith(each)), "")
        file = Path(held.name) / f"table{ending}"
        shutil.move(given, file)
        return Opened(replace(state.source, path=str(file)), project.name, first.schema, project.why, held, "upload")
    if project.kind == "example":
        return replace(open_example(project.rows), schema=first.schema, why=project.why)
    if project.needs_file:
        raise DataError("The table {name!r} is no longer there; hand it over again.", name=project.name)
    return Opened(state.source, project.name, first.schema, project.why, kind=project.kind)


def _private() -> tempfile.TemporaryDirectory[str]:
    """Make a folder that nobody else can look into."""
    return tempfile.TemporaryDirectory(prefix="tokumei-", ignore_cleanup_errors=True)


def open_held(
    file: Path,
    name: str,
    held: tempfile.TemporaryDirectory[str] | None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    decimal: str | None = None,
    dates: str | None = None,
    missing: tuple[str, ...] | None = None,
) -> Opened:
    """Open a file, which may lie in a private folder; what is not said of how it is written is guessed, the encoding and dates apart."""
    if file.is_dir():
        raise DataError("The studio opens one file; run a plan for a folder of files.")
    mark = delimiter or guess_delimiter(file, encoding)

    def read() -> tuple[pa.Table, Source, Codebook | None]:
        point = decimal or guess_decimal(file, mark, encoding)
        rows, absent = read_to_draft(file, mark, missing, encoding, point, dates)
        source = Source(str(file), mark, absent or ("",), encoding, decimal=point, dates=dates)
        return rows, source, codebook_of(file, None, encoding)

    rows, source, book = named(file, name, read)
    schema, why = _guess(rows, book)
    return Opened(source, name, schema, why, held, "file" if held is None else "upload")


def named(file: Path, name: str, read: Callable[[], T]) -> T:
    """Read something of a file; what cannot be read is said by the name that its owner knows, not by a private path."""
    try:
        return read()
    except DataError as error:
        problem = with_text(message_of(error), str(file), name)
    raise DataError(problem)


def _database(url: str, table: str | None) -> Opened:
    if table is None:
        raise InvalidParameter("a database needs the name of a table.")
    source = Source(database=url, table=table)
    schema, why = _guess(read_rows(source, None))
    return Opened(source, table, schema, why, kind="database")


def _guess(rows: pa.Table, book: Codebook | None = None) -> tuple[Schema, dict[str, str]]:
    if rows.num_rows == 0:
        raise DataError("The table has no rows.")
    known = book or Codebook()
    guessed = {n: suggest_attribute(n, rows.column(n), variable=known.get(n)) for n in rows.column_names}
    return Schema(tuple(each for each, _ in guessed.values())), {name: why for name, (_, why) in guessed.items()}
