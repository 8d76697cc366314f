"""Rows in and out of databases: PostgreSQL and SQLite through ADBC, DuckDB through its own client.

Secrets never pass through here: PostgreSQL's client takes a password from its own environment (``PGPASSWORD``, ``~/.pgpass``,
service files). What a driver says is not passed on either, since it may quote a cell: problems have words of our own.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

import pyarrow as pa

from tokumei.bounds import unpacks_too_far
from tokumei.diagnostics import raise_alone
from tokumei.errors import Cancelled, DataError, MissingDependency, OutputError, TokumeiError
from tokumei.files import kind_of_place
from tokumei.io.batches import Batch, Rows
from tokumei.io.interrupting import interruptibly
from tokumei.io.urls import check_url, file_of, kind_of_url, name_parts, quoted, quoted_name
from tokumei.messages import phrase
from tokumei.table.domain import Categories, Dates, Numbers
from tokumei.table.schema import Schema

LOCK_WAIT = 10_000  # milliseconds to wait for a lock
BATCH = 65_536  # rows
STOPPED = "query interrupted"  # what DuckDB says once it has taken Ctrl-C for itself


@dataclass(frozen=True)
class NewTable:
    """A table to be made: its name, the types of its columns, and its rows."""

    name: str
    types: Any
    pieces: Iterator[pa.Table]
    stopped: threading.Event = field(default_factory=threading.Event)
    problems: list[Exception] = field(default_factory=list)  # of ours, which a driver would put into words of its own

    def reader(self) -> Any:
        """Return the rows as a stream of Arrow batches, which fails once it is stopped."""
        return pa.RecordBatchReader.from_batches(self.types, self._batches())

    def _batches(self) -> Iterator[Any]:
        try:
            for piece in self.pieces:
                yield from takewhile(self._goes_on, piece.cast(self.types).to_batches(BATCH))
        except Exception as error:
            self.problems.append(error)
            raise

    def _goes_on(self, batch: Any) -> bool:
        if self.stopped.is_set():
            raise Cancelled("The work was stopped.")
        return True


class Database(ABC):
    """An open database; closing it without a commit changes nothing."""

    longest: int | None = None  # bytes of a name: what is longer would be cut off without a word

    @abstractmethod
    def rows(self, query: str) -> Any:
        """Run a query; return its rows as a stream of Arrow batches."""

    @abstractmethod
    def execute(self, statement: str) -> None:
        """Run a statement that gives no rows."""

    @abstractmethod
    def exists(self, table: str) -> bool:
        """Whether there is a table of a name."""

    def create(self, table: NewTable) -> None:
        """Make a new table with its rows; what goes wrong in making the rows is raised as it is."""
        try:
            interruptibly(partial(self.fill, table), table.stopped.set)
        except Exception:
            if table.problems:
                raise table.problems[0] from None
            raise

    @abstractmethod
    def fill(self, table: NewTable) -> None:
        """Make a new table with its rows."""

    def commit(self) -> None:
        """Make everything done so far visible, at once; Ctrl-C comes too late for it."""
        interruptibly(self.finish, None)

    @abstractmethod
    def finish(self) -> None:
        """Make everything done so far visible."""

    @abstractmethod
    def close(self) -> None:
        """Close it; what was not committed is gone."""


class _Adbc(Database):
    """A database with an ADBC driver."""

    def __init__(self, connection: Any) -> None:
        self.connection, self.cursor = connection, connection.cursor()

    def rows(self, query: str) -> Any:
        interruptibly(partial(self.cursor.execute, query), self.cancel)
        return self.cursor.fetch_record_batch()

    def cancel(self) -> bool:
        """Have a query stopped, where the driver can do that."""
        self.cursor.adbc_cancel()
        return True

    def execute(self, statement: str) -> None:
        interruptibly(partial(self.cursor.execute, statement), self.cancel)

    def fill(self, table: NewTable) -> None:
        space, name = name_parts(table.name)
        more = {"db_schema_name": space} if space else {}
        self.cursor.adbc_ingest(name, table.reader(), mode="create", **more)

    def finish(self) -> None:
        self.connection.commit()

    def close(self) -> None:
        self.cursor.close()
        self.connection.close()


class _Postgres(_Adbc):
    def __init__(self, url: str, *, read_only: bool) -> None:
        from adbc_driver_postgresql import dbapi

        super().__init__(dbapi.connect(url))
        self.execute(f"SET lock_timeout = {LOCK_WAIT}")
        self.execute("SET standard_conforming_strings = on")  # so that a backslash in a name is one
        self.execute(f"SET default_transaction_read_only = {'on' if read_only else 'off'}")
        found = self.rows("SELECT current_setting('max_identifier_length')::integer AS longest").read_all()
        self.longest = found.column("longest")[0].as_py()
        self.commit()

    def exists(self, table: str) -> bool:
        found = self.rows(f"SELECT to_regclass({_text(quoted(table))}) IS NOT NULL AS found").read_all()
        return bool(found.column("found")[0].as_py())


class _Sqlite(_Adbc):
    left = False

    def __init__(self, file: Path, *, read_only: bool) -> None:
        from adbc_driver_sqlite import dbapi

        super().__init__(dbapi.connect(str(file)))
        self.connection.adbc_connection.set_autocommit(True)
        self.rows(f"PRAGMA busy_timeout = {LOCK_WAIT}").read_all()
        self.rows(f"PRAGMA query_only = {int(read_only)}").read_all()
        self.connection.adbc_connection.set_autocommit(False)
        # Types are told by the first rows of a result, so it should be many of them.
        self.cursor.adbc_statement.set_options(**{"adbc.sqlite.query.batch_rows": str(BATCH)})

    def cancel(self) -> bool:
        """Leave the query alone, which the driver cannot stop, and the connection with it."""
        self.left = True
        return False

    def close(self) -> None:
        if not self.left:
            super().close()

    def exists(self, table: str) -> bool:
        space, name = name_parts(table)
        if space:
            raise OutputError("SQLite has no schemas; name the table without a dot.")
        found = self.rows(
            f"SELECT count(*) AS found FROM sqlite_master WHERE lower(name) = lower({_text(name)})"
        ).read_all()
        return bool(found.column("found")[0].as_py())


class _Duckdb(Database):
    def __init__(self, file: Path, *, read_only: bool) -> None:
        import duckdb

        self.connection = duckdb.connect(str(file), read_only=read_only)
        self.connection.execute("BEGIN TRANSACTION")

    def rows(self, query: str) -> Any:
        return interruptibly(
            lambda: pa.RecordBatchReader.from_stream(self.connection.sql(query)), self.connection.interrupt
        )

    def execute(self, statement: str) -> None:
        interruptibly(partial(self.connection.execute, statement), self.connection.interrupt)

    def exists(self, table: str) -> bool:
        space, name = name_parts(table)
        place = _text(space) if space else "current_schema()"
        found = self.rows(
            "SELECT count(*) AS found FROM information_schema.tables WHERE table_catalog = current_database() "
            f"AND lower(table_schema) = lower({place}) AND lower(table_name) = lower({_text(name)})"
        ).read_all()
        return bool(found.column("found")[0].as_py())

    def fill(self, table: NewTable) -> None:
        self.connection.register("tokumei_rows", table.reader())
        self.connection.execute(f"CREATE TABLE {quoted(table.name)} AS SELECT * FROM tokumei_rows")
        self.connection.unregister("tokumei_rows")

    def finish(self) -> None:
        self.connection.execute("COMMIT")

    def close(self) -> None:
        self.connection.close()


def connect(url: str, folder: Path, *, new: bool = False) -> Database:
    """Open a database; a file that is not there is made, and anything changed, only if it is to be written to (``new``)."""
    check_url(url)
    kind = kind_of_url(url)
    try:
        if kind == "postgresql":
            return _Postgres(url, read_only=not new)
        file = file_of(url, folder)
        if not new and kind_of_place(file) != "file":
            raise DataError("{file} does not exist.", file=file)
        return _Sqlite(file, read_only=not new) if kind == "sqlite" else _Duckdb(file, read_only=not new)
    except ImportError:
        raise MissingDependency(
            "Databases need the optional packages of tokumei[sql]; install them: pip install 'tokumei[sql]'."
        ) from None


@contextmanager
def opened(url: str, folder: Path, what: str, kind: type[TokumeiError], *, new: bool = False) -> Iterator[Database]:
    """Open a database for a while; whatever the driver raises becomes one sentence of the kind given."""
    database: Database | None = None
    problem = ""
    try:
        database = connect(url, folder, new=new)
        yield database
    except (TokumeiError, MemoryError, Cancelled, KeyboardInterrupt, GeneratorExit):
        raise
    except Exception as error:  # noqa: BLE001  (each driver has errors of its own)
        if STOPPED in str(error).lower():
            raise KeyboardInterrupt from None
        problem = _words(error)
    finally:
        if database is not None:
            database.close()
    if problem:
        raise_alone(
            kind(phrase("{what}: {problem}.", what=what, problem=problem))
        )  # within a block that fails, the driver's own error would hang on it


# What PostgreSQL's codes mean for somebody who wants to read or write a table.
STATES = {
    "55P03": phrase("it is locked by another user; try again later"),
    "42P01": phrase("there is no such table"),
    "42P07": phrase("a table of that name already exists"),
    "42703": phrase("there is no such column"),
    "42601": phrase("the query is not valid SQL"),
    "42701": phrase("two columns would have the same name there"),
    "3F000": phrase("there is no such schema"),
    "2BP01": phrase("something else in the database depends on it"),
    "54011": phrase("it has more columns than the database allows"),
    "25006": phrase("a query that is read from must not change anything"),
    "42501": phrase("you do not have permission to do that"),
    "28P01": phrase("the password was refused; set PGPASSWORD or ~/.pgpass"),
    "28000": phrase("you do not have permission to connect"),
    "3D000": phrase("there is no such database"),
    "53100": phrase("the disk is full"),
    "57014": phrase("it was cancelled"),
}
SIGNS = (
    ("locked", STATES["55P03"]),
    ("could not set lock", STATES["55P03"]),
    ("conflicting lock", STATES["55P03"]),
    ("no such table", STATES["42P01"]),
    ("does not exist", STATES["42P01"]),
    ("already exists", STATES["42P07"]),
    ("no such column", STATES["42703"]),
    ("syntax error", STATES["42601"]),
    ("duplicate column", STATES["42701"]),
    ("no password supplied", STATES["28P01"]),
    ("readonly", STATES["42501"]),
    ("read-only", STATES["42501"]),
    ("permission denied", STATES["42501"]),
    ("is full", STATES["53100"]),
    ("disk full", STATES["53100"]),
    ("no space left", STATES["53100"]),
    ("not a database", phrase("it is not a database of that kind")),
    ("not a valid duckdb", phrase("it is not a database of that kind")),
    ("unable to open", phrase("it cannot be opened")),
    ("connection", phrase("it cannot be reached")),
    ("type mismatch", phrase("a column holds values of several kinds; give it one")),
)


def _words(error: Exception) -> str:
    """Say what a driver complains about in words of our own: its message may quote a cell."""
    state = getattr(error, "sqlstate", None)
    if state in STATES:
        return STATES[str(state)]
    text = str(error).lower()
    for sign, words in SIGNS:
        if sign in text:
            return words
    if state:
        return phrase("the database refused ({kind}, SQLSTATE {state})", kind=type(error).__name__, state=state)
    return phrase("the database refused ({kind})", kind=type(error).__name__)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


@dataclass(eq=False)
class QueryRows(Rows):
    """The rows that a query gives. A name is shown in messages instead of the query, which may hold values."""

    url: str
    query: str
    folder: Path
    schema: Schema | None
    columns: tuple[str, ...] = ()
    total: float | None = None
    by_rows = True

    def __post_init__(self) -> None:
        self.query = self.query.strip().rstrip(";")
        with self._opened() as database:
            none = database.rows(f"SELECT * FROM ({self.query}\n) AS tokumei_query LIMIT 0")  # it may end in a comment
            self.columns = tuple(none.schema.names)
            none.close()

    def _opened(self) -> Any:
        return opened(self.url, self.folder, phrase("The rows cannot be read from the database"), DataError)

    def about(self) -> int:
        """Return how many rows there are: the database counts them."""
        if self.total is None:
            with self._opened() as database:
                found = database.rows(f"SELECT count(*) AS rows FROM ({self.query}\n) AS tokumei_query").read_all()
                self.total = float(found.column("rows")[0].as_py())
        return int(self.total or 0)

    def batches(self, columns: Sequence[str], size: int) -> Iterator[Batch]:
        """Run the query and read some of its columns."""
        done = 0.0
        with self._opened() as database:
            wanted = ", ".join(quoted_name(name) for name in columns)
            for batch in database.rows(f"SELECT {wanted} FROM ({self.query}\n) AS tokumei_query"):
                whole = conform(pa.Table.from_batches([batch]), self.schema)
                for low in range(0, batch.num_rows, size):
                    part = whole.slice(low, size)
                    done += part.num_rows
                    yield Batch(part, done)


def query_rows(url: str, query: str, folder: Path, schema: Schema | None) -> QueryRows:
    """Get ready to read the rows of a query, and have them counted, so that it can be said how much is left."""
    made = QueryRows(url, query, folder, schema)
    made.about()
    return made


def conform(table: pa.Table, schema: Schema | None) -> pa.Table:
    """Read values that a database has no type for as what their domain says: numbers and dates in text, 0 and 1 for booleans."""
    made = {}
    for name in table.column_names:
        column = table.column(name)
        if isinstance(column.type, pa.BaseExtensionType):
            column = column.cast(column.type.storage_type)
        wanted = _wanted(column.type, None if schema is None or name not in schema.names() else schema[name].domain)
        try:
            made[name] = column if wanted is None else column.cast(wanted)
            fits = True
        except pa.ArrowInvalid:
            fits = False
        if not fits:
            raise DataError("Column {name!r} holds cells that cannot be read as the kind of its domain.", name=name)
    return pa.table(made)


def _wanted(kind: Any, domain: Any) -> Any:
    text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    if isinstance(domain, Numbers) and text:
        return pa.float64()
    if isinstance(domain, Dates) and text:
        return pa.timestamp("us")
    if isinstance(domain, Categories) and isinstance(domain.values[0], bool) and pa.types.is_integer(kind):
        return pa.bool_()
    return None


def read_table_of(url: str, folder: Path, table: str, rows: int) -> pa.Table:
    """Read a table that should have ``rows`` rows, and one more where it has more: in a file of others it may have no end."""
    held, size = [], 0
    with opened(url, folder, phrase("The table {table!r} cannot be read", table=table), DataError) as database:
        found = database.rows(f"SELECT * FROM {quoted(table)} LIMIT {rows + 1}")
        packed = None if kind_of_url(url) == "postgresql" else file_of(url, folder).stat().st_size
        for batch in found:
            held.append(batch)
            size += batch.nbytes
            if packed is not None and unpacks_too_far(packed, size):
                raise DataError("The table {table!r} holds far more than its database has room for.", table=table)
        return pa.Table.from_batches(held, found.schema)
    raise AssertionError
