"""New tables in a database: whole or not at all, under their own names, and never over anything that is not ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa

from tokumei.errors import OutputError
from tokumei.files import is_plain
from tokumei.io.databases import Database, NewTable, opened
from tokumei.io.urls import name_parts, quoted
from tokumei.messages import phrase


def write_tables(
    url: str,
    folder: Path,
    tables: Sequence[NewTable],
    *,
    overwrite: bool,
    mark: str,
    is_ours: Callable[[pa.Table, Sequence[str]], bool],
) -> None:
    """Make new tables in one transaction: all of them are there whole, or none.

    Older tables are replaced only if asked, and only if the table ``mark`` is there too and is ours: that is told from what it
    holds, and from the columns of the first table, since anybody may call a table so.
    """
    what = phrase("The tables could not be written, and none was left behind")
    with opened(url, folder, what, OutputError, new=True) as database:
        _check_names(database, tables)
        there = [table.name for table in tables if database.exists(table.name)]
        if there and not overwrite:
            raise OutputError(
                "The table {there!r} already exists; choose another name, or overwrite it (overwrite=True, --overwrite).",
                there=there[0],
            )
        if there and not (mark in there and is_ours(*_found(database, mark, tables[0].name))):
            raise OutputError("The table {there!r} is not a release, so it is not overwritten.", there=there[0])
        for name in there:
            database.execute(f"DROP TABLE {quoted(name)}")
        for table in tables:
            database.create(table)
            if _columns(database, table.name) != table.types.names:
                raise OutputError(
                    "The database would change column names of {table!r}: it may not distinguish upper and "
                    "lower case; rename them. No table was left behind.",
                    table=table.name,
                )
        database.commit()


def _check_names(database: Database, tables: Sequence[NewTable]) -> None:
    """Refuse names that a database would cut off: two tables or columns could become one."""
    for table in tables:
        for name in (*name_parts(table.name), *table.types.names):
            if not is_plain(name):
                raise OutputError("{name!r} cannot be a name in a database; rename the column.", name=name)
            if database.longest is not None and len(name.encode()) > database.longest:
                raise OutputError(
                    "The name {name!r} is longer than the {longest} bytes that the database allows, and "
                    "would be cut off; choose a shorter one.",
                    name=name,
                    longest=database.longest,
                )


def _found(database: Database, mark: str, table: str) -> tuple[pa.Table, list[str]]:
    """Return the first rows of a table that may mark ours, and the columns of the table that it would be about."""
    told = database.rows(f"SELECT * FROM {quoted(mark)} LIMIT 2").read_all()
    return told, _columns(database, table) if database.exists(table) else []


def _columns(database: Database, table: str) -> list[str]:
    none = database.rows(f"SELECT * FROM {quoted(table)} LIMIT 0")
    names: list[str] = none.schema.names
    none.close()
    return names
